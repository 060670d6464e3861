import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { aGeneration, fakeApi, renderWithProviders } from "@/test";
import { fakeAudio, livePart } from "@/test/fakeAudio";
import { PlayerBar } from "./PlayerBar";
import { player } from "./store";
import { clearTrack, setTrack } from "./track";

afterEach(() =>
  act(() => {
    player.close();
    player.setRate(1);
  }),
);

it("keeps the focus from one sound to the next, and returns it when it closes", async () => {
  vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  fakeApi({ "GET /history/{id}/peaks": { peaks: [] }, "GET /system": { encoders: [] } });
  const { user } = renderWithProviders(<button type="button">Page</button>);
  renderWithProviders(<PlayerBar />);
  act(() => player.load(aGeneration({ id: "g1" }), { play: true, at: 0 }));
  act(() => screen.getByRole("button", { name: "Page" }).focus());
  const close = () => screen.getByRole("button", { name: "Close the player" });
  act(() => close().focus());
  act(() => player.load(aGeneration({ id: "g2" }), { play: true, at: 0 }));
  expect(close()).toHaveFocus();
  await user.keyboard("{Enter}");
  expect(screen.queryByRole("button", { name: "Close the player" })).toBeNull();
  expect(screen.getByRole("button", { name: "Page" })).toHaveFocus();
});

it("changes the speed while a generation is made, and keeps it for its file and the next generation", async () => {
  const play = vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  const audio = fakeAudio();
  const left = () =>
    Math.max(0, ...audio.parts.flatMap(({ at, seconds }) => (seconds > 0 ? at + seconds : []))) - audio.now;
  const running = aGeneration({ id: "g1", status: "generating", duration: 0, chunks: [] });
  fakeApi({
    "GET /generate/{id}/live": () => livePart(1_000, 6).response,
    "GET /generate/{id}/live/peaks": { seconds: 6, from: 0, per_second: 10, peaks: [], chunks: [] },
    "GET /history/{id}/peaks": { peaks: [] },
    "GET /system": { encoders: [] },
  });
  const { user } = renderWithProviders(<PlayerBar />);
  act(() => player.follow(running, { play: true, busy: () => false }));
  await waitFor(() => expect(left()).toBeGreaterThan(5.9));

  await user.click(screen.getByRole("button", { name: "Speed 1.0×" }));
  await user.click(screen.getByRole("menuitemcheckbox", { name: "2.0×" }));
  expect(screen.getByRole("button", { name: "Speed 2.0×" })).toBeEnabled();
  expect(left()).toBeLessThan(3.3);

  act(() => player.load({ ...running, status: "complete", duration: 60 }, { play: true, at: 0 }));
  await waitFor(() => expect((play.mock.contexts.at(-1) as HTMLAudioElement).playbackRate).toBe(2));

  act(() => player.follow({ ...running, id: "g2" }, { play: true, busy: () => false }));
  await waitFor(() => expect(player.get().generation?.id).toBe("g2"));
  expect(screen.getByRole("button", { name: "Speed 2.0×" })).toBeEnabled();
  await waitFor(() => expect(left()).toBeCloseTo(3, 1));
});

it("shows the chapter and its book, and goes to the next and the previous one", async () => {
  fakeApi({ "GET /history/{id}/peaks": { peaks: [] }, "GET /system": { encoders: [] } });
  const { user } = renderWithProviders(<PlayerBar />);
  const track = {
    title: "The ferry",
    album: "Winter",
    artist: "Anna",
    href: "#/books/b1",
    previous: vi.fn(),
    next: vi.fn(),
  };
  act(() => {
    player.load(aGeneration({ id: "g1", title: "Winter: The ferry" }));
    setTrack("g1", track);
  });
  expect(screen.getByText("The ferry")).toBeVisible();
  expect(screen.getByRole("link", { name: "Winter" })).toHaveAttribute("href", "#/books/b1");
  await user.click(screen.getByRole("button", { name: "Next chapter" }));
  await user.click(screen.getByRole("button", { name: "Previous chapter" }));
  expect([track.next, track.previous].map((go) => go.mock.calls.length)).toEqual([1, 1]);
  act(() => setTrack("g1", { ...track, next: null }));
  expect(screen.getByRole("button", { name: "Next chapter" })).toHaveAttribute("aria-disabled", "true");
  act(() => player.load(aGeneration({ id: "g2", title: "Alone" })));
  expect(screen.queryByRole("button", { name: "Next chapter" })).toBeNull();
  act(clearTrack);
});
