import type { Page } from "@playwright/test";
import type { Model, Segment, Transcript, TranscriptRow } from "@/api/types";
import { now } from "./scene";
import { chance, hum, peaksOf, wavOf } from "./seed";

const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
const idOf = (n: number) => `01a1fd00-0000-7000-8000-${String(n).padStart(12, "0")}`;

/** The paragraphs of the open transcript, as [seconds, speaker, sentences]. */
const interview: [number, string, string[]][] = [
  [
    0,
    "Ilse Lindqvist",
    ["So I grew up about two hundred metres from the light, and I never once thought of it as a machine."],
  ],
  [7.4, "", ["It was a neighbour. It kept hours.", "My mother set the kettle by it in the winter."]],
  [
    14.2,
    "",
    [
      "When they changed the lamp in ninety-six the rhythm was different, and for a week nobody on our road slept well.",
    ],
  ],
  [24, "Jonas Weber", ["People ask if that is a true story."]],
  [27.1, "Ilse Lindqvist", ["It is in the parish book, with the names of the people who complained."]],
  [33.3, "", ["And the engineer came back, a Mr Tynan, I think, and he slowed it by half a second."]],
  [41, "", ["He did not have to do that.", "There was no form for it.", "He sat in our kitchen with a stopwatch."]],
  [50.2, "", ["My father gave him a jar of honey.", "That was the whole of the paperwork."]],
  [
    56.5,
    "",
    [
      "So when you ask me what it was for, I want to say it was for that.",
      "It was something that could be asked to wait.",
    ],
  ],
];
const unsure: Record<string, number> = { "ninety-six": 0.54, parish: 0.57, "Tynan,": 0.38 };

function segmentsOf(): Segment[] {
  const random = chance(3);
  const segments: Segment[] = [];
  let speaker = "";
  interview.forEach(([start, named, sentences], i) => {
    if (named) speaker = named;
    const end = interview[i + 1]?.[0] ?? start + 7;
    const words = sentences.flatMap((text) => text.split(" "));
    const step = (end - start - 0.4) / words.length;
    let at = start;
    sentences.forEach((text, n) => {
      const first = at;
      const heard = text.split(" ").map((word) => {
        const one = {
          word: ` ${word}`,
          start: at,
          end: at + step * 0.9,
          probability: unsure[word] ?? 0.8 + random() * 0.2,
        };
        at += step;
        return one;
      });
      segments.push({
        id: segments.length,
        start: first,
        end: at,
        text,
        words: heard,
        no_speech_prob: 0.01,
        speaker,
        speaker_found: true,
        cut_from: 0,
        paragraph: n === 0,
      });
    });
  });
  return segments;
}

/** When the speakers of the segments are heard; the second one begins before the first has ended. */
const turnsOf = (segments: readonly Segment[]): Transcript["turns"] =>
  segments.map(({ start, end, speaker, id }) => ({
    start: speaker === "Jonas Weber" ? start - 0.9 : start + (id % 3) / 5,
    end,
    speaker,
  }));

/** How much each speaker says. */
const speakersOf = (segments: readonly Segment[]): Transcript["speakers"] =>
  [...new Set(segments.map(({ speaker }) => speaker))].map((name) => {
    const own = segments.filter(({ speaker }) => speaker === name);
    return {
      name,
      seconds: own.reduce((sum, { start, end }) => sum + end - start, 0),
      lines: own.length,
      suggestion: null,
    };
  });

const row = (
  n: number,
  title: string,
  seconds: number,
  minutes: number,
  part: Partial<TranscriptRow> = {},
): TranscriptRow => ({
  id: idOf(n),
  title,
  status: "complete",
  progress: 1,
  error: null,
  text: "",
  language: "en",
  duration: seconds,
  segments: [],
  model_name: "whisper-base",
  source: "file",
  file_name: `${title.toLowerCase().replaceAll(" ", "-")}.m4a`,
  generation_id: null,
  audio_path: "/nowhere.opus",
  audio_url: "/audio/none",
  can_undo: true,
  waiting: false,
  finding_speakers: null,
  speakers_error: null,
  channels: null,
  created_at: ago(minutes),
  updated_at: ago(minutes),
  ...part,
});

const opened = row(1, "Interview with Ilse Lindqvist", 64, 31);
const rows: TranscriptRow[] = [
  row(9, "Board meeting", 3160, 2, { status: "queued", progress: 0, language: "" }),
  row(8, "Harbour walk 3", 1866, 4, { status: "transcribing", progress: 0.62 }),
  opened,
  row(2, "Memo in the car", 47, 95, { source: "recording", file_name: "" }),
  row(3, "Vorlesung Akustik 5", 5340, 1500, { language: "de" }),
  row(4, "The keeper, chapter 4", 412, 2900, { source: "generation", file_name: "" }),
  row(5, "Radio play, rehearsal", 2210, 4400),
];

/** Shows imaginary transcripts, since a real model is too large for a picture. */
export async function imagineTranscripts(page: Page): Promise<string> {
  const segments = segmentsOf();
  await page.route(
    (url) => url.pathname === "/models/status",
    async (route) => {
      const response = await route.fetch();
      const { models } = (await response.json()) as { models: Model[] };
      const json = {
        models: models.map((one) => (one.model_name === "whisper-base" ? { ...one, downloaded: true } : one)),
      };
      await route.fulfill({ response, json });
    },
  );
  const samples = hum(opened.duration, 11);
  const sound = wavOf(samples);
  await page.route(
    (url) => url.pathname === "/audio/none",
    async (route) => {
      const from = Number(/bytes=(\d+)/.exec(route.request().headers().range ?? "")?.[1] ?? 0);
      await route.fulfill({
        status: 206, // a browser seeks only where it can ask for a part
        contentType: "audio/wav",
        headers: {
          "Accept-Ranges": "bytes",
          "Content-Range": `bytes ${String(from)}-${String(sound.length - 1)}/${String(sound.length)}`,
        },
        body: sound.subarray(from),
      });
    },
  );
  await page.route(
    (url) => /^\/transcriptions(\/|$)/.test(url.pathname),
    async (route) => {
      const { pathname, searchParams } = new URL(route.request().url());
      if (pathname === "/transcriptions") {
        const status = searchParams.get("status");
        const items = rows.filter((one) => !status || one.status === status);
        await route.fulfill({ json: { items, total: items.length, next_cursor: null } });
      } else if (pathname.endsWith("/events")) {
        const one = rows.find(({ id }) => pathname.includes(id)) ?? opened;
        await route.fulfill({ contentType: "text/event-stream", body: `data: ${JSON.stringify(one)}\n\n` });
      } else if (pathname.endsWith("/peaks")) {
        await route.fulfill({ json: { peaks: peaksOf(samples, Number(searchParams.get("n"))) } });
      } else {
        const { id } = rows.find((one) => pathname.includes(one.id)) ?? opened;
        const one = rows.find((other) => other.id === id) ?? opened;
        await route.fulfill({
          json: {
            ...one,
            segments: id === opened.id ? segments : [],
            warnings: [],
            speakers: id === opened.id ? speakersOf(segments) : [],
            turns: id === opened.id ? turnsOf(segments) : [],
          } satisfies Transcript,
        });
      }
    },
  );
  return opened.id;
}
