export { ProgramHelp } from "./ProgramHelp";
