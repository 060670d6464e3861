import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useModels } from "@/api/models";
import type { Model } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { Button, Dialog } from "@/ui";
import { AddDialog } from "./AddDialog";
import type { ModelAction } from "./action";
import { useModelActions } from "./modelActions";
import { closeDialog, useDialog } from "./dialogs";
import { isCard, isWebAddress, useLicenceShort, useLicenceWords } from "./licence";
import { MoveDialog } from "./MoveDialog";
import { PathField } from "./PathField";
import { isImported } from "./phase";

const onOpenChange = (open: boolean) => {
  if (!open) closeDialog();
};

/** The open dialog, if any. */
export function ModelDialogs() {
  const dialog = useDialog();
  const models = useModels().data;
  if (!dialog) return null;
  if (dialog.kind === "add") return <AddDialog again={dialog.again} />;
  if (dialog.kind === "move") return <MoveDialog />;
  const model = models?.find((m) => m.model_name === dialog.model);
  if (!model) return null;
  if (dialog.kind === "licence") return <LicenceDialog model={model} action={dialog.action} />;
  return dialog.kind === "delete" ? <DeleteDialog model={model} /> : <FillDialog model={model} />;
}

function LicenceDialog({ model, action }: { model: Model; action: ModelAction | null }) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const words = useLicenceWords();
  const short = useLicenceShort();
  const { start } = useModelActions();
  const { license } = model;
  const asks = action !== null && !license.accepted;
  const accept = () => {
    closeDialog();
    start(model, { action, acceptLicense: true } as { action: ModelAction; acceptLicense: true });
  };
  const acceptLabel =
    action === "download"
      ? t("licence.acceptDownload", { size: format.megabytes(model.size_mb) })
      : t("licence.accept");
  const footer = asks ? (
    <>
      <Button onClick={closeDialog}>{t("common:cancel")}</Button>
      <Button kind="primary" onClick={accept}>
        {acceptLabel}
      </Button>
    </>
  ) : (
    <Button onClick={closeDialog}>{t("common:close")}</Button>
  );
  return (
    <Dialog open onOpenChange={onOpenChange} title={t("licence.title", { name: model.display_name })} footer={footer}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 wrap-anywhere">
        {asks ? <p>{t("licence.required", { name: model.display_name })}</p> : null}
        <p className="text-14 font-semibold text-ink">
          {isCard(model) ? short(model) : license.name || t("licence.unnamed")}
        </p>
        <p>{words(model)}</p>
        {isWebAddress(license.url) ? (
          <p>
            <a href={license.url} target="_blank" rel="noreferrer" className="underline">
              {t("licence.read")}
            </a>
          </p>
        ) : null}
        {!asks && license.accept_required && license.accepted ? <p>{t("licence.accepted")}</p> : null}
      </div>
    </Dialog>
  );
}

function DeleteDialog({ model }: { model: Model }) {
  const { t } = useTranslation("models");
  const format = useFormat();
  const { run } = useModelActions();
  const name = model.display_name;
  const size = format.megabytes(model.downloaded || model.state === "broken" ? model.size_mb : model.partial_mb);
  const remove = () => {
    closeDialog();
    void run(model, { action: "delete" });
  };
  const footer = (
    <>
      <Button onClick={closeDialog}>{t("remove.keep")}</Button>
      <Button kind="danger-full" onClick={remove}>
        {t("remove.button", { size })}
      </Button>
    </>
  );
  return (
    <Dialog open onOpenChange={onOpenChange} title={t("remove.title", { name })} footer={footer}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2 wrap-anywhere">
        <p>{t("remove.frees", { size })}</p>
        <p>{t("remove.kept")}</p>
        {model.loaded ? <p>{t("remove.loaded")}</p> : null}
        <p>{isImported(model) ? t("remove.imported") : t("remove.again")}</p>
      </div>
    </Dialog>
  );
}

function FillDialog({ model }: { model: Model }) {
  const { t } = useTranslation("models");
  const { run } = useModelActions();
  const [path, setPath] = useState("");
  const fill = () => {
    closeDialog();
    void run(model, { action: "fill", path: path.trim() });
  };
  const footer = (
    <>
      <Button onClick={closeDialog}>{t("common:cancel")}</Button>
      <Button kind="primary" disabled={path.trim() === ""} onClick={fill}>
        {t("fill.button")}
      </Button>
    </>
  );
  return (
    <Dialog open onOpenChange={onOpenChange} title={t("fill.title", { name: model.display_name })} footer={footer}>
      <form
        className="grid grid-cols-[minmax(0,1fr)] gap-3 wrap-anywhere"
        onSubmit={(event) => {
          event.preventDefault();
          if (path.trim()) fill();
        }}
      >
        <p>{t("fill.about")}</p>
        <PathField kind="file" label={t("path")} value={path} onChange={setPath} hint={t("pathHint")} autoFocus />
      </form>
    </Dialog>
  );
}
