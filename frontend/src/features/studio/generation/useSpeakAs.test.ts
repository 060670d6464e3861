import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { GenerationFlow } from "./useGenerationFlow";
import { useSpeakAs } from "./useSpeakAs";

test("a text is generated once, when its new voice is in use and nothing else is being generated", () => {
  const generate = vi.fn();
  const flow = (running: boolean) => ({ running, generate }) as unknown as GenerationFlow;
  const { result, rerender } = renderHook(({ voice, running }) => useSpeakAs(voice, flow(running)), {
    initialProps: { voice: "old", running: true },
  });
  act(() => result.current("new"));
  rerender({ voice: "new", running: true });
  expect(generate).not.toHaveBeenCalled();
  rerender({ voice: "new", running: false });
  rerender({ voice: "new", running: true });
  rerender({ voice: "new", running: false });
  expect(generate).toHaveBeenCalledTimes(1);
});
