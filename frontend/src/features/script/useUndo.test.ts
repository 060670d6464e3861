import { act, renderHook } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import { emptyScript, setText } from "./model";
import { useHistory } from "./useUndo";

function useBoth() {
  const [script, setScript] = useState(() => emptyScript(["Anna", "Ben"], "p"));
  const [version, setVersion] = useState(0);
  return { script, setScript, setVersion, ...useHistory(script, version, setScript) };
}

it("takes back what was written here, and nothing that another window wrote", () => {
  const { result } = renderHook(useBoth);
  const write = (text: string) =>
    act(() => result.current.setScript((now) => setText(now, now.turns[0]?.id ?? "", text)));
  const words = () => result.current.script.turns[0]?.text;
  write("One.");
  act(() => void result.current.undo());
  expect(words()).toBe("");
  write("Two.");
  act(() => {
    result.current.setScript((now) => setText(now, now.turns[0]?.id ?? "", "Theirs."));
    result.current.setVersion(1);
  });
  act(() => {
    expect(result.current.undo()).toBeNull();
  });
  expect(words()).toBe("Theirs.");
  write("Theirs, and mine.");
  act(() => void result.current.undo());
  expect(words()).toBe("Theirs.");
});
