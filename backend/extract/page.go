package extract

import (
	"errors"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/notemark"
	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
	"github.com/voicewright/voicewright/backend/pattern"
)

// emptyRaw matches empty elements of XHTML whose content HTML would read up to an end tag.
var emptyRaw = pattern.New(`(?i)<(?:script|style|title|textarea|iframe|noscript|xmp|noembed|noframes|plaintext)(?:\s[^<>]*)?/>`)

// page collects the text of a document.
type page struct {
	out     strings.Builder
	leftOut parts.Counts
	lines   int   // line ends to write before the next word
	space   bool  // there was white space since the last word
	comma   bool  // the next word is in another cell of the same row
	row     int   // bytes of out where the current row of a table begins
	pre     int   // open pre elements, in which line ends count
	divs    []int // line ends around each open div

	skip   string   // name of the element that is left out, empty for none
	depth  int      // open elements of that name
	inner  []string // open elements in it, if its end tag may be omitted
	reason string   // why it is left out, empty for what has no words for people
	words  bool     // it had words

	open    *notemark.Raised // raised characters or a link that has not ended
	pending *notemark.Raised // one that has ended: what is behind it decides

	inLink  bool
	linkAt  int    // bytes of out where it begins
	initial string // the letter that a picture without a description may show, before the first word of a paragraph
	svg     int    // open svg elements
	drawn   int    // bytes of out where the outermost one begins

	book *pageBook // nil for a text

	inTitle        bool
	title, heading string // of the document, and its first main heading
	inHeading      int    // bytes of out where the heading begins, -1 outside of one
}

// page returns the text of an (X)HTML document: a paragraph for each block, without navigation, notes and their marks, scripts and
// ruby annotations. Pictures are read by their description. What is left out is counted.
func (s *source) page(document string) string { return s.readPage(document, nil).out.String() }

// readPage reads an (X)HTML document. book collects its blocks, nil for none.
func (s *source) readPage(document string, book *pageBook) *page {
	p := &page{leftOut: s.leftOut, inHeading: -1, book: book}
	z := html.NewTokenizer(strings.NewReader(emptyRaw.ReplaceAllString(document, "")))
	z.AllowCDATA(true)
	z.SetMaxBuf(maxPart)
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			p.close()
			p.decide(' ')
			// Of silent elements only a paragraph ends with the file in a valid document.
			if !errors.Is(z.Err(), io.EOF) || p.skip != "" && p.skip != "p" {
				s.noteDamaged()
			}
			p.skipped()
			return p
		case html.TextToken:
			p.content(prose.Clean(string(z.Text())))
		case html.StartTagToken, html.SelfClosingTagToken:
			p.start(z.Token(), kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := z.TagName()
			p.end(string(name))
		case html.CommentToken, html.DoctypeToken:
		}
	}
}

// content handles text.
func (p *page) content(s string) {
	switch {
	case p.inTitle && p.svg == 0:
		p.title = backend.OneLine(s)
	case p.inTitle:
		p.picture(s)
	case p.skip != "":
		p.words = p.words || backend.Speakable(s)
	case p.book != nil && p.book.read(s):
	default:
		p.say(s)
	}
}

// say adds words, to what may be the mark of a note if that has begun.
func (p *page) say(s string) {
	if p.open == nil {
		p.text(s)
		return
	}
	p.open.Words += s
	if len(p.open.Words) > notemark.MaxBefore || utf8.RuneCountInString(strings.TrimSpace(p.open.Words)) > notemark.MaxMark {
		p.release()
	}
}

// text writes text with white space collapsed.
func (p *page) text(s string) {
	for _, r := range s {
		if unicode.IsSpace(r) {
			if p.pending != nil {
				p.decide(r)
			}
			if r == '\n' && p.pre > 0 {
				p.lines = min(p.lines+1, 2)
			}
			p.space = true
			continue
		}
		p.decide(r)
		p.write(r)
	}
}

// separator returns the blank or the line ends before the next word.
func (p *page) separator() string {
	switch {
	case p.out.Len() == 0:
		return ""
	case p.lines > 0:
		return "\n\n"[:p.lines]
	case p.comma && letter(p.last()):
		return ", "
	case p.space || p.comma:
		return " "
	}
	return ""
}

// write writes a character of a word, after the blank or the line ends before it.
func (p *page) write(r rune) {
	space := p.separator()
	p.out.WriteString(space)
	if p.initial != "" {
		if unicode.IsLower(r) && !p.space {
			p.out.WriteString(p.initial)
			p.leftOut[parts.Pictures]--
			if p.book != nil {
				p.book.Picture(space, p.initial, p.book.class(), p.book.inside().Kind)
				space = ""
			}
		}
		p.initial = ""
	}
	p.lines, p.space, p.comma = 0, false, false
	p.out.WriteRune(r)
	if p.book != nil {
		p.bookWrite(space, r)
	}
}

// last returns the character that was written last.
func (p *page) last() rune {
	s := p.out.String()
	r, _ := utf8.DecodeLastRuneInString(s[max(0, len(s)-utf8.UTFMax):])
	return r
}

// release writes what was held as a possible mark of a note.
func (p *page) release() {
	if held := p.open; held != nil {
		p.open = nil
		p.text(held.Words)
	}
}

// close ends what was held as a possible mark of a note.
func (p *page) close() {
	if p.open == nil {
		return
	}
	p.decide(' ')
	p.pending, p.open = p.open, nil
	if strings.TrimSpace(p.pending.Words) == "" {
		p.space, p.pending = p.space || p.pending.Words != "", nil
	}
}

// decide writes what is read aloud of the raised characters before the character next.
func (p *page) decide(next rune) {
	m := p.pending
	if m == nil {
		return
	}
	p.pending = nil
	text := p.out.String()
	if p.lines > 0 {
		text = ""
	}
	words, isNote := m.Spoken(text, p.lines == 0 && !p.space, next)
	if isNote && p.book != nil {
		p.bookMark(m.Words)
		return
	}
	if isNote {
		p.leftOut[parts.Marks]++
		p.space = p.space && !strings.ContainsRune(".,;:!?…”’»)", next)
		return
	}
	if strings.HasPrefix(m.Words, " ") {
		p.space = true
	}
	p.text(words)
	p.space = strings.HasSuffix(m.Words, " ")
}

// start handles a start tag.
func (p *page) start(t html.Token, closed bool) {
	if p.skip != "" && !p.skipStart(t.Data, closed) {
		return
	}
	if p.book != nil {
		if p.bookStart(t, closed) {
			return
		}
	} else if reason, ok := p.silent(t); ok {
		p.leave(t, reason, closed)
		return
	}
	if n := breaks(t); n > 0 {
		p.block(n)
		if t.Data == "div" && !closed {
			p.divs = append(p.divs, n)
		}
	}
	if !closed {
		p.startMark(t)
	}
	p.startElement(t)
}

// startElement does what is special to the start of an element.
func (p *page) startElement(t html.Token) {
	switch t.Data {
	case "br":
		p.block(min(p.lines+1, 2))
	case "pre":
		p.pre++
	case "tr":
		p.row = p.out.Len()
	case "td", "th":
		p.comma = p.out.Len() > p.row
	case "h1":
		p.inHeading = p.out.Len()
	case "q":
		p.say("“")
	case "svg":
		if p.svg == 0 {
			p.drawn = p.out.Len()
		}
		p.svg++
	case "title":
		p.inTitle = true
	case "img", "image":
		p.img(t)
	}
}

// block ends a paragraph with n line ends, if it has words.
func (p *page) block(n int) {
	p.close()
	p.decide(' ')
	p.lines, p.initial = max(p.lines, n), ""
}

// startMark begins what may be the mark of a note: raised characters, and the words of a link to a place in a document. Raised
// characters are a link if its words begin with them.
func (p *page) startMark(t html.Token) {
	if p.book != nil && p.book.class() != "" {
		return // its words have a class already
	}
	href := htmlAttribute(t, "href")
	isLink, sup := t.Data == "a" && href != "", t.Data == "sup"
	if isLink {
		p.inLink, p.linkAt = true, p.out.Len()
	}
	if sup && p.open != nil && strings.TrimSpace(p.open.Words) != "" {
		p.release()
	}
	switch {
	case p.open != nil:
		p.open.Link, p.open.Sup = p.open.Link || isLink, p.open.Sup || sup
	case sup, isLink && strings.Contains(href, "#"):
		p.open = &notemark.Raised{Element: t.Data, Sup: sup, Link: p.inLink && p.out.Len() == p.linkAt}
	}
}

// end handles an end tag.
func (p *page) end(name string) {
	if p.skip != "" && !p.skipEnd(name) {
		return
	}
	n := breaks(html.Token{Data: name})
	if n > 0 {
		if last := len(p.divs) - 1; name == "div" && last >= 0 {
			n, p.divs = p.divs[last], p.divs[:last]
		}
		p.block(n)
	}
	p.endElement(name)
	if p.book != nil {
		p.bookEnd(name, n)
	}
}

// endElement does what is special to the end of an element.
func (p *page) endElement(name string) {
	switch name {
	case "a", "sup":
		p.inLink = p.inLink && name != "a"
		if p.open != nil && p.open.Element == name {
			p.close()
		}
	case "pre":
		p.pre = max(p.pre-1, 0)
	case "h1":
		if text := p.out.String(); p.inHeading >= 0 && p.heading == "" {
			p.heading = backend.OneLine(text[p.inHeading:])
		}
		p.inHeading = -1
	case "q":
		p.space = false
		p.say("”")
	case "svg":
		if p.svg = max(p.svg-1, 0); p.svg == 0 && p.out.Len() == p.drawn {
			p.leftOut[parts.Pictures]++
		}
	case "title":
		p.inTitle = false
	}
}

// noDescription matches what programs write in place of the description of a picture.
var noDescription = pattern.New(`(?i)^(?:[^\s/]+\.(?:jpe?g|png|gif|svg|webp|bmp|tiff?)|(?:(?:front |back )?cover|image|img|` +
	`picture|pic|photo|graphic|` +
	`illustration|figure|bild|abbildung|titelbild|umschlag|couverture|portada|copertina|imagen?|imagem|immagine|foto|untitled|unknown|` +
	`alt|decorati(?:on|ve)|ornament|divider|separator|logo)(?:[ _-]?(?:image|picture|page|bild|text))?[ _.-]*\d*)$`)

// letterFile matches the name of a picture of a single letter.
var letterFile = pattern.New(`(?i)(?:^|[/_-])([a-z])\.(?:jpe?g|png|gif|svg|webp)$`)

// img reads the description of a picture. One without a description at the start of a paragraph may be its first letter, which its
// name tells.
func (p *page) img(t html.Token) {
	if p.book != nil {
		p.book.ended = true
	}
	if alt := backend.OneLine(htmlAttribute(t, "alt")); alt != "" {
		p.picture(alt)
		return
	}
	if p.svg > 0 {
		return // the drawing is counted
	}
	p.leftOut[parts.Pictures]++
	if m := letterFile.FindStringSubmatch(htmlAttribute(t, "src")); m != nil && (p.lines > 0 || p.out.Len() == 0) {
		p.initial, p.space = strings.ToUpper(m[1]), false
	}
}

// picture reads the description of a picture: a letter belongs to the word behind it, other words stand alone.
func (p *page) picture(alt string) {
	alt = backend.OneLine(alt)
	switch {
	case !backend.Speakable(alt), noDescription.MatchString(alt):
		p.leftOut[parts.Pictures]++
	case p.book != nil:
		p.bookPicture(alt)
	case utf8.RuneCountInString(alt) == 1:
		p.say(alt)
	default:
		p.say(" " + alt + " ")
	}
}

// htmlAttribute returns the value of an attribute, empty for none.
func htmlAttribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
