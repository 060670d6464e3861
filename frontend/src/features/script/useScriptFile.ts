import { useEffect, useEffectEvent } from "react";
import { openOn, scriptScreen, takeIncoming } from "@/lib/incoming";
import { homeScreen } from "@/lib/router";
import type { ScriptStore } from "./scriptStore";
import type { TurnKeys } from "./TurnText";

const largest = 5_000_000; // bytes: more than any film has

/** Returns the text of a file in UTF-16 or UTF-8, otherwise in the encoding of older subtitles. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = bytes[0] === 0xff && bytes[1] === 0xfe ? "le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "be" : null;
  if (mark) return new TextDecoder(`utf-16${mark}`).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Inserts the script of a file that was opened into a new script. A file without speakers opens as a text. */
export function useScriptFile(store: ScriptStore, paste: TurnKeys["paste"]): void {
  const open = useEffectEvent(async (file: File) => {
    const text = file.size <= largest ? await textOf(file).catch(() => "") : "";
    const [turn] = store.state.get().document.turns;
    if (!turn || !paste(turn.id, text, file.name.replace(/\.\w+$/, ""))) openOn(homeScreen, [file]);
  });
  useEffect(() => {
    const [file] = takeIncoming(scriptScreen);
    if (file) void open(file);
  }, []);
}
