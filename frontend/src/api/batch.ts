import { api, asForm, dataOf } from "./client";
import type { components } from "./schema";
import type { GenerateRequest } from "./types";

export type ListRow = components["schemas"]["Row"];

/** Reads a list of texts; a row that cannot be spoken has a problem. */
export const parseList = (file: File) => dataOf(api.POST("/batch/parse", { body: { file }, bodySerializer: asForm }));

/** Generates a text and returns it once it is complete; aborting stops it. */
export const generateNow = (body: GenerateRequest, signal: AbortSignal) =>
  dataOf(api.POST("/generate", { body, signal }));
