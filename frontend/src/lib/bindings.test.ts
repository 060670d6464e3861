import { afterEach, expect, it } from "vitest";
import { actionsOf, conflictsOf, currentKeys, isChangeable, setKeys } from "./bindings";
import { prefs } from "./prefs";

afterEach(() => prefs.set({ keys: {}, singleKeys: true }));

it("runs an action by its new keys, and no longer by the old ones", () => {
  setKeys("mod+b", "mod+shift+p");
  expect(actionsOf("mod+shift+p")).toContain("mod+b");
  expect(actionsOf("mod+b")).toEqual([]);
  expect(currentKeys("mod+b", prefs.get())).toBe("mod+shift+p");
  setKeys("mod+b", "mod+b");
  expect(prefs.get().keys).toEqual({});
  expect(actionsOf("mod+b")).toEqual(["mod+b"]);
});

it("two actions can exchange their keys", () => {
  setKeys("v", "n");
  setKeys("n", "v");
  expect(actionsOf("v")).toEqual(["n"]);
  expect(actionsOf("n")).toEqual(["v"]);
});

it.each(["v", "?", "/", "*", "g s", "g ,"])("%s is off with the single-letter shortcuts", (keys) => {
  prefs.set({ singleKeys: false });
  expect(currentKeys(keys, prefs.get())).toBeNull();
  expect(actionsOf(keys)).toEqual([]);
});

it.each(["mod+k", "f8", "space", "delete", "mod+alt+enter"])("%s stays on without them", (keys) => {
  prefs.set({ singleKeys: false });
  expect(actionsOf(keys)).toEqual([keys]);
});

it("an action that has new keys with Ctrl stays on too", () => {
  setKeys("v", "mod+shift+p");
  prefs.set({ singleKeys: false });
  expect(actionsOf("mod+shift+p")).toContain("v");
});

it("finds conflicts on the same screen, everywhere, and with the first key of two", () => {
  const none = { keys: {}, singleKeys: true };
  expect(conflictsOf("mod+b", "mod+e", none)).toEqual(["mod+e"]); // both in Studio
  expect(conflictsOf("e", "v", none)).toEqual([]); // Transcribe and Studio
  expect(conflictsOf("e", "?", none)).toEqual(["?"]);
  expect(conflictsOf("v", "g", none)).toContain("g s");
  expect(conflictsOf("v", "n", { ...none, keys: { "mod+e": "n" } })).toEqual(["mod+e"]);
  expect(conflictsOf("mod+b", "mod+e", { ...none, keys: { "mod+e": "mod+shift+p" } })).toEqual([]);
});

it("leaves the keys of lists and texts as they are", () => {
  prefs.set({
    keys: Object.fromEntries([
      ["enter", "x"],
      ["mod+z", "y"],
    ]),
  });
  expect(isChangeable("enter")).toBe(false);
  expect(actionsOf("enter")).toEqual(["enter"]);
  expect(currentKeys("mod+z", prefs.get())).toBe("mod+z");
});
