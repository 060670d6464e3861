import { useTranslation } from "react-i18next";
import type { ModelsDirectory } from "@/api/types";
import { useOfSizes } from "@/features/downloads";
import { ProgressBar } from "@/ui";

/** The progress of moving the models; before the first byte the folder is being checked. */
export function MoveBar({ directory }: { directory: ModelsDirectory | undefined }) {
  const { t } = useTranslation("models");
  const sizes = useOfSizes();
  if (directory?.adopting) return <AdoptBar progress={directory.adopting} />;
  const moved = directory?.moving ? directory.moved_bytes : 0;
  const used = directory?.used_bytes ?? 0;
  const text = moved > 0 ? t("move.progress", { part: sizes(moved, used) }) : t("move.checking");
  return <ProgressBar label={t("move.title")} value={moved > 0 && used > 0 ? moved / used : null} text={text} />;
}

function AdoptBar({ progress: { current, total } }: { progress: NonNullable<ModelsDirectory["adopting"]> }) {
  const { t } = useTranslation("models");
  const sizes = useOfSizes();
  const text = total > 0 ? t("move.verifying", { part: sizes(current, total) }) : t("move.checking");
  return <ProgressBar label={t("move.adopting")} value={total > 0 ? current / total : null} text={text} />;
}
