import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import type { ConsentKind } from "@/api/types";
import { RadioGroup } from "@/ui";

interface Props {
  value: ConsentKind | null;
  onChange(kind: ConsentKind): void;
  /** What the person agreed to; absent: that their voice generates speech. */
  detail?: string;
  /** Reports that a choice is missing. */
  missing?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** Why the voice may be used: nothing is chosen in advance, as it is a statement of the person. */
export function ConsentChoice({ value, onChange, detail, missing = false, ref }: Props) {
  const { t } = useTranslation("samples");
  return (
    <RadioGroup<ConsentKind>
      {...(ref ? { ref } : {})}
      label={t("consent.label")}
      value={value}
      onChange={onChange}
      choices={[
        { value: "own_voice", label: t("consent.own_voice") },
        { value: "permission", label: t("consent.permission"), detail: detail ?? t("consent.permissionDetail") },
      ]}
      error={missing && value === null ? t("consent.missing") : null}
    />
  );
}
