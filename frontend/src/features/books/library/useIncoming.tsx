import { useQueryClient } from "@tanstack/react-query";
import { useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFallback } from "@/features/voices/library";
import { href, navigate } from "@/lib/router";
import { fileTypes } from "@/lib/textFiles";
import { FileInput } from "@/ui";
import { sendFiles } from "../uploads";

export interface Incoming {
  /** Makes a book of each file. */
  add(files: readonly File[]): void;
  /** Opens the file chooser of the system. */
  choose(): void;
  /** The field of the file chooser, which is never visible. */
  field: ReactNode;
}

const libraryHash = /^#\/books\/?$/;

/** Opens the only file that was dropped once it is a book, unless the person has gone elsewhere meanwhile. */
function openArrived(id: string): void {
  if (libraryHash.test(location.hash)) navigate(href("books", [id]));
}

/** The ways in which the files of books get here. */
export function useIncoming(): Incoming {
  const { t } = useTranslation("books");
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const voice = useFallback().profile?.id;
  const add = (files: readonly File[]) =>
    sendFiles(
      client,
      files,
      voice === undefined ? {} : { profile_id: voice },
      files.length === 1 ? openArrived : () => undefined,
    );
  return {
    add,
    choose: () => field.current?.click(),
    field: <FileInput ref={field} label={t("chooseFiles")} accept={fileTypes} multiple onChoose={add} />,
  };
}
