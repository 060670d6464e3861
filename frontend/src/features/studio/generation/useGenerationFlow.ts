import { useState } from "react";
import { failureOf } from "@/api/errors";
import { useGenerate, useGeneration, useRetryGeneration, useStopGeneration } from "@/api/generations";
import { useResetOnReconnect } from "@/api/resetOnReconnect";
import type { RevisionPlan } from "@/api/revisions";
import { hasEnded, type GenerateRequest, type Generation, type Profile } from "@/api/types";
import { prefs } from "@/lib/prefs";
import { output, player, useNewTakes } from "@/player";
import { useConfirmation } from "./useConfirmation";
import { useDraftPlayer } from "./useDraftPlayer";
import { useOneAtATime } from "./useOneAtATime";
import { useRevision } from "./useRevision";
import { useUnfinished } from "./useUnfinished";
import { useWhenKnown } from "./useWhenKnown";

interface Options {
  id: string | null;
  /** A different number for each opened page. */
  opened: number;
  profile: Profile | undefined;
  isLoading: boolean;
  /** The body of the request for the text at the last pause of typing; null without a voice. */
  paused: GenerateRequest | null;
  /** Returns the body of the request; null if there is nothing to speak, "later" if the voice is not known yet. */
  request(): GenerateRequest | "later" | null;
  onAccepted(generation: Generation, at: number): void;
  /** The generation has its text from before the last change again. */
  onUndone(generation: Generation): void;
}

/** The flow from the click to the audio: confirmation, request, progress and errors. */
export function useGenerationFlow({ id, opened, profile, isLoading, paused, request, onAccepted, onUndone }: Options) {
  const [create, stop, retry, take] = [useGenerate(), useStopGeneration(), useRetryGeneration(), useNewTakes()];
  useResetOnReconnect([create, stop, retry, take]);
  const query = useGeneration(id ?? undefined);
  const generation = id === null ? undefined : query.data;
  const [dismissed, setDismissed] = useState<string | null>(null);
  const once = useOneAtATime();
  const isTaking = take.chunk !== null;
  const running =
    create.isPending || retry.isPending || (generation !== undefined && !hasEnded(generation.status) && !isTaking);
  const confirmation = useConfirmation(opened, profile);
  const revision = useRevision({ generation, running, paused, onUndone });
  const unfinished = useUnfinished(generation);
  useDraftPlayer({ id, generation, isKnown: id === null || !query.isPending, opened });
  const isKnown = (profile !== undefined || !isLoading) && !query.isLoading;
  const wantWhenKnown = useWhenKnown({ opened, running, isKnown, generate });

  /** The result of this page's request, even if another page is open by now. */
  function onGenerated(generation: Generation): void {
    player.follow(generation, { play: prefs.get().autoplay, busy: output.watch() });
    onAccepted(generation, opened);
  }

  async function send(body: GenerateRequest, revises: boolean): Promise<void> {
    setDismissed(null);
    unfinished.forget();
    create.reset();
    stop.reset();
    if (revises) return revision.start(body, (error) => confirmation.askAfter(error, body, true));
    revision.reset();
    await create
      .mutateAsync(body, {
        onSuccess: onGenerated,
        onError: (error) => confirmation.askAfter(error, body, false) && create.reset(),
      })
      .catch(() => undefined); // shown by `error`
  }

  async function confirmAndSend(body: GenerateRequest, plan: RevisionPlan | null): Promise<void> {
    if (!confirmation.askBefore(body, plan)) await send(body, plan !== null);
  }

  /** Generates what differs from the last generation, all of it where nothing of that can be used. */
  function generate(): void {
    once(async () => {
      if (running || revision.isStarting) return;
      const body = request();
      wantWhenKnown(body === "later");
      if (body && body !== "later") await confirmAndSend(body, await revision.planFor(body));
    });
  }

  /** Makes another generation, whatever can be used of the last one. */
  function generateAll(): void {
    once(async () => {
      const body = request();
      if (!running && !revision.isStarting && body && body !== "later") await confirmAndSend(body, null);
    });
  }

  /** Makes what is missing of the generation, under the same id. */
  function resume(): void {
    once(async () => {
      if (generation && !running)
        await retry.mutateAsync({ id: generation.id }, { onSuccess: onGenerated }).catch(() => undefined); // shown by `error`
    });
  }

  const shown = !running && generation && dismissed !== generation.id ? generation : undefined;
  const stored = shown?.error && shown.status !== "cancelled" ? failureOf(shown.error) : null; // a complete one has the error of a change that failed
  return {
    generation,
    running,
    generate,
    generateAll,
    confirmation: {
      request: confirmation.request,
      answer: (yes: boolean) => confirmation.answer(yes, (body, revises) => once(() => send(body, revises))),
    },
    revision: {
      ...revision,
      /** The change of the text was stopped, and the former version is still there. */
      isStopped: revision.isFormer && stop.data !== undefined && stop.data.id === generation?.id,
    },
    /** The text of the generation is being changed: its former audio can be played. */
    isRevising: running && generation !== undefined && generation.audio_url !== "",
    /** What was stopped or has failed; `partial` are its finished chunks. */
    unfinished: { ...unfinished, partial: shown?.partial ?? null, resume },
    stop: () => {
      setDismissed(null);
      if (generation && !stop.isPending) stop.mutate(generation.id);
    },
    /** Stopping is requested and not complete yet. */
    isStopping: stop.isPending,
    failure: {
      error: create.error ?? retry.error ?? take.error ?? stop.error ?? unfinished.error ?? revision.error ?? stored,
      /** Retries the failed generation if there is one, else repeats the request. */
      retry: () => {
        if (!create.error && generation?.status === "failed") return resume();
        create.reset();
        generate();
      },
    },
    /** Closes the notes and errors. */
    dismiss: () => {
      unfinished.forget();
      for (const request of [create, retry, take, stop, unfinished]) request.reset();
      revision.dismiss();
      if (generation) setDismissed(generation.id);
    },
    /** Generates another take of one chunk, and plays it. */
    take: (chunk: number) => {
      if (generation && !isTaking) take.generate(generation, [chunk]).catch(() => undefined); // shown by `error`
    },
    takeChunk: take.chunk,
  };
}

export type GenerationFlow = ReturnType<typeof useGenerationFlow>;
