export { AwaitedVoice } from "./AwaitedVoice";
export { type Awaited, awaitVoice, forgetAwaited, useAwaited } from "./awaited";
export { ModelQuestion } from "./ModelQuestion";
export { NeedModel } from "./NeedModel";
export { VoicePicker, type VoicePickerProps } from "./VoicePicker";
