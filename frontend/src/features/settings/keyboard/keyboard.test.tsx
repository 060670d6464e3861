import { act, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { isChangeable } from "@/lib/bindings";
import { useShortcut } from "@/lib/commands";
import { goKeys, keyGroups, keyTable } from "@/lib/keyTable";
import { prefs } from "@/lib/prefs";
import { fakeApi, renderWithProviders } from "@/test";
import { Button } from "@/ui";
import Settings from "../index";
import { reservedFor } from "./reserved";

const choose = vi.fn();
function Page() {
  useShortcut("v", "Choose a voice", choose);
  return (
    <>
      <Settings />
      <Button shortcut="v">Change the voice</Button>
    </>
  );
}

beforeEach(() => {
  choose.mockClear();
  fakeApi({ "GET /settings/described": {} });
});
afterEach(() => act(() => prefs.set({ keys: {}, singleKeys: true })));

const open = () => renderWithProviders(<Page />, { hash: "#/settings/keyboard" });
const studio = async () => within(await screen.findByRole("group", { name: "Studio" }));
const voice = async () =>
  (await studio()).getByRole("button", { name: /^Change Choose a voice: (V|X|Press|Off|Ctrl ⇧ P)/ });

it("changes a shortcut by pressing its new keys, everywhere it is shown", async () => {
  const { user } = open();
  await user.click(await voice());
  expect(await voice()).toHaveTextContent("Press the new keys");
  await user.keyboard("{Control>}{Shift>}p{/Shift}{/Control}");
  expect(await voice()).toHaveTextContent("Ctrl ⇧ P");
  expect(screen.getByRole("button", { name: "Change the voice" })).toHaveAttribute(
    "aria-keyshortcuts",
    "Control+Shift+P",
  );
  await user.click(screen.getByText("General", { selector: "span" }));
  await user.keyboard("v");
  expect(choose).not.toHaveBeenCalled();
  await user.keyboard("{Control>}{Shift>}p{/Shift}{/Control}");
  expect(choose).toHaveBeenCalledOnce();
});

it("names the action that has the keys, and resets", async () => {
  const { user } = open();
  await user.click(await voice());
  await user.keyboard("{Control>}e{/Control}");
  expect(screen.getByRole("alert")).toHaveTextContent("Ctrl E is in use for “Change pronunciation”.");
  expect(await voice()).toHaveTextContent("V");
  await user.click(await voice());
  await user.keyboard("x");
  expect(await voice()).toHaveTextContent("X");
  await user.click((await studio()).getByRole("button", { name: "Reset Choose a voice to default" }));
  expect(await voice()).toHaveTextContent("V");
  expect(prefs.get().keys).toEqual({});
});

it("leaves the focus at the shortcut that is reset, or at the first when all are", async () => {
  const { user } = open();
  await user.click(await voice());
  await user.keyboard("x");
  act(() => screen.getByRole("button", { name: "Reset Choose a voice to default" }).focus());
  await user.keyboard("{Enter}");
  expect(await voice()).toHaveFocus();
  await user.keyboard("{Enter}x");
  act(() => screen.getByRole("button", { name: "Reset All shortcuts to default" }).focus());
  await user.keyboard("{Enter}");
  expect(prefs.get().keys).toEqual({});
  expect(screen.getAllByRole("button", { name: /^Change / })[0]).toHaveFocus();
});

it("keeps the keys of the desktop, the browser and text fields", async () => {
  const { user } = open();
  await user.click(await voice());
  await user.keyboard("{Control>}{Shift>}u{/Shift}{/Control}");
  expect(screen.getByRole("alert")).toHaveTextContent("input method");
  await user.click(await voice());
  await user.keyboard("{Escape}");
  expect(await voice()).toHaveTextContent("V");
  expect((await studio()).queryByRole("button", { name: /^Change Stop/ })).toBeNull();
});

it("reads two keys for what has two", async () => {
  const { user } = open();
  const line = within(await screen.findByRole("group", { name: "Everywhere" }));
  await user.click(line.getByRole("button", { name: /^Change Go to Models/ }));
  await user.keyboard("gx");
  expect(line.getByRole("button", { name: /^Change Go to Models/ })).toHaveTextContent("G X");
});

it("switches all shortcuts of one character off", async () => {
  const { user } = open();
  await user.click(await screen.findByRole("switch", { name: "Single-letter shortcuts" }));
  expect(await voice()).toHaveTextContent("Off");
  expect(screen.getByRole("button", { name: "Change the voice" })).not.toHaveAttribute("aria-keyshortcuts");
  await user.keyboard("v");
  expect(choose).not.toHaveBeenCalled();
});

it("has no default that the desktop, the browser or the window uses", () => {
  const all = [...keyGroups.flatMap((group) => keyTable[group].flatMap(({ keys }) => keys)), ...Object.values(goKeys)];
  expect(all.filter(isChangeable).filter((keys) => reservedFor(keys) !== undefined)).toEqual([]);
});
