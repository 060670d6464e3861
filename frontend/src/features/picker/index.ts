export { AwaitedVoice } from "./AwaitedVoice";
export { type Awaited, awaitVoice, forgetAwaited, useAwaited } from "./awaited";
export { ModelQuestion } from "./ModelQuestion";
export { NeedModel } from "./NeedModel";
export type { VoicePickerProps } from "./props";
export { VoicePicker } from "./VoicePicker";
