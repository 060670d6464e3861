import { useTranslation } from "react-i18next";
import { useDeleteBook } from "@/api/books";
import { href, navigate } from "@/lib/router";
import { player } from "@/player";
import { useUndo } from "@/ui";
import { isHeardBook, stopListening } from "./listen/listening";
import { hide, setProblem, unhide } from "./state";

/** Hides a book at once and deletes it, with its audio, when the undo bar ends. */
export function useBookDeletion() {
  const { t } = useTranslation("audiobook");
  const undo = useUndo();
  const { mutateAsync: remove } = useDeleteBook();
  async function commit(id: string) {
    try {
      await remove(id);
    } catch (error) {
      setProblem(error);
    }
    unhide(id);
  }
  return ({ id, title }: { id: string; title: string }) => {
    hide(id);
    if (isHeardBook(id)) {
      stopListening();
      player.close();
    }
    navigate(href("books"));
    undo({ text: t("deleted", { title }), undo: () => unhide(id), commit: () => void commit(id) });
  };
}
