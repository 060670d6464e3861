import type { EditorSelection } from "@codemirror/state";
import {
  MatchDecorator,
  ViewPlugin,
  WidgetType,
  Decoration,
  type DecorationSet,
  type EditorView,
  type ViewUpdate,
} from "@codemirror/view";
import { markupPattern, readMarkup, type Markup } from "@/lib/markup";

/** The texts of the chips, in the person's language. */
export interface ChipTexts {
  seconds(value: number): string;
  /** Names for screen readers. */
  name(markup: Markup): string;
}

class ChipWidget extends WidgetType {
  constructor(
    readonly markup: Markup,
    readonly texts: ChipTexts,
  ) {
    super();
  }

  override eq(other: ChipWidget): boolean {
    return JSON.stringify(other.markup) === JSON.stringify(this.markup);
  }

  override toDOM(): HTMLElement {
    const chip = document.createElement("span");
    chip.className = "st-chip";
    chip.dataset.kind = this.markup.kind;
    chip.setAttribute("role", "img");
    chip.setAttribute("aria-label", this.texts.name(this.markup));
    for (const [name, text] of this.parts()) {
      const part = document.createElement(name);
      part.textContent = text;
      chip.append(part);
    }
    return chip;
  }

  private parts(): [string, string][] {
    const m = this.markup;
    if (m.kind === "pause")
      return [
        ["i", "‖"],
        ["span", this.texts.seconds(m.seconds)],
      ];
    if (m.kind === "tag") return [["span", m.name]];
    return [
      ["b", m.word],
      ["span", m.respelling],
    ];
  }

  override ignoreEvent(): boolean {
    return false; // a click puts the cursor there, and the chip becomes text again
  }
}

/** Reports whether the cursor is in the markup, which is then shown as text so that it can be edited. */
function isEdited(view: EditorView, from: number, to: number): boolean {
  return (
    view.hasFocus &&
    view.state.selection.ranges.some((range) =>
      range.empty
        ? range.head > from && range.head <= to
        : range.from < to && range.to > from && (range.from > from || range.to < to),
    )
  );
}

function matcher(texts: ChipTexts): MatchDecorator {
  return new MatchDecorator({
    regexp: markupPattern(),
    decorate: (add, from, to, match, view) => {
      const markup = readMarkup(match);
      if (!markup) return;
      if (isEdited(view, from, to)) add(from, to, Decoration.mark({ class: "st-raw" }));
      else add(from, to, Decoration.replace({ widget: new ChipWidget(markup, texts) }));
    },
  });
}

/** Reports whether the cursor is at a chip: only then do its moves change what is shown. */
function touchesChip(chips: DecorationSet, selection: EditorSelection): boolean {
  return selection.ranges.some(({ from, to }) => {
    let found = false;
    chips.between(from, to, () => {
      found = true;
      return false;
    });
    return found;
  });
}

/** Shows markup as chips, in the visible part of the text. */
export function chips(texts: ChipTexts) {
  const match = matcher(texts);
  return ViewPlugin.fromClass(
    class {
      chips: DecorationSet;
      constructor(view: EditorView) {
        this.chips = match.createDeco(view);
      }
      update(update: ViewUpdate) {
        const wasTouched = touchesChip(this.chips, update.startState.selection);
        this.chips = match.updateDeco(update, this.chips);
        const isTouched = update.selectionSet && touchesChip(this.chips, update.state.selection);
        if (update.focusChanged || wasTouched || isTouched) this.chips = match.createDeco(update.view);
      }
    },
    { decorations: (plugin) => plugin.chips },
  );
}
