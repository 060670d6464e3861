export { BetterVoicesCard } from "./BetterVoicesCard";
export { bestModel, hasVoices } from "./best";
