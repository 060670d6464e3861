export { BetterVoicesCard } from "./BetterVoicesCard";
export { FirstVoiceCard } from "./FirstVoiceCard";
export { bestModel, hasVoices } from "./best";
