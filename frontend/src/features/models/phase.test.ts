import { describe, expect, it } from "vitest";
import type { LiveDownload } from "@/api/live";
import type { Model } from "@/api/types";
import { aModel } from "@/test";
import type { ModelAction } from "./action";
import { isLocal, mainAction, phaseOf } from "./phase";
import { steady } from "./progress";

const live = (status: LiveDownload["status"]): LiveDownload => ({
  model_name: "kokoro",
  status,
  current: 1,
  total: 2,
  bytesPerSecond: 1,
  etaSeconds: 1,
  retry: null,
  at: 0,
});
const failure = { code: "download_failed", detail: "", remedy: "", params: {} };

describe("the text of a row and the action of its button", () => {
  const table: [string, Partial<Model>, LiveDownload | undefined, ModelAction | undefined, string, string | null][] = [
    ["not here", {}, undefined, undefined, "absent", "download"],
    ["asked for", {}, undefined, "download", "queued", "pause"],
    ["begun in another life", { partial_mb: 20 }, undefined, undefined, "stopped", "continue"],
    ["failed", { error: failure, partial_mb: 20 }, undefined, undefined, "failed", "retry"],
    ["waits", { state: "downloading" }, live("queued"), undefined, "queued", "pause"],
    ["asks for the list", { state: "downloading" }, live("resolving"), undefined, "preparing", "pause"],
    ["comes", { state: "downloading" }, live("downloading"), undefined, "downloading", "pause"],
    ["comes, and the stream is not there yet", { state: "downloading" }, undefined, undefined, "downloading", "pause"],
    ["is compared while it comes", { state: "downloading" }, live("verifying"), undefined, "checking", "cancel"],
    ["paused", { state: "downloading" }, live("paused"), undefined, "paused", "resume"],
    ["ready", { state: "downloaded", downloaded: true }, undefined, undefined, "ready", "load"],
    ["is checked", { state: "downloaded", downloaded: true }, undefined, "verify", "checking", null],
    ["loads", { state: "loading", downloaded: true }, undefined, undefined, "loading", null],
    ["in memory", { state: "loaded", downloaded: true, loaded: true }, undefined, undefined, "loaded", "unload"],
    ["unloads", { state: "unloading", downloaded: true }, undefined, undefined, "unloading", null],
    ["broken", { state: "broken", error: failure }, undefined, undefined, "broken", "retry"],
    ["is deleted", { state: "downloaded", downloaded: true }, undefined, "delete", "deleting", null],
    ["is copied from disk", {}, undefined, "fill", "copying", null],
  ];
  it.each(table)("%s", (_, part, download, requested, phase, action) => {
    const model = aModel({ state: "not_downloaded", ...part });
    expect(phaseOf(model, download, requested)).toBe(phase);
    expect(mainAction(phaseOf(model, download, requested), model)).toBe(action);
  });
});

describe("the tab of a model", () => {
  it("is Installed when any file of it is installed or being downloaded", () => {
    expect(isLocal(aModel({ state: "not_downloaded" }))).toBe(false);
    expect(isLocal(aModel({ state: "downloaded", downloaded: true }))).toBe(true);
    expect(isLocal(aModel({ state: "downloading", downloading: { current: 0, total: 9 } }))).toBe(true);
    expect(isLocal(aModel({ state: "not_downloaded", partial_mb: 3 }))).toBe(true);
    expect(isLocal(aModel({ state: "not_downloaded", error: failure }))).toBe(true);
  });
});

describe("progress", () => {
  it("never decreases within one download, even if responses arrive late", () => {
    let shown = steady(null, { current: 40, total: 100 });
    for (const current of [55, 50, 20, 60]) shown = steady(shown, { current, total: 100 });
    expect(shown).toEqual({ current: 60, total: 100 });
    expect(steady({ current: 60, total: 100 }, { current: 0, total: 50 })).toEqual({ current: 60, total: 60 });
  });
  it("starts from zero with the next download", () => {
    expect(steady(steady({ current: 90, total: 100 }, null), { current: 3, total: 100 })).toEqual({
      current: 3,
      total: 100,
    });
  });
});
