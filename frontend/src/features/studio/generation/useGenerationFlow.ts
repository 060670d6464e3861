import { useEffect, useRef, useState } from "react";
import { failureOf, type ApiError } from "@/api/errors";
import {
  useCancelGeneration,
  useGenerate,
  useGeneration,
  useRegenerateChunk,
  useRetryGeneration,
} from "@/api/generations";
import { useModels } from "@/api/models";
import { hasEnded, type GenerateRequest, type Generation, type Profile } from "@/api/types";
import { player } from "@/player";
import { useStopped } from "./useStopped";

/** What must be answered before something can be made of the page that was opened as number `at`. */
export interface Question {
  modelName: string;
  name: string;
  sizeMb: number | null;
  license: { name: string; url: string } | null;
  request: GenerateRequest;
  at: number;
}

interface Options {
  id: string | null;
  /** Another number for each page that is opened. */
  opened: number;
  profile: Profile | undefined;
  isLoading: boolean;
  /** Makes the body of the request; null when there is nothing to speak, "later" when the voice is not known yet. */
  request(): GenerateRequest | "later" | null;
  onAccepted(generation: Generation, at: number): void;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** From the click to the sound: questions, the request, what is being made, what went wrong. */
export function useMaking({ id, opened, profile, isLoading, request, onAccepted }: Options) {
  const generate = useGenerate();
  const cancel = useCancelGeneration();
  const retry = useRetryGeneration();
  const take = useRegenerateChunk();
  const models = useModels().data;
  const query = useGeneration(id ?? undefined);
  const made = id === null ? undefined : query.data;
  const [asked, setQuestion] = useState<Question | null>(null);
  const question = asked?.at === opened ? asked : null;
  const [wanted, setWanted] = useState<number | null>(null); // the page to speak as soon as it is known with which voice
  const [dismissed, setDismissed] = useState<string | null>(null);
  const { stopped, forget } = useStopped(made);
  const awaited = useRef<string | null>(null);
  const isTaking = take.isPending;
  const running = generate.isPending || retry.isPending || (made !== undefined && !hasEnded(made.status) && !isTaking);

  useEffect(() => {
    if (made?.status !== "complete" || awaited.current !== made.id) return;
    awaited.current = null;
    player.load(made, { play: true, at: 0 });
  }, [made]);

  useEffect(() => {
    if (wanted !== null && (wanted !== opened || running)) setWanted(null);
  }, [wanted, opened, running]);

  useEffect(() => {
    const isKnown = (profile !== undefined || !isLoading) && !query.isLoading;
    if (wanted === opened && !running && isKnown) speak(); // without a voice it asks for one
  });

  /** The answer to what this page asked for, even if another one is open by now. */
  function accepted(generation: Generation): void {
    awaited.current = generation.id;
    onAccepted(generation, opened);
  }

  function refused(error: ApiError, body: GenerateRequest): void {
    if (error.code !== "license_not_accepted") return;
    const modelName = text(error.params.model_name);
    const model = models?.find((m) => m.model_name === modelName);
    setQuestion({
      modelName,
      name: model?.display_name ?? modelName,
      sizeMb: model && !model.downloaded ? model.size_mb : null,
      license: { name: text(error.params.license), url: text(error.params.url) },
      request: body,
      at: opened,
    });
    generate.reset();
  }

  function send(body: GenerateRequest): void {
    setDismissed(null);
    forget();
    generate.mutate(body, { onSuccess: accepted, onError: (error) => refused(error, body) });
  }

  /** Asks before a big download or a licence, else speaks at once. */
  function speak(): void {
    if (running) return;
    const body = request();
    setWanted(body === "later" ? opened : null);
    if (!body || body === "later") return;
    const model = models?.find((m) => m.model_name === (body.model_name ?? profile?.model_name));
    const mustAccept = model !== undefined && model.license.accept_required && !model.license.accepted;
    if (!model || ((model.downloaded || model.downloading) && !mustAccept)) return send(body);
    setQuestion({
      modelName: model.model_name,
      name: model.display_name,
      sizeMb: model.downloaded ? null : Math.max(1, model.size_mb - model.partial_mb),
      license: mustAccept ? model.license : null,
      request: body,
      at: opened,
    });
  }

  function answer(yes: boolean): void {
    setQuestion(null);
    if (yes && question) send({ ...question.request, ...(question.license ? { accept_license: true } : {}) });
  }

  const stored = made?.status === "failed" && made.error && dismissed !== made.id ? failureOf(made.error) : null;
  return {
    made,
    running,
    question,
    speak,
    answer,
    stopped,
    /** It was told to stop and has not yet. */
    stopping: cancel.isPending,
    error: generate.error ?? retry.error ?? take.error ?? cancel.error ?? stored,
    /** The failed one once more where there is one, else the request. */
    again: () => {
      if (!generate.error && made?.status === "failed") {
        retry.mutate(made.id, { onSuccess: accepted });
      } else {
        generate.reset();
        speak();
      }
    },
    dismiss: () => {
      forget();
      for (const mutation of [generate, retry, take, cancel]) mutation.reset();
      if (made) setDismissed(made.id);
    },
    stop: () => {
      if (made && !cancel.isPending) cancel.mutate(made.id);
    },
    isGone: query.error?.status === 404,
    /** Makes another take of one chunk, and plays it. */
    take: (chunk: number) => {
      if (!made || isTaking) return;
      take.mutate(
        { id: made.id, chunk },
        {
          onSuccess: (generation) => {
            if (generation.status === "complete")
              player.load(generation, { play: true, at: generation.chunks[chunk]?.start ?? 0 });
          },
        },
      );
    },
    taking: isTaking ? take.variables.chunk : null,
  };
}

export type Making = ReturnType<typeof useMaking>;
