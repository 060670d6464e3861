export { HostedModelSelect } from "./HostedModelSelect";
export { PriceDialog } from "./PriceDialog";
export { Rate } from "./Rate";
export { TextPrice } from "./TextPrice";
export { priceToConfirm, usePayment, type Pay } from "./usePayment";
export { useCredits, useWaitText } from "./words";
