import { useTranslation } from "react-i18next";
import { Dialog, Kbd } from "@/ui";
import { useAllCommands } from "./commands";

export function ShortcutHelp({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  const { t } = useTranslation();
  const commands = useAllCommands().filter((c) => c.shortcut);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("shortcuts.title")}>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2">
        {commands.map((c) => <div key={c.id} className="contents"><dt>{c.title}</dt><dd><Kbd keys={c.shortcut ?? ""} /></dd></div>)}
      </dl>
    </Dialog>
  );
}
