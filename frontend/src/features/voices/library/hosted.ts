import { useEffect, useMemo } from "react";
import { hasCredential, useHostedStatus, useHostedVoices, type HostedVoice } from "@/api/hosted";
import { useOffline } from "@/api/offline";
import type { Profile } from "@/api/types";
import type { HostedAccess, Voice } from "./voice";

/** The hosted service as far as voices need it. */
export interface Hosted {
  access: HostedAccess;
  /** The account may use voices that need a paid plan; also while its plan is unknown. */
  paid: boolean;
  voices: readonly HostedVoice[];
  /** The list is the last stored one, of this time. */
  stale: boolean;
  fetchedAt: string | null;
  error: unknown;
  refetch(): Promise<unknown>;
}

const pageSize = 500; // the most that the server sends at once

/** Reports whether hosted voices can be used, and which plan they may need. */
export function useHostedAccess(): Pick<Hosted, "access" | "paid"> {
  const status = useHostedStatus().data;
  const offline = useOffline().on;
  const access = !status?.enabled || !status.configured ? "off" : !hasCredential(status) ? "signedOut" : "on";
  return {
    access: access === "on" && offline ? "offline" : access,
    paid: status?.plan !== "free" || (status.payg_credits ?? 0) > 0,
  };
}

/** The hosted service with its voices; their list is requested only with a sign-in or a key. */
export function useHosted(): Hosted {
  const { access, paid } = useHostedAccess();
  const list = useHostedVoices({}, access === "on" || access === "offline", pageSize);
  const { items, first, error, refetch, hasMore, isLoadingMore, loadMore } = list;
  useEffect(() => {
    if (hasMore && !isLoadingMore) void loadMore();
  }, [hasMore, isLoadingMore, loadMore]);
  return {
    access,
    paid,
    voices: items,
    stale: first?.stale ?? false,
    fetchedAt: first?.fetched_at ?? null,
    error,
    refetch,
  };
}

/** Returns the id under which a hosted voice without a profile is listed, and every hosted preview is played. */
export const hostedId = (voice: Pick<HostedVoice, "id">): string => `hosted:${voice.id}`;

const stateOf = (voice: HostedVoice | undefined, { access, paid }: Pick<Hosted, "access" | "paid">): Voice["state"] =>
  access !== "on" ? "unusable" : voice?.paid && !paid ? "locked" : "ready";

/** Returns a profile's voice with what the hosted service says about it. */
export function withHosted(voice: Voice, of: HostedVoice | undefined, hosted: Pick<Hosted, "access" | "paid">): Voice {
  return { ...voice, hosted: of, access: hosted.access, state: stateOf(of, hosted) };
}

/** Returns a hosted voice as a row; it gets its profile when it is chosen. */
export function offeredHosted(of: HostedVoice, hosted: Pick<Hosted, "access" | "paid">): Voice {
  const gender = of.gender === "female" || of.gender === "male" ? of.gender : "";
  const profile: Profile = {
    id: hostedId(of),
    name: of.name,
    description: "",
    gender,
    language: of.language,
    voice_type: "hosted",
    hosted_voice_id: of.id,
    hosted_model_id: of.model,
    speed: 1,
    favorite: of.favorite,
    samples: 0,
    consent: null,
    usable: true,
    created_at: "",
    updated_at: "",
  };
  return {
    profile,
    name: of.name,
    offered: true,
    hosted: of,
    access: hosted.access,
    engine: "hosted",
    model: undefined,
    languages: [of.language],
    gender: gender || undefined,
    state: stateOf(of, hosted),
    shares: [],
  };
}

/** Returns the profiles with their hosted voices, and the hosted voices that have no profile. */
export function useWithHosted(voices: readonly Voice[], hosted: Hosted) {
  const { access, paid, voices: list } = hosted;
  return useMemo(() => {
    const state = { access, paid };
    const byId = new Map(list.map((one) => [one.id, one]));
    const own = voices.map((voice) =>
      voice.profile.voice_type === "hosted"
        ? withHosted(voice, byId.get(voice.profile.hosted_voice_id ?? ""), state)
        : voice,
    );
    const taken = new Set(own.flatMap(({ profile }) => profile.hosted_voice_id ?? []));
    return { own, offered: list.filter(({ id }) => !taken.has(id)).map((one) => offeredHosted(one, state)) };
  }, [voices, list, access, paid]);
}
