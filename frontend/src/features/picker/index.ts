export { VoicePicker, type VoicePickerProps } from "./VoicePicker";
