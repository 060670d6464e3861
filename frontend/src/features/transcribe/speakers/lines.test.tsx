import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Transcript } from "@/api/types";
import { ShortcutHelp } from "@/app/ShortcutHelp";
import { player } from "@/player";
import { aSegment, aTranscript, renderWithProviders, reply } from "@/test";
import { fakeWindow, openOne, talk } from "../testKit";

beforeEach(fakeWindow);
afterEach(() => act(() => player.close()));

const bar = () => within(screen.getByRole("region", { name: "Speakers" }));
const line = (time: string) => screen.findByRole("button", { name: `Play from ${time}` });
const sent = (api: ReturnType<typeof openOne>["api"]) => api.to("PATCH /transcriptions/{id}").map(({ body }) => body);

describe("the speaker of a line", () => {
  it("is set by the keys 1 to 9 while the line has the focus", async () => {
    const { user, api } = openOne(talk());
    (await line("0:00")).focus();
    await user.keyboard("3");
    await waitFor(() => expect(sent(api)).toEqual([{ segments: [{ id: 1, speaker: "Cleo" }] }]));
    await waitFor(() =>
      expect(bar().getByRole("button", { name: "Filter by Cleo" }).closest("li")).toHaveTextContent("2 lines"),
    );
    expect(await line("0:00")).toHaveFocus();
    await user.keyboard("9"); // there are three speakers
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(() =>
      expect(bar().getByRole("button", { name: "Filter by Cleo" }).closest("li")).toHaveTextContent("1 line"),
    );
    expect(sent(api)).toHaveLength(1);
  });

  it("is not changed by digits elsewhere or in a text field", async () => {
    const { user, api } = openOne(talk());
    await line("0:00");
    await user.keyboard("2");
    await user.click(screen.getByRole("textbox", { name: "Title" }));
    await user.keyboard("2{Escape}");
    await user.click(bar().getByRole("button", { name: "Rename Ben" }));
    await user.keyboard("3{Escape}");
    expect(sent(api)).toEqual([]);
  });

  it("leaves the focus near a line that is filtered out by its new speaker", async () => {
    const { user } = openOne(talk());
    await user.click(await screen.findByRole("button", { name: "Filter by Anna" }));
    (await line("0:00")).focus();
    await user.keyboard("2");
    await waitFor(() => expect(screen.getByRole("button", { name: "Play from 0:20" })).toHaveFocus());
    expect(screen.queryByRole("button", { name: "Play from 0:00" })).toBeNull();
  });

  it("is listed with its keys in the help", async () => {
    openOne(talk());
    await line("0:00");
    renderWithProviders(<ShortcutHelp open onOpenChange={() => undefined} />, { hash: location.hash });
    const help = within(await screen.findByRole("dialog"));
    expect(help.getByText("This line is Ben").closest("div")).toHaveTextContent("2");
  });

  it("is chosen in the menu of the line, also as a new one", async () => {
    const { user, api } = openOne(talk());
    await user.click(await screen.findByRole("button", { name: "More for the paragraph at 0:10" }));
    screen.getByRole("menuitem", { name: "This line is" }).focus();
    await user.keyboard("{ArrowRight}");
    await waitFor(() => expect(screen.getByRole("menuitemcheckbox", { name: /^Ben/ })).toBeChecked());
    await user.keyboard("{Enter}"); // the first one
    await waitFor(() => expect(sent(api)).toEqual([{ segments: [{ id: 2, speaker: "Anna" }] }]));
    await user.click(await screen.findByRole("button", { name: "More for the paragraph at 0:30" }));
    screen.getByRole("menuitem", { name: "This line is" }).focus();
    await user.keyboard("{ArrowRight}{End}{Enter}");
    const dialog = await screen.findByRole("dialog", { name: "Who is speaking?" });
    await user.clear(within(dialog).getByLabelText("Name"));
    await user.type(within(dialog).getByLabelText("Name"), "Dora{Enter}");
    await waitFor(() => expect(sent(api)[1]).toEqual({ segments: [{ id: 4, speaker: "Dora" }] }));
  });
});

describe("a line", () => {
  const long = () =>
    aTranscript({
      duration: 20,
      segments: [
        aSegment({ id: 1, start: 0, end: 8, text: "Are you sure? Yes.", speaker: "Anna", paragraph: true }),
        aSegment({ id: 2, start: 8, end: 10, text: "Of course.", speaker: "Anna" }),
        aSegment({ id: 3, start: 10, end: 20, text: "Good.", speaker: "Ben", paragraph: true }),
      ],
    });

  it("is split at a word, and the rest given to another speaker", async () => {
    const given = long();
    const [first, ...others] = given.segments;
    if (!first) throw new Error("segments");
    const after: Transcript = {
      ...given,
      can_undo: true,
      segments: [
        { ...first, text: "Are you sure?", end: 6 },
        aSegment({ id: 4, start: 6, end: 8, text: " Yes.", speaker: "Anna" }),
        ...others,
      ],
    };
    const { user, api } = openOne(given, { "POST /transcriptions/{id}/segments/{segment}/split": after });
    await user.click(await screen.findByRole("button", { name: "More for the paragraph at 0:00" }));
    await user.click(screen.getByRole("menuitem", { name: "Split here…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Split the line" }));
    expect(dialog.queryByRole("radio", { name: "Are" })).toBeNull(); // nothing is before it
    expect(dialog.getByRole("button", { name: "Split" })).toBeDisabled();
    expect(dialog.getByLabelText("Who speaks from there on?")).toHaveDisplayValue("Ben");
    await user.click(dialog.getByRole("radio", { name: "Yes." }));
    await user.click(dialog.getByRole("button", { name: "Split" }));
    await waitFor(() =>
      expect(sent(api)).toEqual([
        {
          segments: [
            { id: 4, speaker: "Ben" },
            { id: 2, speaker: "Ben" },
          ],
        },
      ]),
    );
    expect(api.to("POST /transcriptions/{id}/segments/{segment}/split")[0]).toMatchObject({ body: { word: 4 } });
  });

  it("is not cut where a sentence begins that is one already", async () => {
    const { user, api } = openOne(long());
    await user.click(await screen.findByRole("button", { name: "More for the paragraph at 0:00" }));
    await user.click(screen.getByRole("menuitem", { name: "Split here…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Split the line" }));
    await user.click(dialog.getByRole("radio", { name: "Of" }));
    await user.selectOptions(dialog.getByLabelText("Who speaks from there on?"), "New speaker…");
    await user.type(dialog.getByLabelText("Name"), "Cleo{Enter}");
    await waitFor(() => expect(sent(api)).toEqual([{ segments: [{ id: 2, speaker: "Cleo" }] }]));
  });
});

describe("the lines that nobody set", () => {
  const part = (found: boolean) =>
    aTranscript({
      segments: ["Anna", "Ben"].map((speaker, i) =>
        aSegment({ id: i + 1, start: i * 10, end: i * 10 + 10, text: "Yes.", speaker, speaker_found: found || i > 0 }),
      ),
    });

  it("are compared with the voices of those that a person set", async () => {
    const given = part(false);
    const { user, api } = openOne(given, {
      "POST /transcriptions/{id}/speakers": reply(202, {
        ...given,
        finding_speakers: { status: "queued", progress: 0 },
      }),
    });
    await user.click(await screen.findByRole("button", { name: "Reassign the rest" }));
    await waitFor(() => expect(api.to("POST /transcriptions/{id}/speakers")[0]?.body).toEqual({ reassign: true }));
    await waitFor(() => expect(screen.getByRole("progressbar")).toBeVisible());
    expect(screen.queryByRole("button", { name: "Reassign the rest" })).toBeNull(); // while it runs
  });

  it("can be confirmed by the key of the speaker that they have, which makes the others comparable", async () => {
    const { user, api } = openOne(part(true));
    (await line("0:00")).focus();
    await user.keyboard("1");
    await waitFor(() => expect(sent(api)).toEqual([{ segments: [{ id: 1, speaker: "Anna" }] }]));
    await screen.findByRole("button", { name: "Reassign the rest" });
    await user.keyboard("1"); // it is set now
    await user.keyboard("2");
    await waitFor(() => expect(sent(api)[1]).toEqual({ segments: [{ id: 1, speaker: "Ben" }] }));
  });

  it("stay while there is nothing to compare them with", async () => {
    openOne(part(true));
    await screen.findByRole("button", { name: "Filter by Anna" });
    expect(screen.queryByRole("button", { name: "Reassign the rest" })).toBeNull();
  });
});
