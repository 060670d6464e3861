import type { GenerateRequest } from "./types";

/** The query keys of all resources: the first part is what an event of the server invalidates. */
export const keys = {
  history: ["history"] as const,
  historyList: (filter: object) => ["history", "list", filter] as const,
  historyStats: ["history", "stats"] as const,
  historyStorage: ["history", "storage"] as const,
  generation: (id: string) => ["generation", id] as const,
  /** The planned chunks of a generation, which no event changes. */
  plannedChunks: (id: string) => ["planned-chunks", id] as const,
  /** What a text changes of a version of a generation, which no event changes. */
  revisionPlan: (id: string, version: string, request: GenerateRequest) =>
    ["revision-plan", id, version, request] as const,
  peaks: (id: string, made: string, n: number) => ["peaks", id, made, n] as const,
  takes: (id: string, made: string) => ["takes", id, made] as const,
  profiles: ["profiles"] as const,
  profileList: (filter: object) => ["profiles", "list", filter] as const,
  profile: (id: string) => ["profiles", "one", id] as const,
  samples: (profileId: string) => ["profiles", "samples", profileId] as const,
  models: ["models"] as const,
  modelStatus: ["models", "status"] as const,
  modelDirectory: ["models", "directory"] as const,
  catalogue: (filter: object) => ["catalogue", filter] as const,
  settings: ["settings"] as const,
  system: ["system"] as const,
  dictation: ["dictation"] as const,
  health: ["health"] as const,
  drafts: ["drafts"] as const,
  draft: (id: string) => ["drafts", "one", id] as const,
  pronunciations: ["pronunciations"] as const,
  transcripts: ["transcripts"] as const,
  transcriptList: (filter: object) => ["transcripts", "list", filter] as const,
  transcript: (id: string) => ["transcripts", "one", id] as const,
  scripts: ["scripts"] as const,
  script: (id: string) => ["scripts", "one", id] as const,
  /** What an event `hosted` may have changed. */
  hosted: ["hosted"] as const,
  hostedStatus: ["hosted", "status"] as const,
  hostedKeys: ["hosted", "keys"] as const,
  hostedUsage: (account: object) => ["hosted", "usage", account] as const,
  hostedQuotes: ["hosted", "quote"] as const,
  hostedQuote: (request: object) => ["hosted", "quote", request] as const,
  hostedVoices: ["hosted", "voices"] as const,
  hostedVoiceList: (filter: object) => ["hosted", "voices", "list", filter] as const,
  hostedModels: ["hosted", "models"] as const,
  textPreviews: ["text-preview"] as const,
  textPreview: (request: object) => ["text-preview", request] as const,
};
