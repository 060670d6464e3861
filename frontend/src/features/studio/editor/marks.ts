import { StateEffect, StateField, type EditorState, type Range, type Text, type Transaction } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, WidgetType, type DecorationSet, type ViewUpdate } from "@codemirror/view";
import { saysSame, standsAlone, type Place } from "../locate";

export type MarkState = "sound" | "making" | "changed";
export interface MarkWords { name(state: MarkState): string }
/** What is being made: the chunks from one number on, one chunk, or nothing. */
export interface Making { from: number; only?: number }

const setPlaces = StateEffect.define<readonly Place[]>();
const setMaking = StateEffect.define<Making | null>();
const setPlaying = StateEffect.define<number>();

export const effects = { setPlaces, setMaking, setPlaying };

interface Marks { places: readonly Place[]; making: Making | null; playing: number }

function says(doc: Text, place: Place): boolean {
  if (!saysSame(doc.sliceString(place.from, place.to), place.text)) return false;
  return standsAlone(doc.sliceString(Math.max(0, place.from - 1), place.from), doc.sliceString(place.to, place.to + 1), place.text);
}

/** Moves a place with an edit; only one that was touched is compared again. */
function move(place: Place, tr: Transaction): Place {
  const { from, to } = place;
  const touched = tr.changes.touchesRange(Math.max(0, from - 1), to + 1);
  if (!touched) {
    const moved = tr.changes.mapPos(from, 1);
    return moved === from ? place : { ...place, from: moved, to: moved + to - from };
  }
  // A place whose text was deleted stays as a point, and what undo brings back grows out of it.
  const grown = { ...place, from: tr.changes.mapPos(from, -1), to: tr.changes.mapPos(to, 1) };
  const inside = tr.newDoc.sliceString(grown.from, grown.to).indexOf(place.text);
  const again = inside < 0 ? grown : { ...place, from: grown.from + inside, to: grown.from + inside + place.text.length };
  if (says(tr.newDoc, again)) return { ...again, same: true };
  const start = tr.changes.mapPos(from, 1);
  const end = Math.max(start, tr.changes.mapPos(to, -1));
  const next = { ...place, from: start, to: end };
  return { ...next, same: says(tr.newDoc, next) };
}

/** The chunks of the last generation in the text as it is now. */
export const marksField = StateField.define<Marks>({
  create: () => ({ places: [], making: null, playing: -1 }),
  update(value, tr) {
    let next = tr.docChanged && value.places.length > 0 ? { ...value, places: value.places.map((place) => move(place, tr)) } : value;
    for (const effect of tr.effects) {
      if (effect.is(setPlaces)) next = { ...next, places: effect.value };
      else if (effect.is(setMaking)) next = { ...next, making: effect.value };
      else if (effect.is(setPlaying)) next = { ...next, playing: effect.value };
    }
    return next;
  },
});

export function stateOf(place: Place, making: Making | null): MarkState {
  if (making && (making.only === undefined ? place.chunk >= making.from : place.chunk === making.only)) return "making";
  return place.same ? "sound" : "changed";
}

/** The chunk at a place of the text, or the last one before it; -1 when there is none. */
export function chunkAtPosition(state: EditorState, position: number): number {
  const { places } = state.field(marksField);
  return places.findLast((place) => place.from <= position && place.to > place.from)?.chunk ?? -1;
}

class MarkWidget extends WidgetType {
  constructor(readonly chunk: number, readonly mark: MarkState, readonly playing: boolean, readonly words: MarkWords) { super(); }

  override eq(other: MarkWidget): boolean {
    return other.chunk === this.chunk && other.mark === this.mark && other.playing === this.playing;
  }

  override toDOM(): HTMLElement {
    const mark = document.createElement("span");
    mark.className = "st-mark";
    mark.dataset.state = this.playing ? "playing" : this.mark;
    mark.dataset.chunk = String(this.chunk);
    mark.title = this.words.name(this.mark);
    // For the pointer only: the same is a command of the keyboard, and the state stands in the inspector.
    mark.ariaHidden = "true";
    return mark;
  }

  override ignoreEvent(): boolean { return true; }
}

function decorate(view: EditorView, words: MarkWords): DecorationSet {
  const { places, making, playing } = view.state.field(marksField);
  const { from, to } = view.viewport;
  const ranges: Range<Decoration>[] = [];
  for (const place of places) {
    if (place.to <= place.from || place.to < from || place.from > to) continue;
    const isPlaying = place.chunk === playing;
    ranges.push(Decoration.widget({ widget: new MarkWidget(place.chunk, stateOf(place, making), isPlaying, words), side: -1 }).range(place.from));
    if (isPlaying) ranges.push(Decoration.mark({ class: "st-now" }).range(place.from, place.to));
  }
  return Decoration.set(ranges, true);
}

/** Marks in the margin and the passage that sounds, for the part of the text on the screen. */
export function marks(words: MarkWords, onMark: (chunk: number) => void) {
  const plugin = ViewPlugin.fromClass(class {
    marks: DecorationSet;
    constructor(view: EditorView) { this.marks = decorate(view, words); }
    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged || update.state.field(marksField) !== update.startState.field(marksField)) this.marks = decorate(update.view, words);
    }
  }, { decorations: (value) => value.marks });
  const clicks = EditorView.domEventHandlers({
    mousedown: (event) => {
      const mark = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(".st-mark") : null;
      if (!mark) return false;
      event.preventDefault();
      onMark(Number(mark.dataset.chunk));
      return true;
    },
  });
  return [marksField, plugin, clicks];
}
