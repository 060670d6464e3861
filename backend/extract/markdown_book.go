package extract

import (
	"context"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/extract/internal/classes"
	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/extract/internal/plaintext"
	"github.com/voicewright/voicewright/backend/hyphen"
	"github.com/voicewright/voicewright/backend/pattern"
)

// markdownBook collects the blocks of Markdown.
type markdownBook struct {
	blocks  []backend.Block
	notes   map[string]string // the texts of footnotes that were not yet referred to, with their marks
	order   []string
	pending []string // notes of the current block
	kind    backend.BlockKind
	number  string        // of an item of a list
	broken  bool          // the last block goes on with a line of its own
	table   *blocks.Table // that is open
	from    int           // the block that it begins with
	code    []string
}

// bookOfMarkdown reads the manuscript of Markdown: headings are sections by their level.
func bookOfMarkdown(_ context.Context, _ *Extractor, s *source) error {
	text, err := s.text()
	if err != nil {
		return err
	}
	r := &reducer{defined: map[string]bool{}, leftOut: parts.Counts{}, book: &markdownBook{notes: map[string]string{}}}
	text = blocks.Unmarked(hyphen.Join(text, ""))
	if head, body := frontMatter(text); head != "" {
		s.book.ManuscriptMeta = settingsOf(head)
		text = body
	}
	r.read(mdComment.ReplaceAllString(r.book.withoutNotes(text), ""))
	for _, id := range r.book.order { // those without a mark
		r.refer(id)
	}
	r.endBlock()
	if s.book.Blocks = r.book.blocks; blocks.BeginBelowTitle(s.book.Blocks) == 0 {
		s.book.Blocks = plaintext.DivideBlocks(s.book.Blocks)
	}
	classes.Sections(s.book.Blocks, nil)
	if s.book.Title == "" {
		s.book.Title = r.title
	}
	return nil
}

// mdNoteText matches a footnote with the lines that belong to it: those that follow without a blank line, and indented ones.
var mdNoteText = pattern.New(`(?m)^ {0,3}\[\^([^\]\n]{1,200})\]:[ \t]*(.*(?:\n(?:[ \t]*\n)*(?: {2,}|\t).*|\n[^\s\[#].*)*)`)

// withoutNotes returns a text without its footnotes, which it remembers.
func (b *markdownBook) withoutNotes(text string) string {
	return mdNoteText.ReplaceAllStringFunc(text, func(s string) string {
		m := mdNoteText.FindStringSubmatch(s)
		if _, ok := b.notes[m[1]]; !ok {
			b.order = append(b.order, m[1])
		}
		b.notes[m[1]] = strings.TrimSpace(b.notes[m[1]] + "\n\n" + m[2])
		return ""
	})
}

// noteMark returns the mark of a footnote as the words of its class.
func (b *markdownBook) noteMark(id string) string {
	if _, ok := b.notes[id]; ok {
		b.pending = append(b.pending, id)
	}
	return blocks.Marked(backend.ClassNoteMarks, id)
}

// refer adds a footnote behind the block that refers to it.
func (r *reducer) refer(id string) {
	text, ok := r.book.notes[id]
	if !ok {
		return
	}
	delete(r.book.notes, id) // a note is spoken once
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		block := backend.Block{Kind: backend.BlockNote}
		block.Spans = blocks.Spans(backend.OneLine(blocks.Unmarked(r.inline(backend.OneLine(paragraph)))))
		if len(block.Spans) > 0 {
			block.Spans[0].Class = backend.ClassNotes
			r.book.blocks = append(r.book.blocks, block)
		}
	}
}

// addBlock adds what is behind the last blank line, an item or a row.
func (r *reducer) addBlock(text string) {
	b := r.book
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = backend.OneLine(line); line != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return
	}
	last := len(b.blocks) - 1
	if b.broken && last >= 0 { // behind a hard line break
		b.blocks[last].Kind = verseOr(b.blocks[last].Kind)
		spans := b.blocks[last].Spans
		spans[len(spans)-1].Text += "\n"
		b.blocks[last].Spans = append(spans, blocks.Spans(strings.Join(lines, "\n"))...)
		b.blocks[last].Spans = joined(b.blocks[last].Spans)
		return
	}
	if b.number != "" {
		lines[0] = b.number + " " + lines[0]
		b.number = ""
	}
	block := backend.Block{Kind: b.kind, Spans: blocks.Spans(strings.Join(lines, "\n"))}
	if block.Kind == "" {
		block.Kind = backend.BlockParagraph
	}
	if blocks.IsVerse(lines) {
		block.Kind = verseOr(block.Kind)
	}
	if onlyCaption(block) {
		block.Kind = backend.BlockImage
	}
	b.blocks = append(b.blocks, block)
}

// verseOr returns verse for paragraphs and quotes of several lines, and other kinds as they are.
func verseOr(kind backend.BlockKind) backend.BlockKind {
	if kind == backend.BlockParagraph || kind == backend.BlockQuote {
		return backend.BlockVerse
	}
	return kind
}

// onlyCaption reports whether all words of a block are the description of a picture.
func onlyCaption(block backend.Block) bool {
	for _, span := range block.Spans {
		if span.Class != backend.ClassCaptions {
			return false
		}
	}
	return block.Kind == backend.BlockParagraph
}

// joined returns spans where those of one class side by side are one.
func joined(spans []backend.Span) []backend.Span {
	var out []backend.Span
	for _, span := range spans {
		if n := len(out); n > 0 && out[n-1].Class == span.Class {
			out[n-1].Text += span.Text
			continue
		}
		out = append(out, span)
	}
	return out
}

// endBlock ends the current block, with a table or code, and adds the notes that it refers to.
func (r *reducer) endBlock() {
	b := r.book
	if b.table != nil {
		b.table.Decide(b.blocks[b.from:])
		b.table = nil
	}
	if len(b.code) > 0 {
		spans := []backend.Span{{Text: strings.Join(b.code, "\n"), Class: backend.ClassTables}}
		b.blocks, b.code = append(b.blocks, backend.Block{Kind: backend.BlockTable, Spans: spans}), nil
	}
	b.kind, b.broken, b.number = "", false, ""
	pending := b.pending
	b.pending = nil
	for _, id := range pending {
		r.refer(id)
	}
}

// row adds a row of a table.
func (r *reducer) row(line string) {
	b := r.book
	if b.table == nil {
		b.table, b.from = &blocks.Table{}, len(b.blocks)
	}
	b.table.Row()
	for cell := range strings.SplitSeq(strings.Trim(strings.TrimSpace(line), "|"), "|") {
		b.table.Cell(strings.TrimSpace(cell))
	}
	b.kind = backend.BlockTable
	r.addBlock(r.inline(cells(strings.TrimSpace(line))))
}

// bookLine reads a line that is different in a manuscript, and reports whether it was one: a row of a table.
func (r *reducer) bookLine(line string) bool {
	if r.book == nil {
		return false
	}
	trimmed := strings.TrimSpace(line)
	last := len(r.paragraph) - 1
	switch {
	case mdTableRow.MatchString(line) && strings.Contains(line, "|"):
		if last >= 0 && strings.Contains(r.paragraph[last], "|") && r.book.table == nil { // its head
			head := r.paragraph[last]
			r.paragraph = r.paragraph[:last]
			r.flush()
			r.row(head)
		}
		return true
	case strings.HasPrefix(trimmed, "|"), r.book.table != nil && strings.Contains(trimmed, "|"):
		r.flush()
		r.row(line)
		return true
	}
	return false
}

// withoutQuote returns a line without the marks of a quotation.
func (r *reducer) withoutQuote(line string) string {
	quote := mdQuote.FindString(line)
	if quote != "" && r.book != nil && len(r.paragraph) == 0 {
		r.book.kind = backend.BlockQuote
	}
	return line[len(quote):]
}

// scene adds a break between scenes to a manuscript.
func (r *reducer) scene() {
	if r.book != nil {
		r.book.blocks = append(r.book.blocks, backend.Block{Kind: backend.BlockScene})
	}
}

// listNumber returns the number of an item of a list, empty for other items.
func listNumber(item string) string {
	item = strings.TrimSpace(item)
	if strings.Trim(item, "0123456789.)") != "" {
		return ""
	}
	return item
}

var (
	mdKey   = pattern.New(`(?i)^([a-z][a-z0-9_-]*)[ \t]*[:=][ \t]*(.*)$`)
	mdEntry = pattern.New(`^\s*-\s+(.*)$`)
	mdName  = pattern.New(`^(?:name|author)\s*:\s*`)
	year    = pattern.New(`\b[12]\d{3}\b`)
)

// settingsOf returns what the settings at the beginning of Markdown say about the book.
func settingsOf(head string) backend.ManuscriptMeta {
	values := map[string][]string{}
	key := ""
	for line := range strings.SplitSeq(head, "\n") {
		if m := mdKey.FindStringSubmatch(line); m != nil {
			key = strings.ToLower(m[1])
			values[key] = append(values[key], settingValues(m[2])...)
		} else if m := mdEntry.FindStringSubmatch(line); m != nil && key != "" {
			values[key] = append(values[key], settingValues(mdName.ReplaceAllString(m[1], ""))...)
		}
	}
	first := func(keys ...string) string {
		for _, key := range keys {
			if len(values[key]) > 0 {
				return values[key][0]
			}
		}
		return ""
	}
	m := backend.ManuscriptMeta{
		Title: first("title"), Description: first("description", "summary", "abstract"), Publisher: first("publisher"),
		ISBN: first("isbn"), Series: first("series"), Year: year.FindString(first("year", "date")),
	}
	m.Authors = append(values["author"], values["authors"]...)
	if language, ok := backend.CanonicalLanguage(first("lang", "language")); ok && language != "" {
		m.Language = language
	}
	return m
}

// settingValues returns the values of a setting: one, or a list in brackets.
func settingValues(s string) []string {
	s = strings.TrimSpace(s)
	list := []string{s}
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		list = strings.Split(s[1:len(s)-1], ",")
	}
	var out []string
	for _, value := range list {
		if value = backend.OneLine(strings.Trim(strings.TrimSpace(value), `"'`)); value != "" && value != "|" && value != ">" {
			out = append(out, value)
		}
	}
	return out
}
