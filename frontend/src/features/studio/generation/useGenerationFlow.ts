import { useEffect, useEffectEvent, useState } from "react";
import { failureOf, type ApiError } from "@/api/errors";
import {
  useCancelGeneration,
  useGenerate,
  useGeneration,
  useRetryGeneration,
  useStopGeneration,
} from "@/api/generations";
import { useModels } from "@/api/models";
import { useResetOnReconnect } from "@/api/resetOnReconnect";
import type { RevisionPlan } from "@/api/revisions";
import { hasEnded, type GenerateRequest, type Generation, type Profile } from "@/api/types";
import { priceToConfirm } from "@/features/hosted";
import { prefs } from "@/lib/prefs";
import { output, player, restoreGeneration, showGeneration, useDraftAudio, useNewTakes } from "@/player";
import { useOneAtATime } from "./useOneAtATime";
import { useRevision } from "./useRevision";
import { useStopped } from "./useStopped";

/** What to confirm before the draft that was opened as number `at` can be generated. */
export interface ConfirmRequest {
  modelName: string;
  name: string;
  sizeMb: number | null;
  license: { name: string; url: string } | null;
  /** The price of a hosted voice to confirm; `credits` is null where it is unknown. */
  price?: { credits: number | null };
  request: GenerateRequest;
  /** Only what differs from the generation of the draft is generated. */
  revises: boolean;
  at: number;
}

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

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The flow from the click to the audio: confirmation, request, progress and errors. */
export function useGenerationFlow({ id, opened, profile, isLoading, paused, request, onAccepted, onUndone }: Options) {
  const create = useGenerate();
  const stop = useStopGeneration();
  const discard = useCancelGeneration();
  const retry = useRetryGeneration();
  const take = useNewTakes();
  useResetOnReconnect([create, stop, discard, retry, take]);
  const models = useModels().data;
  const query = useGeneration(id ?? undefined);
  const generation = id === null ? undefined : query.data;
  const [requested, setRequested] = useState<ConfirmRequest | null>(null);
  const confirmRequest = requested?.at === opened ? requested : null;
  // The page to generate as soon as its voice is known.
  const [requestedPage, setRequestedPage] = useState<number | null>(null);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const { stopped, clear: forget } = useStopped(generation);
  const once = useOneAtATime();
  const isTaking = take.chunk !== null;
  const running =
    create.isPending || retry.isPending || (generation !== undefined && !hasEnded(generation.status) && !isTaking);
  const revision = useRevision({ generation, running, paused, onUndone });

  useEffect(() => {
    if (!generation) return;
    player.update(generation);
    restoreGeneration(generation);
  }, [generation]);

  useDraftAudio({
    key: `text ${opened}`,
    ids: id === null ? [] : [id],
    isKnown: id === null || !query.isPending,
    show: () => {
      if (generation) showGeneration(generation);
    },
  });

  if (requestedPage !== null && (requestedPage !== opened || running)) setRequestedPage(null);

  const isKnown = (profile !== undefined || !isLoading) && !query.isLoading;
  const isDue = requestedPage === opened && !running && isKnown;
  const generateNow = useEffectEvent(() => generate()); // without a voice this opens the picker
  useEffect(() => {
    if (isDue) generateNow();
  }, [isDue]);

  /** The result of this page's request, even if another page is open by now. */
  function onGenerated(generation: Generation): void {
    player.follow(generation, { play: prefs.get().autoplay, busy: output.watch() });
    onAccepted(generation, opened);
  }

  /** Opens the confirmation that the server wants; reports whether it does. */
  function askFor(error: ApiError, body: GenerateRequest, revises: boolean): boolean {
    const price = priceToConfirm(error);
    const asked = { modelName: "", name: "", sizeMb: null, license: null, request: body, revises, at: opened };
    if (price !== undefined) setRequested({ ...asked, price: { credits: price } });
    if (error.code !== "license_not_accepted") return price !== undefined;
    const modelName = text(error.params.model_name);
    const model = models?.find((m) => m.model_name === modelName);
    setRequested({
      ...asked,
      modelName,
      name: model?.display_name ?? modelName,
      sizeMb: model && !model.downloaded ? model.size_mb : null,
      license: { name: text(error.params.license), url: text(error.params.url) },
      revises: false, // a change accepts no licence
    });
    return true;
  }

  async function send(body: GenerateRequest, revises: boolean): Promise<void> {
    setDismissed(null);
    forget();
    create.reset();
    stop.reset();
    if (revises) return revision.start(body, (error) => askFor(error, body, true));
    revision.reset();
    await create
      .mutateAsync(body, {
        onSuccess: onGenerated,
        onError: (error) => askFor(error, body, false) && create.reset(),
      })
      .catch(() => undefined); // shown by `error`
  }

  /** Generates what differs from the last generation, all of it where nothing of that can be used. */
  function generate(): void {
    once(async () => {
      if (running || revision.isStarting) return;
      const body = request();
      setRequestedPage(body === "later" ? opened : null);
      if (!body || body === "later") return;
      await confirmAndSend(body, await revision.planFor(body));
    });
  }

  /** Makes another generation, whatever can be used of the last one. */
  function generateAll(): void {
    once(async () => {
      const body = request();
      if (!running && !revision.isStarting && body && body !== "later") await confirmAndSend(body, null);
    });
  }

  /** Generates at once, or first opens the confirmation of a large download or a licence. */
  async function confirmAndSend(body: GenerateRequest, plan: RevisionPlan | null): Promise<void> {
    const model = models?.find((m) => m.model_name === (body.model_name ?? profile?.model_name));
    const mustAccept = model !== undefined && model.license.accept_required && !model.license.accepted;
    const isReady = !model || plan?.generated === 0 || ((model.downloaded || model.downloading) && !mustAccept);
    if (isReady) return send(body, plan !== null);
    setRequested({
      modelName: model.model_name,
      name: model.display_name,
      sizeMb: model.downloaded ? null : Math.max(1, model.size_mb - model.partial_mb),
      license: mustAccept ? model.license : null,
      request: body,
      revises: plan !== null && !mustAccept,
      at: opened,
    });
  }

  function answer(yes: boolean): void {
    setRequested(null);
    if (!yes || !confirmRequest) return;
    const { request, license, price, revises } = confirmRequest;
    const accepted = {
      ...(license ? { accept_license: true } : {}),
      ...(price ? { accept_credits: price.credits ?? 0 } : {}),
    };
    once(() => send({ ...request, ...accepted }, revises));
  }

  /** Makes what is missing of the generation, under the same id. */
  function retryMissing(): void {
    once(async () => {
      if (generation && !running)
        await retry.mutateAsync({ id: generation.id }, { onSuccess: onGenerated }).catch(() => undefined); // shown by `error`
    });
  }

  const stored = // a complete one has the error of a change that failed
    !running && generation?.error && generation.status !== "cancelled" && dismissed !== generation.id
      ? failureOf(generation.error)
      : null;
  return {
    generation,
    running,
    confirmRequest,
    generate,
    generateAll,
    revision,
    /** The text of the generation is being changed: its former audio can be played. */
    isRevising: running && generation !== undefined && generation.audio_url !== "",
    /** The change of the text was stopped, and the former version is still there. */
    isRevisionStopped: revision.isFormer && stop.data?.id === generation?.id && stop.data !== undefined,
    answer,
    stopped,
    /** The finished chunks of a stopped or failed generation. */
    partial: !running && generation && dismissed !== generation.id ? generation.partial : null,
    /** Stopping is requested and not complete yet. */
    stopping: stop.isPending,
    error: create.error ?? retry.error ?? take.error ?? stop.error ?? discard.error ?? revision.error ?? stored,
    /** Makes what is missing of a stopped or failed generation. */
    resume: retryMissing,
    /** Plays the finished chunks of a stopped or failed generation. */
    listen: () => {
      if (generation?.partial) player.follow(generation, { play: true, busy: () => false });
    },
    /** Deletes the finished chunks; paid ones stay. */
    discard: () => {
      if (generation && !discard.isPending) discard.mutate(generation.id, { onSuccess: forget });
    },
    /** Retries the failed generation if there is one, else repeats the request. */
    retryFailed: () => {
      if (!create.error && generation?.status === "failed") {
        retryMissing();
      } else {
        create.reset();
        generate();
      }
    },
    dismiss: () => {
      forget();
      for (const mutation of [create, retry, take, stop, discard]) mutation.reset();
      revision.dismiss();
      if (generation) setDismissed(generation.id);
    },
    stop: () => {
      setDismissed(null);
      if (generation && !stop.isPending) stop.mutate(generation.id);
    },
    isMissing: query.error?.status === 404,
    /** Generates another take of one chunk, and plays it. */
    take: (chunk: number) => {
      if (generation && !isTaking) take.generate(generation, [chunk]).catch(() => undefined); // shown by `error`
    },
    takeChunk: take.chunk,
  };
}

export type GenerationFlow = ReturnType<typeof useGenerationFlow>;
