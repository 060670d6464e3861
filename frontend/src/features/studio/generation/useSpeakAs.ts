import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { GenerationFlow } from "./useGenerationFlow";

/** Returns a function that generates the text again as soon as this voice is the one in use. */
export function useSpeakAs(voice: string | undefined, flow: GenerationFlow): (voice: string) => void {
  const [request, setRequest] = useState<{ voice: string } | null>(null);
  const handled = useRef<object | null>(null);
  const isDue = request !== null && request.voice === voice && !flow.running;
  const generate = useEffectEvent(() => flow.generate());
  useEffect(() => {
    if (!isDue || handled.current === request) return;
    handled.current = request;
    generate();
  }, [isDue, request]);
  return useCallback((next: string) => setRequest({ voice: next }), []);
}
