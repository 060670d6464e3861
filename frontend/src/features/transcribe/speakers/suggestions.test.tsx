import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { TranscriptChanges } from "@/api/types";
import { runCommand } from "@/lib/commands";
import { player } from "@/player";
import { KnownSpeakers } from "@/features/speakers";
import { aKnownSpeaker, aSegment, aTranscript, renderWithProviders, reply } from "@/test";
import { fakeWindow, openOne } from "../testKit";

beforeEach(fakeWindow);
afterEach(() => act(() => player.close()));

/** Opens two lines of two speakers, the first of whom sounds like Anna, on a server that forgets with the name what it suggested. */
function open(anna = aKnownSpeaker(), names = ["Speaker 1", "Speaker 2"]) {
  const suggestion = { id: anna.id, name: "Anna", cosine: 0.71 };
  const given = aTranscript({
    speakers: names.map((name, i) => ({ name, seconds: 10, lines: 1, suggestion: i === 0 ? suggestion : null })),
    segments: names.map((speaker, i) =>
      aSegment({
        id: i + 1,
        start: i * 10,
        end: i * 10 + 10,
        text: `Line ${String(i + 1)}.`,
        speaker,
        paragraph: true,
      }),
    ),
  });
  const renamed = { ...given, can_undo: true, speakers: given.speakers.slice(1) };
  return openOne(given, {
    "GET /speakers": { items: [anna], total: 1 },
    "PATCH /transcriptions/{id}": ({ body }: { body: unknown }) => {
      const [change] = (body as TranscriptChanges).speakers ?? [];
      const nameOf = (name: string) => (name === change?.name ? change.new_name : name);
      const segments = given.segments.map((one) => ({ ...one, speaker: nameOf(one.speaker) }));
      return { ...renamed, segments, speakers: [{ ...given.speakers[0], name: "Anna", suggestion: null }] };
    },
    "POST /transcriptions/{id}/undo": given,
  });
}
const use = { name: "Use “Anna” for Speaker 1" };

it("offers the name of a known speaker, uses it when it is accepted, and undoes that", async () => {
  const { user, api } = open();
  const offers = within(await screen.findByRole("list", { name: "Suggested names" }));
  expect(offers.getAllByRole("listitem")).toHaveLength(1);
  expect(offers.getByRole("listitem")).toHaveTextContent("Speaker 1: sounds like Anna");
  await user.click(screen.getByRole("button", use));
  await screen.findByText("Speaker 1 is now Anna");
  expect(api.to("PATCH /transcriptions/{id}")[0]?.body).toEqual({
    speakers: [{ name: "Speaker 1", new_name: "Anna" }],
  });
  expect(screen.queryByRole("list", { name: "Suggested names" })).toBeNull();
  await user.click(within(screen.getByText("Speaker 1 is now Anna").parentElement as HTMLElement).getByText("Undo"));
  await screen.findByRole("button", use);
});

it("does not offer a name again that was declined", async () => {
  const anna = aKnownSpeaker();
  const { user, client, given } = open(anna);
  await user.click(await screen.findByRole("button", { name: "Not Anna: Speaker 1 keeps the name" }));
  expect(screen.queryByRole("button", use)).toBeNull();
  await client.invalidateQueries();
  expect(screen.queryByRole("button", use)).toBeNull();
  expect(given.speakers[0]?.suggestion?.name).toBe("Anna"); // on the server, which is not told
});

it("is accepted and declined by commands", async () => {
  const anna = aKnownSpeaker();
  const { api } = open(anna);
  await screen.findByRole("button", use);
  act(() => runCommand(`transcribe:suggestion:${anna.id}`));
  await waitFor(() => expect(api.to("PATCH /transcriptions/{id}")).toHaveLength(1));
  const ben = aKnownSpeaker();
  cleanup();
  open(ben);
  await screen.findByRole("button", use);
  act(() => runCommand(`transcribe:suggestion:not:${ben.id}`));
  expect(screen.queryByRole("button", use)).toBeNull();
});

it("asks whether two speakers are one where somebody has the name already", async () => {
  const { user, api } = open(aKnownSpeaker(), ["Speaker 1", "Anna"]);
  await user.click(await screen.findByRole("button", use));
  await screen.findByRole("dialog", { name: /Anna/ });
  expect(api.to("PATCH /transcriptions/{id}")).toHaveLength(0);
});

it("withdraws the name of a speaker who is forgotten at once, and offers it again when that is undone", async () => {
  const anna = aKnownSpeaker();
  const { user } = open(anna);
  renderWithProviders(<KnownSpeakers />);
  await screen.findByRole("button", use);
  await user.click(await screen.findByRole("button", { name: "Forget Anna" }));
  expect(screen.queryByRole("button", use)).toBeNull();
  await user.click(within(screen.getByText("Anna forgotten").parentElement as HTMLElement).getByText("Undo"));
  expect(screen.getByRole("button", use)).toBeVisible();
});

it("opens the question about a voice from the menu of a speaker", async () => {
  const { user, api } = openOne(
    aTranscript({
      speakers: [{ name: "Anna", seconds: 10, lines: 1, suggestion: null }],
      segments: [aSegment({ id: 1, end: 10, text: "Line 1.", speaker: "Anna" })],
    }),
    { "GET /speakers": { items: [], total: 0 }, "POST /speakers": reply(201, aKnownSpeaker()) },
  );
  await user.click(await screen.findByRole("button", { name: "More for Anna" }));
  await user.click(await screen.findByRole("menuitem", { name: "Recognise this voice again…" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Recognise this voice again" }));
  await user.click(dialog.getByRole("radio", { name: "It is my own voice" }));
  await user.click(dialog.getByRole("button", { name: "Remember voice" }));
  await dialog.findByText("Voice print of Anna saved");
  expect(api.to("POST /speakers")[0]?.body).toMatchObject({ speaker: "Anna", name: "Anna", consent: "own_voice" });
  await user.click(dialog.getAllByRole("button", { name: "Close" })[0] as HTMLElement);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
