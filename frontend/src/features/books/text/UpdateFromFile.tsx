import { useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { updateBook } from "@/api/books";
import { isAbort } from "@/api/errors";
import type { Book } from "@/api/types";
import { useFormat } from "@/i18n/format";
import { useCommands } from "@/lib/commands";
import { useDropTarget } from "@/lib/dropTarget";
import { fileTypes } from "@/lib/textFiles";
import { ErrorBox, FileInput, IconButton, ProgressBar, useToast } from "@/ui";
import { setArrival } from "../state";
import { useFileProblem } from "../useFileProblem";

interface Sending {
  file: File;
  /** The part that has been sent; the server reads the file after that. */
  sent: number;
  error: unknown;
  abort: AbortController;
}

/** Replaces the text of the book by that of a changed file, which is dropped on the page or chosen. */
export function UpdateFromFile({ book }: { book: Book }) {
  const { t } = useTranslation("books");
  const client = useQueryClient();
  const format = useFormat();
  const toast = useToast();
  const wordsOf = useFileProblem();
  const field = useRef<HTMLInputElement>(null);
  const [sending, setSending] = useState<Sending | null>(null);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  async function send(file: File) {
    running.current?.abort();
    const abort = (running.current = new AbortController());
    const change = (part: Partial<Sending>) => setSending((now) => (now?.abort === abort ? { ...now, ...part } : now));
    setSending({ file, sent: 0, error: null, abort });
    try {
      const onProgress = (sent: number) => change({ sent });
      const { notes, report } = await updateBook(client, book.id, file, { signal: abort.signal, onProgress });
      setArrival(book.id, { notes, report });
      setSending(null);
    } catch (error) {
      if (isAbort(error)) setSending((now) => (now?.abort === abort ? null : now));
      else change({ error });
    }
  }
  function take(files: readonly File[]) {
    const [file, ...others] = files;
    if (!file) return;
    if (others.length > 0) toast({ text: t("update.one") });
    else void send(file);
  }
  useDropTarget(t("update.drop"), take);
  useCommands([{ id: "books:update", title: t("update.title"), run: () => field.current?.click() }]);
  return (
    <>
      <FileInput ref={field} label={t("update.choose")} accept={fileTypes} onChoose={take} />
      {sending ? (
        <div className="px-4 pt-4">
          {sending.error ? (
            <ErrorBox
              error={sending.error}
              words={wordsOf(sending.error, sending.file.name)}
              action={<IconButton label={t("common:close")} icon={<X size={16} />} onClick={() => setSending(null)} />}
            />
          ) : (
            <div className="flex items-end gap-3">
              <div className="min-w-0 flex-1">
                <ProgressBar
                  label={t("sending", { name: sending.file.name })}
                  value={sending.sent < 1 ? sending.sent : null}
                  text={
                    sending.sent < 1
                      ? t("update.sending", { name: sending.file.name, part: format.percent(sending.sent) })
                      : t("update.reading", { name: sending.file.name })
                  }
                />
              </div>
              <IconButton
                label={t("cancelFile", { name: sending.file.name })}
                icon={<X size={16} />}
                onClick={() => sending.abort.abort()}
              />
            </div>
          )}
        </div>
      ) : null}
    </>
  );
}
