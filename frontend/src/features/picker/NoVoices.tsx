import { Search } from "lucide-react";
import { useTranslation } from "react-i18next";
import { isFiltered, type Filters } from "@/features/voices/library";
import { Button, EmptyState } from "@/ui";

/** Shown in place of an empty list. */
export function NoVoices({ filters, onClear }: { filters: Filters; onClear(): void }) {
  const { t } = useTranslation("picker");
  const narrowed = isFiltered(filters) || filters.search !== "";
  return (
    <EmptyState
      icon={<Search size={28} aria-hidden />}
      title={narrowed ? t("empty.title") : t("empty.none")}
      action={narrowed ? <Button onClick={onClear}>{t("filter.clear")}</Button> : undefined}
    >
      {narrowed ? t("empty.text") : t("empty.noneText")}
    </EmptyState>
  );
}
