package pdf

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/chapter"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/extract/internal/classes"
	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/extract/internal/plaintext"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
	"github.com/voicewright/voicewright/backend/hyphen"
)

// kept are the lines that a text does not have and a manuscript has, page by page.
type kept struct {
	notes, contents []*textLine
	asides          []aside
}

// aside is what stands beside the text of a page: a footnote, a header, a footer, a page number.
type aside struct {
	page  int
	block backend.Block
}

// addAside adds lines side by side, which are a block by themselves.
func (k *kept) addAside(class backend.TextClass, lines ...*textLine) {
	if k == nil {
		return
	}
	var text []string
	for _, l := range lines {
		text = append(text, l.marked)
	}
	k.asides = append(k.asides, aside{lines[0].page, classBlock(backend.BlockParagraph, class, strings.Join(text, " "))})
}

// classBlock returns a block of a class, in one line.
func classBlock(kind backend.BlockKind, class backend.TextClass, text string) backend.Block {
	return backend.Block{Kind: kind, Spans: []backend.Span{{Text: backend.OneLine(blocks.Unmarked(text)), Class: class}}}
}

func (k *kept) addNotes(lines []*textLine) {
	if k != nil {
		k.notes = append(k.notes, lines...)
	}
}

func (k *kept) addContents(lines []*textLine) {
	if k != nil {
		k.contents = append(k.contents, lines...)
	}
}

// manuscript is the manuscript of a PDF file that is being read.
type manuscript struct {
	body       float64 // height of the text
	paragraphs []paragraph
	kept       *kept

	blocks []backend.Block
	first  []int // the block with which each paragraph begins
}

// Book reads the manuscript of a PDF file. Chapters are those of its outline, else of the words of headings, else of the size of
// their letters. Errors: those of Text.
func (f File) Book(ctx context.Context) (Result, error) {
	r := Result{Left: parts.Counts{}}
	err := f.layOut(ctx, &r, func(limited context.Context, out *output) error {
		b := &manuscript{kept: &kept{}}
		lines, body, err := readLines(limited, out.pages, r.Left, b.kept)
		if err != nil || len(lines)+len(b.kept.notes)+len(b.kept.contents) == 0 {
			return err
		}
		if b.body = body; len(lines) > 0 {
			b.paragraphs = joinedLines(lines, body, func(l *textLine) string { return l.marked })
		}
		b.addBlocks()
		r.Blocks = b.divided(f.outline(limited))
		classes.Sections(r.Blocks, nil)
		r.Author = prose.Author(out.author)
		for _, part := range []string{parts.Footnotes, parts.Marks, parts.Entries, parts.Headers, parts.Numbers, parts.Vertical} {
			delete(r.Left, part) // they have a class
		}
		return nil
	})
	return r, err
}

// addBlocks sets the blocks of the paragraphs, with what is beside them and the lines of a table of contents behind the last paragraph
// that begins on their page.
func (b *manuscript) addBlocks() {
	asides := append(b.kept.asides, noteBlocks(b.kept.notes)...)
	slices.SortStableFunc(asides, func(a, b aside) int { return a.page - b.page })
	contents := b.kept.contents
	before := "" // the text before
	for _, p := range b.paragraphs {
		if len(p.lines) == 0 {
			continue
		}
		for len(contents) > 0 && contents[0].page < p.lines[0].page {
			contents = b.addEntry(contents)
		}
		for len(asides) > 0 && asides[0].page < p.lines[0].page && prose.EndsSentence(before) { // not below a heading
			b.blocks = append(b.blocks, asides[0].block)
			asides = asides[1:]
		}
		b.first = append(b.first, len(b.blocks))
		b.add(p)
		before = p.text
	}
	for len(contents) > 0 {
		contents = b.addEntry(contents)
	}
	for _, one := range asides {
		b.blocks = append(b.blocks, one.block)
	}
}

// addEntry adds the first line of a table of contents.
func (b *manuscript) addEntry(lines []*textLine) []*textLine {
	b.blocks = append(b.blocks, classBlock(backend.BlockList, backend.ClassContents, lines[0].marked))
	return lines[1:]
}

// add adds a paragraph. The items of a list are blocks of their own.
func (b *manuscript) add(p paragraph) {
	if chapter.IsScene(p.text) {
		b.blocks = append(b.blocks, backend.Block{Kind: backend.BlockScene})
		return
	}
	class := backend.TextClass("")
	if chapter.IsContents(p.text) && slices.ContainsFunc(b.kept.contents, func(l *textLine) bool { return l.page == p.lines[0].page }) {
		class = backend.ClassContents
	}
	var open []string
	kind := backend.BlockParagraph
	end := func() {
		if len(open) == 0 {
			return
		}
		if kind == backend.BlockParagraph && len(open) > 1 {
			kind = backend.BlockVerse
		}
		text := strings.Join(open, "\n")
		if kind == backend.BlockList {
			text = strings.Join(open, " ")
		}
		block := backend.Block{Kind: kind, Spans: blocks.Spans(text)}
		if len(block.Spans) == 0 {
			block.Spans = []backend.Span{{}}
		}
		if class != "" {
			blocks.SetClass([]backend.Block{block}, class)
		}
		b.blocks = append(b.blocks, block)
		open = nil
	}
	for line := range strings.SplitSeq(p.marked, "\n") {
		if bullet.MatchString(line) {
			end()
			kind = backend.BlockList
		}
		open = append(open, line)
	}
	end()
}

// noteBlocks returns the footnotes of all pages, a block each: one begins with a mark.
func noteBlocks(lines []*textLine) (out []aside) {
	var open []string
	end := func() {
		if len(open) > 0 {
			text := strings.ReplaceAll(hyphen.Join(blocks.Unmarked(strings.Join(open, "\n")), ""), "\n", " ")
			out[len(out)-1].block = classBlock(backend.BlockNote, backend.ClassNotes, text)
			open = nil
		}
	}
	for i, l := range lines {
		if i == 0 || footnoteMark.MatchString(l.text) {
			end()
			out = append(out, aside{page: l.page})
		}
		open = append(open, l.marked)
	}
	end()
	return out
}

// divided returns the blocks with their chapters.
func (b *manuscript) divided(outline []outlineItem) []backend.Block {
	if b.byOutline(outline) {
		return b.blocks
	}
	all := make([]plaintext.Paragraph, len(b.blocks))
	for i := range b.blocks {
		all[i] = plaintext.Paragraph{Block: &b.blocks[i], Blanks: 1}
	}
	for i, p := range b.withBlocks() {
		at := b.first[i]
		if block := b.blocks[at]; block.Kind == backend.BlockParagraph && block.Spans[0].Class == "" {
			all[at].Lines = []string{b.headingLine(p)}
		}
	}
	byWords := plaintext.Divide(all)
	n := 0
	for _, block := range byWords {
		n += len(block.Begins)
	}
	if n < 2 && b.bySize() {
		return b.blocks
	}
	return byWords
}

// withBlocks returns the paragraphs that have blocks.
func (b *manuscript) withBlocks() []paragraph {
	return slices.DeleteFunc(slices.Clone(b.paragraphs), func(p paragraph) bool { return len(p.lines) == 0 })
}

// headingLine returns a paragraph as the line that may be a heading. Large lines below "Chapter 1" are its title.
func (b *manuscript) headingLine(p paragraph) string {
	if len(p.lines) > 1 && len(p.lines) <= 4 && p.lines[0].size > titleSize*b.body {
		if h, ok := chapter.Parse(p.lines[0].text); ok && h.Title == "" {
			title, _ := strings.CutPrefix(p.text, backend.OneLine(p.lines[0].text))
			return strings.TrimRight(p.lines[0].text, ".: ") + ": " + strings.TrimSpace(title)
		}
	}
	return p.text
}

// The most words of a heading that is found by the size of its letters, and how many sizes are levels.
const (
	headingWords  = 20
	headingLevels = 3
)

// bySize makes the paragraphs in larger letters headings, a size a level, and reports whether there are several. What is larger than
// all others and only once is the title of the work.
func (b *manuscript) bySize() bool {
	sizes := map[float64]int{}
	paragraphs := b.withBlocks()
	for _, p := range paragraphs {
		if size := b.headingSize(p); size > 0 {
			sizes[size]++
		}
	}
	var order []float64
	for size := range sizes {
		order = append(order, size)
	}
	slices.Sort(order)
	slices.Reverse(order)
	if len(order) > 1 && sizes[order[0]] == 1 {
		order = order[1:]
	}
	order = order[:min(len(order), headingLevels)]
	found := 0
	for i, p := range paragraphs {
		if level := slices.Index(order, b.headingSize(p)) + 1; level > 0 && b.begin(b.first[i], level, backend.OneLine(p.text)) {
			found++
		}
	}
	return found > 0
}

// headingSize returns the size of the letters of a paragraph that may be a heading, 0 for others.
func (b *manuscript) headingSize(p paragraph) float64 {
	size := p.lines[0].size
	if size <= titleSize*b.body || len(strings.Fields(p.text)) > headingWords || !backend.Speakable(p.text) {
		return 0
	}
	return math.Round(size)
}

// begin makes a block a heading that begins a section, and reports whether it could be one.
func (b *manuscript) begin(at, level int, title string) bool {
	block := &b.blocks[at]
	if len(block.Spans) == 0 || block.Spans[0].Class != "" {
		return false
	}
	b.setHeading(at, level)
	block.Begins = append(block.Begins, backend.Section{Title: title, Level: level})
	return true
}
