import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { components } from "@/api/schema";
import type { Server } from "./studio";

type Schemas = components["schemas"];

/** A generation as the store saves it; fields that are left out are empty. */
export type Row = Partial<Omit<Schemas["Generation"], "audio_url">> &
  Pick<Schemas["Generation"], "id" | "text" | "created_at">;
export type Voice = Partial<Schemas["Profile"]> & Pick<Schemas["Profile"], "id" | "name" | "voice_type">;

/** The content of a library before the program starts on it; see build/seed. */
export interface Library {
  /** The time of its drafts. */
  now: string;
  profiles?: readonly Voice[];
  /** Oldest first. */
  generations?: readonly Row[];
  scripts?: readonly {
    id: string;
    title: string;
    gap_ms: number;
    turns: readonly string[];
    audio_path?: string;
    duration?: number;
    sample_rate?: number;
    created_at: string;
  }[];
  drafts?: readonly { name: string; content: Record<string, unknown> }[];
  pronunciations?: readonly { word: string; respelling: string; language?: string }[];
}

/** Fills the library of a data directory that no program is using. */
export function fill(data: string, library: Library): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("../bin/seed", [data], { stdio: ["pipe", "inherit", "pipe"] });
    let words = "";
    child.stderr.on("data", (bytes: Buffer) => {
      words += bytes.toString();
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(words));
    });
    child.stdin.on("error", () => undefined); // it ended early; its output says why
    child.stdin.end(JSON.stringify(library));
  });
}

/** Returns numbers from 0 to 1 that are the same in each run (mulberry32). */
export function chance(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const soundRate = 16_000;

/** Returns audio with the envelope of speech: syllables, phrases, and pauses. It hums, because only its shape matters. */
export function hum(seconds: number, seed: number): Buffer {
  const random = chance(seed);
  const samples = Buffer.alloc(Math.round(seconds * soundRate) * 2);
  let [level, aim, left, voiced] = [0, 0, 0, false];
  let [phrase, loud] = [0, 0]; // seconds that are left of it, and its level, which falls to its end
  for (let i = 0; i * 2 < samples.length; i++) {
    if (left-- <= 0) {
      voiced = phrase > 0 && !voiced;
      const seconds = phrase <= 0 ? 0.35 + random() * 0.4 : voiced ? 0.1 + random() * 0.16 : 0.02 + random() * 0.04;
      aim = voiced ? loud * (0.35 + random() * 0.65) : 0.01;
      left = soundRate * seconds;
      [phrase, loud] = phrase <= 0 ? [1.2 + random() * 2.8, 0.35 + random() * 0.55] : [phrase - seconds, loud * 0.97];
    }
    level += (aim - level) * 0.002;
    const wave = Math.sin(i * 0.055) * 0.7 + Math.sin(i * 0.31) * 0.3;
    samples.writeInt16LE(Math.round(level * wave * 30_000), i * 2);
  }
  return samples;
}

/** Returns the loudest sample of each of n parts, as the server does. */
export function peaksOf(samples: Buffer, n: number): [number, number][] {
  const count = samples.length / 2;
  return Array.from({ length: n }, (_, i) => {
    let loud = 0;
    for (let at = Math.floor((i * count) / n); at < Math.floor(((i + 1) * count) / n); at++)
      loud = Math.max(loud, Math.abs(samples.readInt16LE(at * 2)) / 32_768);
    return [-loud, loud];
  });
}

/** Returns samples as a WAV file. */
export function wavOf(samples: Buffer): Buffer {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write("WAVEfmt ", 8);
  [16, 1 | (1 << 16), soundRate, soundRate * 2, 2 | (16 << 16)].forEach((value, i) =>
    head.writeUInt32LE(value, 16 + i * 4),
  );
  head.write("data", 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** Writes an audio file to the program's history folder, and returns its path. `id` may name a folder in it. */
export async function writeSound(data: string, id: string, seconds: number, seed: number): Promise<string> {
  const path = join(data, "audio", id.includes("/") ? "" : "2026-01", `${id}.wav`); // as the library has them
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, wavOf(hum(seconds, seed)));
  return path;
}

/** Writes the takes of passages that have several, each a little longer than the one before. */
export async function writeTakes(data: string, { id, chunks = [] }: Row): Promise<void> {
  for (const [n, { start, end, takes }] of chunks.entries())
    for (let take = 0; takes > 1 && take < takes; take += 1)
      await writeSound(data, `takes/${id}/${n}-${take}`, (end - start) * (0.9 + take / 20), n * 10 + take);
}

/** Returns the seconds of audio in a WAV file. */
export function secondsOf(file: Buffer): number {
  const bytesPerSecond = file.readUInt32LE(28);
  const at = file.indexOf("data", 12);
  return file.readUInt32LE(at + 4) / bytesPerSecond;
}

export const engines = ["espeak", "kokoro", "piper", "kitten"] as const;
export const rareWords = "the ferry over the Zürichsee";
const words =
  "harbour lamp stone winter keeper engine morning window letter garden silver voice river island wind door road station paper ocean candle mountain signal evening wall bread music tower".split(
    " ",
  );

/** Returns a history of any length over about six months, the newest last; one row has the rare words. */
export function longHistory(rows: number, now: Date): Row[] {
  const random = chance(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: rows }, (_, i): Row => {
    const text = `The ${Array.from({ length: 5 + Math.floor(random() * 30) }, () => pick(words)).join(" ")}.`;
    const engine = pick(engines);
    const failed = i % 97 === 5;
    return {
      id: `01a1fc00-0000-7000-8000-${String(i).padStart(12, "0")}`,
      profile_id: `00000000-0000-7000-8000-00000000000${String(engines.indexOf(engine))}`,
      profile_name: engine === "espeak" ? "Built-in voice" : `${engine} voice`,
      engine,
      voice: engine,
      model_name: engine,
      language: "en",
      speed: 1,
      format: "wav",
      text:
        i === 1234
          ? `Good evening. Tonight ${rareWords} leaves for the last time.`
          : `${text.slice(0, -1)}, number ${String(i)}.`,
      created_at: new Date(now.getTime() - (rows - i) * 26 * 60_000).toISOString(),
      favorite: i % 50 === 3,
      ...(failed
        ? {
            status: "failed",
            error: {
              code: "interrupted",
              detail: "Voicewright stopped before this was finished.",
              remedy: "Retry it.",
            },
          }
        : {
            status: "complete",
            duration: 2 + Math.floor(random() * 200),
            sample_rate: 24_000,
            channels: 1,
            progress: 1,
            audio_path: `/nowhere/${String(i)}.wav`,
          }),
    };
  });
}

/** Sends a request directly to the server, without the page. */
export async function ask<T>(
  server: Pick<Server, "url" | "token">,
  path: string,
  body?: unknown,
  method = "POST",
): Promise<T> {
  const answer = await fetch(server.url + path, {
    headers: { Authorization: `Bearer ${server.token}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
