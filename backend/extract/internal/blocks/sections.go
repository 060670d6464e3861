package blocks

import (
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// MaxTitle is the number of characters of the longest title of a section.
const MaxTitle = 1_000

// Begin marks that a section begins with a block. Two sections of one level with one place are one with a sub-title.
func Begin(b *backend.Block, title string, level int) {
	if n := len(b.Begins); n > 0 && b.Begins[n-1].Level == level {
		if last := &b.Begins[n-1]; !strings.EqualFold(last.Title, title) {
			last.Title += ": " + title
		}
		return
	}
	b.Begins = append(b.Begins, backend.Section{Title: title, Level: level})
	words := func(s string) string { return strings.Join(backend.Words(s), " ") }
	if b.Kind == backend.BlockParagraph && strings.EqualFold(words(Text(b.Spans)), words(title)) {
		b.Kind, b.Level = backend.BlockHeading, min(level, 6)
	}
}

// BeginHeadings marks that sections begin with the headings of the work from a block on, and returns how many do. A heading directly
// below a higher one, as of the first chapter of a part, begins with it, and one of the same level is its sub-title.
func BeginHeadings(blocks []backend.Block, from int) (found int) {
	group, last := -1, -1 // the block where the last heading begins, and its own
	for i := from; i < len(blocks); i++ {
		b := &blocks[i]
		if b.Kind != backend.BlockHeading {
			continue
		}
		title := backend.FirstWords(strings.Join(strings.Fields(headingText(*b)), " "), MaxTitle)
		if title == "" {
			continue
		}
		below := last >= 0 && last == i-1
		if !below || blocks[last].Level > b.Level || blocks[last].Level == b.Level && group != last {
			group = i
		}
		Begin(&blocks[group], title, max(b.Level, 1))
		last = i
		found++
	}
	return found
}

// headingText returns the words of the work in a heading, with the description of a picture.
func headingText(b backend.Block) string {
	var out strings.Builder
	for _, span := range b.Spans {
		if span.Class != "" {
			continue
		}
		if span.Text == "" {
			out.WriteString(span.Say)
		}
		out.WriteString(span.Text)
	}
	return out.String()
}

// WithoutScenes returns blocks without the breaks between scenes that separate none: at the start and the end, beside a heading, before
// the start of a section, and after another one. A section that begins with such a break begins with the next block.
func WithoutScenes(all []backend.Block) []backend.Block {
	out := all[:0]
	for i, b := range all {
		if b.Kind == backend.BlockScene && i+1 < len(all) {
			next := &all[i+1]
			n := len(out)
			next.Begins = append(b.Begins, next.Begins...)
			if n == 0 || out[n-1].Kind == backend.BlockHeading || next.Kind == backend.BlockHeading || next.Kind == backend.BlockScene ||
				len(next.Begins) > 0 {
				continue
			}
			b.Begins = nil
		}
		out = append(out, b)
	}
	if n := len(out); n > 0 && out[n-1].Kind == backend.BlockScene && len(out[n-1].Begins) == 0 {
		out = out[:n-1]
	}
	return out
}
