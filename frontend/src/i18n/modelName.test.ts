import { act, renderHook } from "@testing-library/react";
import i18next from "i18next";
import { afterEach, expect, it } from "vitest";
import { useErrorText } from "./errors";
import { useModelName } from "./modelName";

afterEach(() => act(() => i18next.changeLanguage("en")));

it("translates names that are words, and no names of products", async () => {
  const { result } = renderHook(useModelName);
  expect(result.current("speakers", "Speakers")).toBe("Speakers");
  await act(() => i18next.changeLanguage("de"));
  expect(result.current("speakers", "Speakers")).toBe("Sprecher");
  expect(result.current("whisper-base", "Whisper base")).toBe("Whisper base");
});

it("names the model of an error so too", async () => {
  await act(() => i18next.changeLanguage("de"));
  const params = { model_name: "speakers", display_name: "Speakers", size_mb: 35 };
  const { result } = renderHook(() => useErrorText([]));
  expect(result.current({ code: "model_not_downloaded", params, detail: "", remedy: "" }).title).toMatch(
    /^Sprecher \(35/,
  );
});
