import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { player } from "@/player";
import { aGeneration, fakeApi, page, renderWithProviders } from "@/test";
import type { Generation } from "@/api/types";
import History from ".";
import { setMissing, setUnplayable } from "./state";

const lost = aGeneration({ text: "Its file is gone", seed: 77 });

afterEach(() => {
  player.close();
  setUnplayable(null);
  setMissing(lost);
  delete window.go;
});

function show(one: Generation, hash = "#/history") {
  const api = fakeApi({
    "GET /history": page([{ ...one, audio_missing: undefined }]),
    "GET /history/{id}": one,
    "GET /generate/{id}": one,
    "GET /profiles": page([]),
    "GET /settings": {},
    "GET /history/stats": { by_engine: {} },
    "GET /system": { encoders: ["wav", "flac"] },
    "POST /generate/{id}/regenerate": aGeneration({ parent_id: one.id }),
  });
  return { api, ...renderWithProviders(<History />, { hash }) };
}
const row = () => screen.findByRole("row", { name: /Its file is gone/ });

test("a row whose file is missing says so when it is played, and regenerates it with its seed", async () => {
  const { api, user } = show({ ...lost, audio_missing: true });
  await user.click(within(await row()).getByRole("button", { name: "Play" }));
  const line = await row();
  await waitFor(() => expect(line).toHaveTextContent("No audio file"));
  expect(screen.getByText(/^The audio file is missing\. Its file is gone/)).toHaveAttribute("role", "status");
  expect(screen.queryByRole("alert")).toBeNull(); // no error appears between the search and the list
  expect(player.get().generation).toBeNull();
  await user.click(within(line).getByRole("button", { name: "Regenerate" }));
  await waitFor(() => expect(api.to("POST /generate/{id}/regenerate")[0]?.body).toEqual({ seed: 77 }));
});

test("the details of missing audio offer to regenerate it, and no action that needs the file", async () => {
  const { api, user } = show({ ...lost, audio_missing: true }, `#/history/${lost.id}`);
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("The audio file is missing."));
  expect(within(await row()).getByRole("img", { name: "No audio file" })).toBeVisible();
  expect(screen.getAllByRole("button", { name: "Regenerate" })).toHaveLength(1); // shown once
  await user.click(screen.getAllByRole("button", { name: "More" }).at(-1) as HTMLElement);
  expect(screen.queryByRole("menuitem", { name: "Export" })).toBeNull();
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: "Regenerate" }));
  await waitFor(() => expect(api.to("POST /generate/{id}/regenerate")[0]?.body).toEqual({ seed: 77 }));
});

test("audio that fails in the player is checked, and the reason is shown", async () => {
  show({ ...lost, audio_missing: true });
  await row();
  vi.spyOn(player, "get").mockReturnValue({ ...player.get(), generation: lost, failed: true });
  player.setRate(1.5); // notifies the subscribers of the player
  await waitFor(async () => expect(await row()).toHaveTextContent("No audio file"));
  vi.restoreAllMocks();
});

test("the desktop window shows a file in its folder and copies it; a browser has no such items", async () => {
  const { user, unmount } = show(lost);
  await user.click(within(await row()).getByRole("button", { name: "More" }));
  expect((await screen.findAllByRole("menuitem")).map((item) => item.textContent)).toEqual([
    "Play↵",
    "Open in Studio",
    "Transcribe",
    "SelectSpace",
    "Details",
    "Add to favourites",
    "Regenerate",
    "Export", // the formats, and what can be copied, are in menus of their own
    "Copy",
    "DeleteDel",
  ]);
  await user.click(screen.getByRole("menuitem", { name: "Export" }));
  await waitFor(() => expect(screen.getByRole("menuitem", { name: "Export WAV" })).toBeVisible());
  expect(screen.getByRole("menuitem", { name: "Export options…" })).toBeVisible();
  expect(screen.queryByRole("menuitem", { name: "Show in folder" })).toBeNull();
  unmount();

  const ShowFile = vi.fn(() => Promise.resolve()),
    CopyFile = vi.fn(() => Promise.resolve());
  window.go = { desktop: { Bridge: { Address: () => Promise.resolve({ url: "", token: "" }), ShowFile, CopyFile } } };
  const again = show(lost);
  await again.user.click(within(await row()).getByRole("button", { name: "More" }));
  await again.user.click(await screen.findByRole("menuitem", { name: "Show in folder" }));
  await waitFor(() => expect(ShowFile).toHaveBeenCalledWith(lost.audio_path));
  await again.user.click(within(await row()).getByRole("button", { name: "More" }));
  (await screen.findByRole("menuitem", { name: "Copy" })).focus();
  await again.user.keyboard("{ArrowRight}{ArrowDown}"); // past "Copy text"
  await waitFor(() => expect(screen.getByRole("menuitem", { name: "Copy audio" })).toHaveFocus());
  await again.user.keyboard("{Enter}");
  await waitFor(() => expect(CopyFile).toHaveBeenCalledWith(lost.audio_path));
});

test("the menu takes a generation to Transcribe, but not one whose file is missing", async () => {
  const { user, unmount } = show(lost);
  await user.click(within(await row()).getByRole("button", { name: "More" }));
  await user.click(await screen.findByRole("menuitem", { name: "Transcribe" }));
  expect(location.hash).toBe(`#/transcribe?generation=${lost.id}`);
  unmount();

  const again = show({ ...lost, audio_missing: true }, `#/history/${lost.id}`);
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("The audio file is missing."));
  await again.user.click(within(await row()).getByRole("button", { name: "More" }));
  await waitFor(() => expect(screen.getByRole("menuitem", { name: "Open in Studio" })).toBeVisible());
  expect(screen.queryByRole("menuitem", { name: "Transcribe" })).toBeNull();
});

test("a failure that concerns the model links to the model", async () => {
  show(
    aGeneration({
      text: "Its file is gone",
      status: "failed",
      model_name: "piper-x",
      error: { code: "model_not_downloaded", detail: "x", remedy: "y" },
    }),
  );
  expect(within(await row()).getByRole("link", { name: "Show model" })).toHaveAttribute("href", "#/models/piper-x");
});
