package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// voidElements have no end tag.
var voidElements = []string{
	"img", "input", "link", "meta", "source", "track", "param", "embed", "hr", "br", "wbr", "col", "area", "base",
}

// silentElements are not read aloud, with the kind of part that they are counted as.
var silentElements = map[string]string{
	"script": "", "style": "", "template": "", "select": "", "textarea": "", "button": "", "noscript": "",
	"rp": "", "annotation": "", "annotation-xml": "", "metadata": "", "defs": "", "symbol": "", "desc": "", "datalist": "",
	"nav": leftContents, "rt": leftRuby, "audio": leftMedia, "video": leftMedia, "iframe": leftMedia, "embed": leftMedia,
}

// silentTypes are the types of the EPUB structural vocabulary and the ARIA roles that are not read aloud.
var silentTypes = map[string]string{
	"footnote": leftFootnotes, "footnotes": leftFootnotes, "endnote": leftFootnotes, "endnotes": leftFootnotes,
	"rearnote": leftFootnotes, "rearnotes": leftFootnotes, "note": leftFootnotes, "doc-footnote": leftFootnotes,
	"doc-endnote": leftFootnotes, "doc-endnotes": leftFootnotes,
	"noteref": leftMarks, "doc-noteref": leftMarks,
	"toc": leftContents, "landmarks": leftContents, "page-list": leftContents, "doc-toc": leftContents, "doc-pagelist": leftContents,
	"navigation": leftContents, "menu": leftContents, "menubar": leftContents,
	"index": leftIndex, "doc-index": leftIndex,
	"pagebreak": "", "backlink": "", "doc-pagebreak": "", "doc-backlink": "", "search": "",
}

// silent reports whether an element is not read aloud, and the kind of part that it is counted as, empty for none.
func (p *page) silent(t html.Token) (reason string, ok bool) {
	if t.Data == "math" {
		if htmlAttribute(t, "alttext") != "" {
			return "", true
		}
		p.leftOut[readFormulas]++
		return "", false
	}
	if reason, ok = silentElements[t.Data]; ok {
		return reason, true
	}
	for _, a := range t.Attr {
		switch a.Key {
		case "hidden":
			return leftHidden, true
		case "aria-hidden":
			if a.Val == "true" {
				return leftHidden, true
			}
		case "style":
			style := strings.ToLower(strings.ReplaceAll(a.Val, " ", ""))
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return leftHidden, true
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
