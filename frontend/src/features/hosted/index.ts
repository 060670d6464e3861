export { HostedModelSelect } from "./HostedModelSelect";
export { PriceDialog } from "./PriceDialog";
export { Rate } from "./Rate";
export { TextPrice } from "./TextPrice";
export { usePayment, type Pay } from "./usePayment";
export { useCredits, useWaitText } from "./words";
