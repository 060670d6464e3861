import { useTranslation } from "react-i18next";
import { engineName } from "@/api/models";
import { useFormat } from "@/i18n/format";
import { canPreview, type Entry, isHosted, ToModel, useVoiceWords, type Voice } from "@/features/voices/library";
import { usePreviewError } from "@/player";
import { Button, ErrorBox } from "@/ui";
import { canUse, HostedChoice } from "./HostedChoice";
import { KeyHints } from "./KeyHints";
import { Missing } from "./Missing";
import { NeedModel } from "./NeedModel";
import type { Choosing } from "./useChoosing";
import type { AddHosted } from "./useAddHosted";

/** What the active voice requires before its preview can be played, or why the preview failed. */
function useHint(voice: Voice | undefined) {
  const { t } = useTranslation("picker");
  const words = useVoiceWords();
  const format = useFormat();
  const failed = usePreviewError();
  if (failed) return <ErrorBox error={failed} action={<ToModel error={failed} voice={voice} />} />;
  if (voice?.state === "unusable") return <span className="text-12 text-ink-2 wrap-anywhere">{words.line(voice)}</span>;
  if (voice?.state !== "missing") return null;
  const known = words.some([
    words.facts(voice),
    words.languages(voice),
    engineName(voice.engine),
    format.megabytes(voice.model?.size_mb ?? 0),
  ]);
  return (
    <span className="text-12 text-ink-2 wrap-anywhere">
      {t(canPreview(voice) ? "preview.sample" : "preview.later", { name: voice.name })}. <span>{known}</span>
    </span>
  );
}

/** The active row, the number of rows, and the button that chooses it. */
function Actions({
  active,
  count,
  adding,
  onTake,
}: {
  active: Entry | undefined;
  count: number;
  adding: AddHosted;
  onTake(entry: Entry): void;
}) {
  const { t } = useTranslation("picker");
  const voice = active?.kind === "voice" ? active.voice : undefined;
  const hint = useHint(voice);
  const toGet = active?.kind === "model" ? active.model : active?.kind === "group" ? active.toGet : undefined;
  const words = toGet
    ? t("download", { name: toGet.display_name })
    : active?.kind === "voice"
      ? t(active.voice.state === "missing" && active.voice.offered ? "download" : "use", { name: active.voice.name })
      : t("useNone");
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="min-w-0 flex-1">
        {hint ?? (voice && isHosted(voice) ? <HostedChoice voice={voice} adding={adding} /> : <KeyHints />)}
      </div>
      <span className="text-12 text-ink-2">{t("voices", { count })}</span>
      <Button
        kind="primary"
        disabled={!active || (active.kind === "group" && !toGet) || (voice !== undefined && !canUse(voice))}
        busy={adding.isPending}
        onClick={() => active && onTake(active)}
      >
        {words}
      </Button>
    </div>
  );
}

interface Props {
  choosing: Choosing;
  active: Entry | undefined;
  count: number;
  onLeave(): void;
}

/** What is chosen now, or the download that it requires first. */
export function Footer({ choosing, active, count, onLeave }: Props) {
  const { wanted, model, missing, choose } = choosing;
  return (
    <div className="border-t border-line p-3" role="status" aria-atomic="false">
      {wanted && model ? (
        <NeedModel
          key={wanted.key}
          model={model}
          name={wanted.voice?.name}
          onReady={choosing.ready}
          onBack={choosing.back}
          onStart={choosing.remember}
          onStop={choosing.forget}
          onLeave={onLeave}
          onUseAnyway={wanted.voice?.offered === false ? () => wanted.voice && choose(wanted.voice) : undefined}
        />
      ) : missing ? (
        <Missing voice={missing} onMade={(profile) => choose({ ...missing, profile })} onBack={choosing.giveUp} />
      ) : (
        <Actions active={active} count={count} adding={choosing.adding} onTake={choosing.take} />
      )}
    </div>
  );
}
