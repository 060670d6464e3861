import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "@/api/errors";
import { useFavoriteGenerations, usePatchGeneration } from "@/api/history";
import { readGeneration, useStopGeneration, useRegenerate, useRetryGeneration } from "@/api/generations";
import { priceOf } from "@/api/hosted";
import { keys } from "@/api/keys";
import { fileCopier, fileShower, saveAs, type SaveRequest } from "@/api/save";
import { hasEnded, type Generation } from "@/api/types";
import { priceToConfirm, type Pay } from "@/features/hosted";
import { useLatest } from "@/lib/latest";
import { href, navigate } from "@/lib/router";
import { player } from "@/player";
import { useToast } from "@/ui";
import { fillDrag, isFresh, saveMany, audioAddress } from "./files";
import { toRow, type HistoryRow } from "./rows";
import { setMissing, setProblem, setUnplayable } from "./state";
import { useCheck } from "./useCheck";
import { useDeletion } from "./useDeletion";
import { editRows } from "./useRows";

/** Fetches the complete generation, with an audio address that is valid for another hour. */
async function latestGeneration(client: QueryClient, id: string): Promise<Generation> {
  const made = await client.fetchQuery({
    queryKey: keys.generation(id),
    queryFn: ({ signal }) => readGeneration(id, signal),
    staleTime: 0,
  });
  setMissing(made);
  return made;
}

/** Returns the address that opens the text of a generation in the Studio. */
export const studioHref = (id: string): string => href("studio", [], { from: id });

/** Runs an action and shows its error above the list. */
async function guarded(work: () => Promise<unknown>): Promise<void> {
  setProblem(null);
  try {
    await work();
  } catch (error) {
    setProblem(error);
  }
}

/** The actions on generations. The object keeps its identity, so that rows need not render again. `pay` asks for prices. */
export function useActions(pay: Pay) {
  const { t } = useTranslation("history");
  const client = useQueryClient();
  const toast = useToast();
  const deletion = useDeletion();
  const { mutateAsync: patch } = usePatchGeneration();
  const { mutateAsync: mark } = useFavoriteGenerations();
  const { mutateAsync: stop } = useStopGeneration();
  const { mutateAsync: retry } = useRetryGeneration();
  const { mutateAsync: requestRegenerate } = useRegenerate();
  const { check } = useCheck();

  const show = (generation: Generation) =>
    editRows(client, [generation.id], (row) => ({ ...toRow(generation), highlight: row.highlight }));
  const copied = async (text: string, said: string) => {
    await navigator.clipboard.writeText(text);
    toast({ text: said });
  };
  /** Requests a generation again, a hosted one after its price was accepted. */
  const regenerate = (generation: Generation, said: string, seed?: number) =>
    guarded(async () => {
      const { id, source } = generation;
      const price = source === "hosted" ? await priceOf(generation) : undefined;
      const send = (accepted?: number) => requestRegenerate({ id, accepted, ...(seed === undefined ? {} : { seed }) });
      if (await pay(send, price)) toast({ text: said });
    });
  const actions = {
    /** Fetches a fresh address before the row is dragged anywhere. */
    readyToDrag: ({ id, audioUrl }: HistoryRow) => {
      if (!isFresh(audioUrl)) void latestGeneration(client, id).catch(() => undefined);
    },
    drag: (row: HistoryRow, data: DataTransfer) => {
      const newest = client.getQueryData<Generation>(keys.generation(row.id))?.audio_url;
      fillDrag(data, { ...row, audioUrl: newest && isFresh(newest) ? newest : row.audioUrl }, t("file"));
    },
    play: (id: string) =>
      guarded(async () => {
        const now = player.get();
        if (now.generation?.id === id && !now.failed) return player.toggle();
        const made = await latestGeneration(client, id);
        setUnplayable(made.audio_missing ? made : null);
        if (made.partial) player.follow(made, { play: true, busy: () => false });
        else if (!made.audio_missing) player.load(made, { play: true });
      }),
    /** Checks whether audio could not be played because its file is missing. */
    checkFile: (id: string) =>
      guarded(async () => {
        const made = await latestGeneration(client, id);
        if (made.audio_missing) setUnplayable(made);
      }),
    favorite: (ids: readonly string[], favorite: boolean) =>
      guarded(async () => {
        editRows(client, ids, (row) => ({ ...row, favorite }));
        try {
          await mark({ ids: [...ids], favorite });
        } catch (error) {
          void client.invalidateQueries({ queryKey: keys.history });
          throw error;
        }
      }),
    rename: (id: string, title: string) => guarded(async () => show(await patch({ id, changes: { title } }))),
    stop: (id: string) => guarded(async () => show(await stop(id))),
    /** Tries a failed one again, or continues a stopped one. One that failed for its price goes on once that is accepted. */
    retry: (id: string) =>
      guarded(async () => {
        const { error } = await latestGeneration(client, id);
        const price = error ? priceToConfirm(failureOf(error)) : undefined;
        const made = await pay((accepted) => retry({ id, accepted }), price);
        if (!made) return;
        show(made);
        const { generation, playing } = player.get();
        if (generation?.id === id) player.follow(made, { play: playing, busy: () => false });
      }),
    regenerate: (id: string) =>
      guarded(async () => regenerate(await latestGeneration(client, id), t("regenerateStarted"))),
    /** Regenerates missing audio with the same voice, text, speed and seed. */
    restore: (generation: Generation) => {
      setUnplayable(null);
      return regenerate(generation, t("restoreStarted"), generation.seed);
    },
    restoreRow: (id: string) => guarded(async () => actions.restore(await latestGeneration(client, id))),
    save: (id: string, request: SaveRequest) =>
      guarded(async () => saveAs(await latestGeneration(client, id), request, t("file"))),
    verify: (ids: readonly string[]) =>
      guarded(async () => {
        if (await check(ids)) toast({ text: t("verify.started", { count: ids.length }) });
      }),
    saveMany: (ids: readonly string[], request: Parameters<typeof saveMany>[1]) =>
      guarded(() => saveMany(ids, request, t("file"))),
    copyText: (id: string) => guarded(async () => copied((await latestGeneration(client, id)).text, t("copiedText"))),
    copyLink: (id: string) =>
      guarded(async () => copied(audioAddress((await latestGeneration(client, id)).audio_url), t("copiedLink"))),
    copyPath: (id: string) =>
      guarded(async () => copied((await latestGeneration(client, id)).audio_path, t("copiedPath"))),
    copyFile: (id: string) =>
      guarded(async () => {
        await fileCopier()?.((await latestGeneration(client, id)).audio_path);
        toast({ text: t("common:export.copiedFile") });
      }),
    showFile: (id: string) => guarded(async () => fileShower()?.((await latestGeneration(client, id)).audio_path)),
    studio: (id: string) => navigate(studioHref(id)),
    transcribe: (id: string) => navigate(href("transcribe", [], { generation: id })),
    remove: (ids: readonly string[]) =>
      guarded(async () => {
        for (const id of ids) {
          const made = client.getQueryData<Generation>(keys.generation(id));
          if (made && !hasEnded(made.status)) await stop(id);
        }
        deletion.generations(ids);
      }),
  };
  return useStable(actions);
}

export type Actions = ReturnType<typeof useActions>;

/** Returns one object for the life of the component that always calls the latest functions. */
function useStable<T extends Record<string, (...args: never[]) => unknown>>(latest: T): T {
  const read = useLatest(latest);
  const [stable] = useState(
    () =>
      Object.fromEntries(Object.keys(latest).map((name) => [name, (...args: never[]) => read()[name]?.(...args)])) as T,
  );
  return stable;
}
