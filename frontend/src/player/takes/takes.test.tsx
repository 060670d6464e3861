import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aGeneration, fakeApi, renderWithProviders, reply, type Handler } from "@/test";
import { fakeAudio } from "@/test/fakeAudio";
import type { Generation } from "@/api/types";
import { player, stopAudition, TakeList } from "..";
import { takeOf, takeSound } from "../takes";

let audio: ReturnType<typeof fakeAudio>;
beforeEach(() => {
  audio = fakeAudio();
});
afterEach(() => act(stopAudition));

const seconds = [2, 1.5, 3];
const chunk = (take: number, takes = 2) => ({ text: "The lamp was lit by hand.", start: 0.5, end: 2.5, take, takes });
const items = seconds.map((duration, take) => ({ take, seed: 40 + take, duration, peaks: [[-0.5, 0.5]] }));

function show(one: Generation, routes: Record<string, Handler> = {}) {
  const api = fakeApi({
    "GET /history/{id}/chunks/{n}/takes": { items: items.slice(0, one.chunks[0]?.takes) },
    "GET /history/{id}/chunks/{n}/takes/{take}": ({ params }: { params: Record<string, string> }) =>
      new Response(new Uint8Array(1_000 * (seconds[Number(params.take)] ?? 0))),
    ...routes,
  });
  return { api, ...renderWithProviders(<TakeList generation={one} chunk={0} />) };
}
const radio = (name: RegExp) => screen.findByRole("radio", { name });
const played = (count: number) =>
  waitFor(() => expect(audio.parts.filter((part) => !part.stopped)).toHaveLength(count));
const levels = () => audio.parts.filter((part) => !part.stopped).map((part) => part.gain(audio.now));

it("shows every take with its mark, length and seed, and the two that are compared", async () => {
  show(aGeneration({ chunks: [chunk(0, 3)] }));
  expect(await radio(/^Take 1 ?A$/)).toBeChecked();
  expect(await radio(/^Take 2$/)).not.toBeChecked();
  expect(await radio(/^Take 3 ?B$/)).toBeVisible();
  for (const text of ["2 s", "1.5 s", "3 s", "Seed 40", "Seed 41", "Seed 42", "In use"])
    await waitFor(() => expect(screen.getByText(text)).toBeVisible());
  expect(screen.getAllByRole("button", { name: "Use this take" })).toHaveLength(2);
});

it("arrows move, Space plays, Enter chooses, and nothing is chosen by moving or hearing", async () => {
  const one = aGeneration({ chunks: [chunk(0)] });
  const { api, user } = show(one, { "PATCH /history/{id}": { ...one, chunks: [chunk(1)] } });
  (await radio(/Take 1/)).focus();
  await user.keyboard("{ArrowDown}");
  expect(await radio(/Take 2/)).toHaveFocus();
  await user.keyboard(" ");
  await waitFor(() => expect(screen.getByRole("button", { name: "Stop take 2" })).toBeVisible());
  expect(api.to("PATCH /history/{id}")).toHaveLength(0);
  await user.keyboard(" ");
  await waitFor(() => expect(screen.getByRole("button", { name: "Play take 2" })).toBeVisible());
  await user.keyboard("{Enter}");
  await waitFor(() => expect(api.to("PATCH /history/{id}")[0]?.body).toEqual({ chunks: { 0: { take: 1 } } }));
});

it("the key changes to the other take at the same second, without a gap, and says which is heard", async () => {
  const { user } = show(aGeneration({ chunks: [chunk(0)] }));
  await user.click(await screen.findByRole("button", { name: "Play take 1" }));
  await played(2); // the other one runs along
  expect(levels()).toEqual([1, 0]);
  act(() => audio.advance(0.7));
  await user.keyboard("{Control>}{Shift>}b{/Shift}{/Control}");
  await waitFor(() => expect(screen.getByText("Playing B, take 2")).toBeInTheDocument());
  const [a, b] = audio.parts;
  const offset = (part: typeof a) => (part ? part.from - part.at : NaN);
  expect(offset(b)).toBeCloseTo(offset(a), 9); // the same second at all times
  for (let at = audio.now; at <= audio.now + 0.012; at += 0.001)
    expect((a?.gain(at) ?? 0) ** 2 + (b?.gain(at) ?? 0) ** 2).toBeCloseTo(1, 1); // equal power, never silent
  act(() => audio.advance(0.02));
  expect(levels()).toEqual([0, 1]);
  await user.keyboard("{Control>}{Shift>}b{/Shift}{/Control}");
  act(() => audio.advance(0.02));
  expect(levels()).toEqual([1, 0]);
  expect(audio.parts).toHaveLength(2); // nothing was started again
});

it("a take that is over at that second ends the playing", async () => {
  const { user } = show(aGeneration({ chunks: [chunk(0)] }));
  await user.click(await screen.findByRole("button", { name: "Play take 1" }));
  await played(2);
  act(() => audio.advance(1.8));
  await user.click(screen.getByRole("button", { name: "Switch to B" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Compare A / B" })).toBeVisible());
  expect(audio.isClosed).toBe(true);
});

it("a take that arrives when it would be over lets the other one play to its end", async () => {
  let arrive: (sound: Response) => void = () => undefined;
  const late = new Promise<Response>((done) => (arrive = done));
  const { user } = show(aGeneration({ chunks: [chunk(0)] }), {
    "GET /history/{id}/chunks/{n}/takes/{take}": ({ params }: { params: Record<string, string> }) =>
      params.take === "1" ? late : new Response(new Uint8Array(2_000)),
  });
  await user.click(await screen.findByRole("button", { name: "Play take 1" }));
  await played(1);
  act(() => audio.advance(1.8));
  arrive(new Response(new Uint8Array(1_500)));
  await waitFor(() => expect(audio.decoded).toBe(2));
  act(() => audio.advance(0.3));
  await waitFor(() => expect(screen.getByRole("button", { name: "Play take 1" })).toBeVisible());
  expect(audio.isClosed).toBe(true);
});

it("the key plays the first of the two when nothing plays, also in a dialog", async () => {
  const { user } = show(aGeneration({ chunks: [chunk(1)] }));
  const dialog = document.createElement("div");
  dialog.innerHTML = '<div role="dialog" data-state="open"></div>'; // the window ignores shortcuts then
  document.body.append(dialog);
  (await radio(/Take 2/)).focus();
  await user.keyboard("{Control>}{Shift>}b{/Shift}{/Control}");
  await waitFor(() => expect(screen.getByRole("button", { name: "Stop take 1" })).toBeVisible());
  dialog.remove();
});

it("a closed panel stops its take and drops its audio", async () => {
  const one = aGeneration({ chunks: [chunk(0)] });
  const { api, user, unmount } = show(one);
  await user.click(await screen.findByRole("button", { name: "Play take 1" }));
  await played(2);
  unmount();
  expect(audio.isClosed).toBe(true);
  expect(audio.parts.every((part) => part.stopped)).toBe(true);
  expect(api.to("GET /history/{id}/chunks/{n}/takes/{take}")).toHaveLength(2);
  expect(audio.decoded).toBe(2);
  const again = show(one);
  await again.user.click(await screen.findByRole("button", { name: "Play take 1" }));
  await waitFor(() => expect(audio.decoded).toBe(4));
});

it("copies a seed", async () => {
  const { user } = show(aGeneration({ chunks: [chunk(0)] }));
  await user.click(await screen.findByRole("button", { name: "Seed 40" }));
  expect(await navigator.clipboard.readText()).toBe("40");
});

it("a chosen take replaces the audio of the player, and a failure is shown", async () => {
  const one = aGeneration({ chunks: [chunk(0)] });
  const load = vi.spyOn(player, "load").mockImplementation(() => undefined);
  const made = { ...one, chunks: [chunk(1)] };
  vi.spyOn(player, "get").mockReturnValue({ ...player.get(), generation: one });
  let answer: unknown = reply(410, { code: "audio_missing", detail: "gone", remedy: "" });
  const { user } = show(one, { "PATCH /history/{id}": () => answer });
  await user.click(await screen.findByRole("button", { name: "Use this take" }));
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("The audio file is missing."));
  answer = made;
  await user.click(screen.getByRole("button", { name: "Use this take" }));
  await waitFor(() => expect(load).toHaveBeenCalledWith(made));
});

it("a take without audio of its own cannot be played", async () => {
  const silent = [items[0], { ...items[1], duration: null, peaks: [] }];
  show(aGeneration({ chunks: [chunk(0)] }), { "GET /history/{id}/chunks/{n}/takes": { items: silent } });
  const button = await screen.findByRole("button", { name: "Overlaps other passages: use it to hear it" });
  expect(button).toHaveAttribute("aria-disabled", "true");
  expect(within(await screen.findByRole("radiogroup")).getAllByRole("button", { name: /Play/ })).toHaveLength(1);
});

it("keeps few takes in memory", async () => {
  const one = aGeneration({ chunks: [chunk(0, 5)] });
  fakeApi({ "GET /history/{id}/chunks/{n}/takes/{take}": () => new Response(new Uint8Array(1_000)) });
  for (const take of [0, 1, 2, 3, 4]) await takeSound(takeOf(one, 0, take));
  await takeSound(takeOf(one, 0, 4));
  expect(audio.decoded).toBe(5);
  await takeSound(takeOf(one, 0, 0));
  expect(audio.decoded).toBe(6);
});
