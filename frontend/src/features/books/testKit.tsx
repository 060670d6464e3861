import { fireEvent } from "@testing-library/react";
import { vi } from "vitest";
import { DropGuard } from "@/app/dropGuard";
import { fakeApi, fakeUploads, page, renderWithProviders, type Handler } from "@/test";
import Books from ".";

/** Renders the screen with the routes of the API, and its address: "" for all books, an id for one. */
export function open(routes: Record<string, Handler> = {}, id = "") {
  fakeUploads();
  const api = fakeApi({
    "GET /books": page([]),
    "GET /profiles": page([]),
    "GET /models/status": { models: [] },
    ...routes,
  });
  const view = renderWithProviders(
    <>
      <Books />
      <DropGuard />
    </>,
    { hash: id === "" ? "#/books" : `#/books/${id}` },
  );
  return { ...view, api };
}

/** Fakes the size of lists, which jsdom lacks. */
export function fakeWindow(): void {
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(36);
}

export const epub = (name: string): File => new File(["x"], name, { type: "application/epub+zip" });

export function drop(...files: File[]): void {
  fireEvent.drop(document.body, { dataTransfer: { types: ["Files"], files, items: [] } });
}
