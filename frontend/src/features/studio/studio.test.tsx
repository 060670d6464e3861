import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { player } from "@/player";
import { aDraft, aGeneration, aModel, reply } from "@/test";
import { builtIn, heart, kept, paper, problem, start } from "./testKit";

// Without animation frames the editor does not load, and the plain field stays: jsdom has no layout for an editor. Its
// own logic is tested in editor/editor.test.ts.
beforeEach(() => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
  vi.spyOn(player, "load").mockImplementation(() => undefined);
});

test("the first start has a sentence and a button that generates it", async () => {
  const { api, user } = start({ "POST /generate": aGeneration(), "GET /generate/{id}": aGeneration() });
  expect(await paper()).toHaveValue("A quiet room, a page of text, and a voice to read it.");
  await screen.findByText("Built-in voice");
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(api.to("POST /generate")).toHaveLength(1));
  expect(api.to("POST /generate")[0]?.body).toEqual({
    profile_id: builtIn.id,
    text: "A quiet room, a page of text, and a voice to read it.",
    format: "wav",
    normalize: true,
  });
  expect(api.to("POST /generate")[0]?.headers.get("Prefer")).toBe("respond-async");
});

test("opens the last open draft and saves typed text after a pause", async () => {
  const draft = aDraft({ id: "d1", name: "Winter", content: { text: "The lamp", named: true } });
  const { api, user } = start(kept(draft));
  const field = await paper();
  expect(field).toHaveValue("The lamp");
  await user.click(field);
  await user.keyboard(" was lit");
  await waitFor(() => expect(api.to("PUT /drafts/{id}")).toHaveLength(1));
  expect(api.to("PUT /drafts/{id}")[0]?.body).toMatchObject({ name: "Winter", content: { text: "The lamp was lit" } });
  await waitFor(() => expect(screen.getByText(/^Saved /)).toBeInTheDocument());
  expect(screen.getByText("16 characters")).toBeInTheDocument();
});

test("restores what a crashed window had not saved", async () => {
  const draft = aDraft({ id: "d1", content: { text: "Old" }, updated_at: "2026-11-20T10:00:00Z" });
  localStorage.setItem(
    "voicewright.studio.unsaved.d1",
    JSON.stringify({ id: "d1", since: draft.updated_at, name: "x", content: { text: "Old and new" } }),
  );
  const { api } = start(kept(draft));
  expect(await paper()).toHaveValue("Old and new");
  await waitFor(() => expect(api.to("PUT /drafts/{id}")).toHaveLength(1));
});

test("a draft that another window changed becomes two, and a button opens the other one", async () => {
  const draft = aDraft({ id: "d1", name: "Winter", content: { text: "The lamp", named: true } });
  const other = { ...draft, content: { text: "The ferry", named: true }, updated_at: "2026-11-20T10:00:09Z" };
  const { api, user } = start(kept(draft));
  await user.click(await paper());
  for (const [route, handler] of Object.entries(kept(other))) api.set(route, handler);
  api.set("PUT /drafts/{id}", (call: { body: { if_updated_at?: string }; params: Record<string, string> }) =>
    call.params.id === "d1" && call.body.if_updated_at !== other.updated_at
      ? reply(409, problem("draft_changed", { name: "Winter", updated_at: other.updated_at }))
      : aDraft({ id: call.params.id ?? "" }),
  );
  api.set("POST /drafts", (call: { body: unknown }) => aDraft({ ...(call.body as object), id: "d2" }));
  await user.keyboard(" was lit");
  const note = await screen.findByText(/was changed in another window/, {});
  expect(note).toHaveTextContent("Your version was saved as “Winter (copy)”.");
  expect(await paper()).toHaveValue("The lamp was lit");
  expect(api.to("POST /drafts")[0]?.body).toMatchObject({
    name: "Winter (copy)",
    content: { text: "The lamp was lit" },
  });
  await user.click(screen.getByRole("button", { name: "Open “Winter”" }));
  await waitFor(async () => expect(await paper()).toHaveValue("The ferry"));
  expect(screen.queryByText(/was changed in another window/)).not.toBeInTheDocument();
});

test("a window that gets the focus back shows what another one saved, and saves nothing", async () => {
  const draft = aDraft({ id: "d1", name: "Winter", content: { text: "The lamp" } });
  const { api } = start(kept(draft));
  expect(await paper()).toHaveValue("The lamp");
  for (const [route, handler] of Object.entries(
    kept({ ...draft, content: { text: "The ferry" }, updated_at: "2026-11-20T10:00:09Z" }),
  ))
    api.set(route, handler);
  act(() => {
    window.dispatchEvent(new Event("focus"));
  });
  await waitFor(async () => expect(await paper()).toHaveValue("The ferry"));
  await waitFor(() => expect(screen.getByText("9 characters")).toBeInTheDocument());
  await new Promise((done) => setTimeout(done, 1000));
  expect(api.to("PUT /drafts/{id}")).toHaveLength(0);
});

test("the menu of drafts fetches no texts, and renaming one keeps its text", async () => {
  const one = aDraft({ id: "d1", name: "One", content: { text: "One" } });
  const two = aDraft({ id: "d2", name: "Two", content: { text: "Two", seed: 7 } });
  const { api, user } = start(kept(one, two));
  await paper();
  await user.click(screen.getByRole("button", { name: /Drafts/ }));
  await user.click(await screen.findByRole("button", { name: "Rename Two" }));
  expect(api.to("GET /drafts").every((call) => call.query.get("content") === "false")).toBe(true);
  const field = await screen.findByRole("textbox", { name: "Name" });
  await user.clear(field);
  await user.type(field, "Zwei{Enter}");
  await waitFor(() => expect(api.to("PUT /drafts/{id}")).toHaveLength(1));
  expect(api.to("PUT /drafts/{id}")[0]?.body).toMatchObject({
    name: "Zwei",
    content: { text: "Two", seed: 7, named: true },
    if_updated_at: two.updated_at,
  });
});

test("the title above the text names the draft and its generation, and an empty one is taken from the text", async () => {
  const draft = aDraft({ id: "d1", name: "The lamp was lit", content: { text: "The lamp was lit" } });
  const { api, user } = start({ ...kept(draft), "POST /generate": aGeneration(), "GET /generate/{id}": aGeneration() });
  const title = await screen.findByRole("textbox", { name: "Title" });
  expect(title).toHaveValue("");
  expect(title).toHaveAttribute("placeholder", "The lamp was lit");
  await user.type(title, "Winter{Enter}");
  expect(await paper()).toHaveFocus();
  await screen.findByText("Built-in voice");
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(api.to("POST /generate")[0]?.body).toMatchObject({ title: "Winter" }));
  await waitFor(() => expect(api.to("PUT /drafts/{id}").at(-1)?.body).toMatchObject({ name: "Winter" }));
  await user.clear(title);
  const last = () => api.to("PUT /drafts/{id}").at(-1)?.body;
  await waitFor(() => expect(last()).toMatchObject({ name: "The lamp was lit", content: { named: false } }));
  expect(title).toHaveAttribute("placeholder", "The lamp was lit");
});

test("chapters are listed, and a click goes to one", async () => {
  const text = "# One\nThe lamp.\n\n# Two\nThe ferry.";
  const { user } = start(kept(aDraft({ id: "d1", content: { text } })));
  const field = (await paper()) as HTMLTextAreaElement;
  const chapters = await screen.findByRole("navigation", { name: "Chapters" });
  expect(
    within(chapters)
      .getAllByRole("button")
      .map((button) => button.textContent),
  ).toEqual(["One", "Two"]);
  await user.click(within(chapters).getByRole("button", { name: "Two" }));
  expect(field).toHaveFocus();
  expect(field.selectionStart).toBe(text.indexOf("# Two"));
});

test("Script saves the text and opens it as a script", async () => {
  const { api, user } = start(kept(aDraft({ id: "d1", content: { text: "Anna: One." } })));
  await user.click(await paper());
  await user.keyboard(" Two.");
  await user.click(screen.getByRole("radio", { name: "Script" }));
  await waitFor(() => expect(location.hash).toBe("#/script/d1"));
  expect(api.to("PUT /drafts/{id}")[0]?.body).toMatchObject({ content: { text: "Anna: One. Two." } });
});

test("the number of steps is an option where the model supports it", async () => {
  const { api, user } = start(
    { "GET /models/status": { models: [aModel({ model_name: "kokoro", downloaded: true, steps: true })] } },
    heart,
  );
  await user.click(await screen.findByText("Advanced"));
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Steps" })).toBeInTheDocument());
  expect(api.to("GET /models/status")).not.toHaveLength(0);
});

test("the limiter can be switched off when loudness is normalised", async () => {
  const { api, user } = start({ "POST /generate": aGeneration(), "GET /generate/{id}": aGeneration() });
  await screen.findByText("Built-in voice");
  await user.click(await screen.findByText("Advanced"));
  await user.click(screen.getByRole("switch", { name: "Limit peaks" }));
  await user.click(screen.getByRole("button", { name: "Generate" }));
  await waitFor(() => expect(api.to("POST /generate")[0]?.body).toMatchObject({ normalize: true, limit: false }));
  await user.click(screen.getByRole("switch", { name: "Normalise loudness" }));
  expect(screen.queryByRole("switch", { name: "Limit peaks" })).toBeNull();
});

test("names and texts are shown literally, including markup", async () => {
  const draft = aDraft({
    id: "d1",
    name: "<img src=x onerror=alert(1)>",
    content: { text: "<script>alert(1)</script> & more", named: true },
  });
  const { user } = start(kept(draft));
  expect(await paper()).toHaveValue("<script>alert(1)</script> & more");
  await user.click(screen.getByRole("button", { name: /Drafts/ }));
  await waitFor(() => expect(screen.getByText("<img src=x onerror=alert(1)>")).toBeInTheDocument());
  expect(document.querySelector("img, script")).toBeNull();
});

test("deleting a draft can be undone", async () => {
  const one = aDraft({ id: "d1", name: "One", content: { text: "One" } });
  const two = aDraft({ id: "d2", name: "Two", content: { text: "Two" } });
  const { api, user } = start(kept(one, two));
  await paper();
  await user.click(screen.getByRole("button", { name: /Drafts/ }));
  await user.click(await screen.findByRole("button", { name: "Delete One" }));
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Text", hidden: true })).toHaveValue("Two"));
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(screen.getByRole("textbox", { name: "Text", hidden: true })).toHaveValue("One");
  expect(api.to("DELETE /drafts/{id}")).toHaveLength(0);
});

test("a file becomes a separate draft", async () => {
  const { api, user } = start({
    "POST /text/extract": {
      text: "From a book",
      title: "A book",
      has_title: true,
      format: "epub",
      encoding: "UTF-8",
      notes: [],
    },
  });
  await paper();
  await user.upload(screen.getByLabelText("Open a file", { selector: "input" }), new File(["x"], "book.epub"));
  await waitFor(async () => expect(await paper()).toHaveValue("From a book"));
  const book: unknown = expect.objectContaining({
    name: "A book",
    content: expect.objectContaining({ text: "From a book" }) as unknown,
  });
  await waitFor(() => expect(api.to("POST /drafts").map((call) => call.body)).toContainEqual(book));
});

test("a respelling goes into the text or the dictionary", async () => {
  const { api, user } = start({ "POST /pronunciations": { id: "p", word: "w", respelling: "r", language: "en" } });
  const field = (await paper()) as HTMLTextAreaElement;
  await screen.findByText("Built-in voice");
  field.focus();
  field.setSelectionRange(2, 7);
  await user.keyboard("{Control>}e{/Control}");
  await user.type(await screen.findByRole("textbox", { name: "Sounds like" }), "KWY-et");
  await user.click(screen.getByRole("button", { name: "Insert in the text" }));
  expect(field.value).toContain("A [[quiet|KWY-et]] room");
  field.setSelectionRange(0, 1);
  await user.keyboard("{Control>}e{/Control}");
  await user.type(await screen.findByRole("textbox", { name: "Sounds like" }), "/eɪ/");
  await user.click(screen.getByRole("radio", { name: "Everywhere" }));
  await user.click(screen.getByRole("button", { name: "Add to the dictionary" }));
  await waitFor(() => expect(api.to("POST /pronunciations")[0]?.body).toMatchObject({ word: "A", respelling: "/eɪ/" }));
});
