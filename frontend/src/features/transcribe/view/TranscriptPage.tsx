import { useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Transcript } from "@/api/types";
import { useCommands } from "@/lib/commands";
import { useDocumentTitle } from "@/lib/documentTitle";
import { BackToPassage } from "@/features/follow";
import { EmptyState, VirtualList } from "@/ui";
import { useTranscriptActions } from "../list/useTranscriptActions";
import { useOptions } from "../options";
import { SpeakerBar } from "../speakers/SpeakerBar";
import { useDigitKeys } from "../speakers/useDigitKeys";
import { useLane } from "../speakers/useLane";
import { useSpeakerActions } from "../speakers/useSpeakerActions";
import { askForSpeakers } from "../state";
import { unsureWords } from "../text/pieces";
import { Details } from "./Details";
import type { PageDialog } from "./dialogs";
import { Header } from "./Header";
import { Notices } from "./Notices";
import { PageDialogs } from "./PageDialogs";
import { ParagraphRow } from "./ParagraphRow";
import { useEditor } from "./useEditor";
import { useFind } from "./useFind";
import { usePage, type Page } from "./usePage";
import { useTranscriptFollow } from "./useTranscriptFollow";
import { useWordMark } from "./useWordMark";

const lineHeight = 27; // pixels, of the text
const lineLength = 75; // characters, roughly

const heightOf = (paragraph: Page["paragraphs"][number]): number =>
  12 +
  lineHeight *
    Math.max(1, Math.ceil(paragraph.segments.reduce((sum, { text }) => sum + text.length + 1, 0) / lineLength));

/** Returns the next word that the model was unsure of, after the one that was shown last. */
function useNextUnsure(page: Page): () => void {
  const [last, setLast] = useState(-1);
  return () => {
    const words = unsureWords(page.visible);
    const word = words.find(({ start }) => start > last) ?? words[0];
    if (!word) return;
    setLast(word.start);
    page.show(word.segment);
    page.play(word.start);
  };
}

/** A transcript to read, hear and correct. */
export function TranscriptPage({ transcript }: { transcript: Transcript }) {
  const { t } = useTranslation(["transcribe", "find", "speakers", "finding"]); // the panel takes the next key, so its texts are there before
  useDocumentTitle(transcript.title);
  const editor = useEditor(transcript.id);
  const page = usePage(transcript, editor);
  const actions = useTranscriptActions();
  const { marks } = useOptions();
  const [dialog, setDialog] = useState<PageDialog | null>(null);
  const speakerActions = useSpeakerActions(page, setDialog);
  useLane(page);
  useDigitKeys(page, speakerActions);
  const nextUnsure = useNextUnsure(page);
  const close = useCallback(() => setDialog(null), []);
  const frame = useRef<HTMLDivElement>(null);
  useWordMark(frame, transcript.id, page.timeline);
  const { follow, scrollTo } = useTranscriptFollow(page, frame);
  const find = useFind(page, frame, (paragraph) => {
    follow.leave();
    scrollTo.current?.(paragraph);
  });

  const withCurrent = (run: (segment: number) => void) => () => {
    const segment = page.current();
    if (segment && page.isEditable) run(segment.id);
  };
  useCommands([
    { id: "transcribe:find", title: t("findIn"), shortcut: "mod+f", run: () => find.open(false) },
    { id: "transcribe:replace", title: t("replaceIn"), shortcut: "mod+h", run: () => find.open(true) },
    { id: "transcribe:edit", title: t("edit"), shortcut: "e", run: withCurrent(page.edit) },
    {
      id: "transcribe:speaker",
      title: t("speaker.set"),
      shortcut: "s",
      run: withCurrent((segment) => setDialog({ kind: "speaker", segment })),
    },
    {
      id: "transcribe:rerun",
      title: t("rerun.title"),
      run: () => setDialog({ kind: "rerun", from: 0, to: transcript.duration }),
    },
    ...(transcript.status === "complete" && transcript.finding_speakers === null
      ? [
          {
            id: "transcribe:find-speakers",
            title: t("finding:title"),
            run: () => askForSpeakers({ id: transcript.id }),
          },
        ]
      : []),
    ...(speakerActions.reassign
      ? [{ id: "transcribe:reassign", title: t("speakers:reassign.run"), run: speakerActions.reassign }]
      : []),
    { id: "transcribe:unsure", title: t("unsure.next"), shortcut: "f8", run: nextUnsure },
    { id: "transcribe:undo", title: t("undo"), shortcut: "mod+z", run: () => void editor.undo(), hidden: true },
    { id: "transcribe:redo", title: t("redo"), shortcut: "mod+shift+z", run: () => void editor.redo(), hidden: true },
    { id: "transcribe:redo-y", title: t("redo"), shortcut: "mod+y", run: () => void editor.redo(), hidden: true },
    { id: "transcribe:script", title: t("makeScript"), run: () => actions.script(transcript.id) },
    { id: "transcribe:studio", title: t("toStudio"), run: () => actions.studio(transcript.id) },
  ]);
  return (
    <>
      <Header page={page} actions={actions} onFind={() => find.open(false)} />
      {find.panel}
      <Notices page={page} actions={actions} onName={(segment) => setDialog({ kind: "speaker", segment })} />
      <SpeakerBar page={page} actions={speakerActions} />
      {page.paragraphs.length === 0 ? (
        transcript.status === "complete" ? (
          <EmptyState title={t("noSpeech")}>{t("noSpeechHint")}</EmptyState>
        ) : null
      ) : (
        <div ref={frame} lang={transcript.language || undefined} className="flex min-h-0 flex-1 flex-col">
          <VirtualList
            items={page.paragraphs}
            keyOf={({ id }) => String(id)}
            estimate={heightOf}
            label={t("text")}
            className="tr-paper"
            focusIndex={page.place}
            scrollTo={scrollTo}
            render={(paragraph, index) => (
              <ParagraphRow
                page={page}
                paragraph={paragraph}
                index={index}
                hits={find.hits}
                current={find.current}
                marks={marks}
                actions={speakerActions}
                onDialog={setDialog}
              />
            )}
          />
        </div>
      )}
      <BackToPassage follow={follow} />
      <Details page={page} onNextUnsure={nextUnsure} onDialog={setDialog} />
      <PageDialogs page={page} dialog={dialog} actions={speakerActions} onClose={close} />
    </>
  );
}
