import { useMemo } from "react";
import { useQuote, useShownQuote, type HostedQuote } from "@/api/hosted";
import type { Profile } from "@/api/types";
import { useDebounced } from "@/lib/useDebounced";
import { hostedMode } from "./hosted";
import type { ScriptFlow } from "./useScriptGeneration";
import { toScriptRequest, type ScriptContent } from "./model";

const quoteDelay = 500; // ms after the last key

/** Returns the price of all hosted turns that must be generated, which is also shown with the credits; null without hosted turns. */
export function useScriptPrice(
  script: ScriptContent,
  voices: readonly Profile[],
  { stored }: Pick<ScriptFlow, "stored">,
): HostedQuote | null {
  const written = useDebounced(script, quoteDelay);
  const scriptId = stored?.id;
  const request = useMemo(
    () =>
      hostedMode(written, voices) === "none"
        ? null
        : {
            ...toScriptRequest(written),
            turns: toScriptRequest(written).turns.map((turn) => ({ ...turn, speaker: undefined })), // a name changes no price
            ...(scriptId ? { script_id: scriptId } : {}),
          },
    [written, voices, scriptId],
  );
  const quote = useQuote(request).data ?? null;
  const price = request ? quote : null;
  useShownQuote(price);
  return price;
}
