import { act, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { player } from "@/player";
import { aGeneration, aProfile, fakeApi, renderWithProviders } from "@/test";
import { menuActions } from "./menu";
import { ReadAloud } from "./ReadAloud";

const ask = (text: string) => act(() => menuActions["menu:read-aloud"]?.(text));

test("reads the clipboard with the default voice, or says that it is empty", async () => {
  const voice = aProfile();
  const done = aGeneration({ text: "Read me." });
  const api = fakeApi({
    "GET /profiles": { items: [voice], total: 1 },
    "POST /generate": done,
    "GET /generate/{id}": done,
  });
  renderWithProviders(<ReadAloud />);
  ask("");
  expect(await screen.findByText("There is no text on the clipboard.")).toBeVisible();
  act(() => menuActions["menu:shortcut-unavailable"]?.("Ctrl+Alt+R"));
  expect(await screen.findByText(/Ctrl\+Alt\+R is not available/)).toBeVisible();
  ask("Read me.");
  await waitFor(() => expect(player.get().generation?.id).toBe(done.id));
  expect(api.to("POST /generate").map((request) => request.body)).toEqual([{ profile_id: voice.id, text: "Read me." }]);
});
