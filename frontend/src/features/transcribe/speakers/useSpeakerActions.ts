import { useTranslation } from "react-i18next";
import { useFindingSpeakers } from "@/api/liveTranscripts";
import type { Segment } from "@/api/types";
import { usePatchTranscript, useSplitSegment } from "@/api/transcriptions";
import { useToast } from "@/ui";
import { useFindSpeakers } from "../finding/useFindSpeakers";
import { setProblem } from "../state";
import { assignSpeaker } from "../text/speakers";
import type { PageDialog } from "../view/dialogs";
import { soundOf } from "../view/sound";
import type { Page } from "../view/usePage";
import { useLineFocus } from "./lineFocus";
import type { SplitWord } from "./splitWords";

/** What can be done with the speakers of a transcript; each action is a step of undo. */
export interface SpeakerActions {
  /** Renames a speaker in all lines; where another speaker has it, a dialog asks whether both become one. */
  rename(from: string, to: string): void;
  /** Makes the lines of a speaker those of another one. */
  merge(from: string, to: string): void;
  /** Sets the speaker of a line, which begins with this segment. */
  setLine(segment: number, name: string): void;
  /** Splits a line before a word, and sets the speaker from there on. */
  split(word: SplitWord, name: string): void;
  /** Compares the other lines with the voices of those that a person set; null where that is not possible now. */
  reassign: (() => void) | null;
  /** Renames a speaker as it was suggested, and says so. */
  accept(from: string, to: string): void;
  /** Lets the voice of a speaker be recognised in later transcripts. */
  remember(name: string): void;
}

export function useSpeakerActions(page: Page, onDialog: (dialog: PageDialog) => void): SpeakerActions {
  const { t } = useTranslation(["speakers", "known-speakers"]);
  const { mutateAsync: patch } = usePatchTranscript();
  const { mutateAsync: splitSegment } = useSplitSegment();
  const { find } = useFindSpeakers();
  const keepFocus = useLineFocus(page.paragraphs);
  const toast = useToast();
  const { transcript, segments, editor, speakers, filter } = page;

  /** Sends a change, and reports whether it was made. */
  async function apply(change: () => Promise<unknown>): Promise<boolean> {
    setProblem(null);
    try {
      return await editor.apply(change);
    } catch (error) {
      setProblem(error);
      return false;
    }
  }
  async function setName(name: string, new_name: string): Promise<boolean> {
    const done = await apply(() => patch({ id: transcript.id, changes: { speakers: [{ name, new_name }] } }));
    if (done) filter.rename(name, new_name);
    return done;
  }
  const isSet = ({ speaker, speaker_found }: Segment) => speaker !== "" && !speaker_found;
  const canReassign =
    useFindingSpeakers(transcript) === null &&
    transcript.status === "complete" &&
    soundOf(transcript) !== null &&
    segments.some(isSet) &&
    !segments.every(isSet);

  function setSpeaker(all: readonly Segment[], segment: number, name: string): void {
    keepFocus(segment);
    editor.change(assignSpeaker(all, segment, "paragraph", name));
    void editor.save();
  }
  async function split({ segment, word }: SplitWord, name: string): Promise<void> {
    if (word === 1) return setSpeaker(segments, segment, name);
    await apply(async () => {
      const after = (await splitSegment({ id: transcript.id, segment, word })).segments;
      const second = after[after.findIndex(({ id }) => id === segment) + 1];
      if (second) setSpeaker(after, second.id, name);
    });
  }
  /** Offers to undo a change that was made. */
  const say = (done: boolean, text: string) =>
    done && toast({ text, action: { label: t("common:undo"), run: () => void editor.undo() } });
  return {
    setLine: (segment, name) => setSpeaker(segments, segment, name),
    split: (word, name) => void split(word, name),
    reassign: canReassign ? () => void apply(() => find(transcript.id, { reassign: true })) : null,
    rename(from, to) {
      const name = to.trim();
      if (name === "" || name === from) return;
      if (speakers.includes(name)) onDialog({ kind: "merge", from, to: name });
      else void setName(from, name);
    },
    merge: (from, to) => void setName(from, to).then((done) => say(done, t("merge.done", { from, to }))),
    accept(from, to) {
      if (speakers.includes(to)) return onDialog({ kind: "merge", from, to });
      const text = t("known-speakers:suggestion.used", { speaker: from, name: to });
      void setName(from, to).then((done) => say(done, text));
    },
    remember: (speaker) => void editor.save().then(() => onDialog({ kind: "remember", speaker })),
  };
}
