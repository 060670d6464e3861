import { useMemo, useState } from "react";
import type { Segment, Transcript } from "@/api/types";
import { hasEnded } from "@/api/types";
import { useStore } from "@/lib/store";
import { player, playhead } from "@/player";
import { withChanges } from "../text/changes";
import { paragraphsOf, type Paragraph } from "../text/paragraphs";
import { focusedLine } from "../speakers/lineFocus";
import { useSpeakers, type SpeakerFilter } from "../speakers/useSpeakers";
import { spotAt, timelineOf, type Spot } from "../text/timeline";
import type { Editor } from "./editor";
import { playFrom } from "./sound";

/** What the parts of the page share. */
export interface Page {
  transcript: Transcript;
  editor: Editor;
  /** With the changes that are not saved yet. */
  segments: readonly Segment[];
  /** Those of the speakers that are shown; all without a filter. */
  visible: readonly Segment[];
  /** Of the visible segments. */
  paragraphs: readonly Paragraph[];
  /** In the order of their numbers and colours. */
  speakers: readonly string[];
  filter: SpeakerFilter;
  timeline: readonly Spot[];
  /** The segment that is being edited. */
  editing: number | null;
  isEditable: boolean;
  /** The paragraph to which the list has scrolled by itself. */
  place: number;
  play(at: number): void;
  edit(segment: number): void;
  /** Ends the editing of a segment, unless another one is edited already. */
  endEdit(segment: number): void;
  /** Edits the next or previous segment. */
  editNext(step: 1 | -1): void;
  /** Scrolls to the paragraph of a segment. */
  show(segment: number): void;
  /** The segment that keys act on: the focused one, else the one under the playhead, else the first. */
  current(): Segment | undefined;
}

/** Returns the segments and paragraphs of the speakers that are shown. */
function useVisible(segments: readonly Segment[], shown: ReadonlySet<string>) {
  return useMemo(() => {
    const isVisible = ({ speaker }: { speaker: string }) => shown.size === 0 || shown.has(speaker);
    return { visible: segments.filter(isVisible), paragraphs: paragraphsOf(segments).filter(isVisible) };
  }, [segments, shown]);
}

export function usePage(transcript: Transcript, editor: Editor): Page {
  const { pending } = useStore(editor.state);
  const segments = useMemo(() => withChanges(transcript.segments, pending), [transcript.segments, pending]);
  const { speakers, filter } = useSpeakers(segments);
  const { visible, paragraphs } = useVisible(segments, filter.shown);
  const timeline = useMemo(() => timelineOf(segments), [segments]);
  const [editing, setEditing] = useState<number | null>(null);
  const [place, setPlace] = useState(-1);
  const isEditable = hasEnded(transcript.status);

  const show = (segment: number) =>
    setPlace(paragraphs.findIndex((paragraph) => paragraph.segments.some(({ id }) => id === segment)));
  function edit(segment: number) {
    if (!isEditable) return;
    player.pause();
    show(segment);
    setEditing(segment);
  }
  function endEdit(segment: number) {
    setEditing((now) => (now === segment ? null : now));
    void editor.save();
  }
  function current() {
    const heard = player.get().generation?.id === transcript.id ? spotAt(timeline, playhead.get()) : undefined;
    const id = focusedLine() ?? heard?.segment;
    return visible.find((segment) => segment.id === id) ?? visible[0];
  }
  return {
    transcript,
    editor,
    segments,
    visible,
    paragraphs,
    speakers,
    filter,
    timeline,
    editing,
    isEditable,
    place,
    play: (at) => playFrom(transcript, at),
    edit,
    endEdit,
    editNext(step) {
      const at = visible.findIndex(({ id }) => id === editing);
      const next = visible[at + step];
      if (next) edit(next.id);
      else if (editing !== null) endEdit(editing);
    },
    show,
    current,
  };
}
