import { isolateHistory } from "@codemirror/commands";
import { RangeSet, StateEffect, StateField, type EditorSelection, type Text } from "@codemirror/state";
import {
  EditorView,
  MatchDecorator,
  ViewPlugin,
  WidgetType,
  Decoration,
  type DecorationSet,
  type ViewUpdate,
} from "@codemirror/view";
import { isAudioTag, markupPattern, readMarkup, type Markup } from "@/lib/markup";

/** The texts of the chips, in the person's language. */
export interface ChipTexts {
  seconds(value: number): string;
  /** Names for screen readers. */
  name(markup: Markup): string;
  /** The name of the button that removes a tag. */
  remove(tag: string): string;
}

/** Shows all audio tags as chips with a button that removes them; for voices of the hosted v3 model. */
export const setTagButtons = StateEffect.define<boolean>();
const tagButtons = StateField.define<boolean>({
  create: () => false,
  update: (before, tr) => tr.effects.reduce((on, effect) => (effect.is(setTagButtons) ? effect.value : on), before),
});

/** Returns the range to delete for a tag: with one of the two spaces around it. */
function tagRange(text: Text, from: number, to: number): { from: number; to: number } {
  const isSpace = (at: number) => /^\s?$/.test(text.sliceString(Math.max(at, 0), at + 1));
  return { from, to: text.sliceString(to, to + 1) === " " && isSpace(from - 1) ? to + 1 : to };
}

function removeTag(view: EditorView, chip: HTMLElement, tag: string): void {
  const from = view.posAtDOM(chip);
  const to = from + tag.length;
  if (view.state.sliceDoc(from, to) !== tag) return;
  view.dispatch({
    changes: tagRange(view.state.doc, from, to),
    annotations: isolateHistory.of("full"), // one undo step
    userEvent: "delete",
  });
  view.focus();
}

class ChipWidget extends WidgetType {
  constructor(
    readonly markup: Markup,
    readonly texts: ChipTexts,
    /** The tag that its button removes; without it the chip has no button. */
    readonly tag?: string,
  ) {
    super();
  }

  override eq(other: ChipWidget): boolean {
    return other.tag === this.tag && JSON.stringify(other.markup) === JSON.stringify(this.markup);
  }

  override toDOM(view: EditorView): HTMLElement {
    const chip = document.createElement("span");
    chip.className = "st-chip";
    chip.dataset.kind = this.markup.kind;
    chip.setAttribute("role", this.tag ? "group" : "img");
    chip.setAttribute("aria-label", this.texts.name(this.markup));
    for (const [name, text] of this.parts()) {
      const part = document.createElement(name);
      part.textContent = text;
      chip.append(part);
    }
    if (this.tag) chip.append(this.button(view, chip, this.tag));
    return chip;
  }

  private button(view: EditorView, chip: HTMLElement, tag: string): HTMLElement {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "×";
    button.setAttribute("aria-label", this.texts.remove(tag));
    button.addEventListener("mousedown", (event) => event.preventDefault()); // keeps the cursor in place
    button.addEventListener("click", () => removeTag(view, chip, tag));
    button.addEventListener("keydown", (event) => {
      if (event.key === "Backspace" || event.key === "Delete") removeTag(view, chip, tag);
    });
    return button;
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

  override ignoreEvent(event: Event): boolean {
    if (event.target instanceof Element && event.target.closest("button")) return true;
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

function matcher(texts: ChipTexts, hasButtons: boolean): MatchDecorator {
  return new MatchDecorator({
    regexp: markupPattern(hasButtons),
    decorate: (add, from, to, match, view) => {
      const markup = readMarkup(match);
      if (!markup) return;
      if (hasButtons && isAudioTag(match[0]))
        add(from, to, Decoration.replace({ widget: new ChipWidget(markup, texts, match[0]), isWhole: true }));
      else if (isEdited(view, from, to)) add(from, to, Decoration.mark({ class: "st-raw" }));
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

const wholeOf = (chips: DecorationSet): DecorationSet =>
  chips.update({ filter: (_from, _to, chip) => (chip.spec as { isWhole?: boolean }).isWhole === true });

/** Shows markup as chips, in the visible part of the text. A chip with a button is passed and deleted as a whole. */
export function chips(texts: ChipTexts) {
  const plugin = ViewPlugin.fromClass(
    class {
      match: MatchDecorator;
      chips: DecorationSet;
      whole: DecorationSet;
      constructor(view: EditorView) {
        this.match = matcher(texts, view.state.field(tagButtons));
        this.chips = this.match.createDeco(view);
        this.whole = wholeOf(this.chips);
      }
      update(update: ViewUpdate) {
        const hasButtons = update.state.field(tagButtons);
        const isSwitched = hasButtons !== update.startState.field(tagButtons);
        if (isSwitched) this.match = matcher(texts, hasButtons);
        const wasTouched = touchesChip(this.chips, update.startState.selection);
        if (!isSwitched) this.chips = this.match.updateDeco(update, this.chips);
        const isTouched = update.selectionSet && touchesChip(this.chips, update.state.selection);
        if (isSwitched || update.focusChanged || wasTouched || isTouched)
          this.chips = this.match.createDeco(update.view);
        this.whole = wholeOf(this.chips);
      }
    },
    {
      decorations: (value) => value.chips,
      provide: (self) => EditorView.atomicRanges.of((view) => view.plugin(self)?.whole ?? RangeSet.empty),
    },
  );
  return [tagButtons, plugin];
}
