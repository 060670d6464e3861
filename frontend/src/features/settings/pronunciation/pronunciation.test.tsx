import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { aPronunciation, fakeApi, page, renderWithProviders, reply } from "@/test";
import { PronunciationPanel } from "./PronunciationPanel";

const word = aPronunciation();

it("adds a word and reports an existing one", async () => {
  const server = fakeApi({ "GET /pronunciations": page([]), "POST /pronunciations": word });
  const { user } = renderWithProviders(<PronunciationPanel />);
  await screen.findByText("No words yet");
  await user.type(screen.getByLabelText("Word"), "Caoimhe");
  await user.type(screen.getByLabelText("Sounds like"), "KEE-va{Enter}");
  await waitFor(() =>
    expect(server.to("POST /pronunciations")[0]?.body).toEqual({ word: "Caoimhe", respelling: "KEE-va", language: "" }),
  );
  await waitFor(() => expect(screen.getByLabelText("Word")).toHaveValue(""));
  server.set("POST /pronunciations", () => reply(409, { code: "name_taken", detail: "", remedy: "", params: {} }));
  await user.type(screen.getByLabelText("Word"), "Caoimhe");
  await user.type(screen.getByLabelText("Sounds like"), "x{Enter}");
  await waitFor(() => expect(screen.getByText("This word is already in the dictionary.")).toBeVisible());
});

it("edits a word in place", async () => {
  const server = fakeApi({ "GET /pronunciations": page([word]), "PUT /pronunciations/{id}": word });
  const { user } = renderWithProviders(<PronunciationPanel />);
  await user.click((await screen.findAllByRole("button", { name: "Edit Caoimhe" }))[0] as HTMLElement);
  const form = screen.getByRole("form", { name: "Edit Caoimhe" });
  const field = form.querySelectorAll("input")[1] as HTMLInputElement;
  await user.clear(field);
  await user.type(field, "KWEE-va{Enter}");
  await waitFor(() =>
    expect(server.to("PUT /pronunciations/{id}")[0]?.body).toEqual({
      word: "Caoimhe",
      respelling: "KWEE-va",
      language: "en",
    }),
  );
});

it("deletes with undo", async () => {
  const server = fakeApi({ "GET /pronunciations": page([word]), "DELETE /pronunciations/{id}": reply(204) });
  const { user } = renderWithProviders(<PronunciationPanel />);
  await user.click(await screen.findByRole("button", { name: "Delete Caoimhe" }));
  expect(screen.queryByText("KEE-va")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(screen.getByText("KEE-va")).toBeVisible();
  expect(server.to("DELETE /pronunciations/{id}")).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Delete Caoimhe" }));
  await user.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(server.to("DELETE /pronunciations/{id}")).toHaveLength(1));
});

it("lists the lines that an import skipped", async () => {
  fakeApi({
    "GET /pronunciations": page([word]),
    "POST /pronunciations/import": {
      added: 2,
      replaced: 1,
      skipped: [{ line: 3, reason: "no word" }],
      skipped_total: 1,
    },
  });
  const { user } = renderWithProviders(<PronunciationPanel />);
  await user.upload(screen.getByLabelText("Import"), new File(["word,respelling"], "words.csv", { type: "text/csv" }));
  await waitFor(() => expect(screen.getByText("2 words added, 1 replaced.")).toBeVisible());
  expect(screen.getByText("Line 3: no word")).toBeVisible();
});

it("shows how a sentence will be spoken", async () => {
  fakeApi({
    "GET /pronunciations": page([]),
    "POST /text/preview": {
      spoken: "KEE-va sings.",
      sentences: [],
      chunks: [],
      phonemes: "kiːvə",
      seconds: 1,
      dropped_tags: [],
      pauses: [],
      shortened_pauses: [],
    },
  });
  const { user } = renderWithProviders(<PronunciationPanel />);
  await user.type(screen.getByLabelText("Try it"), "Caoimhe sings.");
  await waitFor(() => expect(screen.getByText("KEE-va sings.")).toBeVisible());
  expect(screen.getByText("kiːvə")).toBeVisible();
});
