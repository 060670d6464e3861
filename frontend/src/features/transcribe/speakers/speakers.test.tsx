import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { player } from "@/player";
import { reply } from "@/test";
import { fakeWindow, openOne, talk } from "../testKit";

beforeEach(fakeWindow);
afterEach(() => act(() => player.close()));

const bar = () => within(screen.getByRole("region", { name: "Speakers" }));
const item = (name: string) =>
  bar()
    .getByRole("button", { name: `Rename ${name}` })
    .closest("li") as HTMLElement;

describe("the bar of speakers", () => {
  it("shows how much each says", async () => {
    openOne(talk());
    await screen.findByText("Line 4.");
    expect(item("Anna")).toHaveTextContent("1Anna0:20 · 50% · 2 lines");
    expect(item("Cleo")).toHaveTextContent("3Cleo0:10 · 25% · 1 line");
  });

  it("is not there while no line has a speaker", async () => {
    openOne();
    await screen.findByText("lamp", { selector: "[data-word]" });
    expect(screen.queryByRole("button", { name: /^Filter by/ })).toBeNull();
  });

  it("renames a speaker in all lines with one step of undo, and keeps number and filter", async () => {
    const { user, api } = openOne(talk());
    await user.click(await screen.findByRole("button", { name: "Filter by Anna" }));
    await user.click(bar().getByRole("button", { name: "Rename Anna" }));
    const field = bar().getByRole("textbox", { name: "Rename Anna" });
    expect(field).toHaveFocus();
    await user.clear(field);
    await user.type(field, " Zoe {Enter}");
    await waitFor(() => expect(item("Zoe")).toHaveTextContent("1Zoe0:20"));
    expect(api.to("PATCH /transcriptions/{id}")[0]?.body).toEqual({ speakers: [{ name: "Anna", new_name: "Zoe" }] });
    expect(bar().getByRole("button", { name: "Rename Zoe" })).toHaveFocus();
    expect(bar().getByRole("button", { name: "Filter by Zoe" })).toHaveAttribute("aria-pressed", "true");
    expect(screen.queryByText("Line 2.")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(item("Anna")).toBeVisible());
  });

  it("redoes the name of a found speaker without setting the lines", async () => {
    const given = talk();
    const segments = given.segments.map((segment) => ({ ...segment, speaker_found: true }));
    const { user, api } = openOne({ ...given, segments });
    await user.click(await screen.findByRole("button", { name: "Rename Anna" }));
    await user.type(bar().getByRole("textbox", { name: "Rename Anna" }), "bel{Enter}");
    await waitFor(() => expect(item("Annabel")).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(item("Anna")).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Redo" }));
    await waitFor(() => expect(item("Annabel")).toBeVisible());
    expect(api.to("PATCH /transcriptions/{id}")[1]?.body).toEqual({
      speakers: [{ name: "Anna", new_name: "Annabel" }],
    });
    expect(screen.getByRole("button", { name: "Redo" })).toBeDisabled();
  });

  it("leaves a name as it was after Escape, and saves it when the field is left", async () => {
    const { user, api } = openOne(talk());
    await user.click(await screen.findByRole("button", { name: "Rename Ben" }));
    await user.type(bar().getByRole("textbox", { name: "Rename Ben" }), "x{Escape}");
    await waitFor(() => expect(bar().getByRole("button", { name: "Rename Ben" })).toHaveFocus());
    expect(api.to("PATCH /transcriptions/{id}")).toHaveLength(0);
    await user.click(bar().getByRole("button", { name: "Rename Ben" }));
    await user.type(bar().getByRole("textbox", { name: "Rename Ben" }), "no");
    await user.tab();
    await waitFor(() => expect(item("Benno")).toBeVisible());
    expect(api.to("PATCH /transcriptions/{id}")).toHaveLength(1);
  });

  it("asks before a speaker gets the name of another one", async () => {
    const { user, api } = openOne(talk());
    await user.click(await screen.findByRole("button", { name: "Rename Ben" }));
    const field = bar().getByRole("textbox", { name: "Rename Ben" });
    await user.clear(field);
    await user.type(field, "Cleo{Enter}");
    const dialog = await screen.findByRole("dialog", { name: "Merge Ben with Cleo?" });
    expect(api.to("PATCH /transcriptions/{id}")).toHaveLength(0);
    await user.click(within(dialog).getByRole("button", { name: "Merge" }));
    await waitFor(() => expect(item("Cleo")).toHaveTextContent("2Cleo0:20 · 50% · 2 lines"));
    expect(screen.getByText("Ben was merged with Cleo.")).toBeVisible();
  });

  it("merges by the menu of a speaker, and takes it back", async () => {
    const { user, api } = openOne(talk());
    await user.click(await screen.findByRole("button", { name: "More for Cleo" }));
    screen.getByRole("menuitem", { name: "Merge with" }).focus();
    await user.keyboard("{ArrowRight}{Enter}");
    await waitFor(() => expect(item("Anna")).toHaveTextContent("1Anna0:30 · 75% · 3 lines"));
    await waitFor(() => expect(bar().getByRole("button", { name: "Filter by Anna" })).toHaveFocus()); // “More for Cleo” is gone
    expect(api.to("PATCH /transcriptions/{id}")[0]?.body).toEqual({ speakers: [{ name: "Cleo", new_name: "Anna" }] });
    await user.click(
      within(screen.getByText("Cleo was merged with Anna.").parentElement as HTMLElement).getByText("Undo"),
    );
    await waitFor(() => expect(item("Cleo")).toBeVisible());
  });

  it("shows the lines of one or several speakers", async () => {
    const { user } = openOne(talk());
    await user.click(await screen.findByRole("button", { name: "Filter by Ben" }));
    expect(screen.queryByText("Line 1.")).toBeNull();
    expect(screen.getByText("Line 2.")).toBeVisible();
    expect(screen.getByText("1 of 4 lines")).toBeVisible();
    await user.click(bar().getByRole("button", { name: "Filter by Cleo" }));
    expect(screen.getByText("2 of 4 lines")).toBeVisible();
    await user.keyboard("{Control>}f{/Control}");
    await user.type(screen.getByRole("textbox", { name: "Find" }), "line");
    expect(screen.getByText("1 of 2")).toBeVisible();
    await user.click(bar().getByRole("button", { name: "Show all lines" }));
    expect(screen.getByText("1 of 4")).toBeVisible();
    expect(screen.queryByText("1 of 4 lines")).toBeNull();
  });

  it("says that a name could not be saved", async () => {
    const { user } = openOne(talk(), {
      "PATCH /transcriptions/{id}": reply(507, { code: "insufficient_disk", detail: "full", remedy: "", params: {} }),
    });
    await user.click(await screen.findByRole("button", { name: "Rename Ben" }));
    await user.type(bar().getByRole("textbox", { name: "Rename Ben" }), "x{Enter}");
    await waitFor(() => expect(screen.getByRole("alert")).toHaveTextContent("There isn’t enough disk space."));
    expect(item("Ben")).toBeVisible();
  });
});
