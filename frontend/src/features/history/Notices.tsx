import { useEffect, useSyncExternalStore } from "react";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { player } from "@/player";
import { ErrorBox, IconButton } from "@/ui";
import { setProblem, useProblem, useSilent } from "./state";
import type { Actions } from "./useActions";

const unplayable = () => {
  const { failed, generation } = player.get();
  return failed ? (generation?.id ?? null) : null;
};

/** What went wrong last; of a sound whose file is gone its row tells, and this says it to those who do not see it. */
export function Notices({ actions }: { actions: Actions }) {
  const { t } = useTranslation("history");
  const problem = useProblem();
  const silent = useSilent();
  const failed = useSyncExternalStore(player.subscribe, unplayable);
  useEffect(() => {
    if (failed !== null) void actions.examine(failed);
  }, [failed, actions]);
  return (
    <>
      <p role="status" className="sr-only">
        {silent ? `${t("missing.title")} ${silent.title || silent.text.slice(0, 60)}` : ""}
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
