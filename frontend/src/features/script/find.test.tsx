import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { aDraft, aProfile, fakeApi, page, renderWithProviders } from "@/test";
import Script from ".";

beforeEach(() => {
  fakeApi({
    "GET /drafts": page([]),
    "POST /drafts": (call: { body: unknown }) => aDraft(call.body as object),
    "PUT /drafts/{id}": (call: { body: unknown }) => aDraft(call.body as object),
    "GET /profiles": page([aProfile({ name: "Heart", language: "en-US" })]),
    "GET /models/status": { models: [] },
    "GET /system": { encoders: ["wav"] },
  });
});
const turn = (n: number) => screen.findByRole("textbox", { name: new RegExp(`^Turn ${n},`) });
const words = () =>
  screen.getAllByRole("textbox", { name: /^Turn \d/ }).map((field) => (field as HTMLTextAreaElement).value);

it("finds in all turns, replaces all as one step of undo, and Escape selects the match", async () => {
  const { user } = renderWithProviders(<Script />, { hash: `#/script?new=${Math.random()}` });
  fireEvent.paste(await turn(1), { clipboardData: { getData: () => "Anna: A lamp.\nBen: Two lamps, a lamp." } });
  await turn(2);
  await user.keyboard("{Control>}h{/Control}");
  const field = await screen.findByRole("textbox", { name: "Find" });
  expect(field).toHaveFocus();
  await user.keyboard("lamp");
  expect(screen.getByText("1 of 3")).toBeInTheDocument();
  await user.keyboard("{Enter}");
  expect(screen.getByText("2 of 3")).toBeInTheDocument();
  await user.type(screen.getByRole("textbox", { name: "Replace with" }), "light{Enter}");
  expect(words()).toEqual(["A lamp.", "Two lights, a lamp."]);
  await user.click(screen.getByRole("button", { name: "Replace all" }));
  expect(words()).toEqual(["A light.", "Two lights, a light."]);
  expect(screen.getByText("No matches")).toBeInTheDocument();
  await user.keyboard("{Control>}z{/Control}");
  expect(words()).toEqual(["A lamp.", "Two lights, a lamp."]);
  await user.type(field, "{Escape}");
  expect(screen.queryByRole("textbox", { name: "Find" })).toBeNull();
  const second = (await turn(2)) as HTMLTextAreaElement;
  expect(second).toHaveFocus();
  expect(second.value.slice(second.selectionStart, second.selectionEnd)).toBe("lamp");
});
