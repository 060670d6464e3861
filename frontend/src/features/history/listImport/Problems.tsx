import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/i18n/format";
import { VirtualList } from "@/ui";

export const lineHeight = 20; // px, of a row or a problem before it is measured

export interface Problem {
  line: number;
  text: string;
}

export function Problems({ label, items, isOpen }: { label: string; items: readonly Problem[]; isOpen: boolean }) {
  const { t } = useTranslation("history");
  const { number } = useFormat();
  const [open, setOpen] = useState(isOpen);
  if (items.length === 0) return null;
  return (
    <details open={open} className="text-12" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="font-medium">{label}</summary>
      {open ? (
        <VirtualList
          className="mt-1 max-h-40 text-ink-2"
          label={label}
          items={items}
          keyOf={({ line }) => String(line)}
          estimate={lineHeight}
          render={({ line, text }) => <p className="pb-1">{t("import.line", { line: number(line), text })}</p>}
        />
      ) : null}
    </details>
  );
}
