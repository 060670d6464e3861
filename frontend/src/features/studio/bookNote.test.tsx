import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { aBook, aChapter, aGeneration, fakeApi, renderWithProviders } from "@/test";
import { BookNote } from "./BookNote";

it("says which chapter of which book a text is, and leads back", async () => {
  const chapter = aChapter({ title: "The ferry", generations: ["g1", "g2"] });
  const book = aBook({ title: "Winter", chapters: [chapter] });
  fakeApi({ "GET /books/{id}": book });
  renderWithProviders(<BookNote generation={aGeneration({ id: "g2", request: { book_id: book.id } })} />);
  await waitFor(() => expect(screen.getByText(/^Chapter “The ferry” of “Winter”, part 2 of 2\./)).toBeVisible());
  expect(screen.getByRole("link", { name: "Back to the book" })).toHaveAttribute("href", `#/books/${book.id}`);
});

it("says nothing of a text that belongs to no book", () => {
  const api = fakeApi({});
  renderWithProviders(<BookNote generation={aGeneration()} />);
  expect(screen.queryByRole("link")).toBeNull();
  expect(api.to("GET /books/{id}")).toEqual([]);
});
