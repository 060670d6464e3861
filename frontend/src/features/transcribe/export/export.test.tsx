import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { aSegment, aTranscript, page } from "@/test";
import { fakeWindow, open, openOne, row } from "../testKit";
import { setExportChoice } from "./choice";

beforeEach(() => {
  fakeWindow();
  setExportChoice({ format: "docx", times: true });
  URL.createObjectURL = () => "blob:x";
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
});

const file = { "GET /transcriptions/{id}/export": () => new Response("x") };

/** Two paragraphs of two speakers, the second of which goes on. */
const spoken = () =>
  aTranscript({
    segments: [
      aSegment({ id: 0, start: 0, end: 2, text: "The lamp was lit.", speaker: "Anna" }),
      aSegment({ id: 1, start: 2, end: 4, text: " She climbed.", speaker: "Ben" }),
      aSegment({ id: 2, start: 5, end: 6, text: " Far up.", speaker: "Ben", paragraph: true }),
    ],
    speakers: [
      { name: "Anna", seconds: 2, lines: 1, suggestion: null },
      { name: "Ben", seconds: 3, lines: 2, suggestion: null },
    ],
  });

it("a document is exported without times, which the next export remembers", async () => {
  const { api, user } = openOne(spoken(), file);
  await user.click(await screen.findByRole("button", { name: "Export" }));
  const dialog = await screen.findByRole("dialog", { name: "Export transcript" });
  expect(within(dialog).getByRole("radio", { name: "Word document (DOCX)" })).toBeChecked();
  await user.click(within(dialog).getByRole("switch", { name: "With times" }));
  await user.click(within(dialog).getByRole("button", { name: "Export DOCX" }));
  await waitFor(() => expect(api.to("GET /transcriptions/{id}/export")).toHaveLength(1));
  const { query } = api.to("GET /transcriptions/{id}/export")[0] ?? {};
  expect([query?.get("format"), query?.get("times")]).toEqual(["docx", "false"]);
  await user.click(screen.getByRole("button", { name: "Export" }));
  await waitFor(() => expect(screen.getByRole("switch", { name: "With times" })).not.toBeChecked());
  await user.click(screen.getByRole("radio", { name: "Speaker times (RTTM)" }));
  await user.click(screen.getByRole("button", { name: "Export RTTM" }));
  await waitFor(() => expect(api.to("GET /transcriptions/{id}/export")).toHaveLength(2));
  expect(api.to("GET /transcriptions/{id}/export")[1]?.query.get("times")).toBeNull();
});

it("a transcript is exported from its row", async () => {
  const talk = row({ title: "Talk" });
  const { api, user } = open({ "GET /transcriptions": page([talk]), "GET /transcriptions/{id}": talk, ...file });
  await user.click(await screen.findByRole("button", { name: "More for “Talk”" }));
  await user.click(await screen.findByRole("menuitem", { name: "Export…" }));
  await user.click(await screen.findByRole("button", { name: "Export DOCX" }));
  await waitFor(() => expect(api.to("GET /transcriptions/{id}/export")[0]?.params.id).toBe(talk.id));
});

it("the text is copied with its speakers", async () => {
  const { user } = openOne(spoken());
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await user.click(await screen.findByRole("button", { name: "Copy text" }));
  await user.click(await screen.findByRole("menuitem", { name: "Copy text with speakers" }));
  await waitFor(() => expect(copied).toHaveBeenCalledWith("Anna: The lamp was lit.\n\nBen: She climbed.\n\nFar up."));
});
