import { act, fireEvent, renderHook, screen, waitFor, within } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ExportDialog, player, stopAudition } from "@/player";
import { useIsOlder } from "@/player/older";
import { aDraft, aGeneration, aProfile, fakeApi, page, renderWithProviders, reply } from "@/test";
import { fakeAudio } from "@/test/fakeAudio";
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
    can_undo: false,
    speakers: [],
    receipt: null,
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
  await user.keyboard("{Control>}b{/Control}");
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
  await waitFor(() => expect(screen.getByRole("button", { name: /^Play turn 2/ })).toBeVisible());
  expect(server.to("POST /generate")[0]?.body).toEqual({ profile_id: voice.id, text: "Two." });
  expect(load).toHaveBeenCalledWith(expect.objectContaining({ id: made.id }), { play: true, at: 0 });
  expect(screen.queryByRole("button", { name: "Generate turn 2" })).toBeNull();
  expect(screen.getByRole("button", { name: "Generate turn 1" })).toBeVisible();
  await user.type(await turn(2), " And more.");
  expect(screen.getByRole("button", { name: "Generate turn 2" })).toBeVisible(); // its text has changed
});

/** Generates three turns, and returns what the server has then. */
async function generated() {
  const load = vi.spyOn(player, "load").mockImplementation(() => undefined);
  const first = aScript(["One.", "Two.", "Three."]);
  server.set("POST /script", () => reply(202, first));
  const { user, client } = await open(three);
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() =>
    expect(load).toHaveBeenCalledWith(expect.objectContaining({ id: first.id }), { play: true, at: 0 }),
  );
  const older = () =>
    screen.queryByText(/^Your script has changed since this file was made\. Choose “.+” to update it\.$/) !== null;
  expect(older()).toBe(false);
  return { user, client, load, first, older };
}

it("generates only the changed turn, and plays the new file when it is there", async () => {
  const { user, client, load, first, older } = await generated();
  expect(screen.getByRole("button", { name: "Generate all" })).toHaveAttribute("aria-disabled", "true");
  await user.type(await turn(1), " More.");
  expect(older()).toBe(true);
  expect(screen.getByRole("button", { name: "Export old version" })).toBeVisible();
  expect(renderHook(() => useIsOlder(first.id)).result.current).toBe(true); // so that the player says so too
  const changed = aGeneration({ text: "One. More.", duration: 2 });
  const turns = [changed, ...first.turns.slice(1)];
  server.set("PUT /scripts/{id}", () => reply(202, { ...first, turns, reused: 2, generated: 1, removed: 1 }));
  server.set("GET /generate/{id}", changed);
  const plays = load.mock.calls.length;
  await user.click(await screen.findByRole("button", { name: "Generate 1 turn" }));
  await waitFor(() => expect(server.to("PUT /scripts/{id}")).toHaveLength(1));
  expect(server.to("PUT /scripts/{id}")[0]?.body).toMatchObject({
    turns: [
      { profile_id: voice.id, text: "One. More." },
      { text: "Two.", generation_id: first.turns[1]?.id },
      { text: "Three.", generation_id: first.turns[2]?.id },
    ],
  });
  expect(server.to("PUT /scripts/{id}")[0]?.body).not.toHaveProperty("turns.0.generation_id");
  expect(load.mock.calls.length).toBe(plays); // the file is still the old one
  server.set(`GET /scripts/${first.id}`, { ...first, turns, updated_at: "later", can_undo: true });
  await client.invalidateQueries({ queryKey: ["scripts"] });
  await waitFor(() => expect(load.mock.calls.length).toBeGreaterThan(plays));
  await waitFor(() => expect(older()).toBe(false));

  server.set("POST /scripts/{id}/revise/undo", { ...first, updated_at: "undone" });
  await user.click(screen.getByRole("button", { name: "Undo generation" }));
  await waitFor(() => expect(older()).toBe(true));
  expect(await turn(1)).toHaveValue("One. More.");
  expect(screen.getByRole("button", { name: "Join again" })).toBeVisible(); // its audio is still there
});

it("joins again after a move, and keeps the old file when a change fails", async () => {
  const { user, first, older } = await generated();
  (await turn(2)).focus();
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  expect(older()).toBe(true);
  server.set("PUT /scripts/{id}", () => reply(500, { code: "internal", detail: "", remedy: "", params: {} }));
  await user.click(await screen.findByRole("button", { name: "Join again" }));
  await waitFor(() => expect(server.to("PUT /scripts/{id}")).toHaveLength(1));
  expect(server.to("PUT /scripts/{id}")[0]?.body).toMatchObject({
    turns: [first.turns[1], first.turns[0], first.turns[2]].map((g) => ({ generation_id: g?.id })),
  });
  await waitFor(() => expect(screen.getByRole("alert")).toBeVisible());
  expect(screen.getByRole("button", { name: "Play all" })).toBeVisible();
  expect(older()).toBe(true);
});

it("knows of a file that was joined before the answer came", async () => {
  const { user, first, older } = await generated();
  (await turn(2)).focus();
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  expect(older()).toBe(true);
  const turns = [first.turns[1], first.turns[0], first.turns[2]];
  server.set("PUT /scripts/{id}", () => {
    server.set(`GET /scripts/${first.id}`, { ...first, turns, updated_at: "later" });
    return { ...first, turns, reused: 3, generated: 0, removed: 0 };
  });
  await user.click(await screen.findByRole("button", { name: "Join again" }));
  await waitFor(() => expect(older()).toBe(false));
});

it("regenerates a turn as a take that is heard first, and then used", async () => {
  fakeAudio();
  const { user, first, older } = await generated();
  const [one, two, three] = first.turns;
  const [chunk] = two?.chunks ?? [];
  const withTake = (take: number) => ({ ...two, chunks: [{ ...chunk, take, takes: 2 }] });
  const stored = (take: number) =>
    server.set(`GET /scripts/${first.id}`, { ...first, turns: [one, withTake(take), three] });
  server.set("POST /generate/{id}/chunks/{n}/regenerate", () => (stored(0), withTake(0)));
  server.set("GET /history/{id}/chunks/{n}/takes", { items: [] });
  server.set("GET /history/{id}/chunks/{n}/takes/{take}", () => new Response(new Uint8Array(1_000)));
  await user.click(screen.getByRole("button", { name: "Regenerate turn 2" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Stop take 2" })).toBeVisible());
  expect(server.to("POST /generate/{id}/chunks/{n}/regenerate")[0]?.body).toEqual({ choose: false });
  expect(screen.getByRole("radio", { name: /Take 1/ })).toBeChecked();
  expect(older()).toBe(false); // the file is still that of the page

  server.set("PATCH /history/{id}", () => (stored(1), withTake(1)));
  await user.click(screen.getByRole("button", { name: "Use this take" }));
  await waitFor(() => expect(screen.getByRole("radio", { name: /Take 2/ })).toBeChecked());
  expect(older()).toBe(true);
  act(stopAudition);
});

it("marks the playing turn", async () => {
  const script = aScript(["One.", "Two.", "Three."]);
  server.set("POST /script", () => reply(202, script));
  const { user } = await open(three);
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(player.get().generation?.id).toBe(script.id));
  act(() => player.seek(2.5));
  const [one, two] = [await turn(1), await turn(2)];
  await waitFor(() => expect(two.closest("li")).toHaveAttribute("aria-current", "true"));
  expect(one.closest("li")).not.toHaveAttribute("aria-current");
});

it("says once why neither saving nor generating works", async () => {
  const failure = reply(500, { code: "internal", detail: "It failed.", remedy: "", params: {} });
  server.set("POST /drafts", failure);
  server.set("POST /script", failure);
  const { user } = await open(three);
  await screen.findByRole("alert"); // it could not be saved
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(server.to("POST /script")).toHaveLength(1));
  await waitFor(() => expect(screen.getByRole("button", { name: "Generate all" })).toBeEnabled());
  expect(screen.getAllByRole("alert")).toHaveLength(1);
});

it("names the built-in voice of the cast in German", async () => {
  server.set("GET /profiles", page([{ ...voice, name: "Built-in voice" }]));
  await open(three);
  await act(() => i18next.changeLanguage("de"));
  expect(screen.getByText(/Anna und Ben haben dieselbe Stimme: Eingebaute Stimme/)).toBeVisible();
  expect(screen.getByRole("button", { name: /^Stimme von Ben: Eingebaute Stimme, / })).toBeVisible();
  await act(() => i18next.changeLanguage("en"));
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

it("exports one file or one per turn, with the remembered options", async () => {
  server.set("GET /system", { encoders: ["wav", "mp3"] });
  const { user, first } = await generated();
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  URL.createObjectURL = () => "blob:x";
  server.set(`GET /scripts/${first.id}/export`, () => new Response("sound"));
  server.set("POST /history/export", () => new Response("zip"));
  await user.click(await screen.findByRole("button", { name: "More export options" }));
  await user.click(screen.getByRole("menuitem", { name: "Export options…" }));
  renderWithProviders(<ExportDialog />);
  const dialog = within(await screen.findByRole("dialog", { name: "Export audio" }));
  await user.selectOptions(dialog.getByLabelText("Format"), "mp3");
  await user.selectOptions(dialog.getByLabelText("Bit rate"), "128");
  await user.selectOptions(dialog.getByLabelText("Loudness"), "-16");
  expect(dialog.getByText(/^FLAC, OPUS, M4A need a free program, FFmpeg/)).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Export MP3" }));
  await waitFor(() => expect(server.to(`GET /scripts/${first.id}/export`)).toHaveLength(1));
  const asked = server.to(`GET /scripts/${first.id}/export`)[0]?.query ?? [];
  expect(Object.fromEntries(asked)).toEqual({
    format: "mp3",
    bitrate: "128",
    loudness: "-16",
    export_id: expect.any(String),
  });
  await user.click(screen.getByRole("radio", { name: "One file per turn" }));
  await user.click(screen.getByRole("button", { name: "Export 3 files" }));
  await waitFor(() => expect(server.to("POST /history/export")).toHaveLength(1));
  expect(server.to("POST /history/export")[0]?.body).toMatchObject({
    ids: first.turns.map((t) => t.id),
    format: "mp3",
    bitrate: 128,
    loudness: -16,
  });
});
