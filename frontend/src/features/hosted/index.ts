export { HostedModelSelect } from "./HostedModelSelect";
export { PriceDialog } from "./PriceDialog";
export { Rate } from "./Rate";
export { TextPrice } from "./TextPrice";
export { useCredits, useWaitText } from "./words";
