import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useModelsDirectory } from "@/api/models";
import { useFormat } from "@/i18n/format";
import { Button, Dialog } from "@/ui";
import { closeDialog } from "./dialogs";
import { useMove } from "./move";
import { PathField } from "./PathField";

export function MoveDialog() {
  const { t } = useTranslation("models");
  const format = useFormat();
  const directory = useModelsDirectory().data;
  const { start } = useMove();
  const [path, setPath] = useState("");
  const ready = path.trim() !== "";
  const move = () => {
    closeDialog();
    start(path.trim());
  };
  const footer = <><Button onClick={closeDialog}>{t("common:cancel")}</Button><Button kind="primary" disabled={!ready} onClick={move}>{directory ? t("move.moveSize", { size: format.bytes(directory.used_bytes) }) : t("move.button")}</Button></>;
  return (
    <Dialog open onOpenChange={(open) => { if (!open) closeDialog(); }} title={t("move.title")} footer={footer}>
      <form className="grid grid-cols-[minmax(0,1fr)] gap-4 wrap-anywhere" onSubmit={(event) => { event.preventDefault(); if (ready) move(); }}>
        <p>{t("move.about")}</p>
        {directory ? <p className="break-all">{t("move.from")} <bdi className="text-ink">{directory.path}</bdi></p> : null}
        <PathField kind="folder" label={t("move.to")} value={path} onChange={setPath} hint={t("move.hint")} autoFocus />
      </form>
    </Dialog>
  );
}
