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
