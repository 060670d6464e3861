import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { player } from "@/player";
import { aGeneration, aProfile, fakeApi, renderWithProviders } from "@/test";
import { fakeAudio, livePart } from "@/test/fakeAudio";
import { menuActions } from "./menu";
import { ReadAloud } from "./ReadAloud";

const ask = (text: string) => act(() => menuActions["menu:read-aloud"]?.(text));

afterEach(() => act(() => player.close()));

test("reads the clipboard with the default voice, or says that it is empty", async () => {
  const voice = aProfile();
  const done = aGeneration({ text: "Read me." });
  const api = fakeApi({
    "GET /profiles": { items: [voice], total: 1 },
    "POST /generate": done,
    "GET /generate/{id}": done,
    "GET /history/{id}": done,
  });
  renderWithProviders(<ReadAloud />);
  ask("");
  await waitFor(() => expect(screen.getByText("There is no text on the clipboard.")).toBeVisible());
  act(() => menuActions["menu:shortcut-unavailable"]?.("Ctrl+Alt+R"));
  await waitFor(() => expect(screen.getByText(/Ctrl\+Alt\+R is not available/)).toBeVisible());
  ask("Read me.");
  await waitFor(() => expect(player.get().generation?.id).toBe(done.id));
  expect(api.to("POST /generate").map((request) => request.body)).toEqual([{ profile_id: voice.id, text: "Read me." }]);
});

test("plays a long text while it is made", async () => {
  fakeAudio();
  const part = livePart(1000);
  const running = aGeneration({ status: "generating", duration: 0, chunks: [] });
  fakeApi({
    "GET /profiles": { items: [aProfile()], total: 1 },
    "POST /generate": running,
    "GET /generate/{id}": running,
    "GET /generate/{id}/live": part.response,
    "GET /generate/{id}/live/peaks": { seconds: 1, from: 0, per_second: 10, peaks: [], chunks: [] },
  });
  renderWithProviders(<ReadAloud />);
  ask("A chapter.");
  part.add(1);
  await waitFor(() => expect(player.get()).toMatchObject({ generation: { id: running.id }, playing: true }));
});
