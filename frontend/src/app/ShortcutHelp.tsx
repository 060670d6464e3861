import { useTranslation } from "react-i18next";
import { Dialog, Kbd } from "@/ui";
import { useAllCommands, type Command } from "./commands";

/** What the keys do, one line a deed: some have two ways. */
function byTitle(commands: readonly Command[]): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  for (const { title, shortcut } of commands) {
    const keys = lines.get(title) ?? [];
    if (shortcut && !keys.includes(shortcut)) lines.set(title, [...keys, shortcut]);
  }
  return lines;
}

export function ShortcutHelp({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  const { t } = useTranslation();
  const lines = byTitle(useAllCommands());
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("shortcuts.title")}>
      <dl>
        {[...lines].map(([title, keys]) => (
          <div key={title} className="flex min-h-8 items-center justify-between gap-6 border-b border-line last:border-0"><dt>{title}</dt><dd className="flex flex-none gap-2">{keys.map((one) => <Kbd key={one} keys={one} />)}</dd></div>
        ))}
      </dl>
    </Dialog>
  );
}
