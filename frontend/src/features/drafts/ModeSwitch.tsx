import { useTranslation } from "react-i18next";
import { SegmentedControl } from "@/ui";

type Mode = "text" | "script";

/** A choice: a text for one voice, or a script for several. */
export function ModeSwitch({ mode, change }: { mode: Mode; change(): Promise<void> }) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      label={t("drafts.mode")}
      value={mode}
      onChange={(next) => {
        if (next !== mode) void change();
      }}
      segments={[
        { value: "text", label: t("drafts.kind.text") },
        { value: "script", label: t("drafts.kind.script") },
      ]}
    />
  );
}
