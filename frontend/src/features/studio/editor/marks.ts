import { StateEffect, StateField, type EditorState, type Range, type Text, type Transaction } from "@codemirror/state";
import {
  Decoration,
  ViewPlugin,
  type EditorView,
  WidgetType,
  type DecorationSet,
  type ViewUpdate,
} from "@codemirror/view";
import { saysSame, standsAlone, type Place } from "./locateChunks";

export type MarkState = "sound" | "making" | "changed";
export interface MarkWords {
  name(state: MarkState): string;
}
/** What is being made: the chunks from one number on, one chunk, or nothing. */
export interface Making {
  from: number;
  only?: number;
}

const setPlaces = StateEffect.define<readonly Place[]>();
const setMaking = StateEffect.define<Making | null>();
const setPlaying = StateEffect.define<number>();

export const effects = { setPlaces, setMaking, setPlaying };

/** `places` stand in the order of the text; `changed` counts those that say something else by now. */
interface Marks {
  places: readonly Place[];
  changed: number;
  making: Making | null;
  playing: number;
}

function says(doc: Text, place: Place): boolean {
  if (!saysSame(doc.sliceString(place.from, place.to), place.text)) return false;
  return standsAlone(
    doc.sliceString(Math.max(0, place.from - 1), place.from),
    doc.sliceString(place.to, place.to + 1),
    place.text,
  );
}

const shift = (place: Place, by: number): Place =>
  by === 0 ? place : { ...place, from: place.from + by, to: place.to + by };

/** Moves a place with an edit, behind the end of the one before; only one that was touched is compared again. */
function move(place: Place, tr: Transaction, floor: number): Place {
  const { from, to } = place;
  const touched = tr.changes.touchesRange(Math.max(0, from - 1), to + 1);
  if (!touched) return shift(place, tr.changes.mapPos(from, 1) - from);
  // A place whose text was deleted stays as a point, and what undo brings back grows out of it.
  const grown = { ...place, from: tr.changes.mapPos(from, -1), to: tr.changes.mapPos(to, 1) };
  const inside = tr.newDoc.sliceString(grown.from, grown.to).indexOf(place.text, Math.max(0, floor - grown.from));
  const again =
    inside < 0 ? grown : { ...place, from: grown.from + inside, to: grown.from + inside + place.text.length };
  if (says(tr.newDoc, again)) return { ...again, same: true };
  const start = Math.max(floor, tr.changes.mapPos(from, from === to ? -1 : 1)); // a point stays where it is
  const end = Math.max(start, tr.changes.mapPos(to, -1));
  const next = { ...place, from: start, to: end };
  return { ...next, same: says(tr.newDoc, next) };
}

/** The number of places that begin before a position. */
function before(places: readonly Place[], position: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.from ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The places that reach into from..to, as the numbers of the first and of the one after the last. */
function reaching(places: readonly Place[], from: number, to: number): [number, number] {
  let first = before(places, from);
  while (first > 0 && (places[first - 1]?.to ?? 0) >= from) first -= 1;
  return [first, Math.max(first, before(places, to + 1))];
}

/** Looks only at the places near an edit: those before it stay, those behind it move as one. */
function moveAll(places: readonly Place[], tr: Transaction): Place[] {
  let [from, to] = [Infinity, 0];
  tr.changes.iterChangedRanges((start, end) => {
    from = Math.min(from, start);
    to = Math.max(to, end);
  });
  const [first, last] = reaching(places, from - 1, to + 1);
  const by = tr.newDoc.length - tr.startState.doc.length;
  let floor = 0; // places keep their order, also where the same words stand twice
  return places.map((place, i) => {
    const next = i < first ? place : i < last ? move(place, tr, floor) : shift(place, by);
    floor = Math.max(floor, next.to);
    return next;
  });
}

const changedOf = (places: readonly Place[]): number =>
  places.reduce((sum, place) => sum + (!place.same && place.to > place.from ? 1 : 0), 0);
const withPlaces = (value: Marks, places: readonly Place[]): Marks => ({
  ...value,
  places,
  changed: changedOf(places),
});

/** The chunks of the last generation in the text as it is now. */
export const marksField = StateField.define<Marks>({
  create: () => ({ places: [], changed: 0, making: null, playing: -1 }),
  update(value, tr) {
    let next = tr.docChanged && value.places.length > 0 ? withPlaces(value, moveAll(value.places, tr)) : value;
    for (const effect of tr.effects) {
      if (effect.is(setPlaces)) next = withPlaces(next, effect.value);
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
  for (let i = before(places, position + 1) - 1; i >= 0; i -= 1) {
    const place = places[i];
    if (place && place.to > place.from) return place.chunk;
  }
  return -1;
}

class MarkWidget extends WidgetType {
  constructor(
    readonly chunk: number,
    readonly mark: MarkState,
    readonly playing: boolean,
    readonly words: MarkWords,
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
    mark.title = this.words.name(this.mark);
    // For the pointer only: the same is a command of the keyboard, and the state stands in the inspector.
    mark.ariaHidden = "true";
    return mark;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** Only for what is drawn: of a long paragraph the editor leaves out what is far off. */
function decorate(view: EditorView, words: MarkWords): DecorationSet {
  const { places, making, playing } = view.state.field(marksField);
  const ranges: Range<Decoration>[] = [];
  let done = 0;
  for (const { from, to } of view.visibleRanges) {
    const [first, last] = reaching(places, from, to);
    for (const place of places.slice(Math.max(done, first), last)) {
      if (place.to <= place.from) continue;
      const isPlaying = place.chunk === playing;
      ranges.push(
        Decoration.widget({
          widget: new MarkWidget(place.chunk, stateOf(place, making), isPlaying, words),
          side: -1,
        }).range(place.from),
      );
      if (isPlaying) ranges.push(Decoration.mark({ class: "st-now" }).range(place.from, place.to));
    }
    done = Math.max(done, last);
  }
  return Decoration.set(ranges, true);
}

/** Marks that stand at one line of the screen, with their number from the text outwards; those that stand alone have none. */
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

/** Puts marks of one line beside each other, so that each can be seen and pressed. */
function spread(marks: Map<HTMLElement, number>): void {
  for (const [mark, row] of marks) {
    const next = row < 0 ? "" : String(row);
    if (mark.style.getPropertyValue("--row") === next) continue;
    mark.toggleAttribute("data-crowded", row >= 0);
    mark.style.setProperty("--row", next);
  }
}

/** Marks in the margin and the passage that sounds, for the part of the text on the screen. */
export function marks(words: MarkWords) {
  const plugin = ViewPlugin.fromClass(
    class {
      marks: DecorationSet;
      readonly places = { key: "marks", read: crowded, write: spread };
      constructor(view: EditorView) {
        this.marks = decorate(view, words);
        view.requestMeasure(this.places);
      }
      update(update: ViewUpdate) {
        const isOther =
          update.docChanged ||
          update.viewportChanged ||
          update.state.field(marksField) !== update.startState.field(marksField);
        if (isOther) this.marks = decorate(update.view, words);
        if (this.marks.size > 0 && (isOther || update.geometryChanged)) update.view.requestMeasure(this.places);
      }
    },
    { decorations: (value) => value.marks },
  );
  return [marksField, plugin];
}
