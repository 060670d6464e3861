import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "@/api/client";
import { isAbort, type ApiError } from "@/api/errors";
import { keys } from "@/api/keys";
import type { Model } from "@/api/types";
import { href, navigate } from "@/app/router";
import { Button, Dialog, ErrorBox, ProgressBar, TextField, useToast } from "@/ui";
import { closeDialog } from "./dialogs";
import { PathField } from "./PathField";

/** The import can take a while, so its request can be ended; the server then drops what it copied. */
function useImport() {
  const client = useQueryClient();
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const work = useMutation<Model, ApiError, { path: string; name: string }>({
    mutationFn: ({ path, name }) => {
      abort.current = new AbortController();
      return api.post("/models/import", { body: { path, ...(name ? { name } : {}) }, signal: abort.current.signal });
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.models }),
  });
  return { work, stop: () => abort.current?.abort() };
}

export function AddDialog() {
  const { t } = useTranslation("models");
  const toast = useToast();
  const { work, stop } = useImport();
  const [path, setPath] = useState("");
  const [name, setName] = useState("");
  const add = () => work.mutate({ path: path.trim(), name: name.trim() }, {
    onSuccess: (model) => {
      closeDialog();
      toast({ text: t("add.done", { name: model.display_name }) });
      navigate(href("models", [model.model_name]));
    },
  });
  const field = (key: string) => work.error?.field(key)?.msg;
  const failure = work.error && !isAbort(work.error) && !field("path") && !field("name") ? work.error : null;
  const footer = work.isPending
    ? <Button onClick={stop}>{t("common:stop")}</Button>
    : <><Button onClick={closeDialog}>{t("common:cancel")}</Button><Button kind="primary" disabled={path.trim() === ""} onClick={add}>{t("add.button")}</Button></>;
  return (
    <Dialog open onOpenChange={(open) => { if (!open) closeDialog(); }} title={t("add.title")} footer={footer}>
      <form className="grid gap-4" onSubmit={(event) => { event.preventDefault(); if (path.trim() && !work.isPending) add(); }}>
        <p>{t("add.about")}</p>
        <PathField kind="file" label={t("path")} value={path} onChange={setPath} hint={t("pathHint")} error={field("path")} autoFocus disabled={work.isPending} />
        <TextField label={t("add.name")} value={name} onChange={setName} hint={t("add.nameHint")} error={field("name")} dir="ltr" disabled={work.isPending} />
        {work.isPending ? <ProgressBar label={t("add.working")} value={null} text={t("add.working")} /> : null}
        {failure ? <ErrorBox error={failure} /> : null}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
