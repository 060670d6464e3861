import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { navigate } from "@/lib/router";
import { player, playhead } from "@/player";
import { aTranscript, reply } from "@/test";
import { fakeWindow, open, openOne, word } from "../testKit";

beforeEach(fakeWindow);
afterEach(() => act(() => player.close()));

describe("a transcript", () => {
  it("plays from a word, and marks the word that is heard", async () => {
    const { user, given } = openOne();
    await screen.findByText("lamp", { selector: "[data-word]" });
    await user.click(word("climbed"));
    expect(player.get()).toMatchObject({ playing: true, generation: { id: given.id } });
    expect(playhead.get()).toBe(2.8);
    expect(word("climbed")).toHaveAttribute("data-now");
    await user.click(screen.getByRole("button", { name: "Play from 0:00" }));
    expect(word("The")).toHaveAttribute("data-now");
    expect(word("climbed")).not.toHaveAttribute("data-now");
  });

  it("underlines words that the model was unsure of, and goes to them", async () => {
    const { user } = openOne();
    await screen.findByText("lamp", { selector: "[data-word]" });
    expect(word("lamp")).toHaveAttribute("title", "Confidence 41%");
    expect(word("lit.")).not.toHaveAttribute("title");
    await user.keyboard("{F8}");
    expect(playhead.get()).toBe(0.3);
    await user.click(screen.getByRole("switch", { name: "Underline unsure words" }));
    expect(word("lamp")).not.toHaveAttribute("title");
  });

  it("is edited in place, saved when the sentence is left, undone and redone", async () => {
    const { user, api } = openOne();
    await screen.findByText("lamp", { selector: "[data-word]" });
    await user.dblClick(word("lamp"));
    const field = screen.getByRole("textbox", { name: "Edit the sentence" });
    expect(field).toHaveTextContent("The lamp was lit.");
    field.textContent = "The lantern was lit.";
    fireEvent.input(field);
    await user.keyboard("{Enter}");
    await waitFor(() =>
      expect(api.to("PATCH /transcriptions/{id}")[0]?.body).toEqual({
        segments: [{ id: 0, text: "The lantern was lit." }],
      }),
    );
    await waitFor(() => expect(screen.getByText("The lantern was lit.")).toBeVisible());
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(() => expect(screen.getByText("lamp", { selector: "[data-word]" })).toBeVisible());
    await user.keyboard("{Control>}{Shift>}z{/Shift}{/Control}");
    await waitFor(() => expect(screen.getByText("The lantern was lit.")).toBeVisible());
  });

  it("leaves the text as it was after Escape", async () => {
    const { user, api } = openOne();
    await screen.findByText("lamp", { selector: "[data-word]" });
    await user.dblClick(word("lamp"));
    const field = screen.getByRole("textbox", { name: "Edit the sentence" });
    field.textContent = "Nothing";
    fireEvent.input(field);
    await user.keyboard("{Escape}");
    expect(word("lamp")).toBeVisible();
    expect(api.to("PATCH /transcriptions/{id}")).toHaveLength(0);
  });

  it("is edited with the keyboard alone, sentence by sentence", async () => {
    const { user, api } = openOne();
    (await screen.findByRole("button", { name: "Play from 0:02" })).focus();
    await user.keyboard("e");
    expect(screen.getByRole("textbox", { name: "Edit the sentence" })).toHaveTextContent("She climbed the stairs.");
    await user.keyboard("{Shift>}{Tab}{/Shift}");
    const field = screen.getByRole("textbox", { name: "Edit the sentence" });
    expect(field).toHaveTextContent("The lamp was lit.");
    field.textContent = " ";
    fireEvent.input(field);
    await user.keyboard("{Enter}");
    await waitFor(() =>
      expect(api.to("PATCH /transcriptions/{id}")[0]?.body).toEqual({ segments: [{ id: 0, text: "" }] }),
    );
    await waitFor(() => expect(screen.queryByText("lamp")).toBeNull());
  });

  it("says that a change could not be saved, keeps it, and sends it when the page is left", async () => {
    const { user, api, unmount } = openOne(aTranscript(), {
      "PATCH /transcriptions/{id}": reply(507, { code: "insufficient_disk", detail: "full", remedy: "", params: {} }),
    });
    await screen.findByText("lamp", { selector: "[data-word]" });
    await user.dblClick(word("lamp"));
    const field = screen.getByRole("textbox", { name: "Edit the sentence" });
    field.textContent = "The lantern.";
    fireEvent.input(field);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("There isn’t enough disk space."));
    expect(screen.getByText("The lantern.")).toBeVisible();
    api.set("PATCH /transcriptions/{id}", aTranscript());
    unmount();
    await waitFor(() => expect(api.to("PATCH /transcriptions/{id}")).toHaveLength(2));
    expect(api.to("PATCH /transcriptions/{id}")[1]?.body).toEqual({ segments: [{ id: 0, text: "The lantern." }] });
  });

  it("without audio can be edited and left with the keyboard", async () => {
    const { user } = openOne(aTranscript({ audio_url: "" }));
    (await screen.findByRole("button", { name: "Play from 0:02" })).focus();
    await user.keyboard("e");
    expect(screen.getByRole("textbox", { name: "Edit the sentence" })).toHaveTextContent("She climbed the stairs.");
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("textbox", { name: "Edit the sentence" })).toBeNull();
    expect(screen.getByRole("button", { name: "Play from 0:02" })).toHaveFocus();
  });

  it("still has a change that could not be saved when it is opened again", async () => {
    const { api } = openOne(aTranscript(), {
      "PATCH /transcriptions/{id}": reply(507, { code: "insufficient_disk", detail: "full", remedy: "", params: {} }),
    });
    fireEvent.doubleClick(await screen.findByText("lamp", { selector: "[data-word]" }));
    const field = screen.getByRole("textbox", { name: "Edit the sentence" });
    field.textContent = "The lantern.";
    fireEvent.input(field);
    act(() => navigate("#/transcribe"));
    await waitFor(() => expect(api.to("PATCH /transcriptions/{id}")).toHaveLength(1));
    act(() => navigate("#/transcribe/one"));
    await waitFor(() => expect(screen.getByText("The lantern.")).toBeVisible());
    api.set("PATCH /transcriptions/{id}", reply(404, { code: "transcript_not_found", detail: "", remedy: "" }));
    fireEvent.click(await screen.findByRole("button", { name: "Try now" }));
    fireEvent.click(await screen.findByRole("button", { name: "Discard changes" }));
    await waitFor(() => expect(screen.getByText("lamp", { selector: "[data-word]" })).toBeVisible());
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("shows a sentence that another window changed too", async () => {
    const { user, api, client, given } = openOne();
    await screen.findByText("lamp", { selector: "[data-word]" });
    await user.dblClick(word("lamp"));
    const field = screen.getByRole("textbox", { name: "Edit the sentence" });
    field.textContent = "The lantern.";
    fireEvent.input(field);
    const [first, second] = given.segments;
    if (!first || !second) throw new Error("two segments");
    const theirs = { ...given, segments: [{ ...first, text: "The light.", words: [] }, second] };
    api.set("GET /transcriptions/{id}", theirs);
    await act(() => client.refetchQueries({ queryKey: ["transcripts", "one"] }));
    await user.keyboard("{Enter}");
    const note = await screen.findByRole("alert");
    expect(note).toHaveTextContent("There: The light.");
    expect(api.to("PATCH /transcriptions/{id}")).toHaveLength(0);
    await user.click(within(note).getByRole("button", { name: "Use the other text" }));
    await waitFor(() => expect(screen.getByText("The light.")).toBeVisible());
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("names speakers from a paragraph on", async () => {
    const { user, api } = openOne();
    (await screen.findByRole("button", { name: "Play from 0:00" })).focus();
    await user.keyboard("s");
    const dialog = await screen.findByRole("dialog", { name: "Who is speaking?" });
    await user.type(within(dialog).getByLabelText("Name"), "Ada");
    await user.click(within(dialog).getByRole("radio", { name: "From here on" }));
    await user.click(within(dialog).getByRole("button", { name: "Assign" }));
    await waitFor(() =>
      expect(api.to("PATCH /transcriptions/{id}")[0]?.body).toEqual({
        segments: [
          { id: 0, speaker: "Ada" },
          { id: 1, speaker: "Ada" },
        ],
      }),
    );
    expect(word("lamp")).toBeVisible(); // the words are still known
  });

  it("finds within the text", async () => {
    const { user } = openOne();
    await screen.findByText("lamp", { selector: "[data-word]" });
    await user.keyboard("{Control>}f{/Control}");
    await user.type(screen.getByRole("textbox", { name: "Find" }), "THE");
    expect(screen.getByText("1 of 2")).toBeVisible();
    await user.keyboard("{Enter}");
    expect(screen.getByText("2 of 2")).toBeVisible();
    expect([...document.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["The", "the"]);
    await user.keyboard("{Escape}");
    expect(document.querySelector("mark")).toBeNull();
    expect(screen.getByRole("button", { name: "Play from 0:02" })).toHaveFocus(); // at the match
  });

  it("replaces matches one by one and all at once, each as one step of undo", async () => {
    const { user, api } = openOne();
    await screen.findByText("lamp", { selector: "[data-word]" });
    await user.keyboard("{Control>}h{/Control}");
    await user.type(screen.getByRole("textbox", { name: "Find" }), "the");
    await user.type(screen.getByRole("textbox", { name: "Replace with" }), "The big");
    expect(screen.getByText("1 of 2")).toBeVisible();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(document.body).toHaveTextContent("The big lamp was lit."));
    expect(screen.getByText("2 of 2")).toBeVisible(); // what was inserted is not replaced again
    await user.click(screen.getByRole("button", { name: "Replace all" }));
    await waitFor(() => expect(api.to("PATCH /transcriptions/{id}")).toHaveLength(2));
    expect(document.body).toHaveTextContent("The big big lamp was lit.");
    expect(document.body).toHaveTextContent("She climbed The big stairs.");
    await user.keyboard("{Escape}{Control>}z{/Control}");
    await waitFor(() => expect(document.body).toHaveTextContent("She climbed the stairs."));
    expect(document.body).toHaveTextContent("The big lamp was lit.");
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(() => expect(screen.getByText("lamp", { selector: "[data-word]" })).toBeVisible()); // with the times of its words
  });

  it("shows a match while it plays, and not at once the passage that is heard again", async () => {
    const { user } = openOne();
    await screen.findByText("lamp", { selector: "[data-word]" });
    await user.click(word("The"));
    const back = () => screen.queryByRole("button", { name: "Back to current passage" });
    await user.keyboard("{Control>}f{/Control}");
    expect(back()).toBeNull();
    await user.type(screen.getByRole("textbox", { name: "Find" }), "the");
    expect(back()).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Back to current passage" }));
    expect(back()).toBeNull();
    await user.click(screen.getByRole("button", { name: "Next match" }));
    expect(back()).toBeVisible();
  });

  it("finds but does not replace while the text is being transcribed", async () => {
    const { user } = openOne(aTranscript({ status: "transcribing" }));
    await screen.findByText("lamp", { selector: "[data-word]" });
    await user.keyboard("{Control>}h{/Control}");
    await user.type(screen.getByRole("textbox", { name: "Find" }), "lamp");
    expect(screen.getByText("1 of 1")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Replace all" })).toBeNull();
    expect(screen.getByRole("button", { name: "Show replace" })).toBeDisabled();
  });

  it("transcribes one paragraph again with another language", async () => {
    const given = aTranscript();
    const { user, api } = openOne(given, {
      "POST /transcriptions/{id}/rerun": reply(202, { ...given, status: "queued" }),
    });
    await user.click(await screen.findByRole("button", { name: "More for the paragraph at 0:02" }));
    await user.click(screen.getByRole("menuitem", { name: "Transcribe this part again" }));
    const dialog = await screen.findByRole("dialog", { name: "Transcribe a part again" });
    expect(within(dialog).getByLabelText("From")).toHaveValue("0:02");
    await user.clear(within(dialog).getByLabelText("To"));
    await user.type(within(dialog).getByLabelText("To"), "0:01");
    expect(within(dialog).getByRole("alert")).toHaveTextContent("Enter a later time than the start");
    await user.clear(within(dialog).getByLabelText("To"));
    await user.type(within(dialog).getByLabelText("To"), "0:04");
    await user.selectOptions(within(dialog).getByLabelText("Language"), "German");
    await user.click(within(dialog).getByRole("button", { name: "Transcribe" }));
    await waitFor(() =>
      expect(api.to("POST /transcriptions/{id}/rerun")[0]?.body).toEqual({
        from: 2.5,
        to: 4,
        model_name: "whisper-base",
        language: "de",
        download: false,
      }),
    );
  });

  it("is transcribed again with the names of before, or with others", async () => {
    const given = aTranscript({ prompt: "Ilse Lindqvist" });
    const { user, api } = openOne(given, {
      "POST /transcriptions/{id}/rerun": reply(202, { ...given, status: "queued" }),
    });
    await user.click(await screen.findByRole("button", { name: "More for the paragraph at 0:02" }));
    await user.click(screen.getByRole("menuitem", { name: "Transcribe this part again" }));
    const names = within(await screen.findByRole("dialog")).getByLabelText("Names and terms");
    expect(names).toHaveValue("Ilse Lindqvist");
    await user.type(names, ", Tynan ");
    await user.click(screen.getByRole("button", { name: "Transcribe" }));
    await waitFor(() =>
      expect(api.to("POST /transcriptions/{id}/rerun")[0]?.body).toMatchObject({ prompt: "Ilse Lindqvist, Tynan" }),
    );
  });

  it("is exported in seven formats, copied, and sent to the Studio", async () => {
    const { user, api } = openOne(aTranscript(), {
      "GET /transcriptions/{id}/export": () => new Response("1\n"),
      "POST /drafts": reply(201, { id: "d1" }),
    });
    const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    URL.createObjectURL = () => "blob:x";
    await user.click(await screen.findByRole("button", { name: "Export" }));
    const dialog = await screen.findByRole("dialog", { name: "Export transcript" });
    expect(within(dialog).getAllByRole("radio")).toHaveLength(7);
    expect(within(dialog).getByRole("radio", { name: "Speaker times (RTTM)" })).toBeDisabled();
    await user.click(within(dialog).getByRole("radio", { name: "Subtitles (SRT)" }));
    expect(within(dialog).queryByRole("switch")).toBeNull();
    await user.click(within(dialog).getByRole("button", { name: "Export SRT" }));
    await waitFor(() => expect(saved).toHaveBeenCalled());
    expect((saved.mock.instances[0] as unknown as HTMLAnchorElement).download).toBe("Interview.srt");
    expect(api.to("GET /transcriptions/{id}/export")[0]?.query.get("format")).toBe("srt");
    await user.click(screen.getByRole("button", { name: "Copy text" }));
    await waitFor(() => expect(screen.getByText("Text copied.")).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Send to Studio" }));
    await waitFor(() => expect(location.hash).toBe("#/studio?draft=d1"));
    expect(api.to("POST /drafts")[0]?.body).toMatchObject({ name: "Interview" });
  });

  it("is renamed in place", async () => {
    const { user, api } = openOne();
    const title = await screen.findByRole("textbox", { name: "Title" });
    await user.clear(title);
    await user.type(title, "Harbour walk{Enter}");
    await waitFor(() => expect(api.to("PATCH /transcriptions/{id}")[0]?.body).toEqual({ title: "Harbour walk" }));
    expect(title).toHaveValue("Harbour walk");
  });

  it("keeps a new title that could not be saved, with an error that can be closed", async () => {
    const { user } = openOne(aTranscript(), {
      "PATCH /transcriptions/{id}": reply(507, { code: "insufficient_disk", detail: "full", remedy: "", params: {} }),
    });
    const title = await screen.findByRole("textbox", { name: "Title" });
    await user.clear(title);
    await user.type(title, "Harbour walk{Enter}");
    const alert = await screen.findByRole("alert");
    expect(title).toHaveValue("Harbour walk");
    await user.click(within(alert).getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("without speech says so", async () => {
    openOne(aTranscript({ segments: [], text: "" }));
    await waitFor(() => expect(screen.getByRole("heading", { name: "No speech found" })).toBeVisible());
  });

  it("that does not exist leads back to the list", async () => {
    const { user } = open(
      {
        "GET /transcriptions/{id}": reply(404, {
          code: "transcript_not_found",
          detail: "gone",
          remedy: "",
          params: {},
        }),
      },
      "#/transcribe/none",
    );
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("This transcript no longer exists."));
    await user.click(screen.getByRole("button", { name: "All transcripts" }));
    expect(location.hash).toBe("#/transcribe");
  });
});
