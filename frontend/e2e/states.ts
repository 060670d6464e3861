import { expect, type Page } from "@playwright/test";
import type { Chunk, Generation, Model } from "@/api/types";
import { bookStates } from "./audiobook";
import { libraryStates } from "./library";
import { change, machine, scriptId, show } from "./scene";
import { paper } from "./words";

/** The generation of the open text. */
const novelId = "01a1fc00-0000-7000-8000-000000000060";

const editNovel = (page: Page, edit: (chunks: readonly Chunk[]) => Partial<Generation>) =>
  change(page, `/generate/${novelId}`, (body) => edit(body.chunks as Chunk[]));

const editModels = (page: Page, edit: (model: Model) => Partial<Model>) =>
  change(page, "/models/status", (body) => ({
    models: (body.models as Model[]).map((model) => ({ ...model, fits: "yes", ...edit(model) })),
  }));

const halfDone = (chunks: readonly Chunk[]): Partial<Generation> => {
  const done = chunks.slice(0, Math.ceil(chunks.length / 2));
  return {
    status: "generating",
    progress: 0.57,
    eta_seconds: 8,
    chunks: [...done],
    chunks_done: done.length,
    chunks_total: chunks.length,
    duration: done.at(-1)?.end ?? 0,
    audio_url: "",
  };
};

const folder = { path: machine.paths.models, free_bytes: 187_000_000_000 };

const brokenConnection = {
  code: "download_failed",
  detail: "The model hub did not answer.",
  remedy: "Check the network and try again.",
  params: { host: "hub.example.org" },
} as const;

/** What the screens look like on other days: empty, in work, failed, offline. The steps before each picture. */
export const states: Record<string, (page: Page) => Promise<void>> = {
  ...bookStates,
  "history-empty": async (page) => {
    await change(page, "/history", () => ({ items: [], total: 0, next_cursor: null }));
    await show(page, "history");
    await expect(page.getByText("No generations yet")).toBeVisible();
  },
  ...libraryStates,
  "transcribe-empty": async (page) => {
    await show(page, "transcribe");
    await expect(page.getByRole("button", { name: "Choose files" }).first()).toBeVisible();
  },
  "voices-no-matches": async (page) => {
    await show(page, "voices");
    await page.getByRole("textbox", { name: "Search" }).fill("lighthouse");
    await expect(page.getByText("No matching voices")).toBeVisible();
  },
  "models-empty": async (page) => {
    await editModels(page, () => ({}));
    await change(page, "/models/directory", () => ({ ...folder, used_bytes: 0 }));
    await show(page, "models");
    await expect(page.getByRole("heading", { name: "No models yet" })).toBeVisible();
  },
  "download-failed": async (page) => {
    await change(page, "/models/directory", () => ({ ...folder, used_bytes: 173_000_000 }));
    await editModels(page, ({ model_name }) =>
      model_name === "supertonic-3" ? { partial_mb: 173, state: "failed", error: brokenConnection } : {},
    );
    await show(page, "models");
    await expect(page.getByRole("alert")).toBeVisible();
  },
  offline: async (page) => {
    await change(page, "/system", () => ({ ...machine, offline: true }));
    await show(page, "models?tab=more");
    await expect(page.getByText("Offline mode is on")).toBeVisible();
  },
  generating: async (page) => {
    // The program reports the chunks at the end; until then the page shows those of a preview.
    await editNovel(page, (chunks) => ({ ...halfDone(chunks), chunks: [], chunks_done: 3, chunks_total: 5 }));
    await show(page, "studio");
    await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
    await expect(page.locator(".st-mark").first()).toBeVisible(); // the editor has replaced the plain field
  },
  "script-generating": async (page) => {
    await change(page, `/scripts/${scriptId}`, (body) => ({
      audio_url: "",
      turns: (body.turns as Generation[]).map((turn, i) => (i === 2 ? { ...turn, ...halfDone(turn.chunks) } : turn)),
    }));
    await show(page, "script");
    await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  },
  failed: async (page) => {
    await editNovel(page, () => ({
      status: "failed",
      chunks: [],
      duration: 0,
      audio_url: "",
      error: {
        code: "out_of_memory",
        detail: "The model needs more memory than is free.",
        remedy: "Unload another model.",
        params: { needed_mb: 570, free_mb: 410 },
      },
    }));
    await show(page, "studio");
    await expect(page.locator(".k-error")).toBeVisible();
    await expect(page.locator(".cm-content")).toBeVisible();
  },
};

/** The first start, on an empty library. */
export async function firstStart(page: Page): Promise<void> {
  await show(page, "studio");
  await expect(paper(page)).not.toBeEmpty();
}
