import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import type { CatalogueItem, Model, SystemInfo } from "@/api/types";
import { history, novel, radio, spoken } from "./texts";
import { waitForPage, start, test, type Server } from "./studio";
import { fill, soundRate, writeSound, type Row, type Voice, writeTakes } from "./seed";

/** The time at which every scene takes place: a Thursday afternoon in Berlin. */
export const now = new Date("2026-03-12T15:24:00Z");
export const zone = "Europe/Berlin";

const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
/** Ids that differ widely, because the avatars are derived from them. */
const voiceId = (n: number) =>
  `01a1fc00-${(n * 7919).toString(16).padStart(4, "0").slice(-4)}-7000-8000-${(n * 0x2f6b5d3a917).toString(16).padStart(12, "0").slice(-12)}`;

/** The profile of the voice Heart. */
export const heartId = voiceId(2);
/** The script of the scene. */
export const scriptId = voiceId(900);

interface Known {
  engine: string;
  preset: string;
  model: string;
  language: string;
  about?: string;
  favorite?: boolean;
}
const voices: Record<string, Known> = {
  Heart: { engine: "kokoro", preset: "af_heart", model: "kokoro", language: "en-US", favorite: true },
  Bella: { engine: "kokoro", preset: "af_bella", model: "kokoro", language: "en-US" },
  Michael: { engine: "kokoro", preset: "am_michael", model: "kokoro", language: "en-US" },
  Emma: { engine: "kokoro", preset: "bf_emma", model: "kokoro", language: "en-GB", favorite: true },
  George: { engine: "kokoro", preset: "bm_george", model: "kokoro", language: "en-GB" },
  Siwis: { engine: "kokoro", preset: "ff_siwis", model: "kokoro", language: "fr-FR" },
  Sara: { engine: "kokoro", preset: "if_sara", model: "kokoro", language: "it" },
  "Evening reader": {
    engine: "kokoro",
    preset: "af_heart:0.7+bf_emma:0.3",
    model: "kokoro",
    language: "en-GB",
    about: "Calm, for long stories",
  },
  Jasper: { engine: "kitten", preset: "expr-voice-2-m", model: "kitten-mini", language: "en-US" },
  Luna: { engine: "kitten", preset: "expr-voice-3-f", model: "kitten-mini", language: "en-US" },
  Lessac: { engine: "piper", preset: "en_US-lessac-medium#0", model: "piper-en_US-lessac-medium", language: "en-US" },
  Thorsten: {
    engine: "piper",
    preset: "de_DE-thorsten-high#0",
    model: "piper-de_DE-thorsten-high",
    language: "de-DE",
    about: "Clear German, for lessons",
  },
};
const names = Object.keys(voices);

const profiles: Voice[] = [
  {
    id: voiceId(1),
    name: "Built-in voice",
    voice_type: "default",
    language: "en",
    speed: 1,
    created_at: ago(90_000),
    updated_at: ago(90_000),
  },
  ...names.map((name, i): Voice => {
    const { engine, preset, model, language, about = "", favorite = false } = voices[name] as Known;
    return {
      id: voiceId(i + 2),
      name,
      voice_type: "preset",
      language,
      description: about,
      preset_engine: engine,
      preset_voice_id: preset,
      model_name: model,
      speed: 1,
      favorite,
      created_at: ago(40_000 - i),
      updated_at: ago(40_000 - i),
    };
  }),
];

const idOf = (name: string) => profiles.find((p) => p.name === name)?.id ?? "";

/** Returns a finished generation; its chunks divide its length by their letters, and the first one has three takes. */
function row(
  n: number,
  voice: string,
  minutes: number,
  seconds: number,
  chunks: readonly string[],
  more: Partial<Row> = {},
): Row {
  const known = voices[voice] ?? { engine: "espeak", preset: "en-us", model: "espeak", language: "en" };
  const all = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  let at = 0;
  const parts = chunks.map((text, i) => {
    const start = at;
    at += (text.length / all) * seconds;
    return { text, start, end: at, take: i === 1 ? 1 : 0, takes: i === 1 ? 3 : 1 };
  });
  const base = {
    engine: known.engine,
    model_name: known.model,
    voice: known.preset,
    language: known.language,
    seed: 4211 + n,
    speed: 1,
  };
  return {
    id: `01a1fc00-0000-7000-8000-${String(n).padStart(12, "0")}`,
    created_at: ago(minutes),
    text: chunks.join(" "),
    format: "wav",
    profile_id: idOf(voice),
    profile_name: voice,
    ...base,
    status: "complete",
    progress: 1,
    duration: seconds,
    sample_rate: soundRate,
    channels: 1,
    chunks: parts,
    chunks_done: chunks.length,
    chunks_total: chunks.length,
    receipt: {
      app_version: "1.0.0",
      ...base,
      model_revision: known.engine === "espeak" ? "" : "1939ad2a8e416c0acfeecc08a694d14ef25f2231",
      model_files: [],
      parameters: {},
      spoken_text: chunks.join(" "),
      pronunciations: {},
      chunks: parts.map(({ text, take, takes }) => {
        const seeds = [4211, 90_817, 551_203].slice(0, takes);
        const all = seeds.map((seed) => ({ spoken: text, seed }));
        return {
          text,
          pause_ms: 0,
          ...(all[take] ?? { spoken: text, seed: 4211 }),
          ...(takes > 1 ? { takes: all } : {}),
        };
      }),
      device: "cpu",
      workers: 1,
      threads: 4,
      runtimes: {},
      gain_db: 0,
      audio_sha256: "",
      seconds: { load: 0.42, speak: seconds / 9, write: 0.02 },
      dropped_tags: [],
      reproducible: true,
    },
    ...more,
  };
}

const failure = {
  code: "model_not_downloaded",
  detail: "The model is not on this machine.",
  remedy: "Download it.",
  params: { model_name: "supertonic-3" },
} as const;

function generations(): Row[] {
  const rows = history.map(({ text, voice, minutes, seconds, ...more }, i) =>
    row(i + 1, voice, minutes, seconds, [text], {
      ...more,
      ...(more.status === "failed" ? { duration: 0, receipt: null, chunks: [], error: failure } : {}),
      ...(more.status === "cancelled" ? { duration: 0, receipt: null, chunks: [] } : {}),
    }),
  );
  const turns = radio.map(({ text, voice, seconds }, i) => row(40 + i, voice, 30 - i, seconds, [text]));
  return [
    ...rows,
    ...turns,
    row(60, "Heart", 4, 47.2, spoken, { text: novel, title: "The keeper's last winter", favorite: true }),
  ].sort((a, b) => a.created_at.localeCompare(b.created_at));
}

function drafts(rows: readonly Row[]) {
  const speakers = [
    { id: "s1", name: "Nora", profileId: idOf("Emma"), hue: 1 },
    { id: "s2", name: "Dr Lindqvist", profileId: idOf("George"), hue: 4 },
  ];
  const turns = radio.map(({ text, voice }, i) => ({
    id: `t${String(i)}`,
    speakerId: voice === "Emma" ? "s1" : "s2",
    text,
    ...(i < radio.length - 1
      ? { spoken: { generationId: rows.find((r) => r.text === text)?.id, text, profileId: idOf(voice) } }
      : {}),
  }));
  return [
    { name: "Notes for the tour", content: { text: "Above the door of the chapel you see a ship." } },
    {
      name: "Ask a glaciologist",
      content: { kind: "script", title: "Ask a glaciologist", gapMs: 300, speakers, turns, scriptId: scriptId },
    },
    {
      name: "The keeper's last winter",
      content: {
        text: novel,
        profile_id: idOf("Heart"),
        seed: 4271,
        named: true,
        generation_id: rows.find((r) => r.text === novel)?.id,
      },
    },
  ];
}

/** Returns the library of a person who has worked with the program for a while. */
async function fillScene(data: string): Promise<void> {
  const rows = generations();
  for (const one of rows)
    if (one.status === "complete") {
      one.audio_path = await writeSound(data, one.id, one.duration ?? 1, Number(one.id.slice(-3)));
      await writeTakes(data, one);
    }
  const turns = radio.slice(0, -1).map(({ text }) => rows.find((r) => r.text === text) as Row);
  const duration = turns.reduce((sum, turn) => sum + (turn.duration ?? 0), 0) + 0.3 * (turns.length - 1);
  const script = {
    id: scriptId,
    title: "Ask a glaciologist",
    gap_ms: 300,
    turns: turns.map((turn) => turn.id),
    created_at: ago(30),
    duration,
    sample_rate: soundRate,
  };
  await fill(data, {
    now: ago(2),
    profiles,
    generations: rows,
    drafts: drafts(rows),
    scripts: [{ ...script, audio_path: await writeSound(data, script.id, duration, 5) }],
    pronunciations: [
      { word: "Caoimhe", respelling: "KEE-va" },
      { word: "Lindqvist", respelling: "LIND-kwist" },
      { word: "Ouse", respelling: "/uːz/", language: "en-GB" },
      { word: "SQL", respelling: "sequel", language: "en" },
    ],
  });
}

const changes: Record<string, Partial<Model>> = {
  kokoro: {
    state: "loaded",
    loaded: true,
    downloaded: true,
    device: "cpu",
    memory_mb: { estimate: 570, measured: 548 },
    rtf: 0.11,
  },
  "kitten-mini": { state: "downloaded", downloaded: true, rtf: 0.06 },
  "piper-en_US-lessac-medium": { state: "downloaded", downloaded: true },
  "piper-de_DE-thorsten-high": {
    state: "broken",
    error: {
      code: "model_corrupt",
      detail: "A file was changed.",
      remedy: "Download it again.",
      params: { file: "de_DE-thorsten-high.onnx" },
    },
  },
  "supertonic-3": { state: "downloading", downloading: { current: 173_000_000, total: 402_000_000 } },
  "piper-en_US-ryan-high": { partial_mb: 61 },
};

const catalogue: CatalogueItem[] = [
  {
    key: "en_GB-alba-medium",
    name: "alba",
    language: "en_GB",
    quality: "medium",
    license: "CC-BY-4.0",
    registered: false,
    size_mb: 63,
    speakers: 1,
  },
  {
    key: "fi_FI-harri-medium",
    name: "harri",
    language: "fi_FI",
    quality: "medium",
    license: "CC0-1.0",
    registered: false,
    size_mb: 70,
    speakers: 1,
  },
];

/** The imaginary machine. */
export const machine: SystemInfo = {
  os: "linux",
  arch: "amd64",
  offline: false,
  encoders: ["wav", "flac", "mp3", "opus", "m4a"],
  devices: [{ id: "cpu", name: "AMD Ryzen 7 7840U", cores: 8, memory: null }],
  device_choices: [],
  memory: { total: 33_500_000_000, free: 21_400_000_000 },
  disk: { total: 512_000_000_000, free: 187_000_000_000 },
  libraries: [
    { name: "onnxruntime", version: "1.23.2", available: true, install: null },
    { name: "espeak-ng", version: "1.52", available: true, install: null },
    { name: "ffmpeg", version: "7.1", available: true, install: null },
  ],
  paths: { data: "/home/nora/.local/share/voicewright", models: "/home/nora/.local/share/voicewright/models" },
};

/** Changes the program's answers at a path. */
export const change = (page: Page, path: string, edit: (body: Record<string, unknown>) => object) =>
  page.route(
    (url) => url.pathname === path,
    async (route) => {
      try {
        const answer = await route.fetch();
        const body = (await answer.json()) as Record<string, unknown>;
        await route.fulfill({ response: answer, json: { ...body, ...edit(body) } });
      } catch (error) {
        if (!/disposed|Test ended/.test(String(error))) throw error; // the page was reloaded or left during this response
      }
    },
  );

/**
 * Replaces the values that differ from machine to machine with those of an imaginary one: processor, memory, disk and
 * folders, the models on it (they are too large for a test), and the offers of the model hub.
 * All other values are the program's own.
 */
export async function imagine(page: Page): Promise<void> {
  await change(page, "/system", () => machine);
  await change(page, "/models/directory", () => ({
    path: "/home/nora/.local/share/voicewright/models",
    used_bytes: 802_000_000,
    free_bytes: 187_000_000_000,
  }));
  await change(page, "/history/storage", () => ({ bytes: 48_300_000 }));
  await change(page, "/health", () => ({ version: "1.0.0" }));
  await change(page, "/models/status", (body) => ({
    models: (body.models as Model[]).map((model) => ({
      ...model,
      fits: model.size_mb > 1500 ? "tight" : "yes",
      ...changes[model.model_name],
    })),
  }));
  await page.route(
    (url) => url.pathname === "/models/catalogue",
    (route) => route.fulfill({ json: { items: catalogue } }),
  );
  await page.route(
    (url) => url.pathname === "/models/progress/supertonic-3",
    (route) =>
      route.fulfill({
        contentType: "text/event-stream",
        body: `data: ${JSON.stringify({ model_name: "supertonic-3", status: "downloading", current: 173_000_000, total: 402_000_000, bytes_per_second: 12_000_000, eta_seconds: 19, filename: "vector_estimator.onnx" })}\n\n`,
      }),
  );
}

/** Opens a screen of a watched page and waits until no request is pending. */
export async function show(page: Page, place: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = `#/${to}`;
  }, place);
  await expect.poll(() => page.evaluate(() => location.hash)).toContain(place.split("?")[0]);
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => {
          requestAnimationFrame(resolve);
        });
      }),
  );
  await waitForPage(page);
}

/** Starts a server on this library for all tests of a file. */
export function sceneServer(): () => Server {
  let server: Server;
  let data = "";
  test.beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), "voicewright-e2e-"));
    await fillScene(data);
    server = await start(data);
  });
  test.afterAll(async () => {
    await server.stop();
    await rm(data, { recursive: true, force: true });
  });
  return () => server;
}
