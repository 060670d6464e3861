import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keys } from "@/api/keys";
import { applyDownloadEvent, clearDownloads } from "@/api/live";
import { applyTranscript } from "@/api/liveTranscripts";
import { navigate } from "@/lib/router";
import { player } from "@/player";
import { aSegment, aTranscript, page, reply } from "@/test";
import { audio, base, drop, fakeWindow, open, row, slowSettings, small } from "./testKit";

beforeEach(fakeWindow);
afterEach(() =>
  act(() => {
    clearDownloads();
    player.close();
  }),
);

describe("a generation that the address names", () => {
  const hash = "#/transcribe?generation=g1";

  it("is transcribed once with the options, and its transcript opens", async () => {
    const made = aTranscript({ title: "Told" });
    const { api } = open({ "POST /transcriptions": reply(202, made), "GET /transcriptions/{id}": made }, hash);
    await waitFor(() => expect(location.hash).toBe(`#/transcribe/${made.id}`));
    expect(api.to("POST /transcriptions").map((call) => call.body)).toEqual([
      { generation_id: "g1", model_name: "whisper-base", timestamps: "word", download: false },
    ]);
  });

  it("waits for the settings, which name the default model", async () => {
    const made = aTranscript();
    const { routes, respond } = slowSettings();
    const { api, client } = open(
      {
        ...routes,
        "POST /transcriptions": reply(202, made),
        "GET /transcriptions/{id}": made,
      },
      hash,
    );
    await waitFor(() => expect(client.getQueryData(keys.modelStatus)).toBeDefined());
    expect(location.hash).toBe(hash);
    respond();
    await waitFor(() => expect(location.hash).toBe(`#/transcribe/${made.id}`));
    expect(api.to("POST /transcriptions").map((call) => call.body)).toMatchObject([{ model_name: "whisper-base" }]);
  });

  it("is transcribed with an installed model where the chosen one was deleted", async () => {
    const made = aTranscript();
    const { api } = open(
      {
        "GET /models/status": { models: [{ ...small, downloaded: false }, base] },
        "POST /transcriptions": reply(202, made),
        "GET /transcriptions/{id}": made,
      },
      hash,
      { model: "whisper-small" },
    );
    await waitFor(() => expect(location.hash).toBe(`#/transcribe/${made.id}`));
    expect(api.to("POST /transcriptions").map((call) => call.body)).toMatchObject([
      { model_name: "whisper-base", download: false },
    ]);
  });

  it("that cannot be transcribed says why", async () => {
    open(
      { "POST /transcriptions": reply(404, { code: "generation_not_found", detail: "", remedy: "", params: {} }) },
      hash,
    );
    await waitFor(() => expect(screen.getByRole("alert")).toBeVisible());
    expect(location.hash).toBe("#/transcribe");
  });

  it("waits for a model, which is offered", async () => {
    const made = aTranscript();
    const { api, client } = open(
      {
        "GET /models/status": { models: [{ ...base, downloaded: false }] },
        "POST /transcriptions": reply(202, made),
        "GET /transcriptions/{id}": made,
      },
      hash,
    );
    await waitFor(() => expect(screen.getByRole("region", { name: "Transcription needs a model" })).toBeVisible());
    expect(api.to("POST /transcriptions")).toHaveLength(0);
    api.set("GET /models/status", { models: [base] });
    await act(() => client.refetchQueries({ queryKey: ["models"] }));
    await waitFor(() => expect(location.hash).toBe(`#/transcribe/${made.id}`));
  });
});

describe("files", () => {
  it("that are dropped are sent with the options, one opens at once", async () => {
    const made = aTranscript({ title: "talk" });
    const { api } = open({
      "POST /transcriptions": reply(202, made),
      "GET /transcriptions/{id}": made,
    });
    await waitFor(() => expect(screen.getByRole("heading", { name: "Drop audio or video files" })).toBeVisible());
    await waitFor(() => expect(api.to("GET /models/status")).not.toHaveLength(0));
    drop(audio("talk.mp3"));
    await waitFor(() => expect(location.hash).toBe(`#/transcribe/${made.id}`));
    const sent = api.to("POST /transcriptions")[0];
    expect(sent?.body).toEqual({ file: "talk.mp3", model_name: "whisper-base", download: "false", timestamps: "word" });
    expect(sent?.headers.get("Prefer")).toBe("respond-async");
  });

  it("that the server refuses say why, and can be sent again or removed", async () => {
    const { api, user } = open({
      "POST /transcriptions": reply(422, {
        code: "invalid",
        detail: "This file has no sound.",
        remedy: "",
        params: {},
      }),
    });
    await screen.findByRole("heading", { name: "Drop audio or video files" });
    await waitFor(() => expect(api.to("GET /models/status")).not.toHaveLength(0));
    drop(audio("a.mp3"), audio("b.mp3"));
    const list = await screen.findByRole("list", { name: "Files being sent" });
    await waitFor(() => expect(within(list).getAllByRole("alert")).toHaveLength(2));
    await user.click(within(list).getByRole("button", { name: "Cancel a.mp3" }));
    api.set("POST /transcriptions", reply(202, row()));
    api.set("GET /transcriptions", page([row({ title: "b" })]));
    await user.click(within(list).getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(screen.getByRole("link", { name: "b" })).toBeVisible());
    expect(screen.queryByRole("list", { name: "Files being sent" })).toBeNull();
    expect(location.hash).toBe("#/transcribe");
  });

  it("wait for the settings, which name the default model", async () => {
    const { routes, respond } = slowSettings();
    const { api, client } = open({ ...routes, "POST /transcriptions": reply(202, row()) });
    await waitFor(() => expect(client.getQueryData(keys.modelStatus)).toBeDefined());
    drop(audio("a.mp3"), audio("b.mp3"));
    expect(api.to("POST /transcriptions")).toHaveLength(0);
    respond();
    await waitFor(() => expect(api.to("POST /transcriptions")).toHaveLength(2));
    expect(api.to("POST /transcriptions")[1]?.body).toMatchObject({ model_name: "whisper-base", download: "false" });
  });

  it("wait for the models and then for nothing where a model that downloads first was chosen", async () => {
    const missing = { ...small, downloaded: false };
    const { routes, respond } = slowSettings([base, missing]);
    const { api } = open({ ...routes, "POST /transcriptions": reply(202, row()) }, undefined, {
      model: "whisper-small",
    });
    await screen.findByRole("heading", { name: "Drop audio or video files" });
    drop(audio("a.mp3"), audio("b.mp3"));
    respond();
    await waitFor(() => expect(api.to("POST /transcriptions")).toHaveLength(2));
    expect(api.to("POST /transcriptions")[0]?.body).toEqual({
      file: "a.mp3",
      model_name: "whisper-small",
      timestamps: "word",
    });
  });

  it("wait for the first model, which is one click away, and go on by themselves", async () => {
    const missing = { ...base, downloaded: false };
    const { api, user } = open({
      "GET /models/status": { models: [{ ...missing, model_name: "whisper-large", size_mb: 1600 }, missing] },
      "POST /models/download": reply(202, {}),
      "POST /transcriptions": reply(202, row()),
    });
    const card = await screen.findByRole("region", { name: "Transcription needs a model" });
    drop(audio("a.mp3"), audio("b.mp3"));
    await waitFor(() => expect(within(card).getByText(/2 files are waiting/)).toBeVisible());
    expect(api.to("POST /transcriptions")).toHaveLength(0);
    api.set("GET /models/status", { models: [base] });
    await user.click(within(card).getByRole("button", { name: "Download 148 MB" }));
    await waitFor(() => expect(api.to("POST /transcriptions")).toHaveLength(2));
    expect(api.to("POST /models/download")[0]?.body).toMatchObject({ model_name: "whisper-base" });
    expect(api.to("POST /transcriptions")[1]?.body).toMatchObject({ file: "b.mp3", model_name: "whisper-base" });
  });

  it("that waited are sent once a model is installed, also where there are transcripts already", async () => {
    const { api, client } = open({
      "GET /transcriptions": page([row({ title: "Talk" })]),
      "GET /models/status": { models: [{ ...base, downloaded: false }] },
      "POST /transcriptions": reply(202, row({ id: "new" })),
    });
    await waitFor(() => expect(screen.getByRole("region", { name: "Transcription needs a model" })).toBeVisible());
    drop(audio("a.mp3"));
    await waitFor(() => expect(screen.getByText(/^1 file is waiting/)).toBeVisible());
    api.set("GET /models/status", { models: [base] });
    await act(() => client.refetchQueries({ queryKey: ["models"] }));
    await waitFor(() => expect(api.to("POST /transcriptions")).toHaveLength(1));
  });

  it("that were dropped together open none of them, whatever is still being sent", async () => {
    let finish: (() => void) | undefined;
    const first = new Promise<void>((resolve) => (finish = resolve));
    let sent = 0;
    const { api } = open({
      "POST /transcriptions": async () => {
        sent += 1;
        if (sent === 1) await first;
        return reply(202, row({ id: `t${String(sent)}` }));
      },
      "GET /transcriptions/{id}": aTranscript(),
    });
    await screen.findByRole("heading", { name: "Drop audio or video files" });
    drop(audio("alone.mp3"));
    await waitFor(() => expect(sent).toBe(1));
    drop(audio("a.mp3"), audio("b.mp3"));
    act(() => navigate("#/transcribe/elsewhere"));
    await act(async () => finish?.());
    act(() => navigate("#/transcribe"));
    await waitFor(() => expect(api.to("POST /transcriptions")).toHaveLength(3));
    await waitFor(() => expect(screen.queryByRole("list", { name: "Files being sent" })).toBeNull());
    expect(location.hash).toBe("#/transcribe");
  });

  it("wait for a download that was stopped, whose saved part is named and resumed", async () => {
    const progress = {
      model_name: "whisper-base",
      current: 48e6,
      total: 148e6,
      bytes_per_second: 0,
      eta_seconds: null,
    };
    const missing = { ...base, downloaded: false, downloading: { current: 1e6, total: 148e6 } };
    const { api, user } = open({
      "GET /models/status": { models: [missing] }, // a paused download stays in `downloading`
      "POST /models/{name}/pause": () => {
        applyDownloadEvent({ ...progress, status: "paused" });
        return { ...progress, status: "paused" };
      },
      "POST /models/download": reply(202, {}),
    });
    const card = await screen.findByRole("region", { name: "Transcription needs a model" });
    await user.click(within(card).getByRole("button", { name: "Stop" }));
    await waitFor(() => expect(within(card).getByText(/^Stopped. 48 MB is saved/)).toBeVisible());
    expect(within(card).queryByRole("progressbar")).toBeNull();
    await user.click(within(card).getByRole("button", { name: "Resume, 100 MB left" }));
    await waitFor(() => expect(api.to("POST /models/download")).toHaveLength(1));
  });

  it("are transcribed as the options say", async () => {
    const { api, user } = open({ "POST /transcriptions": reply(202, row()) });
    await user.click(await screen.findByRole("button", { name: "Options" }));
    const panel = await screen.findByRole("dialog", { name: "Options for the next files" });
    expect(within(panel).getByLabelText("Model")).toHaveDisplayValue("Whisper base · 148 MB · fits");
    await user.selectOptions(within(panel).getByLabelText("Language"), "German");
    await user.type(within(panel).getByLabelText("Names and terms"), "Ilse Lindqvist, Tynan ");
    await user.selectOptions(within(panel).getByLabelText("Transcribe"), "Only detected speech");
    await user.click(within(panel).getByRole("switch", { name: "Translate to English" }));
    await user.click(within(panel).getByRole("switch", { name: "Word times" }));
    await user.keyboard("{Escape}");
    drop(audio("a.mp3"), audio("b.mp3"));
    await waitFor(() =>
      expect(api.to("POST /transcriptions")[0]?.body).toEqual({
        file: "a.mp3",
        model_name: "whisper-base",
        download: "false",
        language: "de",
        prompt: "Ilse Lindqvist, Tynan",
        translate: "true",
        timestamps: "segment",
        vad: "true",
      }),
    );
  });
});

describe("the list", () => {
  it("shows the progress of a running transcript, and stops it", async () => {
    const running = row({ title: "walk", status: "transcribing", progress: 0.42 });
    const { api, user } = open({
      "GET /transcriptions": page([running, row({ title: "done" })]),
      "POST /transcriptions/{id}/cancel": { ...running, status: "cancelled" },
    });
    await waitFor(() => expect(screen.getByText("42%")).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Stop “walk”" }));
    await waitFor(() => expect(api.to("POST /transcriptions/{id}/cancel")[0]?.params.id).toBe(running.id));
  });

  it("stops a running transcript from the menu of its row, by keys", async () => {
    const { api, user } = open({
      "GET /transcriptions": page([row({ id: "r1", title: "Talk", status: "transcribing" })]),
      "POST /transcriptions/{id}/cancel": row({ id: "r1", status: "cancelled" }),
    });
    (await screen.findByRole("link", { name: "Talk" })).focus();
    await user.keyboard("{Shift>}{F10}{/Shift}");
    await user.click(await screen.findByRole("menuitem", { name: "Stop" }));
    await waitFor(() => expect(api.to("POST /transcriptions/{id}/cancel")).toHaveLength(1));
  });

  it("says why a transcript failed, and tries it again", async () => {
    const failed = row({
      title: "broken",
      status: "failed",
      error: { code: "unsupported_media", detail: "This is not audio.", remedy: "Choose another file." },
    });
    const { api, user } = open({
      "GET /transcriptions": page([failed]),
      "POST /transcriptions/{id}/rerun": reply(202, { ...failed, status: "queued" }),
    });
    await user.click(within(await screen.findByRole("alert")).getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(api.to("POST /transcriptions/{id}/rerun")).toHaveLength(1));
  });

  it("searches, marks what was found and says how many", async () => {
    const { api, user } = open({
      "GET /transcriptions": (call: { query: URLSearchParams }) =>
        page<object>(
          call.query.get("search")
            ? [{ ...row({ title: "Talk" }), highlight: "near the <mark>lamp</mark> &amp; stairs" }]
            : [row({ title: "Talk" }), row({ title: "Other" })],
        ),
    });
    await waitFor(() => expect(screen.getByText("2 transcripts")).toBeVisible());
    await user.keyboard("/lamp");
    // A slow machine may search for a part of the word first.
    await waitFor(() => expect(api.to("GET /transcriptions").at(-1)?.query.get("search")).toBe("lamp"));
    await waitFor(() => expect(screen.getByText("1 found")).toBeVisible());
    expect(screen.getByText("lamp").tagName).toBe("MARK");
  });

  it("is moved with the arrow keys, and deletes with an undo bar", async () => {
    const rows = [row({ title: "first" }), row({ title: "second" }), row({ title: "third" })];
    const { api, user } = open({
      "GET /transcriptions": page(rows),
      "DELETE /transcriptions/{id}": reply(204),
    });
    act(() => screen.queryByRole("link", { name: "first" })?.focus());
    (await screen.findByRole("link", { name: "first" })).focus();
    await user.keyboard("{ArrowDown}");
    expect(screen.getByRole("link", { name: "second" })).toHaveFocus();
    await user.keyboard("{Delete}");
    expect(screen.queryByRole("link", { name: "second" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(screen.getByRole("link", { name: "second" })).toBeVisible());
    expect(api.to("DELETE /transcriptions/{id}")).toHaveLength(0);
    screen.getByRole("link", { name: "third" }).focus();
    await user.keyboard("{Delete}");
    await user.click(screen.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(api.to("DELETE /transcriptions/{id}")[0]?.params.id).toBe(rows[2]?.id));
  });
});

describe("a running transcript", () => {
  it("shows its text as it comes", async () => {
    const running = aTranscript({
      status: "transcribing",
      progress: 0.1,
      segments: [aSegment({ id: 0, text: "First words." })],
    });
    let send: (state: object) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (state) => controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(state)}\n\n`));
      },
    });
    const { client } = open(
      { "GET /transcriptions/{id}": running, "GET /transcriptions/{id}/events": () => new Response(body) },
      `#/transcribe/${running.id}`,
    );
    await waitFor(() => expect(screen.getByText("First words.")).toBeVisible());
    expect(screen.getByRole("button", { name: "Send to Studio" })).toBeDisabled();
    act(() => applyTranscript(client, { id: running.id, status: "transcribing" }));
    act(() =>
      send({ ...running, progress: 0.5, segments: [aSegment({ id: 1, start: 2, end: 3, text: "And more." })] }),
    );
    await waitFor(() => expect(screen.getByText("And more.")).toBeVisible());
    expect(screen.getByText("First words.")).toBeVisible();
    expect(screen.getByText("Transcribing · 50%")).toBeVisible();
    act(() => applyTranscript(client, { id: running.id, status: "complete" }));
  });
});
