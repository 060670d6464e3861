/** An API key of the account, as the hosted service lists it. */
export interface AccountKey {
  id: string;
  keyPrefix: string;
  name: string;
  createdAt: string;
  /** null until its first use */
  lastUsedAt: string | null;
  /** null while it is active */
  revokedAt: string | null;
}

/** A call that moved credits, as the hosted service lists it. */
export interface AccountCall {
  id: string;
  createdAt: string;
  characters: number;
  /** What it cost, 0 when it was refunded; what is reserved for it while it is held. */
  credits: number;
  status: "charged" | "refunded" | "held";
}

interface Header {
  "X-Voicewright-Auth": "jwt";
}

interface Answer<Body> {
  content: { "application/json": Body };
}
type Failed = Answer<{ code: string }>;

/** The paths of the hosted API (docs/contract/hosted-api.md) that the page calls, in the form of `schema.d.ts`. */
export interface ForwardedPaths {
  "/api/v1/user/api-keys": {
    get: { parameters: { header: Header }; responses: { 200: Answer<{ apiKeys: AccountKey[] }>; default: Failed } };
    post: {
      parameters: { header: Header };
      requestBody: Answer<{ name?: string }>;
      /** The key in plain text is in this answer only. */
      responses: { 201: Answer<{ key: string; apiKey: AccountKey }>; default: Failed };
    };
  };
  "/api/v1/user/usage": {
    get: {
      parameters: { query: { limit: number; cursor?: string } };
      responses: { 200: Answer<{ usage: AccountCall[]; nextCursor: string | null }>; default: Failed };
    };
  };
  "/api/v1/user/api-keys/{id}": {
    delete: {
      parameters: { header: Header; path: { id: string } };
      responses: { 200: Answer<{ success: boolean }>; default: Failed };
    };
  };
}
