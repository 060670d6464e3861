export { FindPanel, type FindRequest } from "./FindPanel";
export * from "./query";
