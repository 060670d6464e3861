import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ListRow } from "@/api/batch";
import { aGeneration, aProfile, fakeApi, page, renderWithProviders, reply, type Handler } from "@/test";
import { ImportList } from "./ImportList";
import { closeList, list } from "./list";

const aRow = (row: number, part: Partial<ListRow> = {}): ListRow => ({
  row,
  line: row + 1,
  text: `Text ${row}.`,
  name: "",
  voice: "",
  language: "",
  speed: null,
  format: "",
  problem: "",
  ...part,
});

beforeEach(() => {
  // Nothing has a size in jsdom.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(36);
});
afterEach(() => {
  act(closeList);
  localStorage.clear();
});

async function show(rows: ListRow[], routes: Record<string, Handler> = {}) {
  const api = fakeApi({
    "POST /batch/parse": { items: rows, total: rows.length, bad: 0 },
    "GET /profiles": page([
      aProfile({ id: "p1", name: "Heart", usable: true }),
      aProfile({ id: "p2", name: "Anna", usable: true }),
    ]),
    "GET /system": { encoders: ["wav", "mp3"] },
    "POST /text/preview": { chunks: ["a"] },
    "POST /generate": (call: { body: { text: string } }) => aGeneration({ id: call.body.text }),
    ...routes,
  });
  const view = renderWithProviders(<ImportList open onClose={vi.fn()} />);
  const choose = async () => view.user.upload(screen.getByLabelText("Choose file"), new File(["text\n"], "list.csv"));
  await choose();
  const bodies = () => api.to("POST /generate").map((call) => call.body);
  return { api, bodies, choose, ...view };
}

test("a list shows what was understood, and its rows are generated with their own voices", async () => {
  const { user, bodies } = await show([
    aRow(1, { name: "intro", voice: "espeak:de", speed: 1.5, format: "mp3", language: "de" }),
    aRow(2, { problem: "Too few.", reason: "too_few", params: { cells: 2, columns: 3 } }),
    aRow(3, { voice: "anna" }),
    aRow(4),
  ]);
  await waitFor(() => expect(screen.getByText("3 rows · 1 with a problem")).toBeVisible());
  expect(screen.getByText("Line 3: The row has 2 of 3 columns.")).toBeVisible();
  expect(within(screen.getByRole("list", { name: "Rows of the list" })).getAllByRole("listitem")).toHaveLength(3);
  await user.click(await screen.findByRole("button", { name: "Generate 3 rows" }));
  await waitFor(() => expect(screen.getByText("3 of 3 rows")).toBeVisible());
  expect(bodies()).toEqual([
    {
      profile_id: "p1",
      text: "Text 1.",
      format: "mp3",
      voice: "espeak:de",
      language: "de",
      speed: 1.5,
      title: "intro",
    },
    { profile_id: "p2", text: "Text 3.", format: "wav" },
    { profile_id: "p1", text: "Text 4.", format: "wav" },
  ]);
  expect(screen.getByRole("button", { name: "Export as ZIP" })).toBeVisible();
});

test.each([
  ["no_rows", "The list has no rows."],
  ["no_column", "The list has no column named text."],
  ["quotes", "The quotation marks in line 1 of the list are wrong."],
  ["kind", "This file is not a list."],
])("a file that is no list says why: %s", async (reason, title) => {
  await show([], {
    "POST /batch/parse": reply(415, { code: "unsupported_media", detail: "", remedy: "", params: { reason, line: 1 } }),
  });
  await waitFor(() => expect(screen.getByText(`list.csv: ${title}`)).toBeVisible());
});

test("a row that fails is named, the others are generated, and Continue tries only that one", async () => {
  let fails = true;
  const { user, bodies } = await show([aRow(1), aRow(2), aRow(3)], {
    "POST /generate": (call: { body: { text: string } }) =>
      fails && call.body.text === "Text 2."
        ? reply(409, { code: "engine_mismatch", detail: "No such voice.", remedy: "", params: {} })
        : aGeneration(),
  });
  await user.click(await screen.findByRole("button", { name: "Generate 3 rows" }));
  await waitFor(() => expect(screen.getByText("1 row failed")).toBeVisible());
  expect(screen.getByText(/^Line 3: /)).toBeVisible();
  expect(screen.getByText("2 of 3 rows")).toBeVisible();
  fails = false;
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(screen.getByText("3 of 3 rows")).toBeVisible());
  expect(bodies().map((body) => (body as { text: string }).text)).toEqual(["Text 1.", "Text 2.", "Text 3.", "Text 2."]);
});

test("rows whose voices do not exist are named before the others are generated", async () => {
  const invalid = { detail: [{ loc: ["body", "voice"], msg: "Kokoro has no such voice.", type: "enum" }] };
  const { api, user, bodies } = await show(
    [
      aRow(1),
      aRow(2, { voice: "Zorro" }),
      aRow(3, { voice: "kokoro:zorro" }),
      aRow(4, { voice: "kokoro:zorro" }),
      aRow(5, { voice: "Heart", language: "tlh" }),
      aRow(6, { voice: "Heart" }),
    ],
    {
      "POST /text/preview": ({ body }: { body: { voice?: string; language?: string } }) =>
        body.voice
          ? reply(422, invalid)
          : body.language
            ? reply(409, {
                code: "language_not_supported",
                detail: "Heart does not speak “tlh”.",
                remedy: "",
                params: {},
              })
            : { chunks: ["a"] },
    },
  );
  await waitFor(() => expect(screen.getByText("Line 3: No voice is named “Zorro”.")).toBeVisible());
  expect(screen.getByText("Line 4: No voice is named “kokoro:zorro”.")).toBeVisible();
  expect(screen.getByText("Line 5: No voice is named “kokoro:zorro”.")).toBeVisible();
  expect(screen.getByText(/^Line 6: /)).toBeVisible();
  expect(api.to("POST /text/preview")).toHaveLength(3);
  expect(bodies()).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Generate 2 rows" }));
  await waitFor(() => expect(screen.getByText("2 of 2 rows")).toBeVisible());
});

test("a row whose voice was deleted meanwhile says its name", async () => {
  let profiles = [aProfile({ id: "p1", name: "Heart", usable: true }), aProfile({ name: "Zorro", usable: true })];
  const { user, bodies } = await show([aRow(1), aRow(2, { voice: "Zorro" })], {
    "GET /profiles": () => page(profiles),
  });
  const generate = await screen.findByRole("button", { name: "Generate 2 rows" });
  profiles = profiles.slice(0, 1);
  await user.click(generate);
  await waitFor(() => expect(screen.getByText("Line 3: No voice is named “Zorro”.")).toBeVisible());
  expect(bodies()).toHaveLength(1);
});

/** The server after two of three rows: the second is still being generated while the window closes. */
async function closedInRowTwo(routes: Record<string, Handler> = {}) {
  const shown = await show([aRow(1), aRow(2), aRow(3)], {
    "POST /generate": ({ body }: { body: { text: string } }) =>
      aGeneration({ id: idOf(body.text), status: body.text === "Text 2." ? "generating" : "complete" }),
    "GET /generate/{id}/events": () => new Promise(() => undefined),
    "GET /generate/{id}": ({ params }: { params: { id: string } }) => aGeneration({ id: params.id }),
    "GET /history": page([aGeneration({ id: idOf("Text 1.") })]),
    ...routes,
  });
  await shown.user.click(await screen.findByRole("button", { name: "Generate 3 rows" }));
  await waitFor(() => expect(shown.api.to("GET /generate/{id}/events")).toHaveLength(1));
  act(() => list.set(null)); // as closing the window does
  await shown.choose();
  return { ...shown, texts: () => shown.bodies().map((body) => (body as { text: string }).text) };
}

const idOf = (text: string) => `01938f00-0000-7000-8000-00000000000${text.replace(/\D/g, "")}`;

test("after the window was closed a list says how far it is, waits for the row that was running, and exports all", async () => {
  const { api, user, texts } = await closedInRowTwo({ "POST /history/export": reply(409, { code: "x" }) });
  await waitFor(() => expect(screen.getByText("1 of 3 rows are already generated.")).toBeVisible());
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(screen.getByText("3 of 3 rows")).toBeVisible());
  expect(texts()).toEqual(["Text 1.", "Text 2.", "Text 3."]);
  await user.click(screen.getByRole("button", { name: "Export as ZIP" }));
  await waitFor(() => expect(api.to("POST /history/export")).toHaveLength(1));
  expect(api.to("POST /history/export")[0]?.body).toMatchObject({ ids: ["Text 1.", "Text 2.", "Text 3."].map(idOf) });
});

test("a row that was stopped is retried under its id, and one that was deleted is generated again", async () => {
  const retried = vi.fn(({ params }: { params: { id: string } }) => aGeneration({ id: params.id }));
  const { user, texts } = await closedInRowTwo({
    "GET /history": page([]),
    "GET /generate/{id}": ({ params }: { params: { id: string } }) =>
      params.id === idOf("Text 1.")
        ? reply(404, { code: "generation_not_found", detail: "", remedy: "", params: {} })
        : aGeneration({ id: params.id, status: "cancelled" }),
    "POST /generate/{id}/retry": retried,
  });
  await user.click(await screen.findByRole("button", { name: "Generate 3 rows" }));
  await waitFor(() => expect(screen.getByText("3 of 3 rows")).toBeVisible());
  expect(texts()).toEqual(["Text 1.", "Text 2.", "Text 1.", "Text 3."]);
  expect(retried).toHaveBeenCalledTimes(1);
});

test("Start over forgets what is generated", async () => {
  const { user } = await closedInRowTwo();
  await user.click(await screen.findByRole("button", { name: "Start over" }));
  expect(screen.getByRole("button", { name: "Generate 3 rows" })).toBeVisible();
  expect(screen.queryByText(/already generated/)).toBeNull();
});

test("a list that was generated completely can be generated again, and values of older programs are dropped", async () => {
  localStorage.setItem("voicewright.list", JSON.stringify({ name: "list.csv", rows: ["a:1"] }));
  const { user, bodies, choose } = await show([aRow(1), aRow(2)]);
  for (const requests of [2, 4]) {
    await user.click(await screen.findByRole("button", { name: "Generate 2 rows" }));
    await waitFor(() => expect(screen.getByText("2 of 2 rows")).toBeVisible());
    expect(bodies()).toHaveLength(requests);
    act(() => list.set(null)); // also without "Close list"
    await choose();
  }
});

test("closing a list forgets its rows", async () => {
  const { user, choose } = await closedInRowTwo();
  await screen.findByText("1 of 3 rows are already generated.");
  await user.click(screen.getByRole("button", { name: "Close list" }));
  await choose();
  await waitFor(() => expect(screen.getByRole("button", { name: "Generate 3 rows" })).toBeVisible());
});

test("the price of hosted rows is shown before it is paid", async () => {
  const { user, bodies } = await show([aRow(1, { voice: "hosted:a" }), aRow(2)], {
    "POST /hosted/quote": { credits: 420 },
  });
  await user.click(await screen.findByRole("button", { name: "Generate 2 rows" }));
  await waitFor(() => expect(screen.getByText(/^The hosted rows cost 420 credits/)).toBeVisible());
  expect(bodies()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Generate 2 rows" }));
  await waitFor(() => expect(screen.getByText("2 of 2 rows")).toBeVisible());
  expect(bodies()[0]).toMatchObject({ voice: "hosted:a", accept_credits: 420 });
});

test("of a list of 10,000 only the visible rows are rendered, and its voice is looked up once", async () => {
  const rows = Array.from({ length: 10_000 }, (_, i) =>
    aRow(i + 1, { voice: "anna", problem: i % 250 === 0 ? "The text is empty." : "" }),
  );
  const { user, api, bodies } = await show(rows, {
    "POST /generate": (call: { body: { text: string } }) =>
      call.body.text === "Text 5." ? new Promise(() => undefined) : aGeneration(),
  });
  await waitFor(() => expect(screen.getByText("9,960 rows · 40 with problems")).toBeVisible());
  expect(screen.getByText("Line 2: The text is empty.")).toBeVisible();
  expect(screen.getAllByRole("listitem").length).toBeLessThan(100);
  await user.click(await screen.findByRole("button", { name: "Generate 9,960 rows" }));
  await waitFor(() => expect(bodies()).toHaveLength(4));
  expect(bodies()[0]).toEqual({ profile_id: "p2", text: "Text 2.", format: "wav" });
  const lookUps = api.to("GET /profiles").filter(({ query }) => query.get("search") === "anna");
  expect(lookUps).toHaveLength(3); // to check it, for the price, and to generate
});
