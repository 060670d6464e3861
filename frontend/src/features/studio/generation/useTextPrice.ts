import { useMemo } from "react";
import { useQuote, useShownQuote, type HostedQuote } from "@/api/hosted";
import type { RevisionPlan } from "@/api/revisions";
import type { VoiceChoice } from "../useVoiceChoice";

/** Returns the price of what is generated of a text, which is also shown with the credits; null without a hosted voice. */
export function useTextPrice(
  { profile, isHosted }: VoiceChoice,
  text: string,
  plan: RevisionPlan | null,
): HostedQuote | null {
  const request = useMemo(
    () => (isHosted && profile && text.trim() !== "" ? { profile_id: profile.id, text } : null),
    [isHosted, text, profile],
  );
  const full = useQuote(request).data ?? null;
  const price = request ? (plan ? plan.quote : full) : null;
  useShownQuote(price);
  return price;
}
