import type { Draft, Generation, Model, Profile, Pronunciation } from "@/api/types";

let count = 0;
/** Returns an id like the server's; each call returns a new one, which sorts after earlier ones. */
export const newId = (): string => `01938f00-0000-7000-8000-${String(++count).padStart(12, "0")}`;

export function aProfile(part: Partial<Profile> = {}): Profile {
  return {
    id: newId(),
    name: "Heart",
    description: "Warm, close, unhurried",
    gender: "female",
    language: "en-US",
    voice_type: "preset",
    preset_engine: "kokoro",
    preset_voice_id: "af_heart",
    model_name: "kokoro",
    speed: 1,
    favorite: false,
    usable: true,
    created_at: "2026-11-20T10:00:00Z",
    updated_at: "2026-11-20T10:00:00Z",
    ...part,
  };
}

export function aGeneration(part: Partial<Generation> = {}): Generation {
  const text = part.text ?? "The lamp was lit by hand. She climbed the stairs.";
  return {
    id: newId(),
    text,
    title: "",
    profile_id: newId(),
    profile_name: "Heart",
    language: "en-US",
    engine: "kokoro",
    model_name: "kokoro",
    voice: "af_heart",
    status: "complete",
    progress: 1,
    eta_seconds: null,
    error: null,
    seed: 42,
    speed: 1,
    duration: 4.2,
    sample_rate: 24000,
    channels: 1,
    format: "wav",
    audio_path: "/tmp/a.wav",
    audio_url: "/audio/a?exp=1&sig=x",
    source: "local",
    credits: null,
    favorite: false,
    parent_id: null,
    receipt: null,
    chunks: [
      { text: "The lamp was lit by hand.", start: 0, end: 2, take: 0, takes: 1 },
      { text: "She climbed the stairs.", start: 2, end: 4.2, take: 0, takes: 1 },
    ],
    chunks_done: 2,
    chunks_total: 2,
    created_at: "2026-11-20T10:00:00Z",
    ...part,
  };
}

export function aModel(part: Partial<Model> = {}): Model {
  return {
    model_name: "kokoro",
    display_name: "Kokoro",
    engine: "kokoro",
    family: "speech",
    variant: "full",
    repo_id: "a/kokoro",
    revision: "0".repeat(40),
    note: "Warm voices, quick on a CPU",
    languages: ["en-US", "en-GB"],
    license: { name: "Apache-2.0", url: "https://example.org/license", accept_required: false, accepted: false },
    size_mb: 338,
    partial_mb: 0,
    voices: 54,
    mixes: true,
    multilingual: false,
    steps: false,
    supported: true,
    cloning: false,
    default: false,
    downloaded: false,
    downloading: null,
    loaded: false,
    state: "missing",
    error: null,
    memory_mb: { estimate: 620, measured: null },
    fits: "yes",
    device: "cpu",
    rtf: null,
    shape: null,
    idle_unload_at: null,
    last_used_at: null,
    ...part,
  };
}

export function aDraft(part: Partial<Draft> = {}): Draft {
  return {
    id: newId(),
    name: "Draft",
    content: {},
    created_at: "2026-11-20T10:00:00Z",
    updated_at: "2026-11-20T10:00:00Z",
    ...part,
  };
}

export function aPronunciation(part: Partial<Pronunciation> = {}): Pronunciation {
  return { id: newId(), word: "Caoimhe", respelling: "KEE-va", language: "en", ...part };
}
