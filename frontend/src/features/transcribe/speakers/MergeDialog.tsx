import { useTranslation } from "react-i18next";
import { Button, Dialog } from "@/ui";

interface Props {
  from: string;
  to: string;
  onMerge(): void;
  onClose(): void;
}

/** The question whether two speakers become one, after a speaker was given the name of another one. */
export function MergeDialog({ from, to, onMerge, onClose }: Props) {
  const { t } = useTranslation("speakers");
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("merge.title", { from, to })}
      footer={
        <>
          <Button onClick={onClose}>{t("common:cancel")}</Button>
          <Button
            kind="primary"
            onClick={() => {
              onMerge();
              onClose();
            }}
          >
            {t("merge.run")}
          </Button>
        </>
      }
    >
      <p className="wrap-anywhere">{t("merge.text", { from, to })}</p>
    </Dialog>
  );
}
