export { DictationBar } from "./DictationBar";
