export { NeedModel } from "./NeedModel";
export { VoicePicker, type VoicePickerProps } from "./VoicePicker";
