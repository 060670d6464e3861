import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { aModel, fakeApi, renderWithProviders } from "@/test";
import { clearDownloads, applyDownloadEvent } from "@/api/live";
import { forgetAwaited } from "@/features/picker";
import { bestModel, BetterVoicesCard } from ".";
import { smallerModel } from "./best";

const kokoro = aModel({ model_name: "kokoro", default: true, languages: ["en-US", "en-GB", "fr-FR"] });
const thorsten = aModel({ model_name: "thorsten-high", languages: ["de-DE"], size_mb: 114, voices: 1 });
const small = aModel({ model_name: "thorsten-medium", languages: ["de-DE"], size_mb: 64, voices: 1 });
const licensed = aModel({
  model_name: "supertonic-3",
  languages: ["en", "de", "ja"],
  size_mb: 402,
  license: { name: "OpenRAIL-M", url: "https://a.example", accept_required: true, accepted: false },
});
const cloning = aModel({ model_name: "pocket-de", languages: ["de"], voices: 0, cloning: true });
const whisper = aModel({ model_name: "whisper", family: "transcription", default: true, languages: ["de", "en"] });
const all = [whisper, cloning, small, licensed, thorsten, kokoro];

describe("the best model", () => {
  it.each([
    ["en-US", "kokoro"],
    ["fr", "kokoro"],
    ["de-DE", "thorsten-high"],
    ["de-AT", "thorsten-high"],
    ["ja-JP", "supertonic-3"],
  ])("for %s is %s", (language, name) => {
    expect(bestModel(all, language)?.model_name).toBe(name);
  });
  it("fits the machine first of all", () => {
    expect(bestModel([{ ...kokoro, fits: "no" }, licensed], "en-US")?.model_name).toBe("supertonic-3");
    expect(bestModel([{ ...thorsten, fits: "tight" }, small], "de")?.model_name).toBe("thorsten-medium");
  });
  it("is one that this program can speak with", () => {
    expect(bestModel([{ ...thorsten, supported: false }, small], "de")?.model_name).toBe("thorsten-medium");
  });
  it("has a smaller alternative of at most half its size", () => {
    expect(smallerModel(all, "de", thorsten)).toBeUndefined();
    expect(smallerModel([...all, { ...small, model_name: "tiny", size_mb: 24 }], "de", thorsten)?.model_name).toBe(
      "tiny",
    );
  });
  it("does not exist when no model speaks the language", () => expect(bestModel([kokoro], "ja")).toBeUndefined());
});

const card = <BetterVoicesCard place="studio" inUse="built-in" generation="g1" />;

describe("the card", () => {
  beforeEach(() => {
    localStorage.clear();
    forgetAwaited("studio");
  });

  it("offers one model with its size and downloads it with one click", async () => {
    const server = fakeApi({ "GET /models/status": { models: [kokoro] }, "POST /models/download": {} });
    const { user } = renderWithProviders(card);
    await user.click(await screen.findByRole("button", { name: /Download 338/ }));
    await waitFor(() => expect(server.to("POST /models/download")[0]?.body).toEqual({ model_name: "kokoro" }));
  });
  it("offers a smaller one, and a way back", async () => {
    const q8 = { ...kokoro, model_name: "kokoro-q8", default: false, size_mb: 121, display_name: "Kokoro q8" };
    const server = fakeApi({ "GET /models/status": { models: [kokoro, q8] }, "POST /models/download": {} });
    const { user } = renderWithProviders(card);
    await user.click(await screen.findByRole("button", { name: "A smaller model, 121 MB" }));
    expect(screen.getByText("Kokoro q8")).toBeVisible();
    expect(screen.getByRole("button", { name: "A larger model, 338 MB" })).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Download 121 MB" }));
    await waitFor(() => expect(server.to("POST /models/download")[0]?.body).toEqual({ model_name: "kokoro-q8" }));
  });
  it("shows the expected time once a speed was measured", async () => {
    fakeApi({ "GET /models/status": { models: [kokoro] } });
    renderWithProviders(card);
    await screen.findByRole("button", { name: /Download 338/ });
    expect(screen.queryByText(/on this network/)).toBeNull();
    const seen = { model_name: "other", status: "downloading", total: 100e6 } as const;
    act(() => {
      applyDownloadEvent({ ...seen, current: 10e6, bytes_per_second: 10e6, eta_seconds: 9 });
    });
    await waitFor(() => expect(screen.getByText("Takes about 34 s on this network.")).toBeVisible());
    act(clearDownloads);
    expect(screen.getByText("Takes about 34 s on this network.")).toBeVisible();
  });
  it("shows which licence a download accepts", async () => {
    const server = fakeApi({
      "GET /models/status": { models: [{ ...licensed, languages: ["en"] }] },
      "POST /models/download": {},
    });
    const { user } = renderWithProviders(card);
    await waitFor(() => expect(screen.getByText(/OpenRAIL-M/)).toBeVisible());
    await user.click(screen.getByRole("button", { name: /Download/ }));
    await waitFor(() =>
      expect(server.to("POST /models/download")[0]?.body).toEqual({ model_name: "supertonic-3", accept_license: true }),
    );
  });
  it("keeps what was downloaded when it is stopped, and says so", async () => {
    const progress = { model_name: "kokoro", current: 120e6, total: 338e6, bytes_per_second: 0, eta_seconds: null };
    const server = fakeApi({
      // A paused download stays in `downloading`.
      "GET /models/status": { models: [{ ...kokoro, downloading: { current: 1e6, total: 338e6 } }] },
      "POST /models/{name}/pause": () => {
        applyDownloadEvent({ ...progress, status: "paused" });
        return { ...progress, status: "paused" };
      },
      "POST /models/download": {},
    });
    const { user } = renderWithProviders(card);
    await user.click(await screen.findByRole("button", { name: "Stop" }));
    await waitFor(() => expect(screen.getByText(/^Stopped. 120 MB is saved/)).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Resume, 218 MB left" }));
    await waitFor(() => expect(server.to("POST /models/download")).toHaveLength(1));
    expect(server.to("POST /models/{name}/cancel")).toHaveLength(0);
  });
  it("says what to do after a failure", async () => {
    const error = { code: "insufficient_disk", detail: "", remedy: "", params: {} } as const;
    fakeApi({ "GET /models/status": { models: [{ ...kokoro, partial_mb: 120, error }] } });
    renderWithProviders(card);
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("There isn’t enough disk space."));
    expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
    expect(screen.queryByText(/is saved/)).toBeNull();
  });
  it("stays hidden once it was closed", async () => {
    fakeApi({ "GET /models/status": { models: [kokoro] } });
    const { user, unmount } = renderWithProviders(card);
    await user.click(await screen.findByRole("button", { name: "Close" }));
    expect(screen.queryByText("Better voices")).toBeNull();
    unmount();
    renderWithProviders(card);
    await new Promise((done) => setTimeout(done, 50));
    expect(screen.queryByText("Better voices")).toBeNull();
  });
  it("is not shown when voices are installed", async () => {
    const server = fakeApi({ "GET /models/status": { models: [{ ...kokoro, downloaded: true }, licensed] } });
    renderWithProviders(card);
    await waitFor(() => expect(server.calls).toHaveLength(1));
    expect(screen.queryByText("Better voices")).toBeNull();
  });
});
