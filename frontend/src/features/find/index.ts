export { FindPanel } from "./FindPanel";
export * from "./query";
