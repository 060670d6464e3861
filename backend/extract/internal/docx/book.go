package docx

import (
	"context"
	"encoding/xml"
	"path"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/chapter"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/extract/internal/classes"
	"github.com/voicewright/voicewright/backend/extract/internal/numbering"
	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/extract/internal/plaintext"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
)

// manuscriptParagraph is what a paragraph of a Word document is in a manuscript.
type manuscriptParagraph struct {
	kind   backend.BlockKind // empty for what the style says
	class  backend.TextClass // of all of it
	level  int               // of a heading, 0 for none
	number string            // of an item or a heading
	box    bool              // of a text box
	gap    bool              // an empty paragraph is before it
}

// manuscript collects what only a manuscript has of a Word document.
type manuscript struct {
	lists   *numbering.Lists
	notes   map[string][]paragraph // by their kind and id; those that were not yet referred to
	numbers map[string]int         // of the last mark of each kind
	pending []paragraph            // notes of the current paragraph
	gap     bool                   // the paragraph before was empty
	tables  []*blocks.Table        // that are open
}

// marked returns the characters of a run, with the class of the mark of a note if they are one.
func (b *manuscript) marked(s string, isMark bool) string {
	s = blocks.Unmarked(s)
	if isMark && strings.TrimSpace(s) != "" {
		return blocks.Marked(backend.ClassNoteMarks, s)
	}
	return s
}

// apply counts the number of a paragraph and finds the level of a heading.
func (b *manuscript) apply(properties paragraphProperties, p *paragraph) {
	if b == nil {
		return
	}
	p.level = p.style.level
	if properties.Outline != nil {
		p.level = properties.Outline.headingLevel()
	}
	number := p.style.number
	if properties.Number != nil {
		number = properties.Number
	}
	if !number.item() || properties.Deleted != nil {
		return
	}
	at := 0
	for _, n := range []*itemNumber{number, p.style.number} {
		if n != nil && n.Level != nil {
			at = max(0, n.Level.headingLevel()-1)
			break
		}
	}
	p.number = b.lists.Next(number.ID.Value, at)
}

// addToBook appends a paragraph with the notes that it refers to.
func (r *reader) addToBook(p *paragraph, lines []string) {
	notes := r.book.pending
	r.book.pending = nil
	if len(lines) == 0 {
		r.book.gap = r.book.gap || len(r.boxes) == 0
		r.paragraphs = append(r.paragraphs, notes...)
		return
	}
	if p.number != "" {
		lines[0] = p.number + " " + lines[0]
	}
	p.text = []byte(strings.Join(lines, "\n"))
	p.gap, r.book.gap = r.book.gap, false
	switch {
	case p.style.contents:
		p.kind, p.class = backend.BlockList, backend.ClassContents
	case p.level > 0 || p.style.title:
		p.kind = backend.BlockHeading
	case p.style.caption:
		p.kind, p.class = backend.BlockImage, backend.ClassCaptions
	case p.list:
		p.kind = backend.BlockList
	case p.style.quote:
		p.kind = backend.BlockQuote
	case blocks.IsVerse(lines):
		p.kind = backend.BlockVerse
	default:
		p.kind = backend.BlockParagraph
	}
	if p.style.title && r.title == "" {
		r.title = backend.OneLine(blocks.Unmarked(string(p.text)))
	}
	r.paragraphs = append(append(r.paragraphs, *p), notes...)
}

// noteReference reads the reference to a note: a book has its number, and the note behind the paragraph.
func (r *reader) noteReference(t xml.StartElement) {
	custom := attribute(t, "customMarkFollows") != "" && attribute(t, "customMarkFollows") != "0"
	if r.book == nil {
		r.leftOut[parts.Footnotes]++
		r.run.silent = custom
		return
	}
	kind := strings.TrimSuffix(t.Name.Local, "Reference")
	id := kind + " " + attribute(t, "id")
	r.book.pending = append(r.book.pending, r.book.notes[id]...)
	delete(r.book.notes, id) // a note is spoken once
	if custom {
		r.run.mark = true
		return
	}
	r.book.numbers[kind]++
	format := "decimal"
	if kind == "endnote" {
		format = "lowerRoman"
	}
	outer := r.run.mark
	r.run.mark = true
	r.write(numbering.Format(r.book.numbers[kind], format))
	r.run.mark = outer
}

// lineBreak reads the end of a line, a column or a page.
func (r *reader) lineBreak(kind string) {
	if r.book != nil && (kind == "page" || kind == "column") {
		r.write(" ")
		return
	}
	r.write("\n")
}

// rule reads a horizontal line, which is a break between scenes.
func (r *reader) rule(t xml.StartElement) {
	if hr := attribute(t, "hr"); r.book != nil && hr != "" && hr != "f" && hr != "false" {
		r.boxes = append(r.boxes, paragraph{manuscriptParagraph: manuscriptParagraph{kind: backend.BlockScene}})
	}
}

// endBox marks the paragraphs of a text box.
func (b *manuscript) endBox(paragraphs []paragraph) {
	if b == nil {
		return
	}
	for i := range paragraphs {
		paragraphs[i].box = true
	}
}

// readBookParts reads the lists and the notes of a document.
func (r *reader) readBookParts(w *openFile, folder string) {
	_ = w.read(path.Join(folder, "numbering.xml"), func(d *xml.Decoder) (err error) {
		r.book.lists, err = numbering.Read(d)
		return err
	})
	for _, kind := range []string{"footnote", "endnote"} {
		notes := &reader{leftOut: r.leftOut, styles: r.styles, book: &manuscript{lists: r.book.lists}}
		_ = w.read(path.Join(folder, kind+"s.xml"), func(d *xml.Decoder) error { // a part that is missing or damaged has no notes
			if _, err := d.Token(); err != nil {
				return err
			}
			return eachChild(d, func(t xml.StartElement) error {
				if t.Name.Local != kind {
					return nil
				}
				notes.paragraphs = nil
				err := notes.children(d, 1)
				for i := range notes.paragraphs {
					notes.paragraphs[i].kind, notes.paragraphs[i].class = backend.BlockNote, backend.ClassNotes
				}
				r.book.notes[kind+" "+attribute(t, "id")] = notes.paragraphs
				return err
			})
		})
	}
}

// Book reads the manuscript of a Word document: headings by outline level in any language, notes behind the paragraphs that refer
// to them, the numbers of lists as text. Errors: those of Text.
func (f File) Book(ctx context.Context) (Result, error) {
	r := &reader{leftOut: parts.Counts{}, book: &manuscript{notes: map[string][]paragraph{}, numbers: map[string]int{}}}
	properties, err := r.readFile(ctx, f)
	if err != nil {
		return Result{}, err
	}
	out := Result{Title: prose.Title(properties.Title, r.title), Damaged: r.damaged, Left: r.leftOut}
	for author := range strings.SplitSeq(properties.Creator, ";") {
		if author = prose.Author(author); author != "" {
			out.Authors = append(out.Authors, author)
		}
	}
	if language, ok := backend.CanonicalLanguage(properties.Language); ok && properties.Language != "" {
		out.Language = language
	}
	if text := backend.OneLine(prose.Clean(properties.Description)); !strings.HasPrefix(text, "generated by ") {
		out.Description = text
	}
	out.Blocks = r.blocks()
	classes.Sections(out.Blocks, nil)
	return out, nil
}

// blocks returns the paragraphs as blocks. Where no heading has a level, chapters are found by their words.
func (r *reader) blocks() []backend.Block {
	all := r.paragraphs
	shift := titleLevels(all)
	hasWork := hasText(all)
	scenes := scenesOf(all)
	var out []backend.Block
	found := false
	for i := range all {
		p := &all[i]
		if p.box && hasWork && p.class == "" {
			p.class = backend.ClassCaptions
		}
		if scenes[i] {
			out = append(out, backend.Block{Kind: backend.BlockScene})
		}
		b := p.block()
		if b.Kind == backend.BlockHeading {
			b.Level = max(1, min(p.level+shift, numbering.Levels))
			found = found || p.level > 0 || shift > 0
		}
		out = append(out, b)
	}
	if !found {
		return plaintext.DivideBlocks(out)
	}
	first := 0 // behind the title
	for first < len(all) && shift == 0 && all[first].style.title {
		first++
	}
	blocks.BeginBelowTitle(out[first:])
	return out
}

// block returns a paragraph as a block.
func (p *paragraph) block() backend.Block {
	b := backend.Block{Kind: p.kind}
	switch {
	case p.kind == backend.BlockScene:
		return b
	case p.kind == backend.BlockImage && !p.style.caption: // a description, which is only spoken
		b.Spans = []backend.Span{{Say: string(p.text), Class: backend.ClassCaptions}}
		return b
	case chapter.IsScene(string(p.text)) && p.kind != backend.BlockTable:
		return backend.Block{Kind: backend.BlockScene}
	}
	text := string(p.text)
	if p.kind != backend.BlockVerse {
		text = strings.ReplaceAll(text, "\n", " ")
	}
	b.Spans = blocks.Spans(text)
	if p.class != "" {
		for i := range b.Spans {
			b.Spans[i].Class = p.class
		}
	}
	return b
}

// titleLevels returns 1 where several paragraphs apart have the style Title, which then are headings above the others; else 0.
func titleLevels(all []paragraph) int {
	groups := 0
	for i := range all {
		if all[i].style.title && (i == 0 || !all[i-1].style.title) {
			groups++
		}
	}
	if groups > 1 {
		return 1
	}
	return 0
}

// hasText reports whether there are words of the work outside of text boxes.
func hasText(all []paragraph) bool {
	return slices.ContainsFunc(all, func(p paragraph) bool {
		return !p.box && p.class == "" && p.kind != backend.BlockImage && backend.Speakable(string(p.text))
	})
}

// scenesOf returns the paragraphs before which an empty one is a break between scenes. Where many are empty they are only space.
func scenesOf(all []paragraph) map[int]bool {
	gaps, usual := map[int]bool{}, 0
	for i := 1; i < len(all); i++ {
		if all[i].kind != backend.BlockParagraph || all[i-1].kind != backend.BlockParagraph {
			continue
		}
		if usual++; all[i].gap {
			gaps[i] = true
		}
	}
	if 5*len(gaps) > usual {
		return nil
	}
	return gaps
}
