import { useTranslation } from "react-i18next";
import type { ModelsDirectory } from "@/api/types";
import { useOfSizes } from "@/features/downloads";
import { ProgressBar } from "@/ui";

/** How far a move of the models is; before its first byte it is being checked. */
export function MoveBar({ directory }: { directory: ModelsDirectory | undefined }) {
  const { t } = useTranslation("models");
  const sizes = useOfSizes();
  const moved = directory?.moving ? directory.moved_bytes : 0;
  const used = directory?.used_bytes ?? 0;
  const text = moved > 0 ? t("move.progress", { part: sizes(moved, used) }) : t("move.checking");
  return <ProgressBar label={t("move.title")} value={moved > 0 && used > 0 ? moved / used : null} text={text} />;
}
