import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { player, playhead } from "@/player";
import { PlayerBar } from "@/player/PlayerBar";
import { aSegment, aTranscript, renderWithProviders } from "@/test";
import { fakeWindow, openOne, talk } from "../testKit";

beforeEach(fakeWindow);
afterEach(() => act(() => player.close()));

describe("the lane under the waveform", () => {
  const openWithPlayer = (given = talk()) => {
    vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(100);
    const view = openOne(given);
    renderWithProviders(<PlayerBar />, { hash: location.hash });
    return view;
  };
  const lane = () => screen.findByRole("img", { name: /^Who speaks when/ });
  const paths = (svg: Element) =>
    [...svg.querySelectorAll("path")].map((path) => [path.getAttribute("class"), path.getAttribute("d")]);

  it("shows who speaks when before anything has played, with a summary", async () => {
    openWithPlayer();
    expect(await lane()).toHaveAccessibleName("Who speaks when. Anna: 0:20, 50%, Ben: 0:10, 25%, and Cleo: 0:10, 25%");
    expect(paths(await lane())).toEqual([
      ["sp-1", "M0 5h25M50 5h25"],
      ["sp-2", "M25 5h25"],
      ["sp-3", "M75 5h25"],
    ]);
  });

  it("shows overlaps in two rows, names under the pointer, and seeks", async () => {
    const turns = [
      { start: 0, end: 20, speaker: "Anna" },
      { start: 16, end: 40, speaker: "Ben" },
    ];
    const segments = ["Anna", "Ben"].map((speaker, i) =>
      aSegment({ id: i + 1, start: i * 20, end: i * 20 + 20, text: `Line ${i + 1}.`, speaker, speaker_found: true }),
    );
    const { user } = openWithPlayer(aTranscript({ duration: 40, segments, turns }));
    await user.click(await screen.findByRole("button", { name: "Play from 0:00" }));
    expect(paths(await lane())).toEqual([
      ["sp-1", "M0 2.5h50"],
      ["sp-2", "M40 7.5h60"],
    ]);
    const box = (await lane()).parentElement as HTMLElement;
    vi.spyOn(box, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 100, 10));
    const point = (type: string, clientX: number, buttons = 0) =>
      fireEvent(box, new MouseEvent(type, { clientX, buttons, bubbles: true })); // jsdom has no pointer events
    point("pointermove", 45);
    expect(box).toHaveTextContent("Anna and Ben 0:18");
    fireEvent.pointerLeave(box);
    expect(box).not.toHaveTextContent("Anna");
    point("pointerdown", 75, 1);
    expect(playhead.get()).toBe(30);
  });

  it("dims the speakers who are filtered out", async () => {
    const { user } = openWithPlayer();
    await user.click(await screen.findByRole("button", { name: "Play from 0:00" }));
    await user.click(await screen.findByRole("button", { name: "Filter by Ben" }));
    const dimmed = [...(await lane()).querySelectorAll("[data-dimmed]")].map((path) => path.getAttribute("class"));
    expect(dimmed).toEqual(["sp-1", "sp-3"]);
  });
});
