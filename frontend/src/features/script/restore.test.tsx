import { act, screen, within, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { player } from "@/player";
import { PlayerBar } from "@/player/PlayerBar";
import { aDraft, aGeneration, aProfile, fakeApi, page, renderWithProviders } from "@/test";
import Script from ".";

/** Opens a script that has audio, and returns its only turn. */
function open() {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  const voice = aProfile({ name: "Heart" });
  const turns = [aGeneration({ text: "Hello." })];
  const script = {
    ...{ id: "s1", title: "Harbour", gap_ms: 300, audio_url: "/audio/s1", audio_path: "s1.wav", duration: 2 },
    ...{ sample_rate: 24000, created_at: "", updated_at: "1", can_undo: false, speakers: [], receipt: null },
    turns,
  };
  const content = {
    ...{ kind: "script", title: "Harbour", gapMs: 300, scriptId: script.id },
    speakers: [{ id: "a", name: "Anna", profileId: voice.id, hue: 1 }],
    turns: [
      {
        id: "t1",
        speakerId: "a",
        text: "Hello.",
        spoken: { generationId: turns[0]?.id, text: "Hello.", profileId: voice.id },
      },
    ],
  };
  fakeApi({
    "GET /drafts/{id}": aDraft({ id: "d1", content }),
    "PUT /drafts/{id}": aDraft({ id: "d1", content }),
    "GET /profiles": page([voice]),
    "GET /models/status": { models: [] },
    "GET /system": { encoders: ["wav"] },
    "GET /scripts/{id}": script,
  });
  renderWithProviders(
    <>
      <Script />
      <PlayerBar />
    </>,
    { hash: "#/script/d1" },
  );
  return turns[0];
}

it("shows the player of an open script after a reload, paused", async () => {
  open();
  await waitFor(() => expect(screen.getByRole("button", { name: "Play" })).toBeVisible());
  expect(player.get()).toMatchObject({ playing: false, generation: { id: "s1" } });
});

it("exports the joined audio once, beside the page, and a single turn in the player", async () => {
  const turn = open();
  const bar = within(await screen.findByRole("region", { name: "Player" }));
  await waitFor(() => expect(screen.getAllByRole("button", { name: /^Export/ })).toHaveLength(1));
  expect(bar.queryByRole("button", { name: /^Export/ })).toBeNull();
  act(() => turn && player.load(turn));
  await waitFor(() => expect(bar.getByRole("button", { name: /^Export/ })).toBeVisible());
});
