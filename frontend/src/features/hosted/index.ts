export { useCredits } from "./words";
export { Rate } from "./Rate";
export { HostedModelSelect } from "./HostedModelSelect";
