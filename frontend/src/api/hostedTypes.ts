import type { Failure, GenerateRequest, ScriptRequest } from "./types";

// These are written by hand from docs/contract/decisions.md; the generated ones take their place.

export interface HostedStatus {
  enabled: boolean;
  configured: boolean;
  signed_in: boolean;
  account: string;
  email: string;
  key_prefix: string;
  base_url: string;
  plan: string;
  credits: number | null;
  payg_credits: number | null;
  expires_at: string | null;
  signed_in_at: string | null;
  checked_at: string | null;
  error: Failure | null;
  notice: { kind: "plan_expired" | "plan_expires"; expires_at: string | null } | null;
  login: {
    status: "idle" | "waiting" | "failed";
    authorization_url: string;
    expires_at: string | null;
    error: Failure | null;
  };
  secrets: { place: "keychain" | "file" | "none"; file_allowed: boolean };
}

export interface HostedVoice {
  id: string;
  name: string;
  gender: "female" | "male" | "";
  provider: string;
  accent: string;
  language: string;
  category: string;
  preview_url: string;
  models: string[];
  favorite: boolean;
  model: string;
  paid: boolean;
  v3_hint: boolean;
  credits_per_1000: number | null;
  profile_id: string | null;
}

export interface HostedFilters {
  providers: string[];
  genders: string[];
  languages: string[];
  accents: string[];
  categories: string[];
}

export interface HostedVoicePage {
  items: HostedVoice[];
  total: number;
  next_cursor: string | null;
  filters: HostedFilters;
  fetched_at: string | null;
  stale: boolean;
}

export interface HostedModel {
  id: string;
  name: string;
  provider: string;
  description: string;
  category: string;
  plan_required: string | null;
}

export interface HostedQuote {
  credits: number | null;
  characters: number;
  calls: number;
  credits_per_1000: number | null;
  credits_left: number | null;
  warn: boolean;
  ask: boolean;
}

export interface HostedTest {
  ok: boolean;
  ms: number;
  key_accepted: boolean | null;
  error: Failure | null;
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

export interface HostedVoiceFilter {
  search?: string;
  language?: string;
  gender?: string;
  provider?: string;
  category?: string;
  accent?: string;
  favorite?: boolean;
}

export interface HostedPaths {
  "/hosted/status": { get: { responses: { 200: Answer<HostedStatus>; default: Failed } } };
  "/hosted/test": {
    post: { requestBody: Body<{ base_url?: string }>; responses: { 200: Answer<HostedTest>; default: Failed } };
  };
  "/hosted/login": {
    post: { responses: { 202: Answer<{ authorization_url: string }>; default: Failed } };
    delete: { responses: { 204: Nothing; default: Failed } };
  };
  "/hosted/login/finish": {
    post: { requestBody: Body<{ url: string }>; responses: { 204: Nothing; default: Failed } };
  };
  "/hosted/logout": { post: { responses: { 204: Nothing; default: Failed } } };
  "/hosted/key": {
    put: { requestBody: Body<{ key: string }>; responses: { 200: Answer<{ key_prefix: string }>; default: Failed } };
    post: { requestBody: Body<{ name: string }>; responses: { 201: Answer<{ key_prefix: string }>; default: Failed } };
    delete: { responses: { 204: Nothing; default: Failed } };
  };
  "/hosted/voices": {
    get: {
      parameters: { query?: HostedVoiceFilter & { refresh?: boolean; limit?: number; cursor?: string } };
      responses: { 200: Answer<HostedVoicePage>; default: Failed };
    };
  };
  "/hosted/voices/{voice_id}/preview": {
    get: {
      parameters: { path: { voice_id: string } };
      responses: { 200: { content: { "audio/mpeg": string } }; default: Failed };
    };
  };
  "/hosted/voices/{voice_id}/favorite": {
    put: {
      parameters: { path: { voice_id: string } };
      requestBody: Body<{ favorite: boolean }>;
      responses: { 200: Answer<HostedVoice>; default: Failed };
    };
  };
  "/hosted/models": { get: { responses: { 200: Answer<{ items: HostedModel[] }>; default: Failed } } };
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
