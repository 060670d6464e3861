export { AwaitedVoice } from "./AwaitedVoice";
export { type Awaited, awaitVoice, forgetAwaited, useAwaited } from "./awaited";
export { NeedModel } from "./NeedModel";
export { VoicePicker, type VoicePickerProps } from "./VoicePicker";
