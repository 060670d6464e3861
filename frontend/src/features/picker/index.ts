export { VoiceBadge } from "./VoiceBadge";
export { VoicePicker, type VoicePickerProps } from "./VoicePicker";
