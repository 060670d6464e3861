import type {
  Book,
  BookChapter,
  BookRow,
  Draft,
  Generation,
  KnownSpeaker,
  Model,
  Profile,
  Pronunciation,
  Sample,
  SampleCheck,
  Segment,
  Transcript,
} from "@/api/types";

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
    samples: 0,
    consent: null,
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
    verify: null,
    verify_error: null,
    partial: null,
    wait: null,
    can_undo: false,
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
    samples: false,
    expressions: [],
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
    device_requested: "",
    device_warning: null,
    rtf: null,
    shape: null,
    idle_unload_at: null,
    last_used_at: null,
    language_notes: {},
    espeak_languages: [],
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

export function aSegment(part: Partial<Segment> = {}): Segment {
  return {
    id: 0,
    start: 0,
    end: 1,
    text: "Hello",
    words: [],
    no_speech_prob: 0,
    speaker: "",
    speaker_found: false,
    cut_from: 0,
    paragraph: false,
    ...part,
  };
}

export function aTranscript(part: Partial<Transcript> = {}): Transcript {
  const segments = part.segments ?? [
    aSegment({
      id: 0,
      start: 0,
      end: 2,
      text: "The lamp was lit.",
      words: [
        { word: " The", start: 0, end: 0.3, probability: 0.98 },
        { word: " lamp", start: 0.3, end: 0.8, probability: 0.41 },
        { word: " was", start: 0.9, end: 1.1, probability: 0.97 },
        { word: " lit.", start: 1.2, end: 1.9, probability: 0.95 },
      ],
    }),
    aSegment({
      id: 1,
      start: 2.5,
      end: 4,
      text: "She climbed the stairs.",
      paragraph: true,
      words: [
        { word: " She", start: 2.5, end: 2.8, probability: 0.99 },
        { word: " climbed", start: 2.8, end: 3.2, probability: 0.9 },
        { word: " the", start: 3.2, end: 3.4, probability: 0.99 },
        { word: " stairs.", start: 3.4, end: 3.9, probability: 0.93 },
      ],
    }),
  ];
  return {
    id: newId(),
    title: "Interview",
    status: "complete",
    progress: 1,
    error: null,
    text: segments.map(({ text }) => text).join(" "),
    language: "en",
    duration: 4.2,
    segments,
    model_name: "whisper-base",
    source: "file",
    file_name: "interview.m4a",
    generation_id: null,
    audio_path: "/tmp/interview.opus",
    audio_url: "/audio/t?exp=1&sig=x",
    can_undo: false,
    waiting: false,
    finding_speakers: null,
    speakers_error: null,
    channels: null,
    speakers: [],
    turns: [],
    warnings: [],
    created_at: "2026-11-20T10:00:00Z",
    updated_at: "2026-11-20T10:00:00Z",
    ...part,
  };
}

export function aKnownSpeaker(part: Partial<KnownSpeaker> = {}): KnownSpeaker {
  return {
    id: newId(),
    name: "Anna",
    seconds: 42,
    recordings: 1,
    consent: { kind: "permission", by: "Ilse", at: "2026-11-20T10:00:00Z" },
    usable: true,
    created_at: "2026-11-20T10:00:00Z",
    updated_at: "2026-11-20T10:00:00Z",
    ...part,
  };
}

export function aSample(part: Partial<Sample> = {}): Sample {
  return {
    id: newId(),
    profile_id: newId(),
    name: "grandad.wav",
    seconds: 12.4,
    sample_rate: 48000,
    level_lufs: -19,
    noise_db: -62,
    clipped: false,
    speakers: 1,
    warnings: [],
    transcript: "",
    created_at: "2026-11-20T10:00:00Z",
    audio_url: "/audio/s?exp=1&sig=x",
    ...part,
  };
}

/** Returns what the server says about a recording of 15 s, of which 12.4 s are speech. */
export function aSampleCheck(part: Partial<SampleCheck> = {}): SampleCheck {
  return {
    ...aSample({ id: "", profile_id: "" }),
    from: 1,
    to: 13.4,
    duration: 15,
    peaks: Array.from({ length: 300 }, (_, i) => Math.abs(Math.sin(i / 9))),
    models: [
      {
        model_name: "pocket-en",
        display_name: "Pocket TTS English",
        downloaded: true,
        size_mb: 165,
        fits: "yes",
        languages: ["en"],
        problem: null,
      },
    ],
    ...part,
  };
}

export function aChapter(part: Partial<BookChapter> = {}): BookChapter {
  return {
    id: newId(),
    title: "The lamp",
    level: 1,
    words: 1200,
    characters: 6000,
    state: "new",
    generations: [],
    skipped: false,
    wanted: false,
    seconds: 0,
    progress: 0,
    left_out: 0,
    options: {},
    error: null,
    ...part,
  };
}

export function aBook(part: Partial<Book> = {}): Book {
  const chapters = part.chapters ?? [aChapter(), aChapter({ title: "The ferry" })];
  return {
    id: newId(),
    title: "Skellig Head",
    author: "Ann Author",
    narrator: "",
    language: "en",
    description: "",
    publisher: "",
    year: "",
    genre: "",
    isbn: "",
    series: "",
    series_part: "",
    words: { body: 2500, kept: 2400, left_out: [], read: [] },
    passages: { generated: 0, reused: 0 },
    options: {},
    depth: 1,
    depths: [chapters.length],
    source: { name: "skellig.epub", sha256: "00", bytes: 90_000 },
    has_cover: false,
    state: "new",
    generating: false,
    seconds: 0,
    length_seconds: 960,
    eta_seconds: null,
    progress: 0,
    undos: 0,
    created_at: "2026-11-20T10:00:00Z",
    updated_at: "2026-11-20T10:00:00Z",
    ...part,
    chapters,
  };
}

/** Returns a book as it is in the list of all. */
export function aBookRow(part: Partial<Book> = {}): BookRow {
  const book = aBook(part);
  const heard = book.chapters.filter(({ skipped }) => !skipped);
  return { ...book, chapters: { done: heard.filter(({ state }) => state === "done").length, total: heard.length } };
}
