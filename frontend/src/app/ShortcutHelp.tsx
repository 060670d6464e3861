import { useTranslation } from "react-i18next";
import { Dialog } from "@/ui";
import { KeyList } from "@/lib/KeyList";
import { isKeyGroup } from "@/lib/keyTable";
import { homeScreen, useRoute } from "@/lib/router";

/** The shortcuts of the current screen, then those that work everywhere. */
export function ShortcutHelp({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  const { t } = useTranslation();
  const { screen } = useRoute();
  const present = isKeyGroup(screen) ? screen : homeScreen;
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("shortcuts.title")} width={720}>
      <div className="gap-8 narrow:columns-2">
        <KeyList group={present} isPresent />
        {present === "studio" ? <KeyList group="picker" /> : null}
        <KeyList group="everywhere" />
      </div>
    </Dialog>
  );
}
