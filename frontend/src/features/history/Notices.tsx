import { useSyncExternalStore } from "react";
import { RotateCcw, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { usePeaks } from "@/api/history";
import { player } from "@/player";
import { Button, ErrorBox, IconButton } from "@/ui";
import { setProblem, useProblem } from "./state";
import type { Actions } from "./useActions";

const unplayable = () => { const { failed, generation } = player.get(); return failed ? generation : null; };

/** What went wrong last, and a sound that cannot be played because its file is gone, with the way to make it again. */
export function Notices({ actions, inDetails }: { actions: Actions; inDetails: string | null }) {
  const { t } = useTranslation("history");
  const problem = useProblem();
  const broken = useSyncExternalStore(player.subscribe, unplayable);
  const peaks = usePeaks(broken ?? undefined);
  const missing = broken && peaks.error && broken.id !== inDetails ? broken : null; // the details say it too
  if (!problem && !missing) return null;
  return (
    <div className="grid gap-2 px-4 pt-3">
      {problem ? <ErrorBox error={problem} action={<IconButton label={t("common:close")} icon={<X size={14} />} onClick={() => setProblem(null)} />} /> : null}
      {missing ? <ErrorBox error={peaks.error} action={<Button size="small" icon={<RotateCcw size={14} aria-hidden />} onClick={() => { player.close(); void actions.again(missing.id); }}>{t("again")}</Button>} /> : null}
    </div>
  );
}
