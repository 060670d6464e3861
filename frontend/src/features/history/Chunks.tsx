import { ChevronDown, Play, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePatchGeneration } from "@/api/history";
import { useRegenerateChunk } from "@/api/generations";
import type { Chunk, Generation } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { asWritten } from "@/lib/markup";
import { player, usePlayingChunk } from "@/player";
import { Button, cx, ErrorBox, IconButton, Menu } from "@/ui";

const shownFirst = 12;

function ChunkLine({
  generation,
  chunk,
  index,
  isSounding,
  isGenerating,
  onTake,
  onMake,
}: {
  generation: Generation;
  chunk: Chunk;
  index: number;
  isSounding: boolean;
  isGenerating: boolean;
  onTake(take: number): void;
  onMake(): void;
}) {
  const { t } = useTranslation("history");
  const format = useFormat();
  const number = index + 1;
  const takes = [
    Array.from({ length: chunk.takes }, (_, take) => ({
      label: t("take", { number: take + 1 }),
      checked: take === chunk.take,
      onSelect: () => onTake(take),
    })),
  ];
  return (
    <li
      className={cx("-mx-2 rounded-m px-2 py-1", isSounding && "bg-accent-soft")}
      aria-current={isSounding || undefined}
      data-row=""
    >
      <div className="flex items-center gap-1">
        <IconButton
          label={t("playPassage", { number })}
          icon={<Play size={12} fill="currentColor" />}
          onClick={() => player.load(generation, { play: true, at: chunk.start })}
        />
        <span className="text-12 text-ink-3">
          {format.clock(chunk.start)}–{format.clock(chunk.end)}
        </span>
        <span className="flex-1" />
        {chunk.takes > 1 ? (
          <Menu groups={takes}>
            <Button kind="quiet" size="small" aria-label={t("chooseTake", { number, take: chunk.take + 1 })}>
              {t("take", { number: chunk.take + 1 })}
              <ChevronDown size={14} aria-hidden />
            </Button>
          </Menu>
        ) : null}
        {isGenerating ? (
          <span className="flex items-center gap-2 text-12 text-ink-2" role="status">
            <span className="k-spin" aria-hidden />
            {t("generatingTake")}
          </span>
        ) : generation.source === "hosted" ? null : (
          <IconButton
            label={t("newTake", { number })}
            className="k-later"
            icon={<RotateCcw size={14} />}
            onClick={onMake}
          />
        )}
      </div>
      <p dir="auto" lang={generation.language} className="line-clamp-2 ps-8 text-12 text-ink-2">
        {asWritten(chunk.text)}
      </p>
    </li>
  );
}

/** The chunks of a generation with their times: play one, regenerate it, choose a take. */
export function Chunks({ generation }: { generation: Generation }) {
  const { t } = useTranslation("history");
  const patch = usePatchGeneration();
  const make = useRegenerateChunk();
  const [all, setAll] = useState(false);
  const sounding = usePlayingChunk(generation.id);
  const { chunks } = generation;
  const running = make.isPending ? make.variables.chunk : -1;
  const shown = all ? chunks : chunks.slice(0, shownFirst);
  const error = make.error ?? patch.error;
  const takes = chunks.reduce((sum, chunk) => sum + chunk.takes, 0);
  const follow = (made: Generation) => {
    if (player.get().generation?.id === made.id) player.load(made);
  };
  return (
    <section aria-label={t("passages")}>
      <div className="mb-1 flex justify-between gap-2">
        <h3 className="text-12 font-medium text-ink-2">{t("passages")}</h3>
        <span className="text-12 text-ink-3">
          {takes > chunks.length
            ? t("passageTakes", { count: chunks.length, takes })
            : t("passageCount", { count: chunks.length })}
        </span>
      </div>
      {error ? <ErrorBox error={error} /> : null}
      <ol>
        {shown.map((chunk, i) => (
          <ChunkLine
            key={i}
            generation={generation}
            chunk={chunk}
            index={i}
            isSounding={i === sounding}
            isGenerating={i === running}
            onTake={(take) =>
              patch.mutate({ id: generation.id, changes: { chunks: { [i]: { take } } } }, { onSuccess: follow })
            }
            onMake={() => {
              if (!make.isPending) make.mutate({ id: generation.id, chunk: i }, { onSuccess: follow });
            }}
          />
        ))}
      </ol>
      {chunks.length > shown.length ? (
        <Button kind="quiet" size="small" onClick={() => setAll(true)}>
          {t("showAllPassages", { count: chunks.length })}
        </Button>
      ) : null}
    </section>
  );
}
