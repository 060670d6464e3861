import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConsentKind } from "@/api/types";
import { Button, Dialog } from "@/ui";
import type { VoiceActions } from "../actions";
import { ConsentChoice } from "@/features/consent";

/** The question whose voice it is before a file with samples is imported. */
export function ImportConsent({ actions }: { actions: VoiceActions }) {
  return actions.unstated ? <Question key={actions.unstated.name} file={actions.unstated} actions={actions} /> : null;
}

function Question({ file, actions }: { file: File; actions: VoiceActions }) {
  const { t } = useTranslation(["samples", "voices"]);
  const [kind, setKind] = useState<ConsentKind | null>(null);
  const [isTried, setTried] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && actions.forget()}
      title={t("consent.title")}
      footer={
        <>
          <Button onClick={actions.forget}>{t("common:cancel")}</Button>
          <Button kind="primary" onClick={() => (kind ? actions.bring(file, kind) : setTried(true))}>
            {t("voices:import")}
          </Button>
        </>
      }
    >
      <p className="mb-4">{t("consent.import", { file: file.name })}</p>
      <ConsentChoice value={kind} missing={isTried} onChange={setKind} />
    </Dialog>
  );
}
