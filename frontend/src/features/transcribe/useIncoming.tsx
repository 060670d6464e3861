import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { href, navigate } from "@/lib/router";
import { soundFiles } from "@/lib/soundFiles";
import { FileInput } from "@/ui";
import { useRequest, useTranscribers } from "./models";
import { formFields } from "./options";
import { holdFiles, takeHeldFiles } from "./state";
import { sendFiles } from "./uploads";

export interface Incoming {
  /** Transcribes files, or holds them until a model is known or has been downloaded. */
  add(files: readonly File[]): void;
  /** Opens the file chooser of the system. */
  choose(): void;
  /** The field of the file chooser, which is never visible. */
  field: ReactNode;
}

const listHash = /^#\/transcribe\/?$/;

/** Opens the only file that was dropped once it has arrived, unless the person has gone elsewhere meanwhile. */
function openArrived(id: string): void {
  if (listHash.test(location.hash)) navigate(href("transcribe", [id]));
}

/** The ways in which files get here. Those that waited for the settings or for a model are sent once it is known or installed. */
export function useIncoming(): Incoming {
  const { t } = useTranslation("transcribe");
  const client = useQueryClient();
  const requestOf = useRequest();
  const { chosen, installed, isLoading } = useTranscribers();
  const field = useRef<HTMLInputElement>(null);
  const add = (files: readonly File[]) => {
    if (chosen) {
      sendFiles(client, files, formFields(requestOf(chosen)), files.length === 1 ? openArrived : undefined);
      return;
    }
    holdFiles(files);
    navigate(href("transcribe")); // where the model is offered
  };
  const sendHeld = useEffectEvent(() => {
    const files = chosen ? takeHeldFiles() : [];
    if (files.length > 0) add(files);
  });
  const model = installed?.model_name;
  useEffect(() => {
    if (!isLoading) sendHeld();
  }, [isLoading, model]);
  return {
    add,
    choose: () => field.current?.click(),
    field: <FileInput ref={field} label={t("chooseFiles")} accept={soundFiles} multiple onChoose={add} />,
  };
}
