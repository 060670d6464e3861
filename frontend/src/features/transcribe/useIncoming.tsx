import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { href, navigate } from "@/lib/router";
import { soundFiles } from "@/lib/soundFiles";
import { FileInput } from "@/ui";
import { useSpeakersModel, useTranscribers } from "./models";
import { formFields, useOptions } from "./options";
import { holdFiles, takeHeldFiles } from "./state";
import { sendFiles } from "./uploads";

export interface Incoming {
  /** Transcribes files, or holds them until a model has been downloaded. */
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

/** The ways in which files get here. Those that waited for a model are sent once one is installed. */
export function useIncoming(): Incoming {
  const { t } = useTranslation("transcribe");
  const client = useQueryClient();
  const options = useOptions();
  const { chosen, models } = useTranscribers();
  const findsSpeakers = useSpeakersModel()?.downloaded ?? false;
  const field = useRef<HTMLInputElement>(null);
  const send = (files: readonly File[], transcriber: string) => {
    const fields = formFields(options, { transcriber, findsSpeakers });
    sendFiles(client, files, fields, files.length === 1 ? openArrived : undefined);
  };
  const add = (files: readonly File[]) => {
    if (chosen) send(files, chosen.model_name);
    else {
      holdFiles(files);
      navigate(href("transcribe")); // where the model is offered
    }
  };
  const installed = models.find(({ downloaded }) => downloaded)?.model_name;
  const sendHeld = useEffectEvent((model: string) => {
    const files = takeHeldFiles();
    if (files.length > 0) send(files, model);
  });
  useEffect(() => {
    if (installed !== undefined) sendHeld(installed);
  }, [installed]);
  return {
    add,
    choose: () => field.current?.click(),
    field: <FileInput ref={field} label={t("chooseFiles")} accept={soundFiles} multiple onChoose={add} />,
  };
}
