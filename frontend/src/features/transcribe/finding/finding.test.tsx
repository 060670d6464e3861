import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applyDownloadEvent, clearDownloads } from "@/api/live";
import { applyTranscript } from "@/api/liveTranscripts";
import { aModel, aSegment, aTranscript, page, reply } from "@/test";
import { audio, base, drop, fakeWindow, open, openOne, row } from "../testKit";

beforeEach(fakeWindow);
afterEach(() => act(clearDownloads));

const speakers = aModel({
  model_name: "speakers",
  display_name: "Speakers",
  engine: "diarize",
  family: "speakers",
  languages: [],
  size_mb: 35,
  downloaded: true,
  voices: 0,
});
const absent = { ...speakers, downloaded: false };
const find = "POST /transcriptions/{id}/speakers";
const withModel = { "GET /models/status": { models: [base, speakers] } };

/** A transcript whose speakers were found. */
const found = () =>
  aTranscript({
    segments: [
      aSegment({ id: 0, start: 0, end: 2, text: "The lamp was lit.", speaker: "Speaker 1", speaker_found: true }),
      aSegment({ id: 1, start: 2, end: 4, text: "She climbed.", speaker: "Speaker 2", speaker_found: true }),
    ],
    speakers: [
      { name: "Speaker 1", seconds: 2, lines: 1, suggestion: null },
      { name: "Speaker 2", seconds: 2, lines: 1, suggestion: null },
    ],
  });

describe("the options", () => {
  it("say how large the missing model is, and request no speakers, as that would download it", async () => {
    const { api, user } = open({
      "GET /models/status": { models: [base, absent] },
      "POST /transcriptions": reply(202, row()),
      "POST /models/download": reply(202, {}),
    });
    await user.click(await screen.findByRole("button", { name: "Options" }));
    const group = await screen.findByRole("group", { name: "Speakers" });
    expect(within(group).getByText(/needs a model of 35 MB, which is downloaded once/)).toBeVisible();
    drop(audio("a.mp3"), audio("b.mp3"));
    await waitFor(() => expect(api.to("POST /transcriptions")).toHaveLength(2));
    expect(api.to("POST /transcriptions")[0]?.body).not.toHaveProperty("speakers");
    expect(api.to("POST /models/download")).toHaveLength(0);
    await user.click(within(group).getByRole("button", { name: "Download 35 MB" }));
    await waitFor(() => expect(api.to("POST /models/download")[0]?.body).toMatchObject({ model_name: "speakers" }));
  });

  it("are sent with the next files, and remember the number of each choice", async () => {
    const { api, user } = open({ ...withModel, "POST /transcriptions": reply(202, row()) });
    await user.click(await screen.findByRole("button", { name: "Options" }));
    const mode = await screen.findByLabelText("Speakers");
    expect(screen.getByLabelText("At most")).toHaveValue(20);
    await user.selectOptions(mode, "A certain number");
    const count = screen.getByLabelText("Number of speakers");
    await user.clear(count);
    expect(count).toHaveAccessibleDescription("Enter a number from 1 to 100");
    await user.type(count, "3");
    await user.selectOptions(mode, "Find automatically");
    await user.selectOptions(mode, "A certain number");
    expect(screen.getByLabelText("Number of speakers")).toHaveValue(3);
    drop(audio("a.mp3"), audio("b.mp3"));
    await waitFor(() => expect(api.to("POST /transcriptions")).toHaveLength(2));
    expect(api.to("POST /transcriptions")[0]?.body).toMatchObject({ speakers: '{"mode":"number","count":3}' });
    await user.selectOptions(mode, "Don’t find speakers");
    drop(audio("c.mp3"), audio("d.mp3"));
    await waitFor(() => expect(api.to("POST /transcriptions")).toHaveLength(4));
    expect(api.to("POST /transcriptions")[3]?.body).toMatchObject({ speakers: '{"mode":"off"}' });
  });
});

describe("while speakers are found", () => {
  it("the text is there, with the progress and a way to cancel that leaves it", async () => {
    const given = aTranscript({ finding_speakers: { status: "queued", progress: 0 } });
    let send: (state: object) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (state) => controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(state)}\n\n`));
      },
    });
    const { api, client, user } = openOne(given, {
      ...withModel,
      "GET /transcriptions/{id}/events": () => new Response(body),
      "POST /transcriptions/{id}/cancel": { ...given, finding_speakers: null },
    });
    await waitFor(() => expect(screen.getByText("Waiting to find speakers")).toBeVisible());
    expect(screen.getByText("lamp", { selector: "[data-word]" })).toBeVisible();
    const step = (status: "downloading_model" | "listening", progress = 0) => ({
      id: given.id,
      status: "complete" as const,
      finding_speakers: { status, progress },
    });
    act(() => applyTranscript(client, step("downloading_model")));
    act(() =>
      applyDownloadEvent({ model_name: "speakers", status: "downloading", current: 12e6, total: 34.3e6, retry: null }),
    );
    await waitFor(() => expect(screen.getByText("Downloading the model for speakers · 12 of 35 MB")).toBeVisible());
    act(() => send({ ...given, ...step("listening", 0.4), segments: [] }));
    await waitFor(() => expect(screen.getByText("Finding speakers · 40%")).toBeVisible());
    expect(screen.getByText("lamp", { selector: "[data-word]" })).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Cancel finding the speakers of “Interview”" }));
    await waitFor(() => expect(api.to("POST /transcriptions/{id}/cancel")).toHaveLength(1));
    act(() => applyTranscript(client, { id: given.id, status: "complete" }));
    await waitFor(() => expect(screen.queryByText("Finding speakers · 40%")).toBeNull());
    expect(screen.getByText("lamp", { selector: "[data-word]" })).toBeVisible();
    expect(screen.queryByText(/speakers? found/)).toBeNull(); // it was cancelled
  });

  it("their end is announced with their number, and what is edited later is not", async () => {
    let stored = aTranscript({ finding_speakers: { status: "listening", progress: 0.9 } });
    const { client } = openOne(stored, {
      ...withModel,
      "GET /transcriptions/{id}": () => stored,
      "GET /transcriptions/{id}/events": () => new Response(new ReadableStream()),
    });
    await waitFor(() => expect(screen.getByText("Finding speakers · 90%")).toBeInTheDocument());
    expect(screen.queryByText(/speakers? found/)).toBeNull();
    const show = (next: typeof stored) => {
      stored = { ...next, id: stored.id };
      return client.invalidateQueries();
    };
    act(() => applyTranscript(client, { id: stored.id, status: "complete" }));
    await show(found());
    await waitFor(() => expect(screen.getByText("2 speakers found.")).toBeInTheDocument());
    await show({ ...found(), title: "Edited", speakers: found().speakers.slice(1) }); // merged
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Title" })).toHaveValue("Edited"));
    expect(screen.getByText("2 speakers found.")).toBeInTheDocument();
  });

  it("the row of the transcript shows that too", async () => {
    const { api, user } = open({
      ...withModel,
      "GET /transcriptions": page([row({ title: "Talk", finding_speakers: { status: "listening", progress: 0.42 } })]),
      "POST /transcriptions/{id}/cancel": row(),
    });
    await waitFor(() => expect(screen.getByText("Finding speakers · 42%")).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Cancel finding the speakers of “Talk”" }));
    await waitFor(() => expect(api.to("POST /transcriptions/{id}/cancel")).toHaveLength(1));
  });
});

describe("a search", () => {
  it("that failed says why, and is repeated as it was requested", async () => {
    const failure = { code: "model_corrupt", detail: "x", remedy: "y", params: {} };
    const { api, user } = openOne(aTranscript({ speakers_error: failure }), {
      ...withModel,
      [find]: reply(202, aTranscript()),
    });
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("The speakers weren’t found.");
    expect(alert).toHaveTextContent("A file of this model is missing or corrupt.");
    await user.click(within(alert).getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(api.to(find)[0]?.body).toEqual({ mode: "auto", count: 20 }));
    expect(api.to(find)[0]?.headers.get("Prefer")).toBe("respond-async");
  });

  it("whose model is missing names the download before it begins", async () => {
    const failure = { code: "model_not_downloaded", detail: "x", remedy: "y", params: {} };
    const { api, user } = openOne(aTranscript({ speakers_error: failure }), {
      "GET /models/status": { models: [base, absent] },
      [find]: reply(202, aTranscript()),
    });
    await user.click(within(await screen.findByRole("alert")).getByRole("button", { name: "Try again" }));
    const dialog = await screen.findByRole("dialog", { name: "Find speakers" });
    expect(api.to(find)).toHaveLength(0);
    await user.click(within(dialog).getByRole("button", { name: "Download 35 MB and find speakers" }));
    await waitFor(() => expect(api.to(find)[0]?.body).toEqual({ mode: "auto", count: 20 }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("is run again with another number, and says what stays", async () => {
    const { api, user } = openOne(found(), { ...withModel, [find]: reply(202, found()) });
    await user.click(await screen.findByRole("button", { name: "Find again with another number…" }));
    const dialog = await screen.findByRole("dialog", { name: "Find speakers again" });
    expect(within(dialog).getByText(/^Names and lines that you set yourself stay/)).toBeVisible();
    const count = within(dialog).getByLabelText("Number of speakers");
    expect(count).toHaveValue(2);
    await user.clear(count);
    expect(within(dialog).getByRole("button", { name: "Find speakers" })).toBeDisabled();
    await user.type(count, "4{Enter}");
    await waitFor(() => expect(api.to(find)[0]?.body).toEqual({ mode: "number", count: 4 }));
  });

  it("is offered for a transcript without speakers, from its row too", async () => {
    const old = row({ title: "Talk" });
    const { api, user } = open({
      ...withModel,
      "GET /transcriptions": page([old]),
      "GET /transcriptions/{id}": old,
      [find]: reply(202, old),
    });
    await user.click(await screen.findByRole("button", { name: "More for “Talk”" }));
    await user.click(await screen.findByRole("menuitem", { name: "Find speakers…" }));
    const dialog = await screen.findByRole("dialog", { name: "Find speakers" });
    await user.click(within(dialog).getByRole("button", { name: "Find speakers" }));
    await waitFor(() => expect(api.to(find)[0]?.params.id).toBe(old.id));
  });

  it("begins with the number of speakers that there are, from the row too", async () => {
    const old = { ...found(), title: "Talk" };
    const { user } = open({
      ...withModel,
      "GET /transcriptions": page([row({ id: old.id, title: "Talk" })]),
      "GET /transcriptions/{id}": old,
    });
    await user.click(await screen.findByRole("button", { name: "More for “Talk”" }));
    await user.click(await screen.findByRole("menuitem", { name: "Find speakers…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Find speakers again" }));
    expect(dialog.getByLabelText("Number of speakers")).toHaveValue(2);
  });

  it("that needs audio which is gone says what helps", async () => {
    const missing = { code: "audio_missing", detail: "x", remedy: "y", params: {} };
    const { user } = openOne(aTranscript(), { ...withModel, [find]: reply(410, missing) });
    await user.click(await screen.findByRole("button", { name: "Find speakers…" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Find speakers" }));
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("Add the file again"));
  });

  it("is removed with what it found, which can be undone", async () => {
    const { api, user } = openOne(found(), {
      ...withModel,
      [find]: () => ({ ...found(), can_undo: true }),
    });
    await user.click(await screen.findByRole("button", { name: "Remove speakers" }));
    await waitFor(() => expect(api.to(find)[0]?.body).toEqual({ mode: "off" }));
    await waitFor(() => expect(screen.getByText("Found speakers removed. Those that you set stay.")).toBeVisible());
  });

  it("that found fewer voices than asked for offers another number", async () => {
    const warnings = [
      { code: "speakers_fewer" as const, detail: "", start: 0, end: 0 },
      { code: "speakers_uncounted" as const, detail: "", start: 0, end: 0 },
    ];
    const { user } = openOne({ ...found(), warnings }, withModel);
    await waitFor(() => expect(screen.getByText("Fewer voices were found than you asked for.")).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Try another number" }));
    const dialog = await screen.findByRole("dialog", { name: "Find speakers again" });
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    await user.click(screen.getByRole("button", { name: "Name the speaker" }));
    await waitFor(() => expect(screen.getByRole("dialog", { name: "Who is speaking?" })).toBeVisible());
  });
});

describe("a stereo recording", () => {
  it("with one speaker on each channel offers the channels until that is answered", async () => {
    const stereo = aTranscript({ channels: { separate: true } });
    const { api, user } = openOne(stereo, {
      "GET /models/status": { models: [base, absent] },
      [find]: { ...found(), id: stereo.id, channels: { separate: true }, can_undo: true },
    });
    await user.click(await screen.findByRole("button", { name: "Use the channels" }));
    await waitFor(() => expect(api.to(find)[0]?.body).toEqual({ mode: "channels" }));
    await waitFor(() => expect(screen.getByText("The channels are now the speakers.")).toBeVisible());
    expect(screen.queryByRole("button", { name: "Use the channels" })).toBeNull();
  });

  it("whose channels say nothing leads to the other ways", async () => {
    const speakers_error = { code: "unsupported_media", detail: "x", remedy: "y", params: { reason: "channels" } };
    const { user } = openOne(aTranscript({ channels: { separate: false }, speakers_error }), withModel);
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("The recording doesn’t have one speaker on each channel.");
    expect(screen.queryByRole("button", { name: "Use the channels" })).toBeNull();
    await user.click(within(alert).getByRole("button", { name: "Find speakers…" }));
    const dialog = await screen.findByRole("dialog", { name: "Find speakers" });
    await user.selectOptions(within(dialog).getByLabelText("Speakers"), "One on each stereo channel");
    expect(within(dialog).queryByLabelText("At most")).toBeNull();
  });
});
