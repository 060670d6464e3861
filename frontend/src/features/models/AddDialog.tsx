import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, dataOf } from "@/api/client";
import { isAbort, toApiError, type ApiError } from "@/api/errors";
import { keys } from "@/api/keys";
import type { Model } from "@/api/types";
import { href, navigate } from "@/lib/router";
import { Button, Dialog, ProgressBar, TextField, useToast } from "@/ui";
import { closeDialog } from "./dialogs";
import { AddError, usePathError } from "./AddError";
import { PathField } from "./PathField";
import { isWhole } from "./paths";

/** The import can take a while, so its request can be aborted; the server then deletes what it copied. */
function useImport() {
  const client = useQueryClient();
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const work = useMutation<Model, ApiError, { path: string; name: string; again: boolean }>({
    mutationFn: async ({ path, name, again }) => {
      abort.current = new AbortController();
      if (again) await drop(name);
      return dataOf(
        api.POST("/models/import", { body: { path, ...(name ? { name } : {}) }, signal: abort.current.signal }),
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.models }),
  });
  return { work, stop: () => abort.current?.abort() };
}

/** Frees the name of a model whose files are missing. */
async function drop(name: string): Promise<void> {
  try {
    await dataOf(api.DELETE("/models/{name}", { params: { path: { name }, query: { force: true } } }));
  } catch (error) {
    if (toApiError(error).code !== "model_unknown") throw error; // an earlier try has removed it
  }
}

export function AddDialog({ again }: { again?: string | undefined }) {
  const { t } = useTranslation("models");
  const toast = useToast();
  const { work, stop } = useImport();
  const [path, setPath] = useState("");
  const [name, setName] = useState(again ?? "");
  const [partial, setPartial] = useState(false);
  const pathError = usePathError();
  const change = (next: string) => {
    setPath(next);
    setPartial(false);
    work.reset();
  };
  const send = () =>
    work.mutate(
      { path: path.trim(), name: name.trim(), again: again !== undefined },
      {
        onSuccess: (model) => {
          closeDialog();
          toast({ text: t("add.done", { name: model.display_name }) });
          navigate(href("models", [model.model_name]));
        },
      },
    );
  const add = () => {
    setPartial(!isWhole(path.trim()));
    if (isWhole(path.trim())) send();
  };
  const field = (key: string) => work.error?.field(key);
  const failure =
    work.error && !isAbort(work.error) && !field("path") && (again !== undefined || !field("name")) ? work.error : null;
  const footer = work.isPending ? (
    <Button onClick={stop}>{t("common:stop")}</Button>
  ) : (
    <>
      <Button onClick={closeDialog}>{t("common:cancel")}</Button>
      <Button kind="primary" disabled={path.trim() === ""} onClick={add}>
        {t("add.button")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) closeDialog();
      }}
      title={again === undefined ? t("add.title") : t("add.againTitle", { name: again })}
      footer={footer}
    >
      <form
        className="grid grid-cols-[minmax(0,1fr)] gap-4 wrap-anywhere"
        onSubmit={(event) => {
          event.preventDefault();
          if (path.trim() && !work.isPending) add();
        }}
      >
        <p>{t(again === undefined ? "add.about" : "add.againAbout")}</p>
        <PathField
          kind="file"
          label={t("path")}
          value={path}
          onChange={change}
          hint={t("pathHint")}
          error={partial ? t("fullPath") : pathError(field("path"), path)}
          autoFocus
          disabled={work.isPending}
        />
        {again === undefined ? (
          <TextField
            label={t("add.name")}
            value={name}
            onChange={setName}
            hint={t("add.nameHint")}
            error={field("name") ? t("add.nameWrong") : undefined}
            dir="ltr"
            disabled={work.isPending}
          />
        ) : null}
        {work.isPending ? <ProgressBar label={t("add.copying")} value={null} text={t("add.copying")} /> : null}
        {failure ? <AddError error={failure} path={path} /> : null}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
