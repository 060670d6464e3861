import { useTranslation } from "react-i18next";
import { Button, Dialog } from "@/ui";
import type { useTurnKeys } from "./useTurnKeys";

type Checked = NonNullable<ReturnType<typeof useTurnKeys>["pasted"]>;

/** Shows what of a pasted script will not be spoken, before it is inserted. */
export function PastedDialog({ pasted }: { pasted: Checked }) {
  const { t } = useTranslation("script");
  const { lines } = pasted.found;
  return (
    <Dialog
      open
      onOpenChange={pasted.cancel}
      width={560}
      title={t("check.title")}
      footer={
        <>
          <Button onClick={pasted.cancel}>{t("common:cancel")}</Button>
          <Button onClick={pasted.insertAsText}>{t("check.asText")}</Button>
          <Button kind="primary" onClick={pasted.insert}>
            {t("check.insert", { count: lines.length })}
          </Button>
        </>
      }
    >
      <p>{t("check.text", { count: pasted.left.length })}</p>
      {/* A long list scrolls, so it must be focusable by keyboard. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul className="sc-left" aria-label={t("check.left")} tabIndex={0}>
        {pasted.left.map((line, i) => (
          <li key={i} dir="auto">
            {line}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
