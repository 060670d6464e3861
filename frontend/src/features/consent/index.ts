export { ConsentChoice } from "./ConsentChoice";
export { useConsentLine } from "./consentLine";
