export { BetterVoicesCard } from "./BetterVoicesCard";
export { FirstVoiceCard } from "./FirstVoiceCard";
export { bestModel, hasVoices, needsEspeak } from "./best";
