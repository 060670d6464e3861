import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { prefs } from "@/lib/prefs";
import {
  aDraft,
  aGeneration,
  aModel,
  aProfile,
  fakeApi,
  page,
  renderWithProviders,
  reply,
  type Call,
  type Handler,
} from "@/test";
import { useCommands, useShortcut } from "@/lib/commands";
import { useDraftFrom } from "@/lib/draftLink";
import { Palette } from "../Palette";

const generate = vi.fn();
const opened = vi.fn();
const lamp = aGeneration({ text: "The lamp was lit by hand." });
const heart = aProfile({ name: "Heart" });
const textDraft = aDraft({ name: "A letter home" });
const scriptDraft = aDraft({ name: "Two voices in the dark", content: { kind: "script" } });
const found =
  <T,>(all: T[], words: (one: T) => string) =>
  (call: Call) =>
    page(
      all.filter((one) =>
        words(one)
          .toLowerCase()
          .includes((call.query.get("search") ?? "?").toLowerCase()),
      ),
    );

const routes: Record<string, Handler> = {
  "GET /settings": (call: Call) => (call.query.has("describe") ? {} : {}),
  "GET /system": { encoders: ["wav"] },
  "GET /models/status": { models: [aModel({ display_name: "Kokoro q8" })] },
  "GET /drafts": page([scriptDraft, textDraft]),
  "GET /profiles": found([heart], (v) => v.name),
  "GET /history": found([lamp], (g) => g.text),
};

function Filled() {
  useCommands([
    { id: "go:history", title: "Go to History", shortcut: "g h", run: () => undefined },
    { id: "studio:pause", title: "Insert a pause", run: () => undefined },
  ]);
  useDraftFrom("draft", (id) => opened(id));
  useCommands([{ id: "studio:generate", title: "Generate", shortcut: "mod+enter", run: generate }]);
  useShortcut("/", "Find a line", () => undefined);
  return <Palette open onOpenChange={() => undefined} />;
}

function open(more: Record<string, Handler> = {}) {
  const api = fakeApi({ ...routes, ...more });
  return { api, ...renderWithProviders(<Filled />, { hash: "#/studio" }) };
}
const field = () => screen.findByRole("combobox");
const group = (name: string) => screen.findByRole("group", { name });

beforeEach(() => {
  localStorage.clear();
  generate.mockClear();
});

describe("the palette", () => {
  it("first shows commands and screens, each under its heading", async () => {
    open();
    expect(within(await group("Commands")).getByRole("option", { name: /Generate/ })).toBeVisible();
    expect(screen.getByRole("option", { name: /Find a line/ })).toBeVisible();
    expect(within(await group("Screens")).getByRole("option", { name: /Go to History.*G H/ })).toBeVisible();
  });

  it("runs a command that has a shortcut, and lists it as recent the next time", async () => {
    const { user, unmount } = open();
    await user.type(await field(), "gener{Enter}");
    await waitFor(() => expect(generate).toHaveBeenCalledTimes(1));
    unmount();
    open();
    expect(within(await group("Recent")).getByRole("option", { name: /Generate/ })).toHaveAttribute(
      "aria-selected",
      "true",
    );
  });

  it.each([
    ["dark", "Settings", "Theme: Dark", () => prefs.get().theme === "dark"],
    ["deutsch", "Settings", "Language: Deutsch", () => prefs.get().language === "de"],
    ["offline", "Settings", "Offline mode", () => location.hash === "#/settings/network/network.offline"],
    ["kokoro", "Models", "Kokoro q8", () => location.hash === "#/models/kokoro?tab=more"],
    ["two voices", "Drafts", "Two voices in the dark", () => location.hash === `#/script/${scriptDraft.id}`],
    ["letter", "Drafts", "A letter home", () => opened.mock.lastCall?.[0] === textDraft.id],
    ["heart", "Voices for Studio", "Heart", () => location.hash === `#/studio?voice=${heart.id}`],
    ["lamp", "History", "The lamp was lit by hand.", () => location.hash === `#/history/${lamp.id}?search=lamp`],
  ] as const)("finds %s", async (query, where, title, isDone) => {
    const { user } = open();
    await user.type(await field(), query);
    await user.click(await within(await group(where)).findByText(title));
    await waitFor(() => expect(isDone()).toBe(true));
    prefs.set({ theme: "system", language: "system" });
  });

  it("searches the server after a pause in typing, and reports no matches only after its response", async () => {
    let answer: () => void = () => undefined;
    const { api } = open({
      "GET /history": () =>
        new Promise((done) => {
          answer = () => done(page([]));
        }),
    });
    await userEvent.setup({ delay: null }).type(await field(), "zzz"); // without a pause, also on a busy machine
    expect(screen.getByText("Searching voices and history…")).toHaveAttribute("role", "status");
    await waitFor(() => expect(api.to("GET /history")).toHaveLength(1));
    expect(screen.queryByText(/No matches/)).toBeNull();
    answer();
    await waitFor(() => expect(screen.getByText("No matches. Try another word.")).toBeVisible());
    expect(screen.queryByRole("listbox")).toBeNull();
    expect(api.to("GET /profiles").map((call) => call.query.get("search"))).toEqual(["zzz"]);
  });

  it("still finds local entries when the server fails", async () => {
    const { user } = open({
      "GET /history": reply(500, { code: "internal", detail: "x", remedy: "", params: {} }),
      "GET /profiles": reply(500, {}),
    });
    await user.type(await field(), "pause");
    await waitFor(() => expect(screen.getByRole("option", { name: "Insert a pause" })).toBeVisible());
  });

  it("scrolls to the row that the arrow keys reach, and does not move it when more results arrive", async () => {
    const scrolled = vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(() => undefined);
    const { user } = open();
    await field();
    await user.keyboard("{ArrowDown}{ArrowDown}");
    const chosen = screen.getAllByRole("option").find((one) => one.getAttribute("aria-selected") === "true");
    expect(screen.getAllByRole("option").indexOf(chosen as HTMLElement)).toBe(2);
    expect(scrolled.mock.instances.at(-1)).toBe(chosen);
    vi.restoreAllMocks();
  });

  it("moves by arrow and page keys and to both ends, and names the chosen row in the field", async () => {
    const { user } = open();
    const rows = (await field()) && screen.getAllByRole("option");
    const chosen = () => screen.getAllByRole("option", { selected: true });
    const expectChosen = (row: HTMLElement | undefined) => {
      expect(chosen()).toEqual([row]);
      expect(screen.getByRole("combobox")).toHaveAttribute("aria-activedescendant", row?.id);
    };
    expectChosen(rows[0]);
    await user.keyboard("{ArrowUp}");
    expectChosen(rows.at(-1));
    await user.keyboard("{ArrowDown}");
    expectChosen(rows[0]);
    await user.keyboard("{End}");
    expectChosen(rows.at(-1));
    await user.keyboard("{Home}");
    expectChosen(rows[0]);
    await user.keyboard("{PageDown}");
    expect(rows.indexOf(chosen()[0] as HTMLElement)).toBeGreaterThan(1);
    expectChosen(chosen()[0]);
    await user.keyboard("{PageUp}");
    expectChosen(rows[0]);
  });

  it("chooses a row for Enter when better matches replace the chosen one", async () => {
    const letters = [aProfile({ name: "Zora" }), aProfile({ name: "Zorb" }), aProfile({ name: "Zorba" })];
    const { user } = open({ "GET /profiles": found(letters, (v) => v.name) });
    await user.type(await field(), "zor");
    await waitFor(() => expect(screen.getByRole("option", { name: /Zora/, selected: true })).toBeVisible());
    await user.type(await field(), "ba");
    await waitFor(() => expect(screen.queryByRole("option", { name: /Zora/ })).toBeNull());
    const last = await screen.findByRole("option", { name: /Zorba/, selected: true });
    expect(await field()).toHaveAttribute("aria-activedescendant", last.id);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(location.hash).toBe(`#/studio?voice=${letters[2]?.id}`));
  });

  it("reports no open list when nothing matches", async () => {
    const { user } = open({ "GET /profiles": page([]), "GET /history": page([]) });
    expect(await field()).toHaveAccessibleName("Search or run a command");
    expect(await field()).toHaveAttribute("aria-expanded", "true");
    await user.type(await field(), "zzz");
    await waitFor(() => expect(screen.getByText("No matches. Try another word.")).toBeVisible());
    expect(await field()).toHaveAttribute("aria-expanded", "false");
    expect(await field()).not.toHaveAttribute("aria-activedescendant");
  });
});
