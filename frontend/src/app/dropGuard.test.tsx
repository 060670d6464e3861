import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { navigate, useRoute } from "@/lib/router";
import { renderWithProviders } from "@/test";
import { useDropTarget } from "@/lib/dropTarget";
import { takeIncoming } from "@/lib/incoming";
import { DropGuard } from "./dropGuard";

const take = vi.fn<(files: readonly File[]) => void>();
const bring = vi.fn<(files: readonly File[]) => void>();
const hear = vi.fn<(files: readonly File[]) => void>();
const studio = "Drop to open as a new draft";

function Taking({ files }: { files(files: readonly File[]): void }) {
  useDropTarget("Drop it here", files);
  return null;
}
/** A window with a field, where the Studio, the books and the voices accept files. */
function Screens() {
  const { screen: name } = useRoute();
  return (
    <>
      <input aria-label="Field" />
      {name === "studio" ? <Taking files={take} /> : null}
      {name === "voices" || name === "books" ? <Taking files={bring} /> : null}
      {name === "transcribe" ? <Taking files={hear} /> : null}
      <DropGuard />
    </>
  );
}

const text = new File(["x"], "book.epub");
const data = (files: File[], types = ["Files"]) => ({ dataTransfer: { types, files, dropEffect: "" } });
/** Reports whether the browser would have run its default action. */
const drop = (files: File[], types?: string[], on: Element = document.body) => fireEvent.drop(on, data(files, types));

beforeEach(() => {
  take.mockClear();
  bring.mockClear();
  hear.mockClear();
});

test.each(["#/script", "#/history"])("on %s a text is read in the Studio", (hash) => {
  renderWithProviders(<Screens />, { hash });
  expect(fireEvent.dragOver(document.body, data([text]))).toBe(false);
  expect(screen.getByText(studio)).toBeInTheDocument();
  expect(drop([text])).toBe(false);
  expect(location.hash).toBe("#/studio");
  expect(take).toHaveBeenCalledExactlyOnceWith([text]);
  expect(screen.queryByText(studio)).not.toBeInTheDocument();
});

/** The window while the Studio is loading, until its button is pressed. */
function LoadingStudio() {
  const [isLoaded, setLoaded] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setLoaded(true)}>
        Load
      </button>
      {isLoaded ? <Taking files={take} /> : null}
      <DropGuard />
    </>
  );
}

test("a text that is dropped while the Studio is still loading is read once it has loaded", async () => {
  const { user } = renderWithProviders(<LoadingStudio />, { hash: "#/studio" });
  fireEvent.dragOver(document.body, data([text]));
  expect(screen.getByText(studio)).toBeInTheDocument();
  drop([text]);
  expect(screen.queryByText(/can’t be dropped/)).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Load" }));
  expect(take).toHaveBeenCalledExactlyOnceWith([text]);
});

test("elsewhere a notice says where the file belongs, and opens a text in the Studio", async () => {
  const { user } = renderWithProviders(<Screens />, { hash: "#/models" });
  fireEvent.dragOver(document.body, data([text]));
  expect(screen.queryByText(studio)).not.toBeInTheDocument();
  expect(drop([new File(["x"], "voice.zip")])).toBe(false);
  expect(screen.getByText("Drop text files in Studio or Books and audio in Transcribe.")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Open in Studio" })).not.toBeInTheDocument();
  expect(drop([text])).toBe(false);
  await user.click(screen.getByRole("button", { name: "Open in Studio" }));
  expect(take).toHaveBeenCalledExactlyOnceWith([text]);
});

test("a screen that accepts files gets all but texts", async () => {
  const { user } = renderWithProviders(<Screens />, { hash: "#/voices" });
  const voice = new File(["x"], "voice.zip");
  drop([voice]);
  expect(bring).toHaveBeenCalledExactlyOnceWith([voice]);
  drop([text]);
  await user.click(screen.getByRole("button", { name: "Open in Studio" }));
  expect(take).toHaveBeenCalledExactlyOnceWith([text]);
  expect(bring).toHaveBeenCalledOnce();
});

test("a text that is dropped on Books stays there", () => {
  renderWithProviders(<Screens />, { hash: "#/books" });
  expect(drop([text])).toBe(false);
  expect(bring).toHaveBeenCalledExactlyOnceWith([text]);
  expect(location.hash).toBe("#/books");
});

test.each(["#/studio", "#/history", "#/transcribe"])("from %s audio and video go to Transcribe", (hash) => {
  renderWithProviders(<Screens />, { hash });
  const files = [new File(["x"], "talk.MP3"), new File(["x"], "clip", { type: "video/mp4" })];
  expect(drop(files)).toBe(false);
  expect(location.hash).toBe("#/transcribe");
  expect(hear).toHaveBeenCalledExactlyOnceWith(files);
  expect(take).not.toHaveBeenCalled();
});

test.each(["#/studio", "#/script", "#/history"])("from %s subtitles go to a new script", (hash) => {
  renderWithProviders(<Screens />, { hash });
  const file = new File(["x"], "Film.SRT");
  expect(drop([file])).toBe(false);
  expect(location.hash).toMatch(/^#\/script\?new=/);
  expect(takeIncoming("script")).toEqual([file]);
  expect(take).not.toHaveBeenCalled();
});

test("files that were opened with the window open like dropped ones, and an unreadable one is named", async () => {
  const handed = [[{ id: "a", name: "book.txt" }], [{ id: "b", name: "talk.mp3" }], [{ id: "gone", name: "gone.txt" }]];
  let openMore: () => void = () => undefined;
  window.go = {
    desktop: {
      Bridge: {
        Address: () => Promise.reject(new Error("unused")),
        HandedFiles: () => Promise.resolve(handed.shift() ?? null),
      },
    },
  };
  window.runtime = {
    EventsOn: (event, listener) => {
      if (event === "menu:open-files") openMore = listener;
      return () => undefined;
    },
  };
  vi.stubGlobal("fetch", (path: string) =>
    Promise.resolve(new Response("x", { status: path === "/handed/gone" ? 404 : 200 })),
  );
  renderWithProviders(<Screens />, { hash: "#/models" });
  await waitFor(() => expect(take.mock.calls[0]?.[0].map((file) => file.name)).toEqual(["book.txt"]));
  expect(location.hash).toBe("#/studio");
  act(openMore);
  await waitFor(() => expect(hear.mock.calls[0]?.[0].map((file) => file.name)).toEqual(["talk.mp3"]));
  expect(location.hash).toBe("#/transcribe");
  act(openMore);
  await waitFor(() => expect(screen.getByText(/“gone.txt” can’t be read/)).toBeInTheDocument());
  delete window.go;
  delete window.runtime;
  vi.unstubAllGlobals();
});

test("an address can only be dropped into a field, and text stays where it is dropped", () => {
  renderWithProviders(<Screens />, { hash: "#/studio" });
  expect(drop([], ["text/uri-list"])).toBe(false);
  expect(drop([], ["text/uri-list"], screen.getByLabelText("Field"))).toBe(true);
  expect(drop([], ["text/plain"])).toBe(true);
  expect(take).not.toHaveBeenCalled();
});

test("drags from inside the window, and drops while a dialog is open, are ignored", () => {
  renderWithProviders(<Screens />, { hash: "#/studio" });
  const question = document.body.appendChild(document.createElement("div"));
  question.className = "k-scrim";
  expect(drop([text])).toBe(false);
  question.remove();
  fireEvent.dragStart(document.body);
  expect(drop([text])).toBe(false);
  expect(take).not.toHaveBeenCalled();
  fireEvent.pointerMove(document.body);
  drop([text]);
  expect(take).toHaveBeenCalledOnce();
});

test("the overlay disappears when the drag ends without a drop", () => {
  vi.useFakeTimers();
  renderWithProviders(<Screens />, { hash: "#/studio" });
  fireEvent.dragOver(document.body, data([text]));
  expect(screen.getByText("Drop it here")).toBeInTheDocument();
  act(() => {
    vi.advanceTimersByTime(1000);
  });
  expect(screen.queryByText("Drop it here")).not.toBeInTheDocument();
  act(() => navigate("#/studio"));
  vi.useRealTimers();
});
