import { beforeEach, expect, it, vi } from "vitest";
import * as v from "valibot";
import { storedValue } from "./storedValue";

const recents = storedValue("test.recents", v.array(v.string()), ["first"]);

beforeEach(() => localStorage.clear());

it("reads the stored value", () => {
  recents.write(["a", "b"]);
  expect(recents.read()).toEqual(["a", "b"]);
});

it.each(["", "{", "null", "7", '{"a":1}', '["a",1]'])("resets the malformed value %s", (stored) => {
  localStorage.setItem("test.recents", stored);
  expect(recents.read()).toEqual(["first"]);
});

it("works without storage", () => {
  const blocked = vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new DOMException("blocked", "SecurityError");
  });
  expect(recents.read()).toEqual(["first"]);
  blocked.mockRestore();
});

it.each([
  ["not JSON", { volume: 1, theme: "system" }],
  ["null", { volume: 1, theme: "system" }],
  ['{"volume":7,"theme":"dark"}', { volume: 1, theme: "dark" }],
  ['{"volume":"loud","theme":"neon"}', { volume: 1, theme: "system" }],
])("preferences %s keep only the fields that are valid", async (stored, expected) => {
  localStorage.setItem("voicewright.prefs", stored);
  vi.resetModules();
  const { prefs } = await import("./prefs");
  expect(prefs.get()).toMatchObject({ ...expected, language: "system" });
});
