import { Ear, RefreshCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Generation } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { asWritten } from "@/lib/markup";
import { playChunk, player, TakeList } from "@/player";
import { Button } from "@/ui";
import { heardChunks } from "../generation/heard";
import { usesSeed } from "../generation/voiceModel";
import type { GenerationFlow } from "../generation/useGenerationFlow";

/** Plays a generation from a chunk on; while it is made, or when it was stopped, if that is finished; while it is changed, as it was. */
export function playFrom(generation: Generation, chunk: number): void {
  if (generation.audio_url === "") {
    if (chunk < heardChunks(generation)) playChunk(generation, chunk);
    return;
  }
  player.load({ ...generation, status: "complete" }, { play: true, at: generation.chunks[chunk]?.start ?? 0 });
}

/** Reports whether takes can be chosen: of local voices, not during a generation, but while another take is generated. */
export function hasTakes({ generation, takeChunk }: GenerationFlow, chunk: number): boolean {
  const isMade = generation?.status === "complete" || takeChunk !== null;
  return isMade && generation?.source === "local" && generation.chunks[chunk] !== undefined;
}

/** The takes of a chunk, and a button for another one where it would sound different. */
export function Takes({ flow, chunk }: { flow: GenerationFlow; chunk: number }) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const { generation, takeChunk } = flow;
  const stored = generation?.chunks[chunk];
  if (!generation || !stored) return null;
  return (
    <>
      <h3 className="mb-2 font-medium">{t("takes.title")}</h3>
      <p className="mb-2 line-clamp-2 break-words text-12 text-ink-3">
        {t("takes.of", { passage: chunk + 1, total: generation.chunks.length })} · {asWritten(stored.text)}
      </p>
      {stored.verify ? (
        <p className="mb-2 flex items-center gap-1.5 text-12 text-ink-2">
          <Ear size={14} aria-hidden />
          {t("takes.checked", { part: format.percent(Math.max(0, 1 - stored.verify.wer)) })}
        </p>
      ) : null}
      <TakeList generation={generation} chunk={chunk}>
        {usesSeed(generation.engine) ? (
          <Button
            size="small"
            icon={<RefreshCw size={14} />}
            busy={takeChunk === chunk}
            disabled={flow.running}
            onClick={() => flow.take(chunk)}
          >
            {t(takeChunk === chunk ? "takes.generating" : "takes.new")}
          </Button>
        ) : null}
      </TakeList>
    </>
  );
}

/** The takes of the chunk at the cursor. */
export function TakesSection({ flow, chunk }: { flow: GenerationFlow; chunk: number }) {
  const { t } = useTranslation("studio");
  return hasTakes(flow, chunk) ? (
    <section aria-label={t("takes.title")}>
      <Takes flow={flow} chunk={chunk} />
    </section>
  ) : null;
}
