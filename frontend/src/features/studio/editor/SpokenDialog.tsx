import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useTextPreview } from "@/api/text";
import type { TextPreviewRequest } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button, Chip, Dialog, ErrorBox, SegmentedControl, Skeleton } from "@/ui";
import { maxPreview } from "../drafts/textDocument";

type View = "words" | "sounds";

function Body({ request, view }: { request: TextPreviewRequest; view: View }) {
  const { t } = useTranslation("studio");
  const preview = useTextPreview(request);
  if (preview.error)
    return (
      <ErrorBox
        error={preview.error}
        action={
          <Button size="small" onClick={() => void preview.refetch()}>
            {t("common:retry")}
          </Button>
        }
      />
    );
  if (!preview.data) return <Skeleton className="h-40" />;
  const { spoken, phonemes, dropped_tags: dropped, shortened_pauses: shortened } = preview.data;
  const text = view === "words" ? spoken : phonemes;
  return (
    <>
      <p
        className="whitespace-pre-wrap text-14 leading-[1.6] text-ink"
        lang={view === "sounds" ? "und-fonipa" : request.language}
      >
        {text || t("spoken.noSounds")}
      </p>
      {dropped.length > 0 ? (
        <p className="flex flex-wrap items-center gap-2">
          {t("spoken.dropped")}
          {dropped.map((tag) => (
            <Chip key={tag} tone="warn">
              {tag}
            </Chip>
          ))}
        </p>
      ) : null}
      {shortened.length > 0 ? (
        <p className="flex flex-wrap items-center gap-2">
          {t("spoken.shortened")}
          {shortened.map((pause) => (
            <Chip key={pause} tone="warn">
              {pause}
            </Chip>
          ))}
        </p>
      ) : null}
    </>
  );
}

/** Shows the selection or the text as the voice receives it: with numbers in words and respellings, or as phonemes. */
export function SpokenDialog({
  request,
  isPart,
  close,
}: {
  request: TextPreviewRequest;
  isPart: boolean;
  close(): void;
}) {
  const { t } = useTranslation("studio");
  const format = useFormat();
  const [view, setView] = useState<View>("words");
  const isCut = request.text.length > maxPreview;
  return (
    <Dialog open onOpenChange={close} title={t(isPart ? "spoken.titlePart" : "spoken.title")} width={640}>
      <div className="grid gap-4">
        <div>
          <SegmentedControl<View>
            label={t("spoken.view")}
            value={view}
            onChange={setView}
            segments={[
              { value: "words", label: t("spoken.words") },
              { value: "sounds", label: t("spoken.sounds") },
            ]}
          />
        </div>
        <Body request={isCut ? { ...request, text: request.text.slice(0, maxPreview) } : request} view={view} />
        {isCut ? (
          <p className="text-12">{t("spoken.cut", { count: maxPreview, number: format.number(maxPreview) })}</p>
        ) : null}
      </div>
    </Dialog>
  );
}
