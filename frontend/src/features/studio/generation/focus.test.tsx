import { act, createEvent, fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { player } from "@/player";
import { aGeneration, aModel, reply } from "@/test";
import type { Generation } from "@/api/types";
import { heart, paper, start } from "../testKit";

const running = aGeneration({ status: "generating", chunks: [], chunks_done: 1, chunks_total: 3, audio_url: "" });
const stopped: Generation = { ...running, status: "cancelled", partial: { chunks: 1, total: 3, seconds: 2 } };

beforeEach(() => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  vi.spyOn(player, "load").mockImplementation(() => undefined);
});

/** A Studio with a server that generates. */
async function open() {
  let now: Generation = running;
  const set = (next: Generation) => () => (now = next);
  const view = start({
    "POST /generate": () => reply(202, (now = running)),
    "GET /generate/{id}": () => now,
    "POST /generate/{id}/stop": set(stopped),
    "POST /generate/{id}/retry": set(running),
  });
  await paper();
  await screen.findByText("Built-in voice");
  return {
    ...view,
    complete: async () => {
      now = aGeneration({ ...running, status: "complete", chunks: aGeneration().chunks });
      await act(() => view.client.invalidateQueries({ queryKey: ["generation", running.id] }));
    },
  };
}
const button = (name: string) => screen.findByRole("button", { name });

test("the focus stays on the primary action while its generation starts, stops, goes on and ends", async () => {
  const { user, complete } = await open();
  (await button("Generate")).focus();
  await user.keyboard("{Enter}");
  expect(await button("Stop")).toHaveFocus();
  await user.keyboard("{Enter}");
  expect(await button("Generate")).toHaveFocus();
  (await button("Continue")).focus();
  await user.keyboard("{Enter}");
  expect(await button("Stop")).toHaveFocus();
  await complete();
  expect(await button("Generate")).toHaveFocus();
});

test("a generation that is started while one writes leaves the focus in the text", async () => {
  const { user, complete } = await open();
  await user.click(await paper());
  await user.keyboard("{Control>}{Enter}{/Control}");
  await button("Stop");
  expect(await paper()).toHaveFocus();
  await complete();
  await button("Generate");
  expect(await paper()).toHaveFocus();
});

test("the focus is on Stop after the question that came before", async () => {
  const { user } = start(
    { "GET /models/status": { models: [aModel({ size_mb: 25 })] }, "POST /generate": reply(202, running) },
    heart,
  );
  await screen.findByText(/Not downloaded, 25/);
  await user.click(await button("Generate"));
  await user.click(await button("Download 25 MB"));
  expect(await button("Stop")).toHaveFocus();
});

test("a key that is held down does not stop what it has started", async () => {
  const { user } = await open();
  (await button("Generate")).focus();
  await user.keyboard("{Enter}");
  const held = createEvent.keyDown(await button("Stop"), { key: "Enter", repeat: true });
  fireEvent(await button("Stop"), held);
  expect(held.defaultPrevented).toBe(true); // so that the browser clicks no button
});
