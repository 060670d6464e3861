import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { aBook, aBookRow, aChapter, aGeneration, aProfile, page, reply } from "@/test";
import { fakeWindow, open } from "../testKit";
import { isIsbn } from "./checks";
import { player } from "@/player";

beforeEach(fakeWindow);

describe("the details of a book", () => {
  const voice = aProfile({ name: "Anna" });
  async function show(part = {}) {
    const book = aBook({ options: { profile_id: voice.id }, ...part });
    const view = open(
      {
        "GET /books/{id}": book,
        "PATCH /books/{id}": book,
        "PUT /books/{id}/cover": { ...book, has_cover: true },
        "DELETE /books/{id}/cover": book,
        "GET /profiles/{id}": voice,
      },
      book.id,
    );
    await view.user.click(await screen.findByRole("button", { name: "Book details" }));
    return view;
  }
  const field = (name: string) => screen.findByRole("textbox", { name });

  it("are saved as each field is left; the voice is the narrator where none is written", async () => {
    const { user, api } = await show();
    await waitFor(() =>
      expect(screen.getByRole("textbox", { name: "Narrator" })).toHaveAttribute("placeholder", "Anna"),
    );
    await user.type(await field("Year"), "2026");
    await user.tab();
    await waitFor(() => expect(api.to("PATCH /books/{id}")[0]?.body).toEqual({ year: "2026" }));
  });

  it("are refused where they cannot be right, with the reason", async () => {
    const { user, api } = await show();
    await user.clear(await field("Title"));
    await user.tab();
    expect(screen.getByText("Enter a title.")).toBeVisible();
    await user.type(await field("ISBN"), "978-3-16-148410-1");
    await user.tab();
    expect(screen.getByText("Enter the 10 or 13 digits of the ISBN.")).toBeVisible();
    expect(api.to("PATCH /books/{id}")).toEqual([]);
    await user.type(await field("ISBN"), "{Backspace}0");
    await user.tab();
    await waitFor(() => expect(api.to("PATCH /books/{id}")[0]?.body).toEqual({ isbn: "978-3-16-148410-0" }));
    expect(screen.queryByText("Enter the 10 or 13 digits of the ISBN.")).toBeNull();
  });

  it("have a cover, which is dropped or removed; other files are refused", async () => {
    const { user, api } = await show({ has_cover: true });
    const hint = await screen.findByText(/^JPEG or PNG/);
    const dropOn = (file: File) => fireEvent.drop(hint, { dataTransfer: { types: ["Files"], files: [file] } });
    dropOn(new File(["x"], "a.gif", { type: "image/gif" }));
    await waitFor(() => expect(screen.getByText("Choose a JPEG or PNG picture.")).toBeVisible());
    dropOn(new File(["x"], "a.png", { type: "image/png" }));
    await waitFor(() => expect(api.to("PUT /books/{id}/cover")).toHaveLength(1));
    await user.click(await screen.findByRole("button", { name: "Remove cover" }));
    await waitFor(() => expect(api.to("DELETE /books/{id}/cover")).toHaveLength(1));
  });
});

describe("an ISBN", () => {
  it("is correct with its check digit, of 10 or 13 digits", () => {
    for (const good of ["", "0-306-40615-2", "ISBN 080442957X", "978 0 306 40615 7"]) expect(isIsbn(good)).toBe(true);
    for (const bad of ["0306406153", "9780306406158", "1234567890123", "abc"]) expect(isIsbn(bad)).toBe(false);
  });
});

describe("exporting a book", () => {
  const size = { bytes: 96_000_000, seconds: 42 };
  function show(state: "done" | "new", encoders: string[], length_seconds = 3725) {
    const book = aBook({ chapters: [aChapter({ state }), aChapter({ title: "The ferry", state: "done" })], state });
    return open(
      {
        "GET /books/{id}": { ...book, length_seconds },
        "GET /books/{id}/export/size": size,
        "GET /books/{id}/export": reply(200, {}),
        "POST /books/{id}/generate": book,
        "GET /system": {
          os: "linux",
          encoders,
          libraries: [{ name: "ffmpeg", available: false, install: { page: "https://example.org", packages: [] } }],
        },
      },
      book.id,
    );
  }

  it("says its size, length and time before, and saves the m4b with two clicks", async () => {
    URL.createObjectURL = () => "blob:book";
    URL.revokeObjectURL = () => undefined;
    const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue(undefined);
    const { user, api } = show("done", ["wav", "m4a", "mp3"]);
    await user.click(await screen.findByRole("button", { name: "Export" }));
    await waitFor(() =>
      expect(screen.getByText("About 96 MB for 1:02:05 of audio, ready in about 42 s.")).toBeVisible(),
    );
    await user.click(screen.getByRole("button", { name: "Export M4B" }));
    await waitFor(() => expect(saved).toHaveBeenCalled());
    expect(api.to("GET /books/{id}/export")[0]?.query.get("format")).toBe("m4b");
    saved.mockRestore();
  });

  it("is a zip file where one file would be longer than 24 hours", async () => {
    URL.createObjectURL = () => "blob:book";
    URL.revokeObjectURL = () => undefined;
    const names: string[] = [];
    const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const { user } = show("done", ["wav", "m4a"], 90_000);
    await user.click(await screen.findByRole("button", { name: "Export" }));
    await waitFor(() => expect(screen.getByText(/^Files of up to 24 hours/)).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Export M4B" }));
    await waitFor(() => expect(names).toEqual(["Skellig Head.zip"]));
    saved.mockRestore();
  });

  it("says what is not generated, and generates it", async () => {
    const { user, api } = show("new", ["wav", "m4a"]);
    await user.click(await screen.findByRole("button", { name: "Export" }));
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.getByText(/^“The lamp” has no up-to-date audio/)).toBeVisible();
    expect(dialog.getByRole("button", { name: "Export M4B" })).toBeDisabled();
    await user.click(dialog.getByRole("button", { name: "Generate 1 chapter" }));
    await waitFor(() => expect(api.to("POST /books/{id}/generate")).toHaveLength(1));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("helps to install FFmpeg where it is missing; WAV works without", async () => {
    const { user } = show("done", ["wav"]);
    await user.click(await screen.findByRole("button", { name: "Export" }));
    await waitFor(() => expect(screen.getByRole("group", { name: "FFmpeg" })).toBeVisible());
    expect(screen.getByRole("button", { name: "Export M4B" })).toBeDisabled();
    await user.selectOptions(screen.getByRole("combobox", { name: "Format" }), "wav");
    expect(screen.getByRole("button", { name: "Export WAV" })).toBeEnabled();
  });
});

describe("the cover of a book", () => {
  it("continues listening, and its menu deletes it", async () => {
    const row = aBookRow({ title: "Skellig Head", seconds: 60, place: { chapter_id: "c1", seconds: 12 } });
    const book = aBook({
      id: row.id,
      chapters: [aChapter({ id: "c1", state: "done", generations: ["g1"], seconds: 60 })],
    });
    const { user, api } = open({
      "GET /books": page([row]),
      "GET /books/{id}": { ...book, place: row.place },
      "GET /history/{id}": aGeneration({ id: "g1", duration: 60 }),
      "PUT /books/{id}/place": reply(204),
    });
    await user.click(await screen.findByRole("button", { name: "Continue listening to “Skellig Head”" }));
    await waitFor(() => expect(player.get().generation?.id).toBe("g1"));
    expect(location.hash).toBe("#/books");
    await user.click(screen.getByRole("button", { name: "More of “Skellig Head”" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete book" }));
    await screen.findByText("“Skellig Head” deleted");
    expect(player.get().generation).toBeNull();
    expect(api.to("DELETE /books/{id}")).toEqual([]);
  });
});

describe("deleting a book", () => {
  it("hides it, can be undone, and is sent when the undo bar ends", async () => {
    const row = aBookRow({ title: "Skellig Head" });
    const book = aBook({ id: row.id });
    const { user, api } = open(
      { "GET /books": page([row]), "GET /books/{id}": book, "DELETE /books/{id}": reply(204) },
      row.id,
    );
    const remove = async () => {
      await user.click(await screen.findByRole("button", { name: "More" }));
      await user.click(await screen.findByRole("menuitem", { name: "Delete book" }));
      expect(location.hash).toBe("#/books");
      await screen.findByText("“Skellig Head” deleted");
      expect(screen.queryByRole("link", { name: /Skellig Head/ })).toBeNull();
    };
    await remove();
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await user.click(await screen.findByRole("link", { name: /Skellig Head/ }));
    await remove();
    expect(api.to("DELETE /books/{id}")).toEqual([]);
    act(() => void window.dispatchEvent(new Event("pagehide")));
    await waitFor(() => expect(api.to("DELETE /books/{id}")).toHaveLength(1));
  });
});
