import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { player } from "@/player";
import { PlayerBar } from "@/player/PlayerBar";
import { aDraft, aGeneration, renderWithProviders } from "@/test";
import { kept, paper, start } from "../testKit";

const first = aGeneration({ id: "g1", text: "The ferry", title: "Ferry" });
const second = aGeneration({ id: "g2", text: "The lamp", title: "Lamp" });
const drafts = [
  aDraft({ id: "d1", name: "Ferry", content: { text: first.text, generation_id: first.id, named: true } }),
  aDraft({ id: "d2", name: "Lamp", content: { text: second.text, generation_id: second.id, named: true } }),
  aDraft({ id: "d3", name: "Silent", content: { text: "Not generated", named: true } }),
];

beforeEach(() => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (this: HTMLAudioElement) {
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  });
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(function (this: HTMLAudioElement) {
    this.dispatchEvent(new Event("pause"));
  });
});
afterEach(() => act(() => player.close()));

async function open() {
  const view = start({
    ...kept(...drafts),
    "GET /generate/{id}": (call: { params: Record<string, string> }) =>
      [first, second].find(({ id }) => id === call.params.id),
    "GET /history/{id}/peaks": { peaks: [] },
    "GET /system": { encoders: ["wav"] },
    "DELETE /drafts/{id}": {},
  });
  renderWithProviders(<PlayerBar />);
  await paper();
  const change = async (name: string) => {
    await view.user.click(screen.getByRole("button", { name: /^Drafts/ }));
    await view.user.click(await screen.findByRole("button", { name: new RegExp(`^${name}`) }));
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Title" })).toHaveValue(name));
  };
  return { ...view, change };
}
const loaded = () => player.get().generation?.id;

test("a draft that is opened shows its own audio, named, and one without audio shows none", async () => {
  const { change, user } = await open();
  await waitFor(() => expect(loaded()).toBe("g1"));
  expect(screen.getByRole("region", { name: "Player" })).toHaveTextContent("Ferry");
  await change("Lamp");
  await waitFor(() => expect(loaded()).toBe("g2"));
  expect(screen.getByRole("region", { name: "Player" })).toHaveTextContent("Lamp");
  expect(player.get().playing).toBe(false);
  await change("Ferry");
  await waitFor(() => expect(loaded()).toBe("g1"));
  await change("Silent");
  await waitFor(() => expect(loaded()).toBeUndefined());
  await change("Lamp");
  await waitFor(() => expect(loaded()).toBe("g2"));
  await user.click(screen.getByRole("button", { name: /^Drafts/ }));
  await user.click(await screen.findByRole("button", { name: "New text" }));
  await waitFor(() => expect(loaded()).toBeUndefined());
});

test("what plays goes on and stays named until it stops, and other audio stays where a draft has none", async () => {
  const { change } = await open();
  await change("Lamp");
  await waitFor(() => expect(loaded()).toBe("g2"));
  act(() => player.play());
  await change("Ferry");
  expect(loaded()).toBe("g2");
  expect(player.get().playing).toBe(true);
  expect(screen.getByRole("region", { name: "Player" })).toHaveTextContent("Lamp");
  act(() => player.pause());
  await waitFor(() => expect(loaded()).toBe("g1"));
  act(() => player.load(aGeneration({ id: "g9", title: "Of the history" })));
  await change("Silent");
  expect(loaded()).toBe("g9");
  await change("Ferry");
  await waitFor(() => expect(loaded()).toBe("g1"));
});

test("a deleted draft takes its audio out of the player, and Undo brings it back", async () => {
  const { change, user } = await open();
  await change("Lamp");
  await waitFor(() => expect(loaded()).toBe("g2"));
  await user.click(screen.getByRole("button", { name: /^Drafts/ }));
  await user.click(await screen.findByRole("button", { name: "Delete Lamp" }));
  await waitFor(() => expect(loaded()).not.toBe("g2"));
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(loaded()).toBe("g2"));
});
