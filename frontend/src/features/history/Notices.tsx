import { useEffect, useSyncExternalStore } from "react";
import { RotateCcw, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { player } from "@/player";
import { Button, ErrorBox, IconButton } from "@/ui";
import { LostFile } from "./LostFile";
import { setProblem, setSilent, useProblem, useSilent } from "./state";
import type { Actions } from "./useActions";

const unplayable = () => { const { failed, generation } = player.get(); return failed ? generation?.id ?? null : null; };

/** What went wrong last, and a sound that cannot be played because its file is gone, with the way to make it again. */
export function Notices({ actions, inDetails }: { actions: Actions; inDetails: string | null }) {
  const { t } = useTranslation("history");
  const problem = useProblem();
  const silent = useSilent();
  const failed = useSyncExternalStore(player.subscribe, unplayable);
  useEffect(() => { if (failed !== null) void actions.examine(failed); }, [failed, actions]);
  const lost = silent && silent.id !== inDetails ? silent : null; // the details say it too
  if (!problem && !lost) return null;
  const close = (onClick: () => void) => <IconButton label={t("common:close")} icon={<X size={14} />} onClick={onClick} />;
  return (
    <div className="grid gap-2 px-4 pt-3">
      {problem ? <ErrorBox error={problem} action={close(() => setProblem(null))} /> : null}
      {lost ? (
        <LostFile of={lost.title || lost.text} action={
          <span className="flex gap-1">
            <Button size="small" icon={<RotateCcw size={14} aria-hidden />} onClick={() => { player.close(); void actions.restore(lost); }}>{t("again")}</Button>
            {close(() => setSilent(null))}
          </span>
        } />
      ) : null}
    </div>
  );
}
