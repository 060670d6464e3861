import { act, fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { navigate, useRoute } from "@/lib/router";
import { renderWithProviders } from "@/test";
import { useDropTarget } from "@/lib/dropTarget";
import { DropGuard } from "./dropGuard";

const take = vi.fn<(files: readonly File[]) => void>();
const bring = vi.fn<(files: readonly File[]) => void>();
const studio = "Drop to open as a new draft";

function Taking({ files }: { files(files: readonly File[]): void }) {
  useDropTarget("Drop it here", files);
  return null;
}
/** A window with a field, where the Studio and the voices take files. */
function Screens() {
  const { screen: name } = useRoute();
  return (
    <>
      <input aria-label="Field" />
      {name === "studio" ? <Taking files={take} /> : null}
      {name === "voices" ? <Taking files={bring} /> : null}
      <DropGuard />
    </>
  );
}

const text = new File(["x"], "book.epub");
const data = (files: File[], types = ["Files"]) => ({ dataTransfer: { types, files, dropEffect: "" } });
/** Whether the browser would have done with it what it does by itself. */
const drop = (files: File[], types?: string[], on: Element = document.body) => fireEvent.drop(on, data(files, types));

beforeEach(() => {
  take.mockClear();
  bring.mockClear();
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

test("elsewhere a bar says where it belongs, and opens a text in the Studio", async () => {
  const { user } = renderWithProviders(<Screens />, { hash: "#/models" });
  fireEvent.dragOver(document.body, data([text]));
  expect(screen.queryByText(studio)).not.toBeInTheDocument();
  expect(drop([new File(["x"], "voice.zip")])).toBe(false);
  expect(screen.getByText(/Files can’t be dropped on this screen/)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Open in Studio" })).not.toBeInTheDocument();
  expect(drop([text])).toBe(false);
  await user.click(screen.getByRole("button", { name: "Open in Studio" }));
  expect(take).toHaveBeenCalledExactlyOnceWith([text]);
});

test("a screen that takes files gets all but texts", async () => {
  const { user } = renderWithProviders(<Screens />, { hash: "#/voices" });
  const voice = new File(["x"], "voice.zip");
  drop([voice]);
  expect(bring).toHaveBeenCalledExactlyOnceWith([voice]);
  drop([text]);
  await user.click(screen.getByRole("button", { name: "Open in Studio" }));
  expect(take).toHaveBeenCalledExactlyOnceWith([text]);
  expect(bring).toHaveBeenCalledOnce();
});

test("an address leads nowhere but into a field, and words go where they are dropped", () => {
  renderWithProviders(<Screens />, { hash: "#/studio" });
  expect(drop([], ["text/uri-list"])).toBe(false);
  expect(drop([], ["text/uri-list"], screen.getByLabelText("Field"))).toBe(true);
  expect(drop([], ["text/plain"])).toBe(true);
  expect(take).not.toHaveBeenCalled();
});

test("what is dragged from here, and what comes while a question is open, is not taken", () => {
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

test("the veil goes when the drag goes without a drop", () => {
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
