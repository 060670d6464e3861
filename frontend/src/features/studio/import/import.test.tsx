import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import i18next from "i18next";
import { beforeEach, expect, test, vi } from "vitest";
import { navigate } from "@/lib/router";
import { aDraft, reply } from "@/test";
import type { Draft } from "@/api/types";
import { maxCharacters } from "../drafts/textDocument";
import { Screens, chapters, file, held, paper, problem, start } from "./testKit";

// Without a frame the plain field stays, as in studio.test.tsx.
beforeEach(() => {
  vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
});

test("a novel becomes drafts with nothing left out, and undo deletes them", async () => {
  const text = chapters(31, 20_000);
  const { api, drafts, choose, user } = start({
    "POST /text/extract": {
      text,
      title: "Skellig Head",
      has_title: true,
      format: "epub",
      encoding: "UTF-8",
      notes: [],
    },
  });
  expect(await paper()).toHaveValue("The lamp");
  await user.upload(choose(), file("skellig.epub"));
  const dialog = await screen.findByRole("dialog", { name: "This text is too long for one draft" });
  expect(
    within(dialog)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual([
    expect.stringMatching(/^1Chapter 1/),
    expect.stringMatching(/^2Chapter \d/),
    expect.stringMatching(/^3Chapter \d/),
    expect.stringMatching(/^4Chapter \d/),
  ]);
  expect(within(dialog).getByRole("textbox", { name: "Name" })).toHaveValue("Skellig Head");
  await user.type(within(dialog).getByRole("textbox", { name: "Name" }), "!");
  await user.click(within(dialog).getByRole("button", { name: "Create 4 drafts" }));
  await waitFor(async () => expect(((await paper()) as HTMLTextAreaElement).value).toMatch(/^Chapter 1\n/));
  const made = [...drafts.values()].filter(({ id }) => id !== "d1").reverse();
  expect(made.map(({ name }) => name)).toEqual([1, 2, 3, 4].map((part) => `Skellig Head! (${part} of 4)`));
  expect(made.map(({ content }) => content.text).join("")).toBe(text);
  expect(made.every(({ content }) => String(content.text).length <= maxCharacters && content.speed === 1.2)).toBe(true);
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(async () => expect(await paper()).toHaveValue("The lamp"));
  await waitFor(() => expect(api.to("DELETE /drafts/{id}")).toHaveLength(4));
  expect([...drafts.keys()]).toEqual(["d1"]);
});

test("a paste that exceeds the limit leaves the page unchanged and becomes a separate draft", async () => {
  const { drafts, user } = start();
  const field = await paper();
  await user.click(field);
  await user.paste("x".repeat(maxCharacters - 2));
  const dialog = await screen.findByRole("dialog", { name: "This text doesn’t fit" });
  expect(field).toHaveValue("The lamp");
  await user.click(within(dialog).getByRole("button", { name: "Create 1 draft" }));
  await waitFor(async () => expect(((await paper()) as HTMLTextAreaElement).value).toHaveLength(maxCharacters - 2));
  expect(drafts.get("d1")?.content.text).toBe("The lamp");
});

/** There is no disk space for the second draft. */
async function halfWay() {
  let count = 0;
  const all = start({
    "POST /text/extract": { text: chapters(20, 20_000), title: "", format: "txt", encoding: "UTF-8", notes: [] },
  });
  await paper();
  all.api.set("POST /drafts", (call: { body: unknown }) => {
    count += 1;
    if (count === 2) return reply(507, problem("insufficient_disk", ""));
    const draft = aDraft({ ...(call.body as object), id: `n${count}` });
    all.drafts.set(draft.id, draft);
    return draft;
  });
  await all.user.upload(all.choose(), file("novel.txt"));
  await all.user.click(await screen.findByRole("button", { name: "Create 3 drafts" }));
  await waitFor(() => expect(screen.getByText("There isn’t enough disk space.")).toBeInTheDocument());
  return all;
}

test("if a draft cannot be created, a retry continues from those that exist", async () => {
  const { drafts, user } = await halfWay();
  expect([...drafts.keys()]).toEqual(["d1", "n1"]);
  await user.click(screen.getByRole("button", { name: "Create 3 drafts" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect([...drafts.values()].map(({ name }) => name)).toEqual([
    "Winter",
    "Chapter 1 (3 of 3)",
    "Chapter 1 (2 of 3)",
    "Chapter 1 (1 of 3)",
  ]);
});

test("if a draft cannot be created, Cancel deletes those that exist; a new name creates all again", async () => {
  const { drafts, user } = await halfWay();
  await user.type(screen.getByRole("textbox", { name: "Name" }), "!");
  await user.click(screen.getByRole("button", { name: "Create 3 drafts" }));
  await waitFor(() =>
    expect([...drafts.values()].map(({ name }) => name)).toEqual([
      "Winter",
      "Chapter 1! (3 of 3)",
      "Chapter 1! (2 of 3)",
      "Chapter 1! (1 of 3)",
    ]),
  );
  cleanup();
  const second = await halfWay();
  await second.user.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect([...second.drafts.keys()]).toEqual(["d1"]));
});

test("Cancel during the last part deletes all parts, and the next long text opens the dialog again", async () => {
  const titles = ["First", "Second"];
  const last = held();
  const { api, drafts, choose, user } = start({
    "POST /text/extract": () => ({
      text: chapters(20, 20_000),
      title: titles.shift(),
      has_title: true,
      format: "epub",
      encoding: "UTF-8",
      notes: [],
    }),
  });
  await paper();
  api.set("POST /drafts", async (call: { body: unknown }) => {
    if ((call.body as Draft).name === "First (1 of 3)") await last.answer;
    const draft = aDraft({ ...(call.body as object), id: `n${drafts.size}` });
    drafts.set(draft.id, draft);
    return draft;
  });
  await user.upload(choose(), [file("a.epub"), file("b.epub")]);
  await user.click(await screen.findByRole("button", { name: "Create 3 drafts" }));
  await waitFor(() => expect(api.to("POST /drafts")).toHaveLength(3));
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await last.give(null);
  await waitFor(() => expect([...drafts.keys()]).toEqual(["d1"]));
  expect(within(screen.getByRole("dialog")).getByRole("textbox", { name: "Name" })).toHaveValue("Second");
  expect(screen.getByRole("textbox", { name: "Text", hidden: true })).toHaveValue("The lamp");
});

test("a message or dialog for a file that was read after leaving the Studio is shown on return", async () => {
  const [book, bad] = [held(), held()];
  const answers = [book.answer, bad.answer];
  const { choose, user } = start({ "POST /text/extract": () => answers.shift() }, <Screens />);
  await paper();
  await user.upload(choose(), [file("skellig.epub"), file("bad.pdf")]);
  await user.click(screen.getByRole("button", { name: "History" }));
  await book.give({
    text: chapters(20, 20_000),
    title: "Skellig Head",
    has_title: true,
    format: "epub",
    encoding: "UTF-8",
    notes: [],
  });
  await user.click(screen.getByRole("button", { name: "Studio" }));
  const dialog = await screen.findByRole("dialog", { name: "This text is too long for one draft" });
  expect(within(dialog).getByRole("textbox", { name: "Name" })).toHaveValue("Skellig Head");
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  expect(screen.getByText(/bad\.pdf/)).toBeInTheDocument(); // it is still being read
  await user.click(screen.getByRole("button", { name: "History" }));
  await bad.give(reply(415, problem("unsupported_media", "This is no PDF.")));
  await new Promise((done) => setTimeout(done, 50));
  await user.click(screen.getByRole("button", { name: "Studio" }));
  await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("“bad.pdf” couldn’t be read."));
});

test("what was left out of an opened file is listed until it is closed or the next file is opened", async () => {
  const note = (code: string, detail: string, params = {}) => ({ code, detail, params });
  const book = { text: "From a book", title: "A book", has_title: true, format: "epub", encoding: "UTF-8" };
  const answers = [
    { ...book, notes: [note("pictures", "x", { count: 1234 }), note("new_kind", "The index was left out.")] },
    { ...book, notes: [note("pictures", "x", { count: 1 })] },
    { ...book, notes: [] },
  ];
  const { choose, user } = start({ "POST /text/extract": () => answers.shift() });
  await paper();
  await user.upload(choose(), file("skellig.epub"));
  const list = await screen.findByText("“skellig.epub” was opened with these changes:");
  expect(list.closest("[role=status]")).toHaveTextContent("1,234 pictures without a description were left out.");
  expect(list.closest("[role=status]")).toHaveTextContent("The index was left out.");
  await user.upload(choose(), file("other.epub"));
  await waitFor(() => expect(screen.getByText("One picture without a description was left out.")).toBeInTheDocument());
  expect(list).not.toBeInTheDocument();
  const shown = screen.getByText("“other.epub” was opened with these changes:").closest("[role=status]");
  await user.click(within(shown as HTMLElement).getByRole("button", { name: "Close" }));
  expect(screen.queryByText(/One picture/)).not.toBeInTheDocument();
});

test("a text pasted on Windows is split at chapters", async () => {
  const { user } = start();
  await user.click(await paper());
  await user.paste(chapters(20, 20_000).replaceAll("\n", "\r\n"));
  const dialog = await screen.findByRole("dialog", { name: "This text is too long for one draft" });
  for (const part of within(dialog).getAllByRole("listitem")) expect(part).toHaveTextContent(/^\dChapter \d/);
});

test("an unreadable file is named with the reason, offers no retry, and is cleared with the next draft", async () => {
  const { choose, user } = start({
    "POST /text/extract": reply(415, problem("unsupported_media", "x", { reason: "locked" })),
  });
  await paper();
  await user.upload(choose(), file("novel.epub"));
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("“novel.epub” couldn’t be read.");
  expect(alert).toHaveTextContent("This book is copy-protected. Choose a book without copy protection.");
  expect(within(alert).queryByRole("button", { name: "Try again" })).not.toBeInTheDocument();
  expect(within(alert).getByRole("button", { name: "Choose another file" })).toBeInTheDocument();
  await user.keyboard("{Control>}{Alt>}n{/Alt}{/Control}");
  await waitFor(() => expect(screen.queryByRole("alert")).not.toBeInTheDocument());
});

test("a temporary failure can be retried, and each of several files is reported or opened", async () => {
  const answers: unknown[] = [
    reply(500, problem("runtime_missing", "pdftotext is needed")),
    { text: "The ferry", title: "Ferry", has_title: true, format: "txt", encoding: "UTF-8", notes: [] },
    { text: "Now", title: "Now", has_title: true, format: "pdf", encoding: "", notes: [] },
  ];
  const { choose, user } = start({ "POST /text/extract": () => answers.shift() });
  await paper();
  await user.upload(choose(), [file("a.pdf"), file("b.txt")]);
  await waitFor(async () => expect(await paper()).toHaveValue("The ferry"));
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent(/“a.pdf” couldn’t be read\. ?Reading PDF files needs a free program, Poppler/);
  await user.click(within(alert).getByRole("button", { name: "Try again" }));
  await waitFor(async () => expect(await paper()).toHaveValue("Now"));
});

test("the reason is German when the language is German", async () => {
  await act(() => i18next.changeLanguage("de"));
  const { user } = start({
    "POST /text/extract": reply(415, problem("unsupported_media", "x", { reason: "no_book" })),
  });
  await screen.findByRole("textbox", { name: "Text" });
  await user.upload(screen.getByLabelText("Datei öffnen", { selector: "input" }), file("buch.epub"));
  await waitFor(() =>
    expect(screen.getByRole("alert")).toHaveTextContent(
      /„buch.epub“ konnte nicht gelesen werden\. ?Sie ist keine EPUB-Datei oder ist beschädigt/,
    ),
  );
  await act(() => i18next.changeLanguage("en"));
});

test("the file dialog of the desktop window opens a book in the Studio, and a screenplay in Script", async () => {
  const chosen = ["book.epub", "play.fountain"];
  const handed: { id: string; name: string }[] = [];
  let handOver: () => void = () => undefined;
  const OpenText = vi.fn(() => {
    handed.push({ id: "f1", name: chosen.shift() ?? "" });
    handOver();
    return Promise.resolve();
  });
  const Address = () => Promise.resolve({ url: "", token: "" });
  window.go = { desktop: { Bridge: { Address, OpenText, HandedFiles: () => Promise.resolve(handed.splice(0)) } } };
  window.runtime = {
    EventsOn: (event, listener) => {
      if (event === "menu:open-files") handOver = listener;
      return () => undefined;
    },
  };
  const { user } = start({
    "GET /handed/{id}": reply(200, "x"),
    "POST /text/extract": {
      text: "From a book",
      title: "A book",
      has_title: true,
      format: "epub",
      encoding: "UTF-8",
      notes: [],
    },
  });
  await user.click(await paper());
  await user.keyboard("{Control>}o{/Control}");
  await waitFor(async () => expect(await paper()).toHaveValue("From a book"));
  await user.keyboard("{Control>}o{/Control}");
  await waitFor(() => expect(location.hash).toMatch(/^#\/script\?new=/));
  delete window.go;
  delete window.runtime;
});

test("a file dropped anywhere in the Studio is read, and the overlay disappears", async () => {
  start({
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
  const dataTransfer = { types: ["Files"], files: [file("book.epub")], dropEffect: "" };
  fireEvent.dragOver(document.body, { dataTransfer });
  expect(screen.getByText("Drop to open as a new draft")).toBeInTheDocument();
  fireEvent.drop(await paper(), { dataTransfer });
  expect(screen.queryByText("Drop to open as a new draft")).not.toBeInTheDocument();
  await waitFor(async () => expect(await paper()).toHaveValue("From a book"));
});

test("a pause inserted inside a word goes after it, and the selection is kept", async () => {
  const { user } = start();
  const field = (await paper()) as HTMLTextAreaElement;
  act(() => {
    field.focus();
    field.setSelectionRange(5, 6);
  });
  await user.keyboard("{Control>}b{/Control}");
  expect(field).toHaveValue("The lamp [pause 0.5s] ");
  act(() => navigate("#/studio"));
});

test("a draft of a file has the title in it, else the name that the same text has when it is pasted", async () => {
  const answers = [
    { text: "The Ledger\n\nIt rained.", title: "ch1", has_title: false, format: "txt", encoding: "UTF-8", notes: [] },
    { text: "The Ledger\n\nIt snowed.", title: "ch2", has_title: false, format: "txt", encoding: "UTF-8", notes: [] },
    { text: "Preface", title: "A book", has_title: true, format: "epub", encoding: "UTF-8", notes: [] },
    { text: "Preface", title: "A book", has_title: true, format: "docx", encoding: "UTF-8", notes: [] },
  ];
  const { drafts, choose, user } = start({ "POST /text/extract": () => answers.shift() });
  await paper();
  await user.upload(choose(), ["ch1.txt", "ch2.txt", "a.epub", "part two.docx"].map(file));
  const made = () => [...drafts.values()].slice(1).map(({ name, content }) => [name, content.named]);
  await waitFor(() =>
    expect(made()).toEqual([
      ["The Ledger", false],
      ["The Ledger (ch2)", true],
      ["A book", true],
      ["A book (part two)", true],
    ]),
  );
});
