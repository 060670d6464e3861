import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { ApiError } from "@/api/errors";
import { keys } from "@/api/keys";
import { useResetOnReconnect } from "@/api/resetOnReconnect";
import { revisionPlan, useLevel, useRevise, useUndoText, type RevisionPlan } from "@/api/revisions";
import type { GenerateRequest, Generation } from "@/api/types";
import { prefs } from "@/lib/prefs";
import { output, player } from "@/player";

interface Options {
  generation: Generation | undefined;
  running: boolean;
  /** The request at the last pause of typing; null without a voice. */
  paused: GenerateRequest | null;
  /** The text and the audio are those before the last change again. */
  onUndone(generation: Generation): void;
}

/** A change of the text that was requested in this window. */
interface Requested {
  former: Generation;
  plan: RevisionPlan;
}

/** Plays a changed generation from its first new passage, unless it plays already or another sound was started. */
function playChange(former: Generation, next: Generation, busy: () => boolean): void {
  const { generation: loaded, playing, growing } = player.get();
  const play = prefs.get().autoplay && !busy();
  if (loaded?.id === next.id && (playing || growing || !play)) return;
  const first = next.chunks.find((chunk, i) => chunk.text !== former.chunks[i]?.text);
  player.load(next, { play, at: first?.start ?? 0 });
}

/** Plays the new version from its first new passage on while it is made, unless the former one is played. */
function listen(revised: Generation, busy: () => boolean): void {
  const isPlayed = () => player.get().playing && player.get().generation?.id === revised.id;
  player.follow(revised, { play: prefs.get().autoplay, busy: () => busy() || isPlayed(), changes: true });
}

const isOther = ({ text }: Generation, request: GenerateRequest | null): request is GenerateRequest =>
  request !== null && request.text.trim() !== "" && request.text.trim() !== text;

/** Returns a plan that keeps some of the audio and has the settings that were requested, else null. */
const usable = (plan: RevisionPlan | undefined): RevisionPlan | null =>
  plan?.same_settings === true && plan.reused > 0 ? plan : null;

/** Changes the text of a complete generation: only the passages that differ are generated. */
export function useRevision({ generation, running, paused, onUndone }: Options) {
  const client = useQueryClient();
  const revise = useRevise();
  const undo = useUndoText();
  const level = useLevel();
  useResetOnReconnect([revise, undo, level]);
  const [isPlanning, setPlanning] = useState(false);
  const [requested, setRequested] = useState<Requested | null>(null);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const awaited = useRef<{ former: Generation; busy: () => boolean } | null>(null);
  const base = !running && generation?.status === "complete" ? generation : undefined;
  const hasOtherText = base !== undefined && isOther(base, paused);
  const planned = useQuery({
    ...revisionPlan(base ?? { id: "", audio_path: "" }, paused ?? { profile_id: "", text: "" }),
    enabled: hasOtherText,
    placeholderData: (before) => before, // the count stays until the new one has come
  });
  const plan = hasOtherText ? usable(planned.data) : null;

  useEffect(() => {
    const began = awaited.current;
    if (generation?.status !== "complete" || generation.id !== began?.former.id) return;
    awaited.current = null;
    if (generation.audio_path !== began.former.audio_path) playChange(began.former, generation, began.busy);
  }, [generation]);

  /** Another window may have changed it. */
  const readAgain = () => void client.invalidateQueries({ queryKey: keys.generation(base?.id ?? "") });
  const last = requested?.former.id === base?.id ? requested : null;
  return {
    /** What generating the text at the last pause would do; null where all of it is generated. */
    plan,
    /** The text is no longer that of the audio, which a change would keep in part. */
    isEdited: hasOtherText && planned.data?.same_settings !== false,
    /** The request is on its way. */
    isStarting: isPlanning || revise.isPending,
    /** Returns what the text of a request would change, null if none of the audio could be kept. */
    async planFor(request: GenerateRequest): Promise<RevisionPlan | null> {
      if (!base || !isOther(base, request)) return null;
      setPlanning(true);
      try {
        return usable(await client.fetchQuery(revisionPlan(base, request)));
      } catch {
        return null; // it cannot be changed, so it is generated anew
      } finally {
        setPlanning(false);
      }
    },
    /** `refused` reports whether it asks the person because of an error, which is not shown then. */
    async start(
      { text: next, accept_credits: accepted }: GenerateRequest,
      refused: (error: ApiError) => boolean,
    ): Promise<void> {
      if (!base) return;
      const busy = output.watch();
      setDismissed(null);
      await revise
        .mutateAsync(
          { id: base.id, text: next, accepted },
          {
            onSuccess: (answer) => {
              awaited.current = { former: base, busy };
              setRequested({ former: base, plan: answer });
              if (answer.generated > 0) listen(answer, busy);
            },
            onError: (error) => {
              if (refused(error)) revise.reset();
              else readAgain();
            },
          },
        )
        .catch(() => undefined); // shown by `error`
    },
    /** The change that was made last in this window; null after it was undone. */
    done: base && last && base.audio_path !== last.former.audio_path ? last.plan : null,
    /** The version before the change is still there. */
    isFormer: base !== undefined && base.audio_path === last?.former.audio_path,
    levelOff: base?.level_off ?? 0,
    isNoteOpen: base !== undefined && dismissed !== base.id,
    /** Takes back the last change of the text; null where there is none. */
    undo:
      base?.can_undo === true
        ? () => {
            setRequested(null);
            undo.mutate(base.id, { onSuccess: onUndone, onError: readAgain });
          }
        : null,
    isUndoing: undo.isPending,
    level: () => base && level.mutate(base.id, { onError: readAgain }),
    isLevelling: level.isPending,
    error: revise.error ?? undo.error ?? level.error,
    dismiss(): void {
      for (const mutation of [revise, undo, level]) mutation.reset();
      setDismissed(base?.id ?? null);
    },
    reset(): void {
      for (const mutation of [revise, undo, level]) mutation.reset();
      setRequested(null);
    },
  };
}

export type Revision = ReturnType<typeof useRevision>;
