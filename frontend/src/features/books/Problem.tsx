import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ErrorBox, IconButton } from "@/ui";
import { setProblem, useProblem } from "./state";

/** The last error of an action on books. */
export function Problem() {
  const { t } = useTranslation("books");
  const problem = useProblem();
  if (problem === null) return null;
  return (
    <div className="px-4 pt-4">
      <ErrorBox
        error={problem}
        action={<IconButton label={t("common:close")} icon={<X size={16} />} onClick={() => setProblem(null)} />}
      />
    </div>
  );
}
