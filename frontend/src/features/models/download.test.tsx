import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { applyDownloadEvent } from "@/api/live";
import { navigate } from "@/lib/router";
import { reply } from "@/test";
import { absent, ready, show } from "./testKit";

describe("a download", () => {
  it("shows progress, speed and remaining time, and pauses", async () => {
    const model = absent({ state: "downloading", downloading: { current: 0, total: 100e6 } });
    const { user, api } = show([model], "#/models", { "POST /models/{name}/pause": {} });
    await screen.findByRole("button", { name: "Kokoro" });
    act(() => {
      applyDownloadEvent({ model_name: "kokoro", status: "downloading", current: 31e6, total: 100e6 }, 1000);
      applyDownloadEvent(
        {
          model_name: "kokoro",
          status: "downloading",
          current: 43e6,
          total: 100e6,
          bytes_per_second: 12e6,
          eta_seconds: 4.75,
        },
        2000,
      );
    });
    await waitFor(() => expect(screen.getByText("43% · 12 MB/s · 5 s left")).toBeVisible());
    act(() => applyDownloadEvent({ model_name: "kokoro", status: "downloading", current: 20e6, total: 100e6 }, 2500));
    expect(screen.getByRole("progressbar", { name: "Downloading Kokoro" })).toHaveAttribute("aria-valuenow", "43");
    await user.click(screen.getByRole("button", { name: "Pause: Kokoro" }));
    expect(api.to("POST /models/{name}/pause")).toHaveLength(1);
    act(() => applyDownloadEvent({ model_name: "kokoro", status: "paused", current: 43e6, total: 100e6 }));
    await waitFor(() => expect(screen.getByText("Paused · 43 of 100 MB")).toBeVisible());
    expect(screen.getByRole("button", { name: "Resume: Kokoro" })).toBeVisible();
  });

  it("of the variant that is offered keeps the focus on its button", async () => {
    const fp16 = absent({ model_name: "kokoro-fp16", display_name: "Kokoro fp16", variant: "fp16", default: true });
    const { user, api, client } = show([absent({ variant: "fp32" }), fp16], "#/models?tab=more", {
      "POST /models/download": { model_name: "kokoro-fp16", status: "queued", progress_url: "" },
    });
    await user.click(await screen.findByRole("button", { name: /Download 338 MB/ }));
    const running = { ...fp16, state: "downloading", downloading: { current: 1e6, total: 338e6 } };
    api.set("GET /models/status", { models: [absent({ variant: "fp32" }), running] });
    await act(() => client.refetchQueries({ queryKey: ["models"] }));
    await waitFor(() => expect(screen.getByRole("button", { name: "Pause: Kokoro fp16" })).toHaveFocus());
  });

  it("asks for the licence once, in plain words, and accepts and downloads in one click", async () => {
    const license = { name: "OpenRAIL-M", url: "https://example.org/l", accept_required: true, accepted: false };
    const { user, api } = show([absent({ license })], "#/models?tab=more", {
      "POST /models/download": { model_name: "kokoro", status: "queued", progress_url: "" },
    });
    await user.click(await screen.findByRole("button", { name: /Download 338 MB/ }));
    const dialog = await screen.findByRole("dialog", { name: "Licence of Kokoro" });
    expect(within(dialog).getByText("OpenRAIL-M")).toBeVisible();
    expect(within(dialog).getByRole("link", { name: "Read licence" })).toHaveAttribute("href", "https://example.org/l");
    expect(api.to("POST /models/download")).toHaveLength(0);
    await user.click(within(dialog).getByRole("button", { name: "Accept and download 338 MB" }));
    expect(api.to("POST /models/download")[0]?.body).toEqual({ model_name: "kokoro", accept_license: true });
  });

  it("shows that it waits to retry, and the number of the attempt", async () => {
    const retry = { attempt: 2, of: 5, wait_seconds: 4.2, code: "download_failed", detail: "HTTP 500" } as const;
    show([absent({ state: "downloading", downloading: { current: 4.1e6, total: 100e6 } })]);
    await screen.findByRole("button", { name: "Kokoro" });
    act(() => applyDownloadEvent({ model_name: "kokoro", status: "downloading", current: 4.1e6, total: 100e6, retry }));
    await waitFor(() => expect(screen.getByText("Connection lost. Retrying in 4 s (attempt 2 of 5)")).toBeVisible());
  });

  it("says that the hub lacks the files, instead of blaming the network", async () => {
    const error = {
      code: "download_failed",
      detail: "x",
      remedy: "y",
      params: { reason: "gone", host: "hub" },
    } as const;
    show([absent({ error })]);
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("The model hub no longer has these files.");
    expect(alert).not.toHaveTextContent(/network|connection/);
  });

  it("can be cancelled next to Pause, and undone before its partial file is deleted", async () => {
    const model = absent({ state: "downloading", downloading: { current: 4.1e6, total: 100e6 } });
    const { user, api } = show([model], "#/models", {
      "POST /models/{name}/pause": {},
      "POST /models/{name}/resume": {},
      "POST /models/{name}/cancel": {},
    });
    await screen.findByRole("button", { name: "Kokoro" });
    act(() => applyDownloadEvent({ model_name: "kokoro", status: "downloading", current: 4.1e6, total: 100e6 }));
    const cancel = () => user.click(screen.getByRole("button", { name: "Cancel download: Kokoro" }));
    await cancel();
    expect(screen.getByText("No models yet")).toBeVisible();
    expect(screen.getByText("The download of Kokoro was cancelled.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(api.to("POST /models/{name}/resume")).toHaveLength(1));
    expect(api.to("POST /models/{name}/cancel")).toHaveLength(0);
    await cancel();
    await user.click(screen.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(api.to("POST /models/{name}/cancel")).toHaveLength(1));
  });

  /** A download that was cancelled in its row and is requested again at once; `go` lets the server answer the pause. */
  async function takenBack() {
    const model = absent({ state: "downloading", downloading: { current: 4.1e6, total: 100e6 } });
    let go = (answer: unknown): void => void answer;
    const pause = new Promise((resolve) => {
      go = resolve;
    });
    const shown = show([model], "#/models?tab=more", {
      "POST /models/{name}/pause": () => pause,
      "POST /models/{name}/resume": {},
      "POST /models/{name}/cancel": {},
    });
    const cancel = async () => shown.user.click(await screen.findByRole("button", { name: "Cancel download: Kokoro" }));
    const { user, api } = shown;
    act(() => navigate("#/models"));
    await screen.findByRole("button", { name: "Kokoro" });
    act(() => applyDownloadEvent({ model_name: "kokoro", status: "downloading", current: 4.1e6, total: 100e6 }));
    await cancel();
    act(() => navigate("#/models?tab=more"));
    await user.click(await screen.findByRole("button", { name: /Download 338 MB/ }));
    act(() => navigate("#/models"));
    return {
      user,
      api,
      cancel,
      go: () =>
        act(async () => {
          go({});
          await pause;
        }),
    };
  }

  it("resumes only after the server has answered the pause of its cancellation", async () => {
    const { api, go } = await takenBack();
    expect(api.to("POST /models/{name}/resume")).toHaveLength(0);
    await go();
    await waitFor(() => expect(api.to("POST /models/{name}/resume")).toHaveLength(1));
  });

  it("keeps its partial file until the last undo bar ends, whatever an older bar does", async () => {
    const { user, api, cancel, go } = await takenBack();
    await go();
    await cancel();
    const [older, newer] = screen
      .getAllByText("The download of Kokoro was cancelled.")
      .map((words) => words.parentElement as HTMLElement);
    if (!older || !newer) throw new Error("two bars were expected");
    await user.click(within(older).getByRole("button", { name: "Close" }));
    expect(api.to("POST /models/{name}/cancel")).toHaveLength(0);
    await user.click(within(newer).getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(api.to("POST /models/{name}/resume")).toHaveLength(2));
    expect(api.to("POST /models/{name}/cancel")).toHaveLength(0);
  });

  it("shows the reason in the row, and Retry starts it again", async () => {
    const error = { code: "download_failed", detail: "x", remedy: "y", params: { host: "hub.example" } };
    const { user, api } = show([absent({ error, partial_mb: 218 })], "#/models", { "POST /models/download": {} });
    await waitFor(() =>
      expect(
        screen.getByText("The download failed: Voicewright couldn’t get the files from hub.example."),
      ).toBeVisible(),
    );
    expect(screen.getByText(/218 of 338 MB is saved/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Try again: Kokoro" }));
    expect(api.to("POST /models/download")).toHaveLength(1);
  });

  it("says how much space is missing and links to the largest models", async () => {
    const here = [
      ready({ model_name: "kitten-nano", display_name: "KittenTTS nano", engine: "kitten", size_mb: 61 }),
      ready({ model_name: "supertonic-3", display_name: "Supertonic 3", engine: "supertonic", size_mb: 402 }),
    ];
    const refusal = reply(507, {
      code: "insufficient_disk",
      detail: "x",
      remedy: "",
      params: { needed: 9e11, free: 6.4e9 },
    });
    const { user } = show([absent(), ...here], "#/models?tab=more", { "POST /models/download": refusal });
    await user.click(await screen.findByRole("button", { name: /Download 338 MB/ }));
    await waitFor(() =>
      expect(screen.getByText("There isn’t enough disk space: needs 900 GB, 6.4 GB free.")).toBeVisible(),
    );
    await user.click(screen.getByRole("button", { name: "Free space" }));
    const rows = within(await screen.findByRole("list", { name: "On this machine" })).getAllByRole("listitem");
    expect(rows.map((row) => row.dataset.model)).toEqual(["supertonic-3", "kitten-nano"]);
  });
});

it("adds a voice of the catalogue to the list and downloads it in place", async () => {
  const item = {
    key: "de_DE-eva-low",
    name: "eva_k",
    language: "de-DE",
    quality: "x_low",
    speakers: 1,
    size_mb: 21,
    license: "",
    registered: false,
  };
  const model = absent({ model_name: "piper-de_DE-eva-low", display_name: "Eva", engine: "piper" });
  const { user, api } = show([], "#/models?tab=more", {
    "GET /models/catalogue": { items: [item], total: 1, next_cursor: null },
    "POST /models/register": model,
    "POST /models/download": {},
  });
  expect(api.to("GET /models/catalogue")).toHaveLength(0); // the hub is asked when Piper is opened
  await user.click(await screen.findByRole("button", { name: /^Piper voices/, expanded: false }));
  await user.click(await screen.findByRole("button", { name: "Download 21 MB: Eva k (x low)" }));
  await waitFor(() => expect(api.to("POST /models/download")).toHaveLength(1));
  expect(api.to("POST /models/register")[0]?.body).toEqual({ catalogue: "piper", key: "de_DE-eva-low" });
});

it("says that nothing matches, also where the public voices have no match", async () => {
  const { user } = show([absent()], "#/models?tab=more", {
    "GET /models/catalogue": { items: [], total: 0, next_cursor: null },
  });
  await user.type(await screen.findByRole("searchbox", { name: "Search models" }), "qqqq");
  await waitFor(() => expect(screen.getByText("No matching models")).toBeVisible());
  expect(screen.queryByText("Piper voices")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Clear filters" }));
  await waitFor(() => expect(screen.getByText("Piper voices")).toBeVisible());
});
