import { useTranslation } from "react-i18next";
import { useTranscript } from "@/api/transcriptions";
import { href, navigate } from "@/lib/router";
import { Button, ErrorBox, Skeleton } from "@/ui";
import { TranscriptPage } from "./TranscriptPage";

/** One transcript: loads it, and says so when it does not exist. */
export function TranscriptScreen({ id }: { id: string }) {
  const { t } = useTranslation("transcribe");
  const { data, error, refetch } = useTranscript(id);
  if (data) return <TranscriptPage transcript={data} />;
  if (!error)
    return (
      <div className="grid gap-3 p-6">
        {[1, 2, 3].map((n) => (
          <Skeleton key={n} className="h-6" />
        ))}
      </div>
    );
  const isMissing = error.status === 404;
  return (
    <div className="p-6">
      <ErrorBox
        error={error}
        action={
          <Button size="small" onClick={() => (isMissing ? navigate(href("transcribe")) : void refetch())}>
            {isMissing ? t("allTranscripts") : t("common:retry")}
          </Button>
        }
      />
    </div>
  );
}
