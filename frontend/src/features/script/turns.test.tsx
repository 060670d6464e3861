import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { player } from "@/player";
import { aDraft, aGeneration, aProfile, fakeApi, page, renderWithProviders, reply } from "@/test";
import Script from ".";

const voice = aProfile({ name: "Heart", language: "en-US" });
let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({
    "GET /drafts": page([]),
    "POST /drafts": (call: { body: unknown }) => aDraft(call.body as object),
    "PUT /drafts/{id}": (call: { body: unknown; params: Record<string, string> }) =>
      aDraft({ ...(call.body as object), id: call.params.id ?? "" }),
    "GET /profiles": page([voice]),
    "GET /models/status": { models: [] },
    "GET /system": { encoders: ["wav"] },
  });
});
afterEach(() => {
  player.close();
  vi.restoreAllMocks();
});
const turn = (n: number) => screen.findByRole("textbox", { name: new RegExp(`^Turn ${n},`) });
const words = () =>
  screen.getAllByRole("textbox", { name: /^Turn \d/ }).map((field) => (field as HTMLTextAreaElement).value);
async function open(text: string) {
  const view = renderWithProviders(<Script />, { hash: `#/script?new=${Math.random()}` });
  fireEvent.paste(await turn(1), { clipboardData: { getData: () => text } });
  await turn(2);
  return view;
}
const three = "Anna: One.\nBen: Two.\nAnna: Three.";

let scripts = 0;
/** A script with these texts as the server has it. */
function aScript(texts: string[], joined = true) {
  const turns = texts.map((text) =>
    aGeneration({ text, duration: 2, chunks: [{ text, start: 0, end: 2, take: 0, takes: 1 }] }),
  );
  const id = `01938f00-0000-7000-8000-0000000a${String((scripts += 1)).padStart(4, "0")}`;
  const made = {
    id,
    title: "",
    gap_ms: 300,
    audio_url: joined ? `/audio/${id}` : "",
    audio_path: "x",
    duration: texts.length * 2.3 - 0.3,
    sample_rate: 24000,
    created_at: "",
    updated_at: id,
    turns,
  };
  server.set(`GET /scripts/${id}`, made);
  return made;
}

it("moves a turn with Alt and an arrow key, announces its position, and undoes with Ctrl+Z", async () => {
  const { user } = await open(three);
  (await turn(2)).focus();
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  expect(words()).toEqual(["Two.", "One.", "Three."]);
  expect(await turn(1)).toHaveFocus();
  expect(screen.getByText(/Moved to turn 1 of 3/)).toBeInTheDocument();
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  expect(screen.getByText(/This is the first turn/)).toBeInTheDocument();
  await user.keyboard("{Control>}z{/Control}");
  expect(words()).toEqual(["One.", "Two.", "Three."]);
  await user.keyboard("{Control>}{Shift>}z{/Shift}{/Control}");
  expect(words()).toEqual(["Two.", "One.", "Three."]);
});

it("moves and deletes by the menu of the turn, and Ctrl+Z restores the deleted one", async () => {
  const { user } = await open(three);
  await user.click(screen.getByRole("button", { name: "More for turn 1" }));
  await user.click(await screen.findByRole("menuitem", { name: /Move down/ }));
  expect(words()).toEqual(["Two.", "One.", "Three."]);
  await user.click(screen.getByRole("button", { name: "More for turn 2" }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete turn 2" }));
  expect(words()).toEqual(["Two.", "Three."]);
  await waitFor(async () => expect(await turn(2)).toHaveFocus());
  await user.keyboard("{Control>}z{/Control}");
  expect(words()).toEqual(["Two.", "One.", "Three."]);
  await user.keyboard("{Control>}z{/Control}");
  expect(words()).toEqual(["One.", "Two.", "Three."]);
});

it("undoes typing as one step, without what was typed before a pause", async () => {
  const { user } = await open(three);
  const start = Date.now();
  const now = vi.spyOn(Date, "now").mockReturnValue(start); // on a slow machine the key presses have pauses
  (await turn(3)).focus();
  await user.keyboard(" Four");
  now.mockReturnValue(start + 5000);
  await user.keyboard(" Five");
  await user.keyboard("{Control>}z{/Control}");
  expect(words()[2]).toBe("Three. Four");
  await user.keyboard("{Control>}z{/Control}");
  expect(words()[2]).toBe("Three.");
});

it("shows a pause as a chip, and inserts one with Ctrl and a full stop", async () => {
  const { user, container } = await open("Anna: One. [pause 400ms] More.\nBen: Two.");
  expect(container.querySelector("[data-shown]")?.getAttribute("data-shown")).toMatch(/0\.4\ss$/);
  const field = (await turn(2)) as HTMLTextAreaElement;
  field.focus();
  field.setSelectionRange(1, 1);
  await user.keyboard("{Control>}.{/Control}");
  expect(field).toHaveValue("Two. [pause 0.5s] ");
  expect(screen.getByText(/Pause inserted/)).toBeInTheDocument();
});

it("generates only the new turn, and plays it", async () => {
  const load = vi.spyOn(player, "load").mockImplementation(() => undefined);
  const made = aGeneration({ text: "Two." });
  server.set("POST /generate", () => reply(202, made));
  server.set("GET /generate/{id}", made);
  const { user } = await open(three);
  await user.click(screen.getByRole("button", { name: "Generate turn 2" }));
  expect(await screen.findByRole("button", { name: /^Play turn 2/ })).toBeVisible();
  expect(server.to("POST /generate")[0]?.body).toEqual({ profile_id: voice.id, text: "Two." });
  expect(load).toHaveBeenCalledWith(expect.objectContaining({ id: made.id }), { play: true, at: 0 });
  expect(screen.queryByRole("button", { name: "Generate turn 2" })).toBeNull();
  expect(screen.getByRole("button", { name: "Generate turn 1" })).toBeVisible();
  await user.type(await turn(2), " And more.");
  expect(screen.getByRole("button", { name: "Generate turn 2" })).toBeVisible(); // its text has changed
});

it("plays the joined audio when all turns are generated, and the new one after a change", async () => {
  const load = vi.spyOn(player, "load").mockImplementation(() => undefined);
  const first = aScript(["One.", "Two.", "Three."]);
  server.set("POST /script", () => reply(202, first));
  const { user } = await open(three);
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() =>
    expect(load).toHaveBeenCalledWith(expect.objectContaining({ id: first.id }), { play: true, at: 0 }),
  );
  expect(screen.queryByText(/The script was changed/)).toBeNull();
  await user.type(await turn(1), " More.");
  expect(screen.getByText(/The script was changed after this file was created/)).toBeVisible();
  const second = aScript(["One. More.", "Two.", "Three."]);
  server.set("POST /script", () => reply(202, second));
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() =>
    expect(load).toHaveBeenLastCalledWith(expect.objectContaining({ id: second.id }), { play: true, at: 0 }),
  );
});

it("closes the old audio when the new one cannot be generated", async () => {
  const first = aScript(["One.", "Two.", "Three."]);
  server.set("POST /script", () => reply(202, first));
  const { user } = await open(three);
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(player.get().generation?.id).toBe(first.id));
  const second = aScript(["One.", "Two.", "Three."], false);
  Object.assign(second.turns[1] ?? {}, { status: "failed", error: { code: "engine_failed", detail: "", remedy: "" } });
  server.set("POST /script", () => reply(202, second));
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(player.get().generation).toBeNull());
});

it("marks the playing turn, and scrolls it into view", async () => {
  const scroll = vi.spyOn(Element.prototype, "scrollIntoView");
  const script = aScript(["One.", "Two.", "Three."]);
  server.set("POST /script", () => reply(202, script));
  const { user } = await open(three);
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(player.get().generation?.id).toBe(script.id));
  act(() => player.seek(2.5));
  const [one, two] = [await turn(1), await turn(2)];
  await waitFor(() => expect(two.closest("li")).toHaveAttribute("aria-current", "true"));
  expect(one.closest("li")).not.toHaveAttribute("aria-current");
  expect(scroll.mock.contexts).toContain(two.closest("li"));
});

it("reports that speakers share a voice, and gives each another one on request", async () => {
  const { client, user } = await open(three);
  expect(screen.getByText(/Anna and Ben have the same voice: Heart/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Choose a voice for Ben" })).toBeVisible(); // there is no other voice yet
  const other = aProfile({ name: "Bella", language: "en-GB" });
  server.set("GET /profiles", page([aProfile({ name: "Anton", language: "de" }), voice, other]));
  await client.invalidateQueries({ queryKey: ["profiles"] });
  await user.click(await screen.findByRole("button", { name: "Use a different voice for each" }));
  expect(screen.queryByText(/have the same voice/)).toBeNull();
  expect(screen.getByText("Voices changed: Ben (Bella)")).toBeVisible();
  expect(screen.getByRole("button", { name: /^Voice of Ben: Bella/ })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(screen.getByText(/have the same voice/)).toBeVisible();
});
