import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Book, Generation } from "@/api/types";
import { player } from "@/player";
import { PlayerBar } from "@/player/PlayerBar";
import { aBook, aChapter, aGeneration, fakeApi, page, renderWithProviders, reply, type Handler } from "@/test";
import Books from "..";
import { fakeWindow } from "../testKit";
import { Listening } from "./Listening";
import { stopListening } from "./listening";

let sound: HTMLAudioElement;

beforeEach(() => {
  fakeWindow();
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(function (this: HTMLAudioElement) {
    const element = this; // eslint-disable-line @typescript-eslint/no-this-alias
    sound = element;
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  });
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(function (this: HTMLAudioElement) {
    this.dispatchEvent(new Event("pause"));
  });
});
afterEach(() =>
  act(() => {
    stopListening();
    player.close();
  }),
);

/** A book with a generation of a minute for each id. */
function bookOf(chapters: Book["chapters"], part: Partial<Book> = {}): Book {
  return aBook({ title: "Skellig Head", options: { chapter_pause: 0 }, chapters, ...part });
}
const heard = (title: string, ...generations: string[]) =>
  aChapter({ title, state: "done", generations, seconds: 60 * generations.length, progress: 1 });
const made = (id: string, part: Partial<Generation> = {}) => aGeneration({ id, duration: 60, ...part });

function show(book: Book, routes: Record<string, Handler> = {}) {
  const api = fakeApi({
    "GET /books": page([]),
    "GET /books/{id}": book,
    "GET /history/{id}": ({ params }: { params: { id: string } }) => made(params.id),
    "GET /history/{id}/peaks": { peaks: [] },
    "GET /system": { encoders: [], libraries: [] },
    "PUT /books/{id}/place": reply(204),
    ...routes,
  });
  const view = renderWithProviders(
    <>
      <Books />
      <PlayerBar />
      <Listening />
    </>,
    { hash: `#/books/${book.id}` },
  );
  return { ...view, api };
}
const bar = () => within(screen.getByRole("region", { name: "Player" }));
const end = () => act(() => void sound.dispatchEvent(new Event("ended")));
function moveTo(seconds: number) {
  act(() => {
    Object.defineProperty(sound, "currentTime", { value: seconds, writable: true, configurable: true });
    sound.dispatchEvent(new Event("timeupdate"));
  });
}

describe("listening to a book", () => {
  it("goes on with the next chapter, over all its parts and without those that are skipped", async () => {
    const { user } = show(
      bookOf([heard("The lamp", "g1", "g2"), { ...heard("Notes", "g3"), skipped: true }, heard("The ferry", "g4")]),
    );
    await user.click(await screen.findByRole("button", { name: "Play “The lamp”" }));
    await waitFor(() => expect(player.get().generation?.id).toBe("g1"));
    expect(bar().getByText("The lamp")).toBeVisible();
    expect(bar().getByRole("link", { name: "Skellig Head" })).toBeVisible();
    end();
    await waitFor(() => expect(player.get().generation?.id).toBe("g2"));
    expect(bar().getByText("The lamp")).toBeVisible();
    end();
    await waitFor(() => expect(player.get()).toMatchObject({ generation: { id: "g4" }, playing: true }));
    expect(bar().getByText("The ferry")).toBeVisible();
    expect(bar().getByRole("button", { name: "Next chapter" })).toHaveAttribute("aria-disabled", "true");
    end();
    await waitFor(() => expect(player.get().playing).toBe(false));
  });

  it("goes to the next chapter and back by the buttons of the player", async () => {
    const { user } = show(bookOf([heard("The lamp", "g1"), heard("The ferry", "g2")]));
    await user.click(await screen.findByRole("button", { name: "Play “The lamp”" }));
    await waitFor(() => expect(player.get().generation?.id).toBe("g1"));
    await user.click(bar().getByRole("button", { name: "Next chapter" }));
    await waitFor(() => expect(player.get()).toMatchObject({ generation: { id: "g2" }, playing: true }));
    await user.click(bar().getByRole("button", { name: "Previous chapter" }));
    await waitFor(() => expect(player.get().generation?.id).toBe("g1"));
  });

  it("stores the place when it pauses, and continues there", async () => {
    const book = bookOf([heard("The lamp", "g1", "g2"), heard("The ferry", "g3")]);
    const { user, api } = show(book);
    await user.click(await screen.findByRole("button", { name: "Play “The lamp”" }));
    await waitFor(() => expect(player.get().generation?.id).toBe("g1"));
    end();
    await waitFor(() => expect(player.get().generation?.id).toBe("g2"));
    moveTo(12.5);
    await user.click(bar().getByRole("button", { name: "Pause" }));
    const places = () => api.to("PUT /books/{id}/place").map(({ body }) => body);
    await waitFor(() => expect(places().at(-1)).toEqual({ chapter_id: book.chapters[0]?.id, seconds: 72.5 }));
    await user.click(bar().getByRole("button", { name: "Close the player" }));
    await user.click(screen.getByRole("button", { name: "Continue listening" }));
    await waitFor(() => expect(player.get()).toMatchObject({ generation: { id: "g2" }, playing: true }));
    expect(sound.currentTime).toBe(12.5);
  });

  it("continues at the place in the library, after the end of a chapter in the next one", async () => {
    const chapters = [heard("The lamp", "g1"), heard("The ferry", "g2")];
    const { user } = show(bookOf(chapters, { place: { chapter_id: chapters[0]?.id ?? "", seconds: 59.8 } }));
    await user.click(await screen.findByRole("button", { name: "Continue listening" }));
    await waitFor(() => expect(player.get().generation?.id).toBe("g2"));
  });

  it("waits for a chapter that is still to be generated", async () => {
    const next = aChapter({ title: "The ferry", state: "new", wanted: true, generations: [] });
    const book = bookOf([heard("The lamp", "g1"), next], { generating: true });
    const { user, api, client } = show(book);
    await user.click(await screen.findByRole("button", { name: "Play “The lamp”" }));
    await waitFor(() => expect(player.get().generation?.id).toBe("g1"));
    end();
    await waitFor(() => expect(player.get().playing).toBe(false));
    const ready = { ...next, state: "done" as const, wanted: false, generations: ["g2"], seconds: 60 };
    api.set("GET /books/{id}", { ...book, generating: false, chapters: [book.chapters[0], ready] });
    await act(() => client.invalidateQueries());
    await waitFor(() => expect(player.get()).toMatchObject({ generation: { id: "g2" }, playing: true }));
  });

  it("ends when something else is played", async () => {
    const { user } = show(bookOf([heard("The lamp", "g1"), heard("The ferry", "g2")]));
    await user.click(await screen.findByRole("button", { name: "Play “The lamp”" }));
    await waitFor(() => expect(player.get().generation?.id).toBe("g1"));
    act(() => player.load(made("other", { title: "Another" }), { play: true }));
    expect(bar().queryByRole("button", { name: "Next chapter" })).toBeNull();
    end();
    await waitFor(() => expect(screen.getByRole("button", { name: "Play “The lamp”" })).toBeVisible());
    expect(player.get().generation?.id).toBe("other");
  });
});
