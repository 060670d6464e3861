package extract

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/extract/internal/classes"
	"github.com/voicewright/voicewright/backend/extract/internal/notemark"
)

// maxOpen is how many open elements are remembered.
const maxOpen = 500

// pageBook collects the blocks of a page for a book: all words, with the class of those that need not be read aloud.
type pageBook struct {
	blocks.Writer
	wanted map[string]bool // ids whose places are needed

	elements []element // that are open
	beyond   int       // open elements behind maxOpen
	stanzas  int       // poems so far

	mark  backend.TextClass // of the words that are written, empty for that of their element
	ruby  strings.Builder   // what is spoken by a ruby annotation
	base  int               // spans of the block before the base of the annotation
	ended bool              // a picture ended the word
	table *blocks.Table     // the outermost one
	head  map[string]string // what the page says about itself: language, author, description
}

// element is an open element of a page, with what follows from those around it.
type element struct {
	name  string
	class backend.TextClass
	blocks.Kind

	scene  int    // blocks before an element that may be an empty line, -1 for another one
	isRead bool   // it is the reading of a ruby annotation
	alt    string // what is spoken in place of its words
	from   int    // spans before it, where alt is set; bytes of the text where it is a cell
}

// unreadElements hold no words of a page.
var unreadElements = []string{"script", "style", "noscript", "iframe", "rp", "metadata", "desc"}

// newPageBook returns an empty page of which the places of these ids are needed.
func newPageBook(wanted map[string]bool) *pageBook {
	return &pageBook{Writer: blocks.Writer{Places: map[string]blocks.Place{}}, wanted: wanted, head: map[string]string{}}
}

// inside returns the innermost open element.
func (b *pageBook) inside() element {
	if len(b.elements) == 0 {
		return element{Kind: blocks.Kind{Kind: backend.BlockParagraph}}
	}
	return b.elements[len(b.elements)-1]
}

// class returns the class of the next words.
func (b *pageBook) class() backend.TextClass {
	if in := b.inside(); in.class != "" {
		return in.class
	}
	return b.mark
}

// bookBreaks is breaks with the elements that hold no paragraphs in a text.
func bookBreaks(t html.Token) int {
	switch t.Data {
	case "nav", "hgroup", "legend", "menu", "dialog", "button", "optgroup", "noscript", "template", "thead", "tbody", "tfoot", "audio",
		"video", "object", "case", "default", "search":
		return 2
	}
	return breaks(t)
}

// maxKept is how much of the text of a page is kept beside its blocks, in bytes: only its end is looked at.
const maxKept = 1 << 20

// endBlock ends the current block at an element with so many line ends; lines of a poem are in one block.
func (p *page) endBlock(name string, breaks int) {
	if breaks == 0 {
		return
	}
	p.block(breaks)
	if p.out.Len() > maxKept && p.book.table == nil && p.inHeading < 0 && !p.inLink && p.svg == 0 {
		end := notemark.LastPart(p.out.String())
		p.out.Reset()
		p.out.WriteString(end)
	}
	if name != "div" || breaks > 1 {
		p.book.End()
	}
}

// bookStart handles a start tag for a book, and reports whether the words of the element are not on the page.
func (p *page) bookStart(t html.Token, closed bool) (unread bool) {
	b := p.book
	p.imply(t.Data)
	l := classes.LabelsOf(t)
	p.endBlock(t.Data, bookBreaks(t))
	p.keepPlace(l.ID)
	if t.Data == "a" {
		p.keepPlace(htmlAttribute(t, "name"))
	}
	switch {
	case t.Data == "hr":
		b.Scene()
	case t.Data == "html" || t.Data == "meta":
		b.about(t)
	case slices.Contains(unreadElements, t.Data):
		p.leave(t, "", closed)
		return true
	}
	in := b.inside().child(t, l, b)
	if in.class != b.inside().class || in.isRead || in.alt != "" {
		p.endMarks()
	}
	switch {
	case slices.Contains(voidElements, t.Data), closed:
		if in.scene >= 0 {
			b.Scene()
		}
	case len(b.elements) >= maxOpen:
		b.beyond++
	default:
		p.push(t, in)
	}
	return false
}

// endMarks writes what was held as a possible mark of a note, before words of another class.
func (p *page) endMarks() {
	p.release()
	p.decide(' ')
}

// keepPlace keeps where an element with an id begins, if that is needed. The first one counts.
func (p *page) keepPlace(id string) {
	b := p.book
	if _, ok := b.Places[id]; ok || !b.wanted[id] {
		return
	}
	p.close()
	p.decide(' ')
	b.Places[id] = b.Here()
}

// about keeps what an element says about the page.
func (b *pageBook) about(t html.Token) {
	name, value := strings.ToLower(htmlAttribute(t, "name")), htmlAttribute(t, "content")
	if t.Data == "html" {
		name, value = "language", htmlAttribute(t, "lang")
		if value == "" {
			value = htmlAttribute(t, "xml:lang")
		}
	}
	if b.head[name] == "" {
		b.head[name] = backend.OneLine(value)
	}
}

// child returns an element inside of e.
func (e element) child(t html.Token, l classes.Labels, b *pageBook) element {
	in := element{name: t.Data, class: e.class, Kind: e.Kind, scene: -1}
	class, work := l.Class(t.Data)
	switch matter := e.class == backend.ClassFrontMatter || e.class == backend.ClassBackMatter; {
	case matter && work:
		in.class = ""
	case e.class == "":
		in.class = class
	}
	if in.class == backend.ClassNotes {
		in.Kind.Kind = backend.BlockNote
	}
	if l.Verse() {
		b.stanzas++
		in.Kind.Kind, in.Stanza = backend.BlockVerse, b.stanzas
	}
	if l.Scene() {
		in.scene = len(b.Blocks)
	}
	in.byName(t)
	if t.Data == "code" && e.name == "pre" && b.Empty() { // as Markdown has it between fences
		in.Kind = blocks.Kind{Kind: backend.BlockTable}
		if in.class == "" {
			in.class = backend.ClassTables
		}
	}
	return in
}

// byName sets what an element is by its name.
func (e *element) byName(t html.Token) {
	switch t.Data {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		e.Kind = blocks.Kind{Kind: backend.BlockHeading, Level: int(t.Data[1] - '0')}
	case "li", "dt", "dd":
		e.Kind.Kind = backend.BlockList
	case "blockquote":
		if e.Kind.Kind != backend.BlockVerse {
			e.Kind.Kind = backend.BlockQuote
		}
	case "div":
		if breaks(t) == 1 { // a line
			e.Kind.Kind = backend.BlockVerse
		}
	case "p": // is a stanza by itself
		e.Stanza = 0
	case "table":
		e.Kind = blocks.Kind{Kind: backend.BlockTable}
	case "figcaption":
		e.Kind.Kind = backend.BlockImage
	case "rt":
		e.isRead = true
	case "math":
		e.alt = backend.OneLine(htmlAttribute(t, "alttext"))
	}
}

// push adds an open element.
func (p *page) push(t html.Token, in element) {
	b := p.book
	switch t.Data {
	case "ruby":
		p.endMarks()
		b.base = b.Spans()
	case "math":
		p.space = true
		in.from = b.Spans()
	case "a":
		in.from = b.Spans()
	case "table":
		role := strings.ToLower(htmlAttribute(t, "role"))
		switch {
		case b.table != nil:
			b.table.Nested++
		case in.class == "":
			b.table = &blocks.Table{From: len(b.Blocks), Layout: role == "presentation" || role == "none"}
		}
	case "tr":
		b.table.Row()
	case "td", "th":
		in.from = p.out.Len()
	}
	b.elements = append(b.elements, in)
}

// maxImplied is how many open elements are looked at for one that a start tag ends.
const maxImplied = 20

// containers are the elements inside of which a start tag ends none around them.
var containers = []string{"table", "ul", "ol", "dl", "menu", "ruby", "select", "datalist", "object", "button", "svg", "math", "template"}

// imply ends the elements whose end tag may be omitted before a start tag.
func (p *page) imply(name string) {
	open := p.book.elements
	for i := len(open) - 1; i >= max(0, len(open)-maxImplied); i-- {
		if slices.Contains(containers, open[i].name) {
			return
		}
		if omitted, ok := omissions[open[i].name]; ok && slices.Contains(omitted.starts, name) {
			p.pop(i)
		}
	}
}

// bookEnd handles an end tag for a book. breaks are the line ends around the element.
func (p *page) bookEnd(name string, breaks int) {
	b := p.book
	if name != "div" {
		breaks = bookBreaks(html.Token{Data: name})
	}
	p.endBlock(name, breaks)
	if b.beyond > 0 && !slices.Contains(voidElements, name) {
		b.beyond--
		return
	}
	for i, e := range slices.Backward(b.elements) {
		if e.name == name {
			p.pop(i)
			return
		}
	}
}

// pop ends the open elements from that number on.
func (p *page) pop(n int) {
	b := p.book
	for i := len(b.elements) - 1; i >= n; i-- {
		e := b.elements[i]
		around := element{}
		if i > 0 {
			around = b.elements[i-1]
		}
		if e.class != around.class || e.alt != "" {
			p.endMarks()
		}
		p.popElement(e)
		b.elements = b.elements[:i]
	}
}

// popElement does what is special to the end of an element.
func (p *page) popElement(e element) {
	b := p.book
	switch {
	case e.alt != "":
		b.Say(min(e.from, b.Spans()), e.alt, b.class(), e.Kind)
		p.space = true
	case e.name == "a" && e.class == backend.ClassNoteMarks:
		b.Unless(e.from, e.class, notemark.OnlyMark)
	case e.isRead:
		if words := strings.TrimSpace(b.ruby.String()); words != "" {
			b.Say(min(b.base, b.Spans()), words, b.class(), e.Kind)
		}
		b.ruby.Reset()
		b.base = b.Spans()
	case e.name == "td" || e.name == "th":
		b.table.Cell(p.out.String()[min(e.from, p.out.Len()):])
	case e.name == "table" && b.table != nil:
		b.endTable()
	case e.scene >= 0 && e.scene == len(b.Blocks) && b.Empty():
		b.Scene()
	}
}

// endTable decides what a table is when the outermost one ends.
func (b *pageBook) endTable() {
	if b.table.Nested--; b.table.Nested >= 0 {
		return
	}
	b.End()
	b.table.Decide(b.Blocks[min(b.table.From, len(b.Blocks)):])
	b.table = nil
}

// read adds text to the reading of a ruby annotation, and reports whether one is open.
func (b *pageBook) read(s string) bool {
	for _, e := range slices.Backward(b.elements) {
		if e.isRead {
			b.ruby.WriteString(backend.OneLine(s))
			return true
		}
		if e.name == "ruby" {
			return false
		}
	}
	return false
}

// bookWrite adds a character of a word behind white space. A picture ends a word.
func (p *page) bookWrite(space string, r rune) {
	b := p.book
	if b.ended && space == "" && letter(r) && b.InSpan() {
		space = " "
	}
	b.ended = false
	b.Write(space, r, b.class(), b.inside().Kind)
}

// bookPicture adds the description of a picture: a single letter belongs to the word behind it.
func (p *page) bookPicture(alt string) {
	p.endMarks()
	space := p.separator()
	p.lines, p.space, p.comma = 0, false, false
	if len([]rune(alt)) > 1 && space == "" {
		space = " "
	}
	p.out.WriteString(space + alt)
	p.book.Picture(space, alt, p.book.class(), p.book.inside().Kind)
	p.space = len([]rune(alt)) > 1
}

// bookMark writes the mark of a note, with the white space around it.
func (p *page) bookMark(words string) {
	p.space = p.space || strings.HasPrefix(words, " ")
	p.book.mark = backend.ClassNoteMarks
	p.text(strings.TrimSpace(words))
	p.book.mark = ""
	p.space = strings.TrimRightFunc(words, unicode.IsSpace) != words
}

// finish returns the blocks of the page and the block that each wanted id begins.
func (b *pageBook) finish() ([]backend.Block, map[string]int) {
	b.End()
	for b.table != nil {
		b.endTable()
	}
	begins := b.Cut()
	return b.Blocks, begins
}
