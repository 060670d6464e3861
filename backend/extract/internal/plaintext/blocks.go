package plaintext

import (
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/chapter"
)

// mostLevels is the lowest level of headings.
const mostLevels = 6

// blocks returns the paragraphs as blocks.
func (d *divider) blocks() []backend.Block {
	levels := d.levels()
	width := usualWidth(d.all)
	scenes := d.wideGaps()
	var out []backend.Block
	next := 0
	above, behind := 0, -1 // the block of the heading above, and the paragraph directly behind it
	for i := 0; i < len(d.all); i++ {
		if next < len(d.entries) && d.entries[next].at == i {
			e := d.entries[next]
			heading := d.heading(e, levels[e])
			if i == behind && levels[e] > levels[d.entries[next-1]] { // the first chapter of a part begins with it
				out[above].Begins = append(out[above].Begins, heading[0].Begins...)
				heading[0].Begins = nil
			} else {
				above = len(out)
			}
			out = append(out, heading...)
			i += e.lines
			behind = i + 1
			next++
			continue
		}
		if scenes[i] {
			out = append(out, backend.Block{Kind: backend.BlockScene})
		}
		out = append(out, blocksOf(d.all[i], width)...)
	}
	return out
}

// levels returns the levels of the headings: those of parts in the order in which their words come first, then chapters.
func (d *divider) levels() map[*entry]int {
	var ranks []string
	rankOf := func(e *entry) string {
		switch {
		case e.rank == chapter.Part && e.group == byWord:
			return e.word
		case e.rank == chapter.Section:
			return "\xff section" // below all
		}
		return "\xfe chapter"
	}
	for _, e := range d.entries {
		if e.group == byWord && e.rank == chapter.Part && !slices.Contains(ranks, e.word) {
			ranks = append(ranks, e.word)
		}
	}
	for _, rank := range []chapter.Rank{chapter.Chapter, chapter.Section} {
		for _, e := range d.entries {
			if e.rank == rank && !slices.Contains(ranks, rankOf(e)) {
				ranks = append(ranks, rankOf(e))
			}
		}
	}
	levels := map[*entry]int{}
	for _, e := range d.entries {
		levels[e] = 1
		if e.group != byName || e.rank != chapter.Part { // a prologue is beside the parts
			levels[e] = min(mostLevels, 1+slices.Index(ranks, rankOf(e)))
		}
	}
	return levels
}

// heading returns the blocks of a heading: the line and its title, which begin one section.
func (d *divider) heading(e *entry, level int) []backend.Block {
	var out []backend.Block
	title := ""
	for _, p := range d.all[e.at : e.at+1+e.lines] {
		text := strings.Join(p.Lines, "\n")
		title = joinTitle(title, plain(backend.OneLine(text)))
		b := backend.Block{Kind: backend.BlockHeading, Level: level, Spans: []backend.Span{{Text: backend.OneLine(text)}}}
		if p.Block != nil {
			b.Spans = p.Block.Spans
		}
		out = append(out, b)
	}
	out[0].Begins = []backend.Section{{Title: title, Level: level}}
	return out
}

// joinTitle returns the two lines of a heading as one.
func joinTitle(a, b string) string {
	switch {
	case a == "":
		return b
	case strings.ContainsRune(".:!?—–-", lastRune(a)):
		return a + " " + b
	}
	return a + ". " + b
}

// wideGaps returns the paragraphs that more blank lines are before than before most, which are breaks between scenes. Where such
// gaps are usual they mean nothing.
func (d *divider) wideGaps() map[int]bool {
	gaps, usual := map[int]bool{}, 0
	heads := map[int]bool{}
	for _, e := range d.entries {
		for i := e.at; i <= e.at+e.lines+1; i++ {
			heads[i] = true
		}
	}
	plainText := func(i int) bool {
		p := d.all[i]
		return p.Class == "" && !heads[i] && p.Block == nil && endsSentence(p.Lines[len(p.Lines)-1])
	}
	for i := 1; i < len(d.all); i++ {
		if !plainText(i) || !plainText(i-1) {
			continue
		}
		if d.all[i].Blanks > 1 {
			gaps[i] = true
		} else if d.all[i].Blanks == 1 {
			usual++
		}
	}
	if len(gaps)*5 > usual {
		return nil
	}
	return gaps
}

// blocksOf returns the blocks of a paragraph.
func blocksOf(p Paragraph, width int) []backend.Block {
	if p.Block != nil {
		b := *p.Block
		if p.Class != "" {
			b.Spans = slices.Clone(b.Spans)
			for i := range b.Spans {
				b.Spans[i].Class = p.Class
			}
		}
		return []backend.Block{b}
	}
	if len(p.Lines) == 1 && chapter.IsScene(p.Lines[0]) {
		return []backend.Block{{Kind: backend.BlockScene}}
	}
	if p.Class == backend.ClassContents {
		return each(p.Lines, backend.BlockList, p.Class)
	}
	var out []backend.Block
	for _, part := range paragraphsOf(p.Lines, width) {
		kind, text := backend.BlockParagraph, joinLines(part)
		if isVerse(part, width) {
			kind, text = backend.BlockVerse, strings.Join(part, "\n")
		}
		out = append(out, aside(kind, text, p.Class)...)
	}
	return out
}

// each returns a block for each line.
func each(lines []string, kind backend.BlockKind, class backend.TextClass) []backend.Block {
	var out []backend.Block
	for _, line := range lines {
		out = append(out, backend.Block{Kind: kind, Spans: []backend.Span{{Text: backend.OneLine(line), Class: class}}})
	}
	return out
}

// aside returns the block of a text, which may be a note or a caption in brackets, as Project Gutenberg writes them.
func aside(kind backend.BlockKind, text string, class backend.TextClass) []backend.Block {
	if class == "" && strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		switch lower := strings.ToLower(text); {
		case strings.HasPrefix(lower, "[footnote"), strings.HasPrefix(lower, "[note"):
			kind, class = backend.BlockNote, backend.ClassNotes
		case strings.HasPrefix(lower, "[illustration"):
			kind, class = backend.BlockImage, backend.ClassCaptions
		}
	}
	return []backend.Block{{Kind: kind, Spans: []backend.Span{{Text: text, Class: class}}}}
}
