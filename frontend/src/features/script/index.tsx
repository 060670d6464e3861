import { useTranslation } from "react-i18next";
import { useStore } from "@/lib/store";
import { textHref } from "@/lib/draftLink";
import { href, navigate } from "@/lib/router";
import { Button, EmptyState, ErrorBox, Skeleton } from "@/ui";
import { PastedDialog } from "./PastedDialog";
import { ScriptScreen } from "./ScriptScreen";
import "./script.css";
import { openNew } from "./useScriptDrafts";
import { useOpenScript } from "./useScriptStore";

/** Script: a text for several voices, one turn after the other. */
export default function Script() {
  const { t } = useTranslation("script");
  const { store, shown, question, voices, error, retry } = useOpenScript();
  const { opened } = useStore(store.state);
  if (error) {
    const isMissing = error.code === "draft_not_found";
    return (
      <div className="p-6">
        <ErrorBox
          error={error}
          action={
            <Button size="small" onClick={isMissing ? openNew : retry}>
              {isMissing ? t("newScript") : t("common:retry")}
            </Button>
          }
        />
      </div>
    );
  }
  if (!shown)
    return (
      <div className="p-8" aria-busy>
        <Skeleton className="mx-auto h-6 max-w-2xl" />
        {question ? (
          <PastedDialog
            {...question}
            labels={{ turns: (count) => t("check.showTurns", { count }), text: t("check.showText") }}
            cancel={() => navigate(textHref(question.address))}
          />
        ) : null}
      </div>
    );
  if (!shown.isReadable)
    return (
      <EmptyState
        title={t("unreadable")}
        action={<Button onClick={() => navigate(href("studio"))}>{t("openStudio")}</Button>}
      >
        {t("unreadableHint")}
      </EmptyState>
    );
  return <ScriptScreen key={opened} store={store} voices={voices} />;
}
