import { StateEffect, StateField, type EditorState, type Range, type Transaction } from "@codemirror/state";
import {
  Decoration,
  ViewPlugin,
  type EditorView,
  WidgetType,
  type DecorationSet,
  type ViewUpdate,
} from "@codemirror/view";
import { type ChunkRange } from "./locateChunks";
import { before, reaching, moveAll } from "./chunkRanges";

export type MarkState = "sound" | "generating" | "changed";
export interface MarkTexts {
  name(state: MarkState): string;
}
/** The running part of a generation: all chunks from one number on, one chunk, or those whose text has changed. */
export interface Pending {
  from: number;
  only?: number;
  changed?: boolean;
}

export interface TextRange {
  from: number;
  to: number;
}

const setChunkRanges = StateEffect.define<readonly ChunkRange[]>();
const setPending = StateEffect.define<Pending | null>();
const setPlaying = StateEffect.define<number | TextRange>();

export const effects = { setChunkRanges, setPending, setPlaying };

interface Marks {
  /** In the order of the text. */
  ranges: readonly ChunkRange[];
  pending: Pending | null;
  /** A chunk, -1 for none, or a range of the text. */
  playing: number | TextRange;
}

const mapped = (playing: Marks["playing"], { changes }: Transaction): Marks["playing"] =>
  typeof playing === "number" ? playing : { from: changes.mapPos(playing.from, 1), to: changes.mapPos(playing.to, -1) };

/** The chunks of the last generation in the current text. */
export const marksField = StateField.define<Marks>({
  create: () => ({ ranges: [], pending: null, playing: -1 }),
  update(value, tr) {
    let next = tr.docChanged
      ? { ...value, ranges: moveAll(value.ranges, tr), playing: mapped(value.playing, tr) }
      : value;
    for (const effect of tr.effects) {
      if (effect.is(setChunkRanges)) next = { ...next, ranges: effect.value };
      else if (effect.is(setPending)) next = { ...next, pending: effect.value };
      else if (effect.is(setPlaying)) next = { ...next, playing: effect.value };
    }
    return next;
  },
});

function isPending({ chunk, same }: ChunkRange, { from, only, changed }: Pending): boolean {
  if (changed) return !same;
  return only === undefined ? chunk >= from : chunk === only;
}

export function stateOf(range: ChunkRange, pending: Pending | null): MarkState {
  if (pending && isPending(range, pending)) return "generating";
  return range.same ? "sound" : "changed";
}

/** Returns the chunk at a position of the text, or the last one before it; -1 if there is none. */
export function chunkAtPosition(state: EditorState, position: number): number {
  const { ranges } = state.field(marksField);
  for (let i = before(ranges, position + 1) - 1; i >= 0; i -= 1) {
    const range = ranges[i];
    if (range && range.to > range.from) return range.chunk;
  }
  return -1;
}

/** Returns the range of the text that is heard. */
function rangeOf({ ranges, playing }: Marks): TextRange | undefined {
  return typeof playing === "number" ? ranges.find(({ chunk }) => chunk === playing) : playing;
}

/** Returns the range of the text that is heard; undefined if there is none. */
export function playingRange(state: EditorState): TextRange | undefined {
  const range = rangeOf(state.field(marksField));
  return range && range.to > range.from ? range : undefined;
}

class MarkWidget extends WidgetType {
  constructor(
    readonly chunk: number,
    readonly mark: MarkState,
    readonly playing: boolean,
    readonly texts: MarkTexts,
  ) {
    super();
  }

  override eq(other: MarkWidget): boolean {
    return other.chunk === this.chunk && other.mark === this.mark && other.playing === this.playing;
  }

  override toDOM(): HTMLElement {
    const mark = document.createElement("span");
    mark.className = "st-mark";
    mark.dataset.state = this.playing ? "playing" : this.mark;
    mark.dataset.chunk = String(this.chunk);
    mark.title = this.texts.name(this.mark);
    // For the pointer only: keyboard users have a command, and the inspector shows the state.
    mark.ariaHidden = "true";
    return mark;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Only for what is drawn: the editor leaves out distant parts of a long paragraph. */
function decorate(view: EditorView, texts: MarkTexts): DecorationSet {
  const marks = view.state.field(marksField);
  const { ranges, pending } = marks;
  const heard = rangeOf(marks);
  const decorations: Range<Decoration>[] = [];
  let done = 0;
  for (const { from, to } of view.visibleRanges) {
    const [first, last] = reaching(ranges, from, to);
    for (const range of ranges.slice(Math.max(done, first), last)) {
      if (range.to <= range.from) continue;
      const isPlaying = heard !== undefined && range.from < heard.to && range.to > heard.from;
      decorations.push(
        Decoration.widget({
          widget: new MarkWidget(range.chunk, stateOf(range, pending), isPlaying, texts),
          side: -1,
        }).range(range.from),
      );
    }
    done = Math.max(done, last);
  }
  if (heard && heard.to > heard.from)
    decorations.push(Decoration.mark({ class: "st-now" }).range(heard.from, heard.to));
  return Decoration.set(decorations, true);
}

/** Returns the marks of each screen line with their number counted from the text outwards; -1 for a single one. */
function crowded(view: EditorView): Map<HTMLElement, number> {
  const lines = new Map<number, HTMLElement[]>();
  for (const mark of view.contentDOM.querySelectorAll<HTMLElement>(".st-mark")) {
    const top = Math.round(mark.getBoundingClientRect().top / 4);
    lines.set(top, [...(lines.get(top) ?? []), mark]);
  }
  return new Map(
    [...lines.values()].flatMap((all) =>
      all.map((mark, i) => [mark, all.length > 1 ? all.length - 1 - i : -1] as const),
    ),
  );
}

/** Places the marks of one line side by side, so that each can be seen and pressed. */
function spread(marks: Map<HTMLElement, number>): void {
  for (const [mark, row] of marks) {
    const next = row < 0 ? "" : String(row);
    if (mark.style.getPropertyValue("--row") === next) continue;
    mark.toggleAttribute("data-crowded", row >= 0);
    mark.style.setProperty("--row", next);
  }
}

/** Marks in the margin and the playing passage, for the visible part of the text. */
export function marks(texts: MarkTexts) {
  const plugin = ViewPlugin.fromClass(
    class {
      marks: DecorationSet;
      readonly ranges = { key: "marks", read: crowded, write: spread };
      constructor(view: EditorView) {
        this.marks = decorate(view, texts);
        view.requestMeasure(this.ranges);
      }
      update(update: ViewUpdate) {
        const isOther =
          update.docChanged ||
          update.viewportChanged ||
          update.state.field(marksField) !== update.startState.field(marksField);
        if (isOther) this.marks = decorate(update.view, texts);
        if (this.marks.size > 0 && (isOther || update.geometryChanged)) update.view.requestMeasure(this.ranges);
      }
    },
    { decorations: (value) => value.marks },
  );
  return [marksField, plugin];
}
