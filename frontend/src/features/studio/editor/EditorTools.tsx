import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TextPreviewRequest } from "@/api/types";
import { useCommands, type Command } from "@/lib/commands";
import { respellMarkup } from "@/lib/markup";
import { pauseAt, pausePlace } from "@/lib/pause";
import type { Selected } from "./handle";
import { usesSeed } from "../generation/voiceModel";
import { playFrom } from "../inspector/TakesSection";
import { RespellDialog } from "./RespellDialog";
import { SpokenDialog } from "./SpokenDialog";
import type { Making } from "../generation/useGenerationFlow";
import type { PageState } from "./useEditor";

interface Options {
  page: PageState;
  making: Making;
  files(): void;
  create(): void;
  pick(): void;
}

/** What can be done in the text, each with a key and in the palette. */
export function useTools({ page, making, files, create, pick }: Options) {
  const { t } = useTranslation("studio");
  const [respelled, setRespelled] = useState<Selected | null>(null);
  const [spoken, setSpoken] = useState<Selected | null>(null);

  function addPause(): void {
    const view = page.handle.current;
    if (!view) return;
    const text = view.text();
    const at = pausePlace(text, view.selection().to); // behind what is selected, which stays
    view.replace(at, at, pauseAt(text, at));
  }
  const respell = () => setRespelled(page.handle.current?.word() ?? null);
  const showSpoken = () => setSpoken(page.handle.current?.selection() ?? null);
  const { made } = making;
  const commands: Command[] = [
    { id: "studio:pause", title: t("tools.pause"), shortcut: "mod+.", run: addPause },
    { id: "studio:respell", title: t("tools.respell"), shortcut: "mod+e", run: respell },
    { id: "studio:spoken", title: t("spoken.open"), shortcut: "mod+shift+e", run: showSpoken },
    { id: "studio:voice", title: t("voice.choose"), shortcut: "v", run: pick },
    { id: "studio:voice-typing", title: t("voice.choose"), shortcut: "mod+shift+v", run: pick, hidden: true },
    { id: "studio:new", title: t("drafts.newOne"), shortcut: "mod+alt+n", run: create },
    { id: "studio:open", title: t("files.open"), shortcut: "mod+o", run: files },
  ];
  if (made?.status === "complete") {
    commands.push(
      {
        id: "studio:play",
        title: t("tools.play"),
        shortcut: "mod+shift+enter",
        run: () => playFrom(made, Math.max(0, page.chunks.current)),
      },
      ...(usesSeed(made.engine)
        ? [
            {
              id: "studio:take",
              title: t("tools.take"),
              shortcut: "mod+shift+u",
              run: () => making.take(Math.max(0, page.chunks.current)),
            },
          ]
        : []),
    );
  }
  useCommands(commands);
  return { addPause, respell, showSpoken, respelled, setRespelled, spoken, setSpoken };
}

interface Props {
  tools: ReturnType<typeof useTools>;
  page: PageState;
  language: string;
  previewRequest: TextPreviewRequest;
}

/** The dialogs of the tools. */
export function Tools({ tools, page, language, previewRequest }: Props) {
  const { respelled, spoken } = tools;
  const hasPart = spoken !== null && spoken.text.trim() !== "";
  return (
    <>
      {respelled ? (
        <RespellDialog
          word={respelled}
          language={language}
          close={() => tools.setRespelled(null)}
          insert={(word, reading) =>
            page.handle.current?.replace(respelled.from, respelled.to, respellMarkup(word, reading))
          }
        />
      ) : null}
      {spoken ? (
        <SpokenDialog
          request={{ ...previewRequest, text: hasPart ? spoken.text : (page.handle.current?.text() ?? "") }}
          isPart={hasPart}
          close={() => tools.setSpoken(null)}
        />
      ) : null}
    </>
  );
}
