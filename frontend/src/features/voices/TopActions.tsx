import { MoreHorizontal, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { TopEnd } from "@/lib/slots";
import { Button, IconButton, Menu } from "@/ui";
import type { Source } from "./draft";

interface Props {
  canMix: boolean;
  all: boolean;
  onNew(source: Source): void;
  onImport(): void;
  onRestore(): void;
  onAll(all: boolean): void;
  isImporting: boolean;
}

/** The actions of the page; New voice is the primary one. */
export function TopActions({ canMix, all, onNew, onImport, onRestore, onAll, isImporting }: Props) {
  const { t } = useTranslation("voices");
  return (
    <TopEnd>
      <Menu
        groups={[
          [
            { label: t("newRecording"), onSelect: () => onNew("recording") },
            ...(canMix ? [{ label: t("newMix"), onSelect: () => onNew("mix") }] : []),
            { label: isImporting ? t("importing") : t("import"), disabled: isImporting, onSelect: onImport },
            { label: t("restore"), onSelect: onRestore },
          ],
          [{ label: t("showAll"), checked: all, onSelect: () => onAll(!all) }],
        ]}
      >
        <IconButton label={t("common:more")} icon={<MoreHorizontal size={16} />} />
      </Menu>
      <Button kind="primary" icon={<Plus size={16} aria-hidden />} shortcut="n" onClick={() => onNew("preset")}>
        {t("new.title")}
      </Button>
    </TopEnd>
  );
}
