import { ImageUp, Trash2 } from "lucide-react";
import { useRef, useState, type DragEvent } from "react";
import { useTranslation } from "react-i18next";
import { useDeleteBookCover, usePutBookCover } from "@/api/books";
import type { Book } from "@/api/types";
import { Button, cx, ErrorBox, FileInput } from "@/ui";
import { Cover, forgetCover } from "../Cover";

const maxBytes = 20_000_000;
const types: readonly string[] = ["image/jpeg", "image/png"];

/** Changes the cover of a book; files that cannot be one are refused before they are sent. */
function useCover(book: Book) {
  const { t } = useTranslation("audiobook");
  const put = usePutBookCover(book.id);
  const remove = useDeleteBookCover(book.id);
  const [refused, setRefused] = useState("");
  const onSuccess = () => void forgetCover(book.id);
  const begin = (why: string) => {
    put.reset();
    remove.reset();
    setRefused(why);
    return why === "";
  };
  return {
    refused,
    error: put.error ?? remove.error,
    isSending: put.isPending,
    isRemoving: remove.isPending,
    use: (file: File) => {
      const why = !types.includes(file.type) ? t("cover.type") : file.size > maxBytes ? t("cover.size") : "";
      if (begin(why)) put.mutate(file, { onSuccess });
    },
    remove: () => begin("") && remove.mutate(undefined, { onSuccess }),
  };
}

/** The picture of a book: drop or choose a file, or remove it. */
export function CoverField({ book }: { book: Book }) {
  const { t } = useTranslation("audiobook");
  const cover = useCover(book);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  function onDragOver(event: DragEvent) {
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy"; // the page takes no files while a dialog is open
    setOver(true);
  }
  function onDrop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) cover.use(file);
  }
  return (
    <div
      className={cx("flex items-center gap-4 rounded-m", isOver ? "bg-fill" : "")}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Cover book={book} width={72} />
      <div className="grid min-w-0 flex-1 gap-2">
        <FileInput
          ref={input}
          label={t("cover.choose")}
          accept=".jpg,.jpeg,.png,image/jpeg,image/png"
          onChoose={([file]) => cover.use(file)}
        />
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            busy={cover.isSending}
            icon={<ImageUp size={14} aria-hidden />}
            onClick={() => input.current?.click()}
          >
            {t(book.has_cover ? "cover.replace" : "cover.choose")}
          </Button>
          {book.has_cover ? (
            <Button
              size="small"
              kind="quiet"
              busy={cover.isRemoving}
              icon={<Trash2 size={14} aria-hidden />}
              onClick={cover.remove}
            >
              {t("cover.remove")}
            </Button>
          ) : null}
        </div>
        <p className="k-hint" data-bad={cover.refused ? "" : undefined} role={cover.refused ? "alert" : undefined}>
          {cover.refused || t("cover.hint")}
        </p>
        {cover.error ? <ErrorBox error={cover.error} /> : null}
      </div>
    </div>
  );
}
