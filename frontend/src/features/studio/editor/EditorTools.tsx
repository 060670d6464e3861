import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TextPreviewRequest } from "@/api/types";
import { useCommands, type Command } from "@/lib/commands";
import { respellMarkup } from "@/lib/markup";
import { pauseAt, pausePlace } from "@/lib/pause";
import type { Selected } from "./handle";
import { heardChunks } from "../generation/heard";
import { usesSeed } from "../generation/voiceModel";
import { playFrom } from "../inspector/TakesSection";
import { RespellDialog } from "./RespellDialog";
import { SpokenDialog } from "./SpokenDialog";
import type { GenerationFlow } from "../generation/useGenerationFlow";
import type { EditorController } from "./useEditor";

interface Options {
  editor: EditorController;
  flow: GenerationFlow;
  openFile(): void;
  create(): void;
  chooseVoice(): void;
}

/** The tools for the text, each with a shortcut and in the palette. */
export function useEditorTools({ editor, flow, openFile, create, chooseVoice }: Options) {
  const { t } = useTranslation("studio");
  const [respellRange, setRespellRange] = useState<Selected | null>(null);
  const [spokenRange, setSpokenRange] = useState<Selected | null>(null);

  function addPause(): void {
    const view = editor.handle.current;
    if (!view) return;
    const text = view.text();
    const at = pausePlace(text, view.selection().to); // after the selection, which is kept
    view.replace(at, at, pauseAt(text, at));
  }
  const respell = () => setRespellRange(editor.handle.current?.word() ?? null);
  const showSpoken = () => setSpokenRange(editor.handle.current?.selection() ?? null);
  const find = (withReplace: boolean) => editor.handle.current?.find(withReplace);
  const { generation } = flow;
  const commands: Command[] = [
    { id: "studio:pause", title: t("tools.pause"), shortcut: "mod+b", run: addPause },
    { id: "studio:respell", title: t("tools.respell"), shortcut: "mod+e", run: respell },
    { id: "studio:spoken", title: t("spoken.open"), shortcut: "mod+i", run: showSpoken },
    { id: "studio:voice", title: t("voice.choose"), shortcut: "v", run: chooseVoice },
    { id: "studio:voice-typing", title: t("voice.choose"), shortcut: "mod+j", run: chooseVoice, hidden: true },
    { id: "studio:new", title: t("drafts.newOne"), shortcut: "mod+alt+n", run: create },
    { id: "studio:find", title: t("search.open"), shortcut: "mod+f", run: () => find(false) },
    { id: "studio:replace", title: t("search.openReplace"), shortcut: "mod+h", run: () => find(true) },
    { id: "studio:open", title: t("files.open"), shortcut: "mod+o", run: openFile },
  ];
  const chunk = Math.max(0, editor.chunk);
  const isComplete = generation?.status === "complete";
  if (generation && (isComplete || chunk < heardChunks(generation)))
    commands.push({
      id: "studio:play",
      title: t("tools.play"),
      shortcut: "mod+shift+enter",
      run: () => playFrom(generation, chunk),
    });
  if (isComplete && usesSeed(generation.engine))
    commands.push({
      id: "studio:take",
      title: t("tools.take"),
      shortcut: "mod+alt+enter",
      run: () => flow.take(chunk),
    });
  useCommands(commands);
  return { addPause, respell, showSpoken, respellRange, setRespellRange, spokenRange, setSpokenRange };
}

interface Props {
  tools: ReturnType<typeof useEditorTools>;
  editor: EditorController;
  language: string;
  previewRequest: TextPreviewRequest;
}

/** The dialogs of the tools. */
export function EditorToolDialogs({ tools, editor, language, previewRequest }: Props) {
  const { respellRange, spokenRange } = tools;
  const hasPart = spokenRange !== null && spokenRange.text.trim() !== "";
  return (
    <>
      {respellRange ? (
        <RespellDialog
          word={respellRange}
          language={language}
          close={() => tools.setRespellRange(null)}
          insert={(word, respelling) =>
            editor.handle.current?.replace(respellRange.from, respellRange.to, respellMarkup(word, respelling))
          }
        />
      ) : null}
      {spokenRange ? (
        <SpokenDialog
          request={{ ...previewRequest, text: hasPart ? spokenRange.text : (editor.handle.current?.text() ?? "") }}
          isPart={hasPart}
          close={() => tools.setSpokenRange(null)}
        />
      ) : null}
    </>
  );
}
