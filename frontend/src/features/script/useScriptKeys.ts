import { useTranslation } from "react-i18next";
import { useCommands, useShortcut } from "@/lib/commands";
import type { Generation } from "@/api/types";
import { player } from "@/player";
import type { Place } from "./undo";
import type { Turn } from "./model";
import type { TurnKeys } from "./TurnText";
import type { Speaking } from "./useScriptGeneration";

interface Options {
  keys: TurnKeys;
  speaking: Speaking;
  history: { undo(): { place: Place | null } | null; redo(): { place: Place | null } | null };
  current(): Turn | undefined;
  goTo(place: Place): void;
  say(words: string): void;
  speak(): void;
}

/** The keys and commands of the whole screen, beside those in the words of a turn. */
export function useScriptKeys({ keys, speaking, history, current, goTo, say, speak }: Options): void {
  const { t } = useTranslation("script");
  function back(how: "undo" | "redo"): void {
    const done = history[how]();
    if (done?.place) goTo(done.place);
    say(t(done ? `${how}.done` : `${how}.none`));
  }
  function onCurrent(run: (turn: Turn) => void): void {
    const turn = current();
    if (turn) run(turn);
  }
  const play = (g: Generation | undefined) => {
    if (g?.status === "complete") player.load(g, { play: true, at: 0 });
  };
  useShortcut("mod+enter", t("speakAll"), speak);
  useShortcut("mod+z", t("undo.title"), () => back("undo"));
  useShortcut("mod+shift+z", t("redo.title"), () => back("redo"));
  useShortcut("mod+y", t("redo.title"), () => back("redo"));
  useCommands([
    ...(speaking.spoken.length > 0
      ? [
          {
            id: "script:play",
            title: t("playHere"),
            shortcut: "mod+shift+enter",
            run: () => onCurrent((turn) => play(speaking.generationOf(turn))),
          },
        ]
      : []),
    {
      id: "script:again",
      title: t("makeHere"),
      shortcut: "mod+shift+u",
      run: () => onCurrent((turn) => void speaking.speakTurn(turn)),
    },
    {
      id: "script:pause",
      title: t("pauseHere"),
      shortcut: "mod+.",
      run: () => onCurrent((turn) => keys.pause(turn.id)),
    },
    {
      id: "script:up",
      title: t("moveUp"),
      shortcut: "alt+arrowup",
      run: () => onCurrent((turn) => keys.shift(turn.id, -1)),
    },
    {
      id: "script:down",
      title: t("moveDown"),
      shortcut: "alt+arrowdown",
      run: () => onCurrent((turn) => keys.shift(turn.id, 1)),
    },
  ]);
}
