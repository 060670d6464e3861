import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { actionsFor, toProblem, useErrorText } from "./errors";

const text = (places: string[], code: string, params: Record<string, unknown> = {}) =>
  renderHook(() => useErrorText(places)).result.current({ code, params, detail: "English.", remedy: "Do it." });

it("words an error by its code, whatever the server's message is", () => {
  expect(text([], "profile_not_found").title).not.toBe("English.");
  expect(text([], "a_code_of_tomorrow")).toEqual({ title: "English.", remedy: "Do it." });
});

it("prefers the texts of a screen if it has their params", () => {
  const params = { needed: 3_000_000, free: 1_000_000 };
  expect(text(["models:errors"], "insufficient_disk", params).title).toMatch(/3.*MB.*1.*MB/);
  expect(text(["models:errors"], "insufficient_disk").title).toBe(text([], "insufficient_disk").title);
});

it("offers a retry unless another action helps", () => {
  expect(actionsFor("a_code_of_tomorrow")).toEqual(["retry"]);
  expect(actionsFor("model_not_downloaded")).toContain("downloadModel");
  expect(actionsFor("nothing_to_speak")).toEqual([]);
});

it("converts anything that is thrown", () => {
  expect(toProblem({ code: "offline", params: "wrong" })).toEqual({
    code: "offline",
    detail: "",
    remedy: "",
    params: {},
  });
  expect(toProblem(new Error("Oh."))).toMatchObject({ code: "internal", detail: "Oh." });
  expect(toProblem(undefined)).toMatchObject({ code: "internal" });
});
