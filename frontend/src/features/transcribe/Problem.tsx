import { useTranslation } from "react-i18next";
import { isAudioMissing } from "@/api/errors";
import { Button, ErrorBox } from "@/ui";
import { setProblem, useProblem } from "./state";

/** The last error of an action on this screen, until the next action or until it is closed. */
export function Problem() {
  const { t } = useTranslation("finding");
  const problem = useProblem();
  if (!problem) return null;
  return (
    <ErrorBox
      error={problem}
      {...(isAudioMissing(problem)
        ? { words: { title: t("audioMissing.title"), remedy: t("audioMissing.remedy") } }
        : {})}
      action={
        <Button size="small" onClick={() => setProblem(null)}>
          {t("common:close")}
        </Button>
      }
    />
  );
}
