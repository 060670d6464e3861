import { useTranslation } from "react-i18next";
import { useCommands, useShortcut } from "@/lib/commands";
import type { Generation } from "@/api/types";
import { player } from "@/player";
import type { ScriptStore } from "./scriptStore";
import { placeOf, type Place } from "./undo";
import { isDialogue } from "./hosted";
import { soundOf, type Turn } from "./model";
import type { TurnKeys } from "./TurnText";
import type { ScriptFlow } from "./useScriptGeneration";

interface Options {
  keys: TurnKeys;
  flow: ScriptFlow;
  store: Pick<ScriptStore, "undo" | "redo" | "state">;
  current(): Turn | undefined;
  goTo(place: Place): void;
  say(words: string): void;
  generate(): void;
}

/** Registers the keys and commands of the screen; those of a turn are in useTurnKeys. */
export function useScriptKeys({ keys, flow, store, current, goTo, say, generate }: Options): void {
  const { t } = useTranslation("script");
  function undoOrRedo(how: "undo" | "redo"): void {
    const step = store[how]();
    const place = step && placeOf(step.before, step.after);
    if (place) goTo(place);
    say(t(step ? `${how}.done` : `${how}.none`));
  }
  function onCurrent(run: (turn: Turn) => void): void {
    const turn = current();
    if (turn) run(turn);
  }
  const play = (g: Generation | undefined) => {
    if (g?.status !== "complete") return;
    player.load(g, { play: true, at: 0 });
    if (isDialogue(g)) say(t("dialogue.playing"));
  };
  useShortcut("mod+enter", t("speakAll"), generate);
  useShortcut("mod+z", t("undo.title"), () => undoOrRedo("undo"));
  useShortcut("mod+shift+z", t("redo.title"), () => undoOrRedo("redo"));
  useShortcut("mod+y", t("redo.title"), () => undoOrRedo("redo"));
  useCommands([
    ...(flow.completeTurns.length > 0
      ? [
          {
            id: "script:play",
            title: t("playHere"),
            shortcut: "mod+shift+enter",
            run: () => onCurrent((turn) => play(flow.generationOf(turn))),
          },
        ]
      : []),
    {
      id: "script:again",
      title: t("makeHere"),
      shortcut: "mod+alt+enter",
      run: () =>
        onCurrent((turn) => {
          void flow.generateTurn(turn);
          if (soundOf(store.state.get().document, turn) === "made" && isDialogue(flow.generationOf(turn)))
            say(t("dialogue.together"));
        }),
    },
    {
      id: "script:pause",
      title: t("pauseHere"),
      shortcut: "mod+b",
      run: () => onCurrent((turn) => keys.pause(turn.id)),
    },
    {
      id: "script:up",
      title: t("moveUp"),
      shortcut: "alt+arrowup",
      run: () => onCurrent((turn) => keys.moveTurn(turn.id, -1)),
    },
    {
      id: "script:down",
      title: t("moveDown"),
      shortcut: "alt+arrowdown",
      run: () => onCurrent((turn) => keys.moveTurn(turn.id, 1)),
    },
  ]);
}
