import { fireEvent, screen } from "@testing-library/react";
import { vi } from "vitest";
import type { Transcript, TranscriptChanges } from "@/api/types";
import { DropGuard } from "@/app/dropGuard";
import { aModel, aSegment, aTranscript, fakeApi, fakeUploads, page, renderWithProviders, type Handler } from "@/test";
import Transcribe from ".";
import { defaultOptions, setOptions, type Options } from "./options";

export const base = aModel({
  model_name: "whisper-base",
  display_name: "Whisper base",
  engine: "whisper",
  family: "transcription",
  languages: ["en", "de", "fr"],
  size_mb: 148,
  downloaded: true,
  default: true,
  voices: 0,
});
export const small = { ...base, model_name: "whisper-small", display_name: "Whisper small", default: false };
export const row = (part: Partial<Transcript> = {}) => aTranscript({ segments: [], ...part });

export function open(routes: Record<string, Handler> = {}, hash = "#/transcribe", options: Partial<Options> = {}) {
  const api = fakeApi({
    "GET /transcriptions": page([]),
    "GET /models/status": { models: [base] },
    "GET /settings": { "transcribe.model": "whisper-base" },
    ...routes,
  });
  fakeUploads();
  setOptions({ ...defaultOptions, ...options }); // not those of the test before
  return {
    api,
    ...renderWithProviders(
      <>
        <Transcribe />
        <DropGuard />
      </>,
      { hash },
    ),
  };
}
/** Routes whose settings, which name the second of these models as the default one, come only after respond is called. */
export function slowSettings(models: readonly unknown[] = [small, base]) {
  let respond: () => void = () => undefined;
  const settings = new Promise((resolve) => (respond = () => resolve({ "transcribe.model": base.model_name })));
  return { routes: { "GET /models/status": { models }, "GET /settings": () => settings }, respond: () => respond() };
}
export const drop = (...files: File[]) =>
  fireEvent.drop(document.body, { dataTransfer: { types: ["Files"], files, items: [], dropEffect: "" } });
export const audio = (name: string) => new File(["x"], name, { type: "audio/mpeg" });

/** Fakes what jsdom lacks: the size of lists, and audio that starts. */
export function fakeWindow(): void {
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(36);
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (this: HTMLMediaElement) {
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  });
}

/** Opens one transcript on a server that stores its changes. */
export function openOne(given: Transcript = aTranscript(), routes: Record<string, Handler> = {}) {
  let stored = given;
  const before: Transcript[] = [];
  const view = open(
    {
      "GET /transcriptions/{id}": () => stored,
      "PATCH /transcriptions/{id}": ({ body }: { body: unknown }) => {
        const { title, segments = [], speakers = [] } = body as TranscriptChanges;
        const nameOf = (name: string) => speakers.find((one) => one.name === name)?.new_name ?? name;
        before.push(stored);
        stored = {
          ...stored,
          title: title ?? stored.title,
          can_undo: true,
          segments: stored.segments.flatMap((segment) => {
            const change = segments.find(({ id }) => id === segment.id);
            if (!change) return [{ ...segment, speaker: nameOf(segment.speaker) }];
            const speaker_found = change.speaker === undefined && segment.speaker_found;
            const words = change.text ? [] : segment.words;
            return change.text === "" ? [] : [{ ...segment, ...change, speaker_found, words }];
          }),
        };
        return stored;
      },
      "POST /transcriptions/{id}/undo": () => {
        stored = before.pop() ?? stored;
        return stored;
      },
      "GET /transcriptions/{id}/peaks": { peaks: [] },
      ...routes,
    },
    `#/transcribe/${given.id}`,
  );
  return { ...view, given };
}
/** Four lines of ten seconds: Anna, Ben, Anna, Cleo. */
export const talk = () =>
  aTranscript({
    duration: 40,
    segments: ["Anna", "Ben", "Anna", "Cleo"].map((speaker, i) =>
      aSegment({ id: i + 1, start: i * 10, end: i * 10 + 10, text: `Line ${i + 1}.`, speaker, paragraph: true }),
    ),
  });
/** Returns a word of the text. */
export const word = (text: string) => screen.getByText(text, { selector: "[data-word]" });
