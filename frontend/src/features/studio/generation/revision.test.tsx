import { act, renderHook, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { player } from "@/player";
import { useIsOlder } from "@/player/older";
import { aDraft, aGeneration, aProfile, reply, type Call, type Handler } from "@/test";
import type { Generation, Receipt } from "@/api/types";
import { kept, paper, problem, start } from "../testKit";

const sentences = ["One lamp.", "Two ferries.", "Three stairs."];
const spoken = (texts: readonly string[]) =>
  texts.map((text, i) => ({ text, start: 2 * i, end: 2 * i + 2, take: 0, takes: 1 }));
const voice = aProfile({ name: "Heart" });
const other = aProfile({ name: "Bella" });
const made = aGeneration({
  profile_id: voice.id,
  text: sentences.join(" "),
  chunks: spoken(sentences),
  duration: 6,
  audio_path: "/a/g.wav",
  receipt: { parameters: {}, gain_db: 1 } as unknown as Receipt,
});
const changed: Generation = {
  ...made,
  text: `${made.text} More.`,
  chunks: spoken([...sentences.slice(0, 2), "Three stairs. More."]),
  audio_path: "/a/g.1.wav",
  can_undo: true,
};
const running: Generation = { ...made, status: "generating", chunks_done: 0, chunks_total: 1, progress: 0.3 };
const oneOfThree = { reused: 2, generated: 1, removed: 1, same_settings: true };

beforeEach(() => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  vi.spyOn(player, "load").mockImplementation(() => undefined);
});
afterEach(() => vi.useRealTimers());

/** Opens a draft that was generated, with what a dry run answers and what the server has then. */
async function open(plan: unknown, routes: Record<string, Handler> = {}, content: Record<string, unknown> = {}) {
  let now: Generation = made;
  const draft = aDraft({
    id: "d1",
    content: { text: made.text, profile_id: voice.id, generation_id: made.id, ...content },
  });
  const view = start(
    {
      ...kept(draft),
      "GET /profiles/{id}": ({ params }: Call) => [voice, other].find(({ id }) => id === params.id),
      "GET /generate/{id}": () => now,
      "POST /generate/{id}/revise": ({ body }: Call) => {
        if ((body as { dry_run?: boolean }).dry_run) return plan;
        now = running;
        return reply(202, { ...running, status: "queued", ...oneOfThree });
      },
      "POST /generate": reply(202, { ...running, id: "new", audio_url: "" }),
      ...routes,
    },
    voice,
  );
  await screen.findByText(content.profile_id === other.id ? "Bella" : "Heart");
  await waitFor(() => expect(view.api.to("GET /generate/{id}")).not.toHaveLength(0));
  return {
    ...view,
    /** Revisions that were requested, without dry runs. */
    revised: () =>
      view.api.to("POST /generate/{id}/revise").filter(({ body }) => !(body as { dry_run?: boolean }).dry_run),
    dryRuns: () => view.api.to("POST /generate/{id}/revise").map(({ body }) => (body as { text: string }).text),
    become: async (next: Generation) => {
      now = next;
      await act(() => view.client.invalidateQueries({ queryKey: ["generation", made.id] }));
    },
    type: async (words: string) => {
      const field = (await paper()) as HTMLTextAreaElement;
      field.setSelectionRange(field.value.length, field.value.length);
      await view.user.type(field, words, { skipClick: true });
    },
  };
}
const button = (name: string) => screen.findByRole("button", { name });

test("generates the one passage that was edited, shows its progress, and plays it", async () => {
  const { user, api, type, dryRuns, revised, become } = await open(oneOfThree);
  (await paper()).focus();
  await type(" More.");
  await button("Generate 1 passage");
  const { result: isOlder } = renderHook(() => useIsOlder(made.id));
  expect(isOlder.current).toBe(true);
  await user.click(await button("Generate 1 passage"));
  expect(dryRuns()[0]).toBe(changed.text); // after a pause of typing, not at each key
  expect(revised()[0]?.body).toEqual({ text: changed.text });
  expect(revised()[0]?.params.id).toBe(made.id);
  await waitFor(() => expect(screen.getByRole("progressbar")).toBeVisible());
  expect(screen.getByRole("button", { name: "Stop" })).toBeVisible();
  await become(changed);
  await waitFor(() => expect(screen.getByText("1 passage generated. The others are unchanged.")).toBeVisible());
  expect(screen.getByRole("button", { name: "Generate" })).toBeVisible();
  expect(player.load).toHaveBeenLastCalledWith(expect.objectContaining({ audio_path: "/a/g.1.wav" }), {
    play: true,
    at: 4, // the new passage
  });
  expect(api.to("POST /generate")).toHaveLength(0);
  expect(isOlder.current).toBe(false);
});

test("the bar below the text counts what the button would generate", async () => {
  const { type } = await open({ ...oneOfThree, generated: 2 });
  (await paper()).focus();
  await type(" More.");
  await button("Generate 2 passages");
  expect(screen.getByText("2 passages to generate")).toBeVisible();
});

test("a key press generates only what was edited, before the number of passages is known", async () => {
  const { user, type, revised, api } = await open(oneOfThree);
  (await paper()).focus();
  await type(" More.");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(revised()).toHaveLength(1));
  expect(api.to("POST /generate")).toHaveLength(0);
});

test.each([
  { plan: { ...oneOfThree, reused: 3, generated: 0, removed: 0 }, name: "Join again" },
  { plan: { ...oneOfThree, generated: 2 }, name: "Generate 2 passages" },
  { plan: { ...oneOfThree, reused: 0, removed: 3 }, name: "Generate" },
  { plan: { ...oneOfThree, same_settings: false, different_settings: ["pauses.scene"] }, name: "Generate" },
  { plan: reply(409, problem("not_in_progress")), name: "Generate" },
])("the button says $name", async ({ plan, name }) => {
  const { type, dryRuns } = await open(plan);
  (await paper()).focus();
  await type(" More.");
  await waitFor(() => expect(dryRuns()).toHaveLength(1));
  expect(await button(name)).toBeVisible();
});

test.each([
  { what: "speed", content: { speed: 1.5 } },
  { what: "format", content: { format: "flac" } },
  { what: "seed", content: { seed: 7 } },
  { what: "loudness", content: { normalize: false } },
  { what: "length of passages", content: { max_chunk_chars: 200 } },
  { what: "voice", content: { profile_id: other.id } },
])("another $what is sent with the dry run, and generates all as a new generation", async ({ content }) => {
  const { user, type, revised, api } = await open({ ...oneOfThree, same_settings: false }, {}, content);
  (await paper()).focus();
  await type(" More.");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(api.to("POST /generate")).toHaveLength(1));
  const sent = api.to("POST /generate")[0]?.body;
  expect(sent).toMatchObject(content);
  expect(api.to("POST /generate/{id}/revise").at(-1)?.body).toEqual({ ...(sent as object), dry_run: true });
  expect(revised()).toHaveLength(0);
  expect(screen.queryByRole("button", { name: "Generate 1 passage" })).toBeNull();
});

test("all can be generated again as a new generation", async () => {
  const { user, type, revised, api } = await open(oneOfThree);
  (await paper()).focus();
  await type(" More.");
  await button("Generate 1 passage");
  await user.click(screen.getByRole("button", { name: "More for this text" }));
  await user.click(await screen.findByRole("menuitem", { name: "Generate all again" }));
  await waitFor(() => expect(api.to("POST /generate")[0]?.body).toMatchObject({ text: changed.text }));
  expect(revised()).toHaveLength(0);
});

/** Edits, generates, and waits for the end. */
async function change(next: Generation, routes: Record<string, Handler> = {}) {
  const view = await open(oneOfThree, routes);
  (await paper()).focus();
  await view.type(" More.");
  await view.user.click(await button("Generate 1 passage"));
  await screen.findByRole("progressbar");
  await view.become(next);
  return view;
}

test("Undo returns text and audio together, and the text goes back to the draft", async () => {
  const undone = { ...made, audio_url: "/audio/a?exp=2" };
  const { user, api } = await change(changed, { "POST /generate/{id}/revise/undo": undone });
  const update = vi.spyOn(player, "update");
  await user.click(await button("Undo"));
  await waitFor(async () => expect(await paper()).toHaveValue(made.text));
  expect(await paper()).toHaveFocus();
  expect(update).toHaveBeenLastCalledWith(expect.objectContaining({ audio_path: "/a/g.wav" }));
  expect(screen.queryByText(/passage generated/)).toBeNull();
  expect(screen.getByRole("button", { name: "Generate" })).toBeVisible();
  await waitFor(() => expect(api.to("PUT /drafts/{id}").at(-1)?.body).toMatchObject({ content: { text: made.text } }));
});

test("the last change can be undone after a restart too, from the menu", async () => {
  const { user, api } = await open(oneOfThree, {
    "GET /generate/{id}": changed,
    "POST /generate/{id}/revise/undo": made,
  });
  expect(screen.queryByText(/passage generated/)).toBeNull();
  await user.click(await button("More for this text"));
  await user.click(await screen.findByRole("menuitem", { name: "Undo last change" }));
  await waitFor(() => expect(api.to("POST /generate/{id}/revise/undo")).toHaveLength(1));
});

test("a level that is off is told, and can be levelled again", async () => {
  const { user, api } = await change({ ...changed, level_off: -0.84 }, { "POST /generate/{id}/level": changed });
  await waitFor(() => expect(screen.getByText(/0\.8 LU quieter than its target\.$/)).toBeVisible());
  await user.click(screen.getByRole("button", { name: "Level again" }));
  await waitFor(() => expect(api.to("POST /generate/{id}/level")).toHaveLength(1));
  await waitFor(() => expect(screen.queryByText(/LU quieter/)).toBeNull());
  expect(screen.getByRole("button", { name: "Undo" })).toBeVisible();
});

test("Stop leaves the former version, and what was edited can be generated again", async () => {
  const { user, become } = await change(running, { "POST /generate/{id}/stop": () => made });
  vi.mocked(player.load).mockClear();
  await user.click(await button("Stop"));
  await become(made);
  await waitFor(() =>
    expect(screen.getByText("Stopped. The audio is unchanged, and finished passages are saved.")).toBeVisible(),
  );
  expect(await button("Generate 1 passage")).toBeVisible();
  expect(player.load).not.toHaveBeenCalled();
});

test("a failure is shown, the former version stays, and a button tries again", async () => {
  const error = { code: "insufficient_disk", detail: "", remedy: "" };
  const { user, revised } = await change({ ...made, error });
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("There isn’t enough disk space."));
  await user.click(await button("Generate 1 passage"));
  await waitFor(() => expect(revised()).toHaveLength(2));
});

test("a change in another window is told, and the button comes back", async () => {
  const plans = [oneOfThree];
  const { user, type } = await open(undefined, {
    "POST /generate/{id}/revise": () => plans.pop() ?? reply(409, problem("not_in_progress")),
  });
  (await paper()).focus();
  await type(" More.");
  await user.click(await button("Generate 1 passage"));
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("Wait until the current work has finished"));
  expect(screen.getByRole("button", { name: "Generate 1 passage" })).toBeEnabled();
});

test("what is edited during a change is counted after it", async () => {
  const { api, type, dryRuns, become } = await change(running);
  (await paper()).focus();
  await type(" And more.");
  const previewed = () => (api.to("POST /text/preview").at(-1)?.body as { text?: string } | undefined)?.text;
  await waitFor(() => expect(previewed()).toMatch(/ And more\.$/)); // the pause of typing is over
  expect(screen.getByRole("progressbar")).toBeVisible();
  const before = dryRuns().length;
  await become(changed);
  expect(await button("Generate 1 passage")).toBeVisible();
  expect(dryRuns().slice(before)).toEqual([`${changed.text} And more.`]);
});
