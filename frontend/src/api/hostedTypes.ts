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

export interface HostedEnhanced {
  text: string;
  original: string;
  fallback: boolean;
  reason: "service" | "words" | null;
}

export interface HostedEnhancedTurns {
  turns: (HostedEnhanced & { id: string })[];
  fallback: boolean;
}

interface Answer<Body> {
  content: { "application/json": Body };
}
type Failed = Answer<{ code: string }>;
interface Body<T> {
  content: { "application/json": T };
}
type Nothing = { content?: never };

/** Routes that are not in `schema.d.ts` yet. */
export interface HostedPaths {
  "/hosted/login": {
    post: { responses: { 202: Answer<{ authorization_url: string }>; default: Failed } };
    delete: { responses: { 204: Nothing; default: Failed } };
  };
  "/hosted/login/finish": {
    post: { requestBody: Body<{ url: string }>; responses: { 204: Nothing; default: Failed } };
  };
  "/hosted/logout": { post: { responses: { 204: Nothing; default: Failed } } };
  "/hosted/quote": {
    post: {
      requestBody: Body<GenerateRequest | ScriptRequest>;
      responses: { 200: Answer<HostedQuote>; default: Failed };
    };
  };
  "/hosted/enhance": {
    post: {
      requestBody: Body<{ text?: string; voice?: string; turns?: { id: string; text: string; voice?: string }[] }>;
      responses: { 200: Answer<HostedEnhanced | HostedEnhancedTurns>; default: Failed };
    };
  };
}
