import { LayoutGrid, List, Search, SlidersHorizontal, X } from "lucide-react";
import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import type { Filters, View } from "@/features/voices/library";
import { IconButton, Kbd, SegmentedControl, TextField } from "@/ui";

/** The search field, and the choice between rows and cards. */
export function Head({
  filters,
  onFilters,
  view,
  onView,
  onClose,
  searchRef,
  filtering,
  onFiltering,
}: {
  filters: Filters;
  onFilters(filters: Filters): void;
  view: View;
  onView(view: View): void;
  onClose(): void;
  searchRef: Ref<HTMLInputElement>;
  /** The filters are shown in place of the list; undefined where both have room. */
  filtering: boolean | undefined;
  onFiltering(on: boolean): void;
}) {
  const { t } = useTranslation("picker");
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line p-3">
      <TextField
        ref={searchRef}
        className="min-w-32 flex-1"
        label={t("search")}
        hideLabel
        placeholder={t("search")}
        autoFocus
        icon={<Search size={16} aria-hidden />}
        value={filters.search}
        onChange={(search) => onFilters({ ...filters, search })}
        end={<Kbd keys="escape" />}
      />
      {filtering === undefined ? null : (
        <IconButton
          label={t("filter.title")}
          icon={<SlidersHorizontal size={16} />}
          aria-pressed={filtering}
          onClick={() => onFiltering(!filtering)}
        />
      )}
      <SegmentedControl
        label={t("view.title")}
        value={view}
        onChange={onView}
        segments={[
          { value: "list", label: t("view.list"), icon: <List size={14} aria-hidden /> },
          { value: "cards", label: t("view.cards"), icon: <LayoutGrid size={14} aria-hidden /> },
        ]}
      />
      <IconButton label={t("common:close")} icon={<X size={16} />} onClick={onClose} />
    </div>
  );
}
