package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/voicewright/voicewright/backend/extract/internal/parts"
)

// voidElements have no end tag.
var voidElements = []string{
	"img", "input", "link", "meta", "source", "track", "param", "embed", "hr", "br", "wbr", "col", "area", "base",
}

// silentElements are not read aloud, with the kind of part that they are counted as.
var silentElements = map[string]string{
	"script": "", "style": "", "template": "", "select": "", "textarea": "", "button": "", "noscript": "",
	"rp": "", "annotation": "", "annotation-xml": "", "metadata": "", "defs": "", "symbol": "", "desc": "", "datalist": "",
	"nav": parts.Contents, "rt": parts.Ruby, "audio": parts.Media, "video": parts.Media, "iframe": parts.Media, "embed": parts.Media,
}

// silentTypes are the types of the EPUB structural vocabulary and the ARIA roles that are not read aloud.
var silentTypes = map[string]string{
	"footnote": parts.Footnotes, "footnotes": parts.Footnotes, "endnote": parts.Footnotes, "endnotes": parts.Footnotes,
	"rearnote": parts.Footnotes, "rearnotes": parts.Footnotes, "note": parts.Footnotes, "doc-footnote": parts.Footnotes,
	"doc-endnote": parts.Footnotes, "doc-endnotes": parts.Footnotes,
	"noteref": parts.Marks, "doc-noteref": parts.Marks,
	"toc": parts.Contents, "landmarks": parts.Contents, "page-list": parts.Contents, "doc-toc": parts.Contents, "doc-pagelist": parts.Contents,
	"navigation": parts.Contents, "menu": parts.Contents, "menubar": parts.Contents,
	"index": parts.Index, "doc-index": parts.Index,
	"pagebreak": "", "backlink": "", "doc-pagebreak": "", "doc-backlink": "", "search": "",
}

// silent reports whether an element is not read aloud, and the kind of part that it is counted as, empty for none.
func (p *page) silent(t html.Token) (reason string, ok bool) {
	if t.Data == "math" {
		if htmlAttribute(t, "alttext") != "" {
			return "", true
		}
		p.leftOut[parts.Formulas]++
		return "", false
	}
	if reason, ok = silentElements[t.Data]; ok {
		return reason, true
	}
	for _, a := range t.Attr {
		switch a.Key {
		case "hidden":
			return parts.Hidden, true
		case "aria-hidden":
			if a.Val == "true" {
				return parts.Hidden, true
			}
		case "style":
			style := strings.ToLower(strings.ReplaceAll(a.Val, " ", ""))
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return parts.Hidden, true
			}
		case "epub:type", "role":
			for value := range strings.FieldsSeq(strings.ToLower(a.Val)) {
				if reason, ok := silentTypes[value]; ok {
					return reason, true
				}
			}
		}
	}
	return "", false
}

// breaks returns the number of line ends before and after an element.
func breaks(t html.Token) int {
	switch t.Data {
	case "tr", "dt", "dd", "li", "figcaption", "caption", "text", "option":
		return 1
	case "div":
		for _, class := range strings.Fields(strings.ToLower(htmlAttribute(t, "class"))) {
			if slices.Contains([]string{"line", "verse", "l", "v"}, class) { // of a poem
				return 1
			}
		}
		return 2
	case "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "section", "article", "aside", "header", "footer", "ul", "ol",
		"dl", "table", "pre", "figure", "hr", "body", "main", "center", "address", "details", "summary", "fieldset", "form":
		return 2
	}
	return 0
}
