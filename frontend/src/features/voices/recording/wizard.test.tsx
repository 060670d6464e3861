import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { recorder } from "@/api/recordings";
import type { Recording } from "@/api/types";
import { stopClip, stopPreview } from "@/player";
import {
  aModel,
  aProfile,
  aSample,
  aSampleCheck,
  fakeApi,
  page,
  renderWithProviders,
  reply,
  type Handler,
} from "@/test";
import { leaving } from "../library";
import Voices from "..";

const pocket = aModel({
  model_name: "pocket-en",
  display_name: "Pocket TTS English",
  engine: "pocket",
  languages: ["en"],
  voices: 0,
  cloning: true,
  downloaded: true,
  state: "downloaded",
});
const whisper = aModel({ model_name: "whisper-base", family: "transcription", downloaded: true });
const cloned = aProfile({ name: "Grandad", voice_type: "cloned", samples: 1, preset_engine: "", preset_voice_id: "" });
const wav = new File(["RIFF"], "grandad.wav", { type: "audio/wav" });
const rejected = (reason: string) =>
  reply(422, { code: "sample_rejected", detail: "Refused.", remedy: "Again.", params: { reason, seconds: 90 } });
const similarity = {
  text: "Hello. This is how I sound when I speak your text.",
  heard: "Hello. This is how I sound when I speak your test.",
  wer: 1 / 11,
  model_name: "whisper-base",
  level_lufs: -16,
  sample_level_lufs: -17,
  words_per_minute: 180,
  sample_words_per_minute: 150,
  pitch_hz: null,
  sample_pitch_hz: null,
  cosine: null,
  warnings: [],
};

beforeEach(() => {
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => undefined }));
});
afterEach(() => {
  act(() => {
    recorder.done();
    stopClip();
    stopPreview();
  });
  leaving.set(new Set());
});

async function open(routes: Record<string, Handler> = {}, models = [pocket, whisper]) {
  const api = fakeApi({
    "GET /profiles": page([]),
    "GET /models/status": { models },
    "GET /settings": {},
    "GET /recordings/devices": { items: [{ id: "usb", name: "Desk microphone", default: true }] },
    "POST /samples/check": aSampleCheck(),
    "POST /profiles": reply(201, cloned),
    "PUT /profiles/{id}": (call: { body: unknown }) => ({ ...cloned, ...(call.body as object) }),
    "DELETE /profiles/{id}": reply(204),
    "POST /profiles/{id}/samples": reply(201, aSample({ profile_id: cloned.id })),
    "GET /profiles/{id}/samples": { items: [] },
    "GET /profiles/{id}/preview": () => new Response("RIFF"),
    "POST /profiles/{id}/similarity": similarity,
    ...routes,
  });
  const view = renderWithProviders(<Voices />, { hash: "#/voices?new=recording" });
  const dialog = await screen.findByRole("dialog", { name: "Voice from a recording" });
  return { api, dialog, ...view };
}
type View = Awaited<ReturnType<typeof open>>;

const press = (view: View, name: string | RegExp) => view.user.click(screen.getByRole("button", { name }));
const stepName = () => screen.getByRole("dialog").querySelector("[aria-current=step]")?.textContent;

async function drop({ dialog }: View, file = wav): Promise<void> {
  const frame = await within(dialog).findByText("Drop an audio file here");
  fireEvent.drop(frame, { dataTransfer: { files: [file], types: ["Files"] } });
}

/** Goes to the last step with a file, and names the voice. */
async function listen(view: View): Promise<void> {
  await drop(view);
  await screen.findByText("This part is suitable.");
  await press(view, "Next");
  await press(view, "Skip");
  await view.user.type(screen.getByRole("textbox", { name: "Name" }), "Grandad");
}

const formOf = (body: unknown) => Object.fromEntries(body as FormData);

it("makes a voice from a dropped file: trim, skip, name, consent, save", async () => {
  const view = await open();
  expect(screen.getByRole("button", { name: "Next" })).toBeDisabled();
  await listen(view);
  await press(view, "Save voice");
  await waitFor(() => expect(screen.getByText("Choose one of these to continue.")).toBeVisible());
  expect(view.api.to("POST /profiles")).toHaveLength(0);
  expect(screen.getByRole("radio", { name: "It is my own voice" })).not.toBeChecked();
  await view.user.click(screen.getByRole("radio", { name: "It is my own voice" }));
  await press(view, "Save voice");
  await waitFor(() => expect(location.hash).toBe(`#/voices/${cloned.id}`));
  expect(view.api.to("POST /profiles")[0]?.body).toEqual({
    name: "Grandad",
    language: "en",
    model_name: "pocket-en",
    voice_type: "cloned",
  });
  const sent = formOf(view.api.to("POST /profiles/{id}/samples")[0]?.body);
  expect(sent).toMatchObject({ consent: "own_voice", from: "1", to: "13.4" });
  expect(sent).toHaveProperty("file");
  expect(view.api.to("DELETE /profiles/{id}")).toHaveLength(0);
});

it("trims with the keyboard and shows the numbers of the part, within 3 and 60 seconds", async () => {
  const view = await open();
  await drop(view);
  const from = await screen.findByRole("slider", { name: "Start of the part that is used" });
  expect(from).toHaveAttribute("aria-valuetext", "1 s");
  view.api.set(
    "POST /samples/check",
    aSampleCheck({ seconds: 9.4, warnings: [{ code: "noisy", detail: "x", remedy: "y" }] }),
  );
  await waitFor(() => expect(screen.getByRole("region", { name: "Trim" })).toHaveFocus());
  from.focus();
  await view.user.keyboard("{PageUp}{PageUp}{PageUp}");
  expect(from).toHaveAttribute("aria-valuetext", "4 s");
  await waitFor(() => expect(screen.getByText("The background is noisy.")).toBeVisible());
  expect(screen.getByText("Record in a quieter room, closer to the microphone.")).toBeVisible();
  expect(formOf(view.api.to("POST /samples/check").at(-1)?.body)).toMatchObject({ from: "4", to: "13.4" });
  await view.user.keyboard("{End}");
  expect(from).toHaveAttribute("aria-valuetext", "10.4 s"); // 3 s before the end
  const field = screen.getByRole("textbox", { name: "To (s)" });
  await view.user.clear(field);
  await view.user.type(field, "14{Enter}");
  expect(screen.getByRole("slider", { name: "End of the part that is used" })).toHaveAttribute(
    "aria-valuetext",
    "14 s",
  );
  expect(stepName()).toBe("Trim");
});

it("says why a recording is refused, and uses the first minute of a long one", async () => {
  const view = await open({ "POST /samples/check": rejected("too_long") });
  await drop(view);
  await waitFor(() => expect(screen.getByText("This recording is too long.")).toBeVisible());
  expect(stepName()).toBe("Recording");
  expect(screen.getByRole("button", { name: "Choose another file" })).toBeVisible();
  view.api.set("POST /samples/check", aSampleCheck({ from: 0, to: 60, duration: 600 }));
  await press(view, /^Use the first 60\ss$/);
  await waitFor(() => expect(screen.getByText("60 of 600 s used")).toBeVisible());
  expect(formOf(view.api.to("POST /samples/check").at(-1)?.body)).toMatchObject({ from: "0", to: "60" });
});

it("words each reason for which a recording is refused", async () => {
  const view = await open();
  for (const [reason, title] of [
    ["silent", "Nothing can be heard in this recording."],
    ["no_speech", "No speech was found in this recording."],
    ["too_short", "This recording is too short."],
    ["clipped", "Most of this recording is clipped: too loud for the microphone."],
  ] as const) {
    view.api.set("POST /samples/check", rejected(reason));
    await drop(view);
    await waitFor(() => expect(screen.getByText(title)).toBeVisible());
  }
});

const recording: Recording = {
  id: "r1",
  status: "recording",
  purpose: "sample",
  device: "",
  seconds: 8,
  level_db: -30,
  peak_db: -12,
  clipped: false,
  dropped: 0,
  error: null,
};
const recordingRoutes = {
  "POST /recordings": reply(201, recording),
  "GET /recordings/{id}/events": () => new Response(`data: ${JSON.stringify(recording)}\n\n`),
  "POST /recordings/{id}/stop": { ...recording, status: "stopped", seconds: 9 },
  "DELETE /recordings/{id}": reply(204),
};

it("records with a text to read aloud, and offers a discarded recording again", async () => {
  const view = await open(recordingRoutes);
  await waitFor(() => expect(screen.getByText(/^Every morning, just before seven/)).toHaveAttribute("lang", "en"));
  await screen.findByRole("option", { name: "Desk microphone" });
  await press(view, "Start recording");
  await waitFor(() => expect(screen.getByRole("meter", { name: "Level" })).toHaveAttribute("aria-valuenow", "-30"));
  expect(view.api.to("POST /recordings")[0]?.body).toEqual({ purpose: "sample" });
  await press(view, "Stop and use");
  await screen.findByText("This part is suitable.");
  expect(view.api.to("POST /samples/check")[0]?.body).toEqual({ recording_id: "r1" });
  await press(view, "Cancel");
  expect(screen.queryByRole("dialog")).toBeNull();
  await press(view, "Undo");
  await waitFor(() => expect(screen.getByText("This part is suitable.")).toBeVisible());
  expect(view.api.to("DELETE /recordings/{id}")).toHaveLength(0);
  await press(view, "Cancel");
  await view.user.click(within(screen.getByRole("status")).getByRole("button", { name: "Close" }));
  await waitFor(() => expect(view.api.to("DELETE /recordings/{id}")).toHaveLength(1));
});

it("discards an open recording when the wizard is closed", async () => {
  const view = await open(recordingRoutes);
  await screen.findByRole("option", { name: "Desk microphone" });
  await press(view, "Start recording");
  await screen.findByRole("meter");
  await press(view, "Cancel");
  await waitFor(() => expect(view.api.to("DELETE /recordings/{id}")).toHaveLength(1));
});

async function preview(view: View): Promise<void> {
  await listen(view);
  await view.user.click(screen.getByRole("radio", { name: "I have this person’s permission" }));
  await press(view, "Play preview");
  await waitFor(() => expect(view.api.to("GET /profiles/{id}/preview")).toHaveLength(1));
}

it("plays a preview and says how close it is", async () => {
  const view = await open();
  await preview(view);
  await waitFor(() => expect(screen.getByText("Heard 10 of 11 words")).toBeVisible());
  expect(screen.getByText("As in the recording")).toBeVisible();
  expect(screen.getByText("20% faster than the recording")).toBeVisible();
  await view.user.type(screen.getByRole("textbox", { name: "Name" }), " Joe");
  await press(view, "Save voice");
  await waitFor(() => expect(view.api.to("PUT /profiles/{id}")[0]?.body).toMatchObject({ name: "Grandad Joe" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(view.api.to("POST /profiles")).toHaveLength(1);
  expect(view.api.to("POST /profiles/{id}/samples")).toHaveLength(1);
  expect(view.api.to("DELETE /profiles/{id}")).toHaveLength(0);
});

it("leaves nothing of a preview when it is cancelled", async () => {
  const view = await open();
  await preview(view);
  await press(view, "Cancel");
  await waitFor(() => expect(view.api.to("DELETE /profiles/{id}")[0]?.path).toBe(`/profiles/${cloned.id}`));
});

it("leaves nothing of a preview when the window closes", async () => {
  const view = await open();
  await preview(view);
  window.dispatchEvent(new Event("pagehide"));
  await waitFor(() => expect(view.api.to("DELETE /profiles/{id}")).toHaveLength(1));
});

it("leaves no voice without its sample, and says what is wrong with the sample", async () => {
  const view = await open({ "POST /profiles/{id}/samples": rejected("no_speech") });
  await listen(view);
  await view.user.click(screen.getByRole("radio", { name: "It is my own voice" }));
  await press(view, "Save voice");
  await waitFor(() => expect(screen.getByText("No speech was found in this recording.")).toBeVisible());
  expect(view.api.to("DELETE /profiles/{id}")).toHaveLength(1);
  expect(stepName()).toBe("Listen");
});

it("says at the name that it is taken", async () => {
  const view = await open({
    "POST /profiles": reply(409, { code: "name_taken", detail: "x", remedy: "", params: {} }),
  });
  await listen(view);
  await view.user.click(screen.getByRole("radio", { name: "It is my own voice" }));
  await press(view, "Save voice");
  await waitFor(() => expect(screen.getByText("Another voice already has this name.")).toBeVisible());
});

it("says what each model needs, and offers the download of the chosen one", async () => {
  const option = aSampleCheck().models[0];
  const many = aModel({
    ...pocket,
    model_name: "chatterbox-multilingual",
    display_name: "Chatterbox Multilingual",
    languages: ["en", "ja", "fi"],
    language_notes: { ja: "Kanji are read badly.", fi: "Long vowels are often too short." },
    downloaded: false,
    state: "missing",
  });
  const view = await open(
    {
      "POST /samples/check": aSampleCheck({
        models: [
          { ...option, problem: { code: "sample_rejected", detail: "Needs more than 5 s.", remedy: "Add more." } },
          { ...option, ...many, size_mb: 0, fits: "yes", problem: null },
        ] as never,
      }),
    },
    [pocket, many, whisper],
  );
  await listen(view);
  const pocketRadio = screen.getByRole("radio", { name: "Pocket TTS English" });
  expect(pocketRadio).toBeDisabled();
  expect(pocketRadio).toHaveAccessibleDescription(/Needs more than 5 s/);
  const other = screen.getByRole("radio", { name: "Chatterbox Multilingual" });
  expect(other).toBeChecked();
  expect(other).toHaveAccessibleDescription(/Not downloaded, 338 MB/);
  expect(screen.getByRole("button", { name: "Download 338 MB" })).toBeVisible();
  expect(screen.getByRole("button", { name: "Play preview" })).toBeDisabled();
  await view.user.selectOptions(screen.getByRole("combobox", { name: "Language" }), "ja");
  expect(other).toHaveAccessibleDescription(/Words written in kanji are often mispronounced/);
  await view.user.selectOptions(screen.getByRole("combobox", { name: "Language" }), "fi");
  expect(other).toHaveAccessibleDescription(/Long vowels are often too short/);
  expect(screen.queryByRole("radio", { name: "Pocket TTS English" })).toBeNull();
  await view.user.selectOptions(screen.getByRole("combobox", { name: "Language" }), "en");
  view.api.set("GET /models/status", { models: [pocket, { ...many, downloaded: true, state: "downloaded" }, whisper] });
  await act(() => view.client.invalidateQueries({ queryKey: ["models"] }));
  await waitFor(() =>
    expect(screen.getByRole("radio", { name: "Chatterbox Multilingual" })).toHaveAccessibleDescription(/^Ready/),
  );
  expect(screen.queryByText(/Not downloaded/)).toBeNull();
  expect(screen.getByRole("button", { name: "Play preview" })).toBeEnabled();
});

it("lets an installed model write the transcript, and sends it with the sample", async () => {
  const view = await open();
  await drop(view);
  await screen.findByText("This part is suitable.");
  await press(view, "Next");
  view.api.set("POST /samples/check", aSampleCheck({ transcript: "The lamp was lit." }));
  await press(view, "Write transcript");
  await waitFor(() => expect(screen.getByRole("textbox", { name: "What is said" })).toHaveValue("The lamp was lit."));
  expect(formOf(view.api.to("POST /samples/check").at(-1)?.body)).toMatchObject({ transcribe: "true" });
  await press(view, "Next");
  await view.user.type(screen.getByRole("textbox", { name: "Name" }), "Grandad");
  await view.user.click(screen.getByRole("radio", { name: "It is my own voice" }));
  await press(view, "Save voice");
  await waitFor(() =>
    expect(formOf(view.api.to("POST /profiles/{id}/samples")[0]?.body)).toMatchObject({
      transcript: "The lamp was lit.",
    }),
  );
});
