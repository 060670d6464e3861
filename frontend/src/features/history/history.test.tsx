import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, expect, test, vi } from "vitest";
import { navigate } from "@/lib/router";
import { player } from "@/player";
import { aGeneration, aProfile, fakeApi, page, renderWithProviders, type Handler } from "@/test";
import { fakeAudio, livePart } from "@/test/fakeAudio";
import type { Generation } from "@/api/types";
import History from ".";

afterEach(() => {
  player.close();
  vi.useRealTimers();
});

const stats = {
  generations: 1,
  complete: 1,
  failed: 0,
  characters: 1,
  seconds: 90,
  by_engine: { kokoro: 1 },
  by_profile: {},
};

function show(made: Generation[], routes: Record<string, Handler> = {}, hash = "#/history") {
  const one = (call: { params: Record<string, string> }) => made.find((g) => g.id === call.params.id);
  const api = fakeApi({
    "GET /history": page(made),
    "GET /history/{id}": one,
    "GET /generate/{id}": one,
    "GET /history/{id}/peaks": { peaks: [] },
    "GET /history/stats": stats,
    "GET /history/storage": { bytes: 1_200_000, files: 3, missing: 1, books: { bytes: 400_000, files: 1 } },
    "GET /profiles": page([aProfile({ id: "v1", name: "Heart" })]),
    "GET /scripts": page([]),
    "GET /settings": { "history.retention": "-1" },
    ...routes,
  });
  return { api, ...renderWithProviders(<History />, { hash }) };
}
const row = (words: string) => screen.findByRole("row", { name: new RegExp(words) });

test("the search runs on the server, and hostile text in the results stays text", async () => {
  const { api, user, container } = show([
    { ...aGeneration(), highlight: "&lt;img src=x onerror=alert(1)&gt; the <mark>lamp</mark>" } as Generation,
  ]);
  await user.type(await screen.findByRole("textbox", { name: "Search history" }), "lamp");
  await waitFor(() => expect(api.to("GET /history").at(-1)?.query.get("search")).toBe("lamp"));
  expect(location.hash).toContain("search=lamp");
  expect((await screen.findByText("lamp")).tagName).toBe("MARK");
  expect(screen.getByText(/<img src=x onerror/)).toBeVisible();
  expect(container.querySelector("img")).toBeNull();
});

test("the filter is shown as chips, and removing a chip removes its condition", async () => {
  const { api, user } = show(
    [aGeneration()],
    {},
    "#/history?favorite=true&engine=kokoro&voice=v1&status=failed&period=week&sort=longest",
  );
  const sentence = await screen.findByRole("group", { name: "Filters" });
  await waitFor(() =>
    expect(sentence).toHaveTextContent("FavouritesKokoro voicesVoice:HeartStatus:FailedDate:Last 7 days"),
  );
  const asked = api.to("GET /history").at(-1)?.query;
  expect(Object.fromEntries(asked ?? [])).toMatchObject({
    favorite: "true",
    engine: "kokoro",
    profile_id: "v1",
    status: "failed",
    sort: "longest",
  });
  await user.click(within(sentence).getByRole("button", { name: "Remove filter: Failed" }));
  await waitFor(() => expect(api.to("GET /history").at(-1)?.query.has("status")).toBe(false));
});

test("the keyboard moves, selects a range and plays", async () => {
  const made = ["One", "Two", "Three"].map((text) => aGeneration({ text }));
  const { user } = show(made);
  await row("One");
  act(() => screen.getByRole("grid").focus());
  await user.keyboard("{Shift>}{ArrowDown}{/Shift}");
  await waitFor(() => expect(screen.getByRole("toolbar", { name: "Selection" })).toHaveTextContent("2 selected"));
  expect(await row("Three")).toHaveAttribute("aria-selected", "false");
  await user.keyboard("{Control>}a{/Control}");
  await waitFor(() => expect(screen.getByRole("toolbar")).toHaveTextContent("3 selected"));
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("toolbar")).toBeNull();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(player.get().generation?.text).toBe("Two"));
  await user.keyboard("/");
  expect(screen.getByRole("textbox", { name: "Search history" })).toHaveFocus();
});

test("the first row has the ring when Tab reaches the list, and a chosen row keeps it", async () => {
  const { user } = show(["One", "Two"].map((text) => aGeneration({ text })));
  const ringed = () => document.getElementById(screen.getByRole("grid").getAttribute("aria-activedescendant") ?? "");
  await row("One");
  expect(ringed()).toBeNull();
  while (document.activeElement !== screen.getByRole("grid")) await user.tab();
  expect(ringed()).toHaveTextContent("One");
  await user.keyboard("{ArrowDown}");
  await user.tab();
  await user.tab({ shift: true });
  expect(ringed()).toHaveTextContent("Two");
});

test("the focus stays near what disappears under it", async () => {
  const { api, user } = show([aGeneration({ text: "One" })], {}, "#/history?status=failed");
  const press = async (name: string) => {
    act(() => screen.getByRole("button", { name }).focus());
    await user.keyboard("{Enter}");
  };
  await row("One");
  await press("Remove filter: Failed");
  await waitFor(() => expect(screen.getByRole("button", { name: "Filter" })).toHaveFocus());
  act(() => screen.getByRole("grid").focus());
  await user.keyboard(" ");
  await screen.findByRole("toolbar");
  await press("Clear selection");
  expect(screen.getByRole("grid")).toHaveFocus();
  api.set("GET /history", page([]));
  await user.type(screen.getByRole("textbox", { name: "Search history" }), "x");
  await screen.findByRole("button", { name: "Show all generations" });
  await press("Show all generations");
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Search history" })).toHaveFocus());
});

test("shows the total number, and the number of results only during a search", async () => {
  const { user } = show(["One", "Two"].map((text) => aGeneration({ text })));
  await waitFor(() => expect(screen.getByText("2 generations")).toHaveAttribute("role", "status"));
  await user.type(screen.getByRole("textbox", { name: "Search history" }), "o");
  await waitFor(() => expect(screen.getByText("2 found")).toBeVisible());
});

test("Ctrl+Z undoes typing that happened after the delete", async () => {
  const { user } = show(["One", "Two"].map((text) => aGeneration({ text })));
  await user.click(await row("One"));
  await user.keyboard("{Delete}");
  await user.type(screen.getByRole("textbox", { name: "Search history" }), "x");
  await user.keyboard("{Control>}z{/Control}");
  expect(screen.getByRole("button", { name: "Undo" })).toBeVisible();
});

test("shift and click select everything between", async () => {
  const { user } = show(["One", "Two", "Three"].map((text) => aGeneration({ text })));
  await user.click(await row("One"));
  fireEvent.click(await row("Three"), { shiftKey: true });
  expect(screen.getByRole("toolbar")).toHaveTextContent("3 selected");
});

test("a deletion can be undone, and is sent when the undo bar ends", async () => {
  const made = ["One", "Two"].map((text) => aGeneration({ text }));
  const { api, user } = show(made, { "POST /history/delete": { deleted: 1 } });
  await user.click(await row("One"));
  await user.keyboard("{Delete}");
  expect(screen.queryByRole("row", { name: /One/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(await row("One")).toBeVisible();
  expect(api.to("POST /history/delete")).toHaveLength(0);

  await user.click(await row("One"));
  await user.keyboard("{Delete}");
  expect(screen.queryByRole("row", { name: /One/ })).toBeNull();
  await user.keyboard("{Control>}z{/Control}");
  expect(await row("One")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();

  await user.click(await row("One"));
  await user.keyboard("{Delete}");
  await user.click(await screen.findByRole("button", { name: "Close" }));
  await waitFor(() => expect(api.to("POST /history/delete")[0]?.body).toEqual({ ids: [made[0]?.id] }));
  expect(screen.queryByRole("row", { name: /One/ })).toBeNull();
});

test("a failed row shows the reason and tries again", async () => {
  const failed = aGeneration({
    text: "Broken",
    status: "failed",
    duration: 0,
    error: { code: "interrupted", detail: "English of the server", remedy: "" },
  });
  const { api, user } = show([failed], { "POST /generate/{id}/retry": { ...failed, status: "queued", error: null } });
  const broken = await row("Broken");
  expect(broken).toHaveTextContent("Voicewright was closed before this was finished.");
  await user.click(within(broken).getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(api.to("POST /generate/{id}/retry")).toHaveLength(1));
});

test.each(["failed", "cancelled"] as const)("a %s row with finished passages continues", async (status) => {
  const partial = { chunks: 86, total: 364, seconds: 1204 };
  const error = { code: "engine_failed", detail: "", remedy: "" } as const;
  const made = aGeneration({ text: "Long", status, duration: 0, error, partial });
  const { api, user } = show([made], { "POST /generate/{id}/retry": { ...made, status: "queued", partial: null } });
  const line = await row("Long");
  expect(line).toHaveTextContent("Saved: 86 of 364 passages");
  await user.click(within(line).getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(api.to("POST /generate/{id}/retry")).toHaveLength(1));
});

test("what is finished of a stopped row is played, and goes on when the row is continued", async () => {
  fakeAudio();
  const partial = { chunks: 1, total: 3, seconds: 5 };
  const made = aGeneration({ text: "Long", status: "cancelled", duration: 0, partial });
  const { api, user } = show([made], {
    "POST /generate/{id}/retry": { ...made, status: "queued", partial: null },
    "GET /generate/{id}/live": () => livePart(1000, 5).response,
    "GET /generate/{id}/live/peaks": { seconds: 5, from: 0, per_second: 10, peaks: [[-1, 1]], chunks: [] },
  });
  await user.click(within(await row("Long")).getByRole("button", { name: "Play" }));
  await waitFor(() => expect(player.get()).toMatchObject({ playing: true, duration: 5 }));
  await user.click(within(await row("Long")).getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(api.to("GET /generate/{id}/live")).toHaveLength(2));
  act(() => player.close());
});

test("a running row shows stage, progress and time left, and can be cancelled", async () => {
  const running = aGeneration({ text: "Long", status: "generating", progress: 0.4, eta_seconds: 20, receipt: null });
  const { api, user } = show([running], { "POST /generate/{id}/stop": { ...running, status: "cancelled" } });
  const line = await row("Long");
  await waitFor(() => expect(line).toHaveTextContent(/Generating · 40% · 20 s left/));
  await user.click(within(line).getByRole("button", { name: "Stop" }));
  await waitFor(() => expect(api.to("POST /generate/{id}/stop")).toHaveLength(1));
  await waitFor(async () => expect(within(await row("Long")).getByRole("img", { name: "Stopped" })).toBeVisible());
});

test("details: rename, choose a take, read the receipt, regenerate", async () => {
  const made = aGeneration({
    text: "Two takes",
    title: "Old",
    chunks: [{ text: "Two takes", start: 0, end: 2, take: 0, takes: 2 }],
    receipt: {
      app_version: "1",
      audio_sha256: "",
      chunks: [],
      device: "cpu",
      dropped_tags: ["[whisper]"],
      engine: "kokoro",
      gain_db: 6,
      level: { version: 1, lufs: -16.02, reduction_db: 5.59, shortfall_lu: 0.02 },
      language: "en",
      model_files: [],
      model_name: "kokoro",
      model_revision: "0123456789",
      parameters: {},
      pronunciations: {},
      reproducible: true,
      runtimes: {},
      seconds: { speak: 3.25 },
      seed: 42,
      speed: 1.05,
      spoken_text: "Spoken",
      threads: 4,
      workers: 2,
      voice: "af",
    },
  });
  const { api, user } = show(
    [made],
    {
      "PATCH /history/{id}": made,
      "POST /generate/{id}/regenerate": aGeneration({ parent_id: made.id }),
    },
    `#/history/${made.id}`,
  );
  const title = await screen.findByRole("textbox", { name: "Title" });
  await user.clear(title);
  await user.type(title, "New{Enter}");
  await waitFor(() => expect(api.to("PATCH /history/{id}")[0]?.body).toEqual({ title: "New" }));
  await user.click(screen.getByRole("button", { name: "2 takes of passage 1" }));
  await user.click(await screen.findByRole("button", { name: "Use this take" }));
  await waitFor(() => expect(api.to("PATCH /history/{id}")[1]?.body).toEqual({ chunks: { 0: { take: 1 } } }));
  const receipt = screen.getByRole("region", { name: "Receipt" });
  const details = within(receipt).getByRole("group");
  expect(details).not.toHaveAttribute("open");
  await user.click(within(receipt).getByText(/^Kokoro, af, .* in 3\.3 s on this machine, seed 42$/));
  expect(details).toHaveAttribute("open");
  expect(receipt).toHaveTextContent(
    /kokoro, revision 01234567.*CPU, 2 sentences at a time, 4 threads each.*1\.05×.*-16\.0 LUFS, peaks reduced by up to 5\.6 dB.*Synthesis time3\.3 s.*\[whisper\].*byte for byte/,
  );
  await user.click(screen.getByRole("button", { name: "Regenerate" }));
  await waitFor(() => expect(api.to("POST /generate/{id}/regenerate")).toHaveLength(1));
});

test("a new take of a passage is played and not chosen", async () => {
  const audio = fakeAudio();
  const chunk = { text: "One", start: 0, end: 2, take: 0, takes: 1 };
  const made = aGeneration({ title: "Letter", chunks: [chunk] });
  const again = { ...made, chunks: [{ ...chunk, takes: 2 }] };
  const { api, user } = show(
    [made],
    {
      "POST /generate/{id}/chunks/{n}/regenerate": again,
      "GET /history/{id}/chunks/{n}/takes": { items: [] },
      "GET /history/{id}/chunks/{n}/takes/{take}": () => new Response(new Uint8Array(1_000)),
    },
    `#/history/${made.id}`,
  );
  await user.click(await screen.findByRole("button", { name: "New take of passage 1" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Stop take 2" })).toBeVisible());
  expect(screen.getByRole("radio", { name: /Take 1/ })).toBeChecked();
  expect(api.to("POST /generate/{id}/chunks/{n}/regenerate")[0]?.body).toEqual({ choose: false });
  await waitFor(() => expect(audio.parts.length).toBeGreaterThan(0));
});

test("the built-in voice has its German name in German", async () => {
  await act(() => i18next.changeLanguage("de"));
  show([aGeneration({ title: "Brief", profile_name: "Built-in voice" })]);
  await waitFor(() => expect(screen.getByRole("row", { name: /Brief/ })).toHaveTextContent("Eingebaute Stimme"));
  await act(() => i18next.changeLanguage("en"));
});

test("an empty history says how to start, an empty search how to go back", async () => {
  const { user } = show([]);
  await user.click(await screen.findByRole("button", { name: "Go to Studio" }));
  expect(location.hash).toBe("#/studio");
  navigate("#/history?search=nothing");
  await user.click(await screen.findByRole("button", { name: "Show all generations" }));
  expect(location.hash).toBe("#/history");
});

const older = (expired: number, favourites: number, capped = false): Record<string, Handler> => ({
  "GET /history": (call: { query: URLSearchParams }) =>
    call.query.has("to")
      ? {
          items: [],
          total: call.query.get("favorite") === "true" ? favourites : expired,
          total_capped: capped,
          next_cursor: null,
        }
      : page([aGeneration()]),
  "PUT /settings": {},
});

test("a shorter retention is saved only after a dialog that says what it deletes", async () => {
  const { api, user } = show([aGeneration()], older(9420, 580));
  await user.click(await screen.findByRole("button", { name: "Storage" }));
  await waitFor(() => expect(screen.getByText("1.2 MB")).toBeVisible());
  expect(screen.getByText("400 kB of it in audiobooks")).toBeVisible();
  expect(screen.getByText("1 generation is missing its audio file.")).toBeVisible();
  expect(screen.getByText(/Favourites and audiobooks are kept/)).toBeVisible();
  const choice = () => screen.findByRole<HTMLSelectElement>("combobox", { name: "Keep history for" });
  await user.selectOptions(await choice(), "7 days");
  const question = await screen.findByRole("dialog", { name: "Keep only 7 days of history?" });
  await waitFor(() => expect(within(question).getByText(/^9,420 generations older than /)).toBeVisible());
  expect(within(question).getByText(/^580 favourites from that time are kept/)).toBeVisible();
  const asked = api
    .to("GET /history")
    .filter((call) => call.query.has("to"))
    .map((call) => Date.now() - Date.parse(call.query.get("to") ?? ""));
  for (const age of asked) expect(Math.abs(age - 7 * 86_400_000)).toBeLessThan(60_000);
  expect(api.to("PUT /settings")).toHaveLength(0);

  await user.click(within(question).getByRole("button", { name: "Cancel" }));
  expect(api.to("PUT /settings")).toHaveLength(0);
  expect((await choice()).selectedOptions[0]).toHaveTextContent("Forever");

  await user.selectOptions(await choice(), "7 days");
  await user.click(await screen.findByRole("button", { name: "Delete 9,420 generations" }));
  await waitFor(() =>
    expect(api.to("PUT /settings").map((call) => call.body)).toEqual([{ "history.retention": "168h" }]),
  );
});

test("a longer retention needs no confirmation; when more is deleted than was counted, it says so", async () => {
  const { api, user } = show([aGeneration()], {
    ...older(10_000, 0, true),
    "GET /settings": { "history.retention": "720h0m0s" },
  });
  await user.click(await screen.findByRole("button", { name: "Storage" }));
  const choice = () => screen.findByRole<HTMLSelectElement>("combobox", { name: "Keep history for" });
  await user.selectOptions(await choice(), "7 days");
  await waitFor(() => expect(screen.getByRole("button", { name: "Delete at least 10,000 generations" })).toBeVisible());
  await user.keyboard("{Escape}");
  await user.selectOptions(await choice(), "365 days");
  await waitFor(() => expect(api.to("PUT /settings")[0]?.body).toEqual({ "history.retention": "8760h" }));
  expect(screen.queryByRole("dialog", { name: /^Keep only/ })).toBeNull();
});

test("the list has the focus again after the menu of a row", async () => {
  const { user } = show([aGeneration({ title: "Letter" })]);
  const grid = await screen.findByRole("grid");
  act(() => grid.focus());
  await user.keyboard("{ArrowDown}{Shift>}{F10}{/Shift}");
  await screen.findByRole("menu");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  await waitFor(() => expect(grid).toHaveFocus());
});

test("selecting begins in the menu of a row, and Escape ends it", async () => {
  const { user } = show(["One", "Two"].map((text) => aGeneration({ text })));
  await user.click(within(await row("One")).getByRole("button", { name: "More" }));
  await user.click(await screen.findByRole("menuitem", { name: /^Select/ }));
  await waitFor(() => expect(screen.getByRole("toolbar", { name: "Selection" })).toHaveTextContent("1 selected"));
  expect(within(await row("One")).getByRole("checkbox")).toBeChecked();
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("toolbar")).toBeNull();
});
