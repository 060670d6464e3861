import type { GenerateRequest, ScriptRequest } from "./types";

// These are written by hand from docs/contract/decisions.md; the generated ones take their place.

export interface HostedQuote {
  credits: number | null;
  characters: number;
  calls: number;
  credits_per_1000: number | null;
  credits_left: number | null;
  warn: boolean;
  ask: boolean;
}

interface Answer<Body> {
  content: { "application/json": Body };
}
type Failed = Answer<{ code: string }>;
interface Body<T> {
  content: { "application/json": T };
}
/** Routes that are not in `schema.d.ts` yet. */
export interface HostedPaths {
  "/hosted/quote": {
    post: {
      requestBody: Body<GenerateRequest | ScriptRequest>;
      responses: { 200: Answer<HostedQuote>; default: Failed };
    };
  };
}
