import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useModelsDirectory } from "@/api/models";
import { wholeSize } from "@/features/downloads";
import { useFormat } from "@/i18n/format";
import { Button, Dialog, useToast } from "@/ui";
import { closeDialog, closeDialogOf } from "./dialogs";
import { MoveBar } from "./MoveBar";
import { isAdoptable, useMove, useMoveErrorText } from "./move";
import { PathField } from "./PathField";
import { isWhole } from "./paths";

/** It stays open until the models have moved or the move has failed; closed earlier, the header shows the progress. */
export function MoveDialog() {
  const { t } = useTranslation("models");
  const format = useFormat();
  const toast = useToast();
  const directory = useModelsDirectory().data;
  const { start, adopt, stop, forget, running, error } = useMove();
  const { title, remedy } = useMoveErrorText()(error);
  const [path, setPath] = useState("");
  const [partial, setPartial] = useState(false);
  const request = path.trim();
  const close = () => {
    forget();
    closeDialog();
  };
  const change = (next: string) => {
    setPath(next);
    setPartial(false);
    forget();
  };
  const move = async () => {
    if (!request || running) return;
    setPartial(!isWhole(request));
    if (!isWhole(request) || !(await start(request))) return;
    closeDialogOf("move");
    toast({ text: t("move.done", { path: request }) });
  };
  const adoptable = isAdoptable(error) && !partial;
  const use = async () => {
    if (!(await adopt(request))) return;
    closeDialogOf("move");
    toast({ text: t("move.adopted", { path: request }) });
  };
  const said = (
    partial
      ? [t("move.refused.path_not_absolute.title"), t("move.refused.path_not_absolute.remedy")]
      : adoptable
        ? [title]
        : [title, remedy]
  )
    .filter(Boolean)
    .join(" ");
  const action =
    directory && directory.used_bytes > 0
      ? t("move.moveSize", { size: wholeSize(format, directory.used_bytes) })
      : t("move.button");
  const footer = running ? (
    <>
      <Button onClick={closeDialog}>{t("move.background")}</Button>
      <Button onClick={stop}>{t("common:stop")}</Button>
    </>
  ) : (
    <>
      <Button onClick={close}>{t("common:cancel")}</Button>
      <Button kind="primary" disabled={!request} onClick={() => void move()}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) close();
      }}
      title={t("move.title")}
      footer={footer}
    >
      <form
        className="grid grid-cols-[minmax(0,1fr)] gap-4 wrap-anywhere"
        onSubmit={(event) => {
          event.preventDefault();
          void move();
        }}
      >
        <p>{t("move.about")}</p>
        {directory ? (
          <p className="break-all">
            {t("move.from")} <bdi className="text-ink">{directory.path}</bdi>
          </p>
        ) : null}
        <PathField
          kind="folder"
          label={t("move.to")}
          value={path}
          onChange={change}
          hint={t("move.hint")}
          error={said || undefined}
          autoFocus
          disabled={running}
        />
        {adoptable && !running ? (
          <div className="grid gap-2">
            <p>{t("move.adoptAbout", { path: directory?.path ?? "" })}</p>
            <div>
              <Button onClick={() => void use()}>{t("move.adopt", { path: request })}</Button>
            </div>
          </div>
        ) : null}
        {running ? <MoveBar directory={directory} /> : null}
      </form>
    </Dialog>
  );
}
