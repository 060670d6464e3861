import { ChevronDown, Play, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Chunk, Generation } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { asWritten } from "@/lib/markup";
import { player, TakeList, useNewTakes, usePlayingChunk } from "@/player";
import { Button, cx, ErrorBox, IconButton } from "@/ui";

const shownFirst = 12;

interface LineProps {
  generation: Generation;
  chunk: Chunk;
  index: number;
  /** The times have tenths, as some passage of the list is shorter than a second. */
  withTenths: boolean;
  isSounding: boolean;
  isGenerating: boolean;
  /** Its takes are shown. */
  isOpen: boolean;
  onOpen(): void;
  onMake(): void;
}

function ChunkLine({
  generation,
  chunk,
  index,
  withTenths,
  isSounding,
  isGenerating,
  isOpen,
  onOpen,
  onMake,
}: LineProps) {
  const { t } = useTranslation("history");
  const format = useFormat();
  const number = index + 1;
  return (
    <li
      className={cx("-mx-2 rounded-m px-2 py-1", isSounding && "bg-accent-soft")}
      aria-current={isSounding || undefined}
      data-row=""
    >
      <div className="flex items-center gap-1">
        <IconButton
          label={t("playPassage", { number })}
          className="-ms-2"
          icon={<Play size={12} fill="currentColor" />}
          onClick={() => player.load(generation, { play: true, at: chunk.start })}
        />
        <span className="text-12 text-ink-3">{format.span(chunk.start, chunk.end, withTenths)}</span>
        <span className="flex-1" />
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
        {chunk.takes > 1 ? (
          <Button
            kind="quiet"
            size="small"
            className="-me-2.5"
            aria-expanded={isOpen}
            aria-label={t("takesOf", { number, takes: chunk.takes })}
            onClick={onOpen}
          >
            {t("takes", { takes: chunk.takes })}
            <ChevronDown size={14} className={cx(isOpen && "rotate-180")} aria-hidden />
          </Button>
        ) : null}
      </div>
      <p dir="auto" lang={generation.language} className="line-clamp-2 ps-6 text-12 text-ink-2">
        {asWritten(chunk.text)}
      </p>
      {isOpen && chunk.takes > 1 ? (
        <div className="py-2 ps-6">
          <TakeList generation={generation} chunk={index} />
        </div>
      ) : null}
    </li>
  );
}

/** The chunks of a generation with their times: play one, regenerate it, choose a take. */
export function Chunks({ generation }: { generation: Generation }) {
  const { t } = useTranslation("history");
  const make = useNewTakes();
  const [all, setAll] = useState(false);
  const [open, setOpen] = useState<number | null>(null); // the chunk whose takes are shown
  const sounding = usePlayingChunk(generation.id);
  const { chunks } = generation;
  const shown = all ? chunks : chunks.slice(0, shownFirst);
  const withTenths = chunks.some(({ start, end }) => Math.floor(start) === Math.floor(end));
  const takes = chunks.reduce((sum, chunk) => sum + chunk.takes, 0);
  function addTake(chunk: number) {
    if (make.chunk !== null) return;
    setOpen(chunk);
    make.generate(generation, [chunk]).catch(() => undefined); // shown by `error`
  }
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
      {make.error ? <ErrorBox error={make.error} /> : null}
      <ol>
        {shown.map((chunk, i) => (
          <ChunkLine
            key={i}
            generation={generation}
            chunk={chunk}
            index={i}
            withTenths={withTenths}
            isSounding={i === sounding}
            isGenerating={i === make.chunk}
            isOpen={i === open}
            onOpen={() => setOpen(i === open ? null : i)}
            onMake={() => addTake(i)}
          />
        ))}
      </ol>
      {chunks.length > shown.length ? (
        <Button kind="quiet" size="small" className="-ms-2.5" onClick={() => setAll(true)}>
          {t("showAllPassages", { count: chunks.length })}
        </Button>
      ) : null}
    </section>
  );
}
