export type ModelAction = "download" | "pause" | "resume" | "cancel" | "load" | "unload" | "verify" | "delete" | "fill";

/** A request for an action on a model. */
export interface ActionRequest {
  action: ModelAction;
  acceptLicense?: boolean;
  force?: boolean;
  path?: string;
}
