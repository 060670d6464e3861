export { KnownSpeakers } from "./KnownSpeakers";
export { RememberDialog } from "./RememberDialog";
export { Suggestions } from "./Suggestions";
