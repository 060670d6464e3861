import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { navigate, useQueryParam, useRoute } from "./router";

it("keeps the other values of the address when two are set at once", () => {
  navigate("#/models?search=kokoro&language=en&engine=kokoro");
  const { result } = renderHook(() => ({ search: useQueryParam("search"), language: useQueryParam("language") }));
  act(() => {
    result.current.search[1]("");
    result.current.language[1]("");
  });
  expect(location.hash).toBe("#/models?engine=kokoro");
});

it("opens an address that cannot be decoded", () => {
  act(() => navigate("#/history/50%"));
  expect(renderHook(useRoute).result.current).toMatchObject({ screen: "history", segments: ["50%"] });
});

it("does not return to a screen that was left while its filter was to be written", () => {
  act(() => navigate("#/history"));
  location.hash = "#/voices"; // a link; its event comes later
  act(() => navigate("#/history?search=late", { replace: true }));
  expect(location.hash).toBe("#/voices");
  expect(renderHook(useRoute).result.current.screen).toBe("voices");
});
