import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { player } from "@/player";
import { PlayerBar } from "@/player/PlayerBar";
import { aDraft, aGeneration, renderWithProviders } from "@/test";
import { fakeAudio, livePart } from "@/test/fakeAudio";
import { kept, start } from "../testKit";

test("a generation that is made is there after a reload, paused, and plays from there", async () => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  fakeAudio();
  const running = aGeneration({ text: "The lamp", status: "generating", chunks: [], chunks_done: 1, audio_url: "" });
  const draft = aDraft({ id: "d1", content: { text: running.text, generation_id: running.id } });
  const { user } = start({
    ...kept(draft),
    "GET /generate/{id}": running,
    "GET /generate/{id}/live": () => livePart(1000, 5).response,
    "GET /generate/{id}/live/peaks": { seconds: 5, from: 0, per_second: 10, peaks: [], chunks: [{ start: 0, end: 5 }] },
    "GET /history/{id}": running,
  });
  renderWithProviders(<PlayerBar />);
  await screen.findByRole("button", { name: "Play" });
  expect(screen.getByText("0:05 so far")).toBeVisible();
  expect(player.get().playing).toBe(false);
  await user.click(screen.getByRole("button", { name: "Play" }));
  await waitFor(() => expect(player.get().playing).toBe(true));
  act(() => player.close());
});
