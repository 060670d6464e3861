package extract

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// emptyRaw matches empty elements of XHTML whose content HTML would read up to an end tag.
var emptyRaw = regexp.MustCompile(`(?i)<(?:script|style|title|textarea|iframe|noscript|xmp|noembed|noframes|plaintext)(?:\s[^<>]*)?/>`)

// page collects the text of a document.
type page struct {
	out   strings.Builder
	lines int    // line ends to write before the next word
	space bool   // there was white space since the last word
	pre   int    // open pre elements, in which line ends count
	skip  string // name of the element that is left out, empty for none
	depth int    // open elements of that name
}

// pageText returns the text of an (X)HTML document: a paragraph for each block, without navigation, notes and their marks,
// scripts and ruby annotations.
func pageText(source string) string {
	p := &page{}
	z := html.NewTokenizer(strings.NewReader(emptyRaw.ReplaceAllString(source, "")))
	z.AllowCDATA(true)
	z.SetMaxBuf(maxPart)
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return p.out.String()
		case html.TextToken:
			if p.skip == "" {
				p.text(string(z.Text()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			p.start(z.Token(), kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := z.TagName()
			p.end(string(name))
		case html.CommentToken, html.DoctypeToken:
		}
	}
}

// text writes text with white space collapsed.
func (p *page) text(s string) {
	for _, r := range s {
		if unicode.IsSpace(r) {
			if r == '\n' && p.pre > 0 {
				p.lines = max(p.lines, 1)
			}
			p.space = true
			continue
		}
		if p.out.Len() > 0 {
			if p.lines > 0 {
				p.out.WriteString("\n\n"[:p.lines])
			} else if p.space {
				p.out.WriteByte(' ')
			}
		}
		p.lines, p.space = 0, false
		p.out.WriteRune(r)
	}
}

// start handles a start tag.
func (p *page) start(t html.Token, closed bool) {
	if p.skip != "" {
		if t.Data == p.skip && !closed {
			p.depth++
		}
		return
	}
	if silent(t) {
		if !closed && !slices.Contains(voidElements, t.Data) {
			p.skip, p.depth = t.Data, 1
		}
		return
	}
	p.lines = max(p.lines, breaks(t.Data))
	switch t.Data {
	case "pre":
		p.pre++
	case "td", "th":
		p.space = true
	}
}

// end handles an end tag.
func (p *page) end(name string) {
	if p.skip != "" {
		if name != p.skip {
			return
		}
		if p.depth--; p.depth == 0 {
			p.skip = ""
		}
		return
	}
	p.lines = max(p.lines, breaks(name))
	if name == "pre" && p.pre > 0 {
		p.pre--
	}
}

var (
	// voidElements have no end tag.
	voidElements = []string{"img", "input", "link", "meta", "source", "embed", "hr", "br", "wbr", "col", "area"}

	// silentElements are not read aloud.
	silentElements = []string{
		"head", "title", "script", "style", "template", "nav", "svg", "math", "audio", "video", "object", "iframe", "rt", "rp",
		"select", "textarea", "button", "noscript",
	}

	// silentTypes are the types of the EPUB structural vocabulary and the ARIA roles that are not read aloud.
	silentTypes = []string{
		"footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes", "note", "noteref", "pagebreak", "page-list",
		"toc", "landmarks", "index", "backlink",
		"doc-footnote", "doc-endnote", "doc-endnotes", "doc-noteref", "doc-pagebreak", "doc-pagelist", "doc-toc", "doc-index",
		"doc-backlink",
	}
)

// silent reports whether an element is not read aloud.
func silent(t html.Token) bool {
	if slices.Contains(silentElements, t.Data) {
		return true
	}
	for _, a := range t.Attr {
		switch a.Key {
		case "hidden":
			return true
		case "aria-hidden":
			if a.Val == "true" {
				return true
			}
		case "epub:type", "role":
			for value := range strings.FieldsSeq(a.Val) {
				if slices.Contains(silentTypes, value) {
					return true
				}
			}
		}
	}
	return false
}

// breaks returns the number of line ends before and after an element.
func breaks(name string) int {
	switch name {
	case "br", "tr", "dt", "dd", "li", "figcaption", "caption", "div":
		return 1
	case "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "section", "article", "aside", "header", "footer", "ul", "ol",
		"dl", "table", "pre", "figure", "hr", "body", "main":
		return 2
	}
	return 0
}
