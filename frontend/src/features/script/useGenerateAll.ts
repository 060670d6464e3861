import { useTranslation } from "react-i18next";
import type { Profile } from "@/api/types";
import { hostedMode } from "./hosted";
import { speakable, type ScriptContent } from "./model";
import type { ScriptFlow } from "./useScriptGeneration";

/** The primary action of the screen: what it will do, and whether it can. */
export interface GenerateAll {
  label: string;
  hint: string;
  isReady: boolean;
  run(): void;
}

/** Returns the action that brings the audio up to date with the page. */
export function useGenerateAll(script: ScriptContent, flow: ScriptFlow, voices: readonly Profile[]): GenerateAll {
  const { t } = useTranslation("script");
  const turns = speakable(script).length;
  const changed = flow.turnsWithoutAudio;
  // A dialogue of the service is generated as one.
  const isAll = !flow.stored || changed === turns || (changed > 0 && hostedMode(script, voices) === "dialogue");
  const canJoin = changed === 0 && (flow.isOlder || flow.waitsForFile);
  const isWritten = turns > 0 && script.speakers.every((s) => s.profileId);
  const isReady = isWritten && (isAll || changed > 0 || canJoin);
  const label = isAll || !isReady ? t("speakAll") : canJoin ? t("joinAgain") : t("speakChanged", { count: changed });
  return {
    label,
    hint: isReady ? label : isWritten ? t("nothingChanged") : t("writeFirst"),
    isReady,
    run: () => {
      if (isReady && flow.running === 0 && !flow.isRequesting) flow.generateAll();
    },
  };
}
