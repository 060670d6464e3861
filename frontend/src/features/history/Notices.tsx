import { useEffect, useSyncExternalStore } from "react";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { titleOrWords } from "@/lib/heading";
import { player } from "@/player";
import { ErrorBox, IconButton } from "@/ui";
import { setProblem, useProblem, useUnplayable } from "./state";
import type { Actions } from "./useActions";

const unplayable = () => {
  const { failed, generation } = player.get();
  return failed ? (generation?.id ?? null) : null;
};

/** The last error. A missing file is shown in its row; this announces it to screen readers. */
export function Notices({ actions }: { actions: Actions }) {
  const { t } = useTranslation("history");
  const problem = useProblem();
  const unplayableGeneration = useUnplayable();
  const failed = useSyncExternalStore(player.subscribe, unplayable);
  useEffect(() => {
    if (failed !== null) void actions.checkFile(failed);
  }, [failed, actions]);
  return (
    <>
      <p role="status" className="sr-only">
        {unplayableGeneration ? `${t("missing.title")} ${titleOrWords(unplayableGeneration, 60)}` : ""}
      </p>
      {problem ? (
        <div className="px-4 pt-3">
          <ErrorBox
            error={problem}
            action={<IconButton label={t("common:close")} icon={<X size={14} />} onClick={() => setProblem(null)} />}
          />
        </div>
      ) : null}
    </>
  );
}
