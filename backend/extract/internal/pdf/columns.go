package pdf

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
	"github.com/voicewright/voicewright/backend/pattern"
)

const (
	minGutter   = 7.0   // points between columns
	columnChars = 15    // characters in a line of a column of text on average; tables have fewer
	numberChars = 12    // of the number of a chapter at most
	mostLines   = 3_000 // of a page that is searched for columns, drop caps and the numbers of a table of contents
	mostGaps    = 300   // between lines that are tried as the end or the beginning of columns
	mostRow     = 2_000 // bytes of a row that more lines are joined to
)

// bodySize returns the height of most characters.
func bodySize(pages []*page) float64 {
	count := map[float64]int{}
	best := 0.0
	for _, p := range pages {
		for _, l := range p.lines {
			size := math.Round(l.size*2) / 2
			if count[size] += utf8.RuneCountInString(l.text); count[size] > count[best] {
				best = size
			}
		}
	}
	return best
}

// orderedLines returns the lines of all pages as they are read, column by column, without footnotes and tables of contents.
// It stops when the context ends.
func orderedLines(ctx context.Context, pages []*page, body float64, left parts.Counts, kept *kept) []*textLine {
	var all []*textLine
	columns := 0
	open := false // the last footnote of the page before continues
	for _, p := range pages {
		if ctx.Err() != nil {
			return nil
		}
		kept.addContents(p.withoutContents(left))
		marks := map[string]bool{}
		for _, l := range p.lines {
			left[parts.Marks] += len(l.marks)
			for _, m := range l.marks {
				marks[m] = true
			}
		}
		notes := footnotes{body: body, marks: marks, open: open}
		for _, column := range columnsOf(ctx, p.lines, 0) {
			rows := joinRows(column)
			column = notes.without(rows)
			kept.addNotes(rows[len(column):])
			for _, l := range column {
				l.column = columns
			}
			setMargins(column)
			columns++
			all = append(all, column...)
		}
		open = notes.continues
		left[parts.Footnotes] += notes.count
	}
	alignColumns(ctx, all)
	return all
}

// withoutContents takes the lines of a table of contents out of a page, with the numbers beside them, and returns them.
func (p *page) withoutContents(left parts.Counts) (taken []*textLine) {
	var entries []*textLine
	isEntry := map[*textLine]bool{}
	for _, l := range p.lines {
		if leaders.MatchString(l.text) {
			entries = append(entries, l)
			isEntry[l] = true
		}
	}
	left[parts.Entries] += len(entries)
	taken, p.lines = divide(p.lines, func(l *textLine) bool {
		if isEntry[l] || len(p.lines) > mostLines || utf8.RuneCountInString(l.text) > numberChars {
			return isEntry[l]
		}
		middle := (l.y0 + l.y1) / 2
		return slices.ContainsFunc(entries, func(entry *textLine) bool { return middle > entry.y0 && middle < entry.y1 })
	})
	return taken
}

// leaders matches a line of a table of contents: dots up to a page number, which may be on a line of its own.
var leaders = pattern.New(`(?:\.\s?){4,}\s*(?:\d{1,4}|[ivxlc]{1,8})$|(?:\.\s?){10,}$|…{2,}\s*\d{1,4}$`)

// columnsOf divides the lines of a page into columns in the order in which they are read. Lines over several columns, such as a
// title, divide the page into what is above and below. When the context ends, nothing more is divided.
func columnsOf(ctx context.Context, lines []*textLine, depth int) [][]*textLine {
	lines = slices.Clone(lines)
	slices.SortStableFunc(lines, func(a, b *textLine) int { return cmp.Compare(a.y0, b.y0) })
	if len(lines) < 4 || len(lines) > mostLines || depth > 20 || ctx.Err() != nil {
		return [][]*textLine{lines}
	}
	if x, ok := gutter(lines); ok {
		first, second := divide(lines, func(l *textLine) bool { return l.x1 <= x })
		return append(columnsOf(ctx, first, depth+1), columnsOf(ctx, second, depth+1)...)
	}
	gaps := gapsOf(lines)
	hasColumns := func(lines []*textLine) bool {
		if ctx.Err() != nil {
			return false
		}
		_, ok := gutter(lines)
		return ok
	}
	for _, i := range gaps[:min(len(gaps), mostGaps)] {
		if hasColumns(lines[i:]) {
			return append([][]*textLine{lines[:i]}, columnsOf(ctx, lines[i:], depth+1)...)
		}
	}
	for _, i := range slices.Backward(gaps[max(0, len(gaps)-mostGaps):]) {
		if hasColumns(lines[:i]) {
			return append(columnsOf(ctx, lines[:i], depth+1), columnsOf(ctx, lines[i:], depth+1)...)
		}
	}
	return [][]*textLine{lines}
}

// divide returns the lines for which isFirst is true, and the others.
func divide(lines []*textLine, isFirst func(*textLine) bool) (first, second []*textLine) {
	for _, l := range lines {
		if isFirst(l) {
			first = append(first, l)
		} else {
			second = append(second, l)
		}
	}
	return first, second
}

// gapsOf returns the lines above which no other line reaches down.
func gapsOf(lines []*textLine) []int {
	var gaps []int
	lowest := lines[0].y1
	for i, l := range lines[1:] {
		if l.y0 >= lowest-0.3*l.size {
			gaps = append(gaps, i+1)
		}
		lowest = max(lowest, l.y1)
	}
	return gaps
}

// gutter returns where two columns of text are apart, all the way down.
func gutter(lines []*textLine) (x float64, ok bool) {
	if len(lines) < 4 {
		return 0, false
	}
	sorted := slices.Clone(lines)
	slices.SortFunc(sorted, func(a, b *textLine) int { return cmp.Compare(a.x0, b.x0) })
	none := block{x1: math.Inf(-1), y0: math.Inf(1), y1: math.Inf(-1)}
	after := make([]block, len(sorted)+1) // by the first line
	after[len(sorted)] = none
	for i, l := range slices.Backward(sorted) {
		after[i] = after[i+1].with(l)
	}
	before := none
	for i, l := range sorted {
		if l.x0-before.x1 >= minGutter && before.isColumn() && after[i].isColumn() && min(before.y1, after[i].y1) > max(before.y0, after[i].y0) {
			return before.x1, true
		}
		before = before.with(l)
	}
	return 0, false
}

// block is what some lines have together.
type block struct {
	lines, chars int
	x1, y0, y1   float64
}

// with returns the block with one more line.
func (b block) with(l *textLine) block {
	return block{b.lines + 1, b.chars + utf8.RuneCountInString(l.text), max(b.x1, l.x1), min(b.y0, l.y0), max(b.y1, l.y1)}
}

// isColumn reports whether lines are text and not the cells of a table.
func (b block) isColumn() bool { return b.lines >= 2 && b.chars >= columnChars*b.lines }

// joinRows returns the lines of a column with those side by side joined, and with drop caps put before their word.
func joinRows(lines []*textLine) []*textLine {
	var out []*textLine
	var initial *textLine
	for _, l := range lines {
		if initial != nil && l.x0 >= initial.x1-1 && l.y0 < initial.y1 {
			if l.y0-initial.y0 < l.size {
				l.text, l.marked = initial.text+l.text, initial.marked+l.marked
				l.firstWord += initial.x1 - initial.x0
			}
			l.x0 = initial.x0
		}
		n := len(out)
		switch {
		case utf8.RuneCountInString(l.text) == 1 && len(lines) <= mostLines && beside(l, lines):
			initial = l
			continue
		case n > 0 && len(out[n-1].text) < mostRow && sideBySide(out[n-1], l):
			out[n-1].join(l)
			continue
		}
		out = append(out, l)
	}
	return out
}

// sideBySide reports whether two lines are parts of one.
func sideBySide(a, b *textLine) bool {
	apart := b.x0 >= a.x1-1 || b.x1 <= a.x0+1
	return apart && min(a.y1, b.y1)-max(a.y0, b.y0) > 0.5*min(a.y1-a.y0, b.y1-b.y0)
}

// join adds a line beside another one to it.
func (l *textLine) join(other *textLine) {
	first, second := l, other
	if other.x0 < l.x0 {
		first, second = other, l
	}
	l.raised = first.raised || isMark(first.text) && first.size < 0.85*second.size && first.y1 < second.y1
	l.text, l.marked = first.text+" "+second.text, first.marked+" "+second.marked
	l.firstWord = first.firstWord
	l.x0, l.x1 = first.x0, max(l.x1, other.x1)
	if utf8.RuneCountInString(second.text) > utf8.RuneCountInString(first.text) {
		l.size, l.y0, l.y1 = second.size, second.y0, second.y1
	} else {
		l.size, l.y0, l.y1 = first.size, first.y0, first.y1
	}
	l.marks = append(l.marks, other.marks...)
}

// beside reports whether a line is a drop cap: at least two lines begin to the right of it.
func beside(l *textLine, lines []*textLine) bool {
	n := 0
	for _, other := range lines {
		if other != l && other.size < 0.7*l.size && other.x0 >= l.x1-1 && other.y0 < l.y1 && other.y1 > l.y0 {
			n++
		}
	}
	return n >= 2
}

// footnotes finds the notes at the end of the columns of a page.
type footnotes struct {
	body      float64
	marks     map[string]bool // in the text of the page
	open      bool            // a note of the page before continues
	count     int
	continues bool
}

// footnoteMark matches the mark at the start of a note.
var footnoteMark = pattern.New(`^(?:\[(\d{1,3})\]|(\d{1,3})[.)]?|([*†‡§¶]+))\s*\S`)

// without returns a column without its notes: small lines at its end, from one with a mark that is in the text.
func (f *footnotes) without(column []*textLine) []*textLine {
	start := len(column)
	for start > 0 && column[start-1].size < 0.93*f.body {
		start--
	}
	for i := start; i < len(column); i++ {
		if f.begins(column[i]) || f.open && i == start && i > 0 {
			for _, l := range column[i:] {
				if f.begins(l) {
					f.count++
				}
			}
			f.continues = !prose.EndsSentence(column[len(column)-1].text)
			return column[:i]
		}
	}
	return column
}

// begins reports whether a note begins with a line.
func (f *footnotes) begins(l *textLine) bool {
	m := footnoteMark.FindStringSubmatch(l.text)
	return m != nil && (l.raised || f.marks[strings.Join(m[1:], "")])
}

// setMargins sets the margins of the lines of a column: where most lines begin, and where the longest ones end.
func setMargins(lines []*textLine) {
	if len(lines) == 0 {
		return
	}
	count := map[int]int{}
	left := math.Inf(1)
	for _, l := range lines {
		count[int(math.Round(l.x0))]++
		left = min(left, l.x0)
	}
	for _, x := range slices.Sorted(maps.Keys(count)) {
		n := count[x]
		near := n + count[x-1] + count[x+1]
		if 4*near >= len(lines) && near > 1 && (float64(x) < left+1 || 4*atLeft(lines, left) < len(lines) && 2*near > len(lines)) {
			left = float64(x)
		}
	}
	var ends []float64
	for _, l := range lines {
		ends = append(ends, l.x1)
	}
	slices.Sort(ends)
	right := ends[len(ends)*9/10]
	for _, l := range lines {
		l.left, l.right = left, right
	}
}

// atLeft returns how many lines begin at a margin.
func atLeft(lines []*textLine, left float64) int {
	n := 0
	for _, l := range lines {
		if l.x0 < left+2 {
			n++
		}
	}
	return n
}

// alignColumns sets the width of the columns with few lines to that of those with many.
func alignColumns(ctx context.Context, lines []*textLine) {
	const few = 10
	size := map[int]int{}
	for _, l := range lines {
		size[l.column]++
	}
	var widths []float64
	lefts := map[int]int{}
	for _, l := range lines {
		if size[l.column] >= few {
			widths = append(widths, l.right-l.left)
			lefts[int(math.Round(l.left))]++
		}
	}
	if len(widths) == 0 {
		return
	}
	slices.Sort(widths)
	usual := widths[len(widths)/2]
	sorted := slices.Sorted(maps.Keys(lefts))
	for _, l := range lines {
		if size[l.column] >= few || ctx.Err() != nil {
			continue
		}
		best := 0
		for _, x := range sorted {
			n := lefts[x]
			if math.Abs(float64(x)-l.left) < 4*l.size && float64(x) < l.left+1 && n > best {
				best = n
				l.left = float64(x)
			}
		}
		l.right = max(l.right, l.left+usual)
	}
}
