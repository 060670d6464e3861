// Package blocks collects the blocks of a manuscript from the text of a page, and marks where its sections begin.
package blocks

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/pattern"
)

// Writer collects the blocks of a page, character by character. Its zero value is empty.
type Writer struct {
	Blocks []backend.Block  // that ended
	Places map[string]Place // of the elements with an id that are needed

	block  backend.Block // the current one, without spans before its first word
	text   []byte        // of its last span
	length int           // bytes of its spans before the last one
	open   bool          // the last span goes on
	stanza int           // that the block is a part of, 0 for none
	last   int           // that the block before it was a part of
}

// Place is where an element with an id begins: a block and a number of bytes of its text.
type Place struct{ block, offset int }

// Kind is what blocks in an element are.
type Kind struct {
	Kind   backend.BlockKind
	Level  int // of a heading
	Stanza int // whose lines they are, 0 for none
}

// Write adds a character behind white space, which is left out at the start of a block. kind is for the first one.
func (w *Writer) Write(space string, r rune, class backend.TextClass, kind Kind) {
	w.start(&space, class, kind)
	w.text = append(w.text, space...)
	w.text = utf8.AppendRune(w.text, r)
}

// start begins a block or a span if the next words need one.
func (w *Writer) start(space *string, class backend.TextClass, kind Kind) {
	if *space == "\n\n" {
		w.End()
	}
	if len(w.block.Spans) == 0 {
		*space = ""
		w.block.Kind, w.block.Level, w.stanza = kind.Kind, kind.Level, kind.Stanza
		if kind.Stanza != 0 && kind.Stanza == w.last {
			w.reopen()
			*space = "\n"
		}
	}
	if !w.open || w.block.Spans[len(w.block.Spans)-1].Class != class {
		w.endSpan()
		w.block.Spans = append(w.block.Spans, backend.Span{Class: class})
		w.open = true
	}
}

// reopen continues the last block, a stanza, with another line.
func (w *Writer) reopen() {
	n := len(w.Blocks) - 1
	w.block, w.Blocks = w.Blocks[n], w.Blocks[:n]
	w.length = 0
	for _, span := range w.block.Spans {
		w.length += len(span.Text)
	}
	for id, at := range w.Places {
		if at.block == n+1 {
			w.Places[id] = Place{n, w.length}
		}
	}
}

// endSpan ends the current span.
func (w *Writer) endSpan() {
	if w.open {
		w.block.Spans[len(w.block.Spans)-1].Text = string(w.text)
		w.length += len(w.text)
		w.text, w.open = w.text[:0], false
	}
}

// Spans returns the number of spans of the current block, the last of which is ended.
func (w *Writer) Spans() int {
	w.endSpan()
	return len(w.block.Spans)
}

// Say sets what is spoken in place of the spans from that number on, as a ruby annotation does. Without such a span the words
// continue those of the one before.
func (w *Writer) Say(from int, words string, class backend.TextClass, kind Kind) {
	n := w.Spans()
	switch {
	case from < n:
		base := w.block.Spans[from]
		for _, span := range w.block.Spans[from+1:] {
			base.Text += span.Text
		}
		said := backend.Span{Text: strings.TrimLeftFunc(base.Text, unicode.IsSpace), Class: base.Class, Say: words}
		w.block.Spans = w.block.Spans[:from]
		if blanks := len(base.Text) - len(said.Text); blanks > 0 {
			w.block.Spans = append(w.block.Spans, backend.Span{Text: base.Text[:blanks], Class: base.Class})
		}
		w.block.Spans = append(w.block.Spans, said)
	case n > 0 && w.block.Spans[n-1].Say != "":
		w.block.Spans[n-1].Say += words
	default:
		w.Picture("", words, class, kind)
	}
}

// Unless removes a class from the spans from that number on, unless their text has it, which is reports.
func (w *Writer) Unless(from int, class backend.TextClass, is func(text string) bool) {
	from = min(from, w.Spans())
	if spans := w.block.Spans[from:]; !is(Text(spans)) {
		for i := range spans {
			if spans[i].Class == class {
				spans[i].Class = ""
			}
		}
	}
}

// Picture adds a span of what is only spoken, behind white space.
func (w *Writer) Picture(space, words string, class backend.TextClass, kind Kind) {
	w.endSpan()
	w.start(&space, class, kind)
	if space != "" {
		w.text = append(w.text, space...)
		w.endSpan()
		w.block.Spans = append(w.block.Spans, backend.Span{Class: class})
	}
	w.block.Spans[len(w.block.Spans)-1].Say = words
	w.endSpan()
}

// Empty reports whether the current block has no words yet.
func (w *Writer) Empty() bool { return len(w.block.Spans) == 0 }

// InSpan reports whether the current span has words.
func (w *Writer) InSpan() bool { return len(w.text) > 0 }

// Here returns the place of the next word.
func (w *Writer) Here() Place { return Place{len(w.Blocks), w.length + len(w.text)} }

// longestScene is how much of a block is looked at for a break between scenes, in bytes.
const longestScene = 200

// sceneLine matches a paragraph that only separates scenes.
var sceneLine = pattern.New(`^(?:[*•·∗⁎✱✻❦❧☙~◆◇■□●○♦–—-]\s*)+$|^(?:⁂\s*)+$|^(?:#\s*)+$|^§$`)

// End ends the current block.
func (w *Writer) End() {
	w.endSpan()
	w.block.Spans = mergeSpans(w.block.Spans)
	spans := w.block.Spans
	if len(spans) == 0 {
		return
	}
	text := ""
	for _, span := range spans {
		text += span.Text
		if len(text) > longestScene {
			break
		}
	}
	switch {
	case strings.TrimSpace(text) == "" && w.block.Kind != backend.BlockHeading: // a picture by itself
		w.block.Kind = backend.BlockImage
		for i := range spans {
			if spans[i].Class == "" {
				spans[i].Class = backend.ClassCaptions
			}
		}
	case sceneLine.MatchString(text) && w.block.Kind != backend.BlockTable:
		w.block = backend.Block{}
		w.Scene()
		return
	}
	w.Blocks = append(w.Blocks, w.block)
	w.last = w.stanza
	w.block, w.length, w.stanza = backend.Block{}, 0, 0
}

// mergeSpans returns spans with those in one that are alike.
func mergeSpans(spans []backend.Span) []backend.Span {
	out := spans[:0]
	for _, span := range spans {
		if n := len(out); n > 0 && out[n-1].Class == span.Class && out[n-1].Say == "" && span.Say == "" {
			out[n-1].Text += span.Text
			continue
		}
		out = append(out, span)
	}
	return out
}

// Scene adds a break between scenes.
func (w *Writer) Scene() {
	w.End()
	w.last, w.length, w.stanza = 0, 0, 0
	if n := len(w.Blocks); n == 0 || w.Blocks[n-1].Kind != backend.BlockScene {
		w.Blocks = append(w.Blocks, backend.Block{Kind: backend.BlockScene})
	}
}

// Cut divides blocks where an element with an id begins within one, and returns the block that each of them begins. Headings and rows
// of tables stay whole.
func (w *Writer) Cut() map[string]int {
	ids := slices.SortedFunc(maps.Keys(w.Places), func(a, b string) int {
		return cmp.Or(w.Places[a].block-w.Places[b].block, w.Places[a].offset-w.Places[b].offset)
	})
	begins := map[string]int{}
	var out []backend.Block
	for i, b := range w.Blocks {
		from := 0 // bytes of the block that were cut off
		for ; len(ids) > 0 && w.Places[ids[0]].block == i; ids = ids[1:] {
			at := w.Places[ids[0]].offset
			head, tail, ok := cutBlock(b, at-from)
			switch {
			case ok:
				words := strings.TrimLeftFunc(tail[0].Text, unicode.IsSpace)
				from, tail[0].Text = at+len(tail[0].Text)-len(words), words
				out = append(out, backend.Block{Kind: b.Kind, Level: b.Level, Spans: head})
				b.Spans = tail
				begins[ids[0]] = len(out)
			case len(head) > 0 && !backend.Speakable(Text(tail)) && b.Kind != backend.BlockHeading:
				begins[ids[0]] = len(out) + 1
			default:
				begins[ids[0]] = len(out)
			}
		}
		out = append(out, b)
	}
	for _, id := range ids {
		begins[id] = len(out)
	}
	w.Blocks = out
	return begins
}

// cutBlock divides the spans of a block at a number of bytes of its text. It is not ok in a heading or a row of a table, without words
// before or behind the place, and within a word.
func cutBlock(b backend.Block, offset int) (head, tail []backend.Span, ok bool) {
	head, tail = cutSpans(b.Spans, offset)
	if b.Kind == backend.BlockHeading || b.Kind == backend.BlockTable {
		return head, tail, false
	}
	before, after := Text(head), Text(tail)
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return head, tail, backend.Speakable(before) && backend.Speakable(after) &&
		(!letter(last) || !letter(first))
}

// cutSpans divides spans at a number of bytes of their text.
func cutSpans(spans []backend.Span, offset int) (head, tail []backend.Span) {
	for _, span := range spans {
		switch size := len(span.Text); {
		case offset <= 0:
			tail = append(tail, span)
		case offset >= size || span.Say != "":
			head = append(head, span)
		default:
			before, after := span, span
			before.Text, after.Text = span.Text[:offset], span.Text[offset:]
			head, tail = append(head, before), append(tail, after)
		}
		offset -= len(span.Text)
	}
	return head, tail
}

// Text returns the text of spans.
func Text(spans []backend.Span) string {
	var out strings.Builder
	for _, span := range spans {
		out.WriteString(span.Text)
	}
	return out.String()
}

// letter reports whether r is a letter or a digit.
func letter(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r)) }

// SetClass sets the class of the words that have none.
func SetClass(blocks []backend.Block, class backend.TextClass) {
	for i := range blocks {
		for j := range blocks[i].Spans {
			if span := &blocks[i].Spans[j]; span.Class == "" {
				span.Class = class
			}
		}
	}
}

// Paragraphs returns the paragraphs of a text, which empty lines separate.
func Paragraphs(text string) []backend.Block {
	var out []backend.Block
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if paragraph = strings.TrimSpace(paragraph); paragraph != "" {
			out = append(out, backend.Block{Kind: backend.BlockParagraph, Spans: []backend.Span{{Text: paragraph}}})
		}
	}
	return out
}
