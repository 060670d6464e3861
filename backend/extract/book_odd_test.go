package extract_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// Parts of a book that are no plain pages of it: each word is there once.
func TestOddPartsOfBooks(t *testing.T) {
	const page = `<html><body><p>It was night.</p></body></html>`
	odd := func(items, spine string, files ...string) string {
		return packed(append([]string{
			"b.opf", `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>` + items + `</manifest><spine>` + spine +
				`</spine></package>`, "a.xhtml", page,
		}, files...)...)
	}
	for name, c := range map[string]struct{ book, want, notes string }{
		"a drawing with text": {
			odd(`<item id="s" href="s.svg" media-type="image/svg+xml"/>`, `<itemref idref="a"/><itemref idref="s"/>`,
				"s.svg", `<svg xmlns="http://www.w3.org/2000/svg"><title>A map</title><text>To the</text><text>river.</text></svg>`),
			"It was night. To the river.", "",
		},
		"a fallback of a fallback": {
			odd(`<item id="j" href="j.json" media-type="application/json" fallback="p"/><item id="p" href="p.pdf" media-type="application/pdf" fallback="a"/>`,
				`<itemref idref="j"/>`, "j.json", "{}", "p.pdf", "%PDF-"), "It was night.", "",
		},
		"fallbacks in a circle": {
			odd(`<item id="j" href="j.json" media-type="application/json" fallback="p"/><item id="p" href="p.pdf" media-type="application/pdf" fallback="j"/>`,
				`<itemref idref="j"/><itemref idref="a"/>`, "j.json", "{}", "p.pdf", "%PDF-"), "It was night.", "part_no_text",
		},
		"a part that is listed twice, and as a fallback": {
			odd(`<item id="j" href="j.json" media-type="application/json" fallback="a"/>`, `<itemref idref="a"/><itemref idref="a"/><itemref idref="j"/>`,
				"j.json", "{}"), "It was night.", "",
		},
		"an object and foreign elements with text for others": {
			odd("", `<itemref idref="a"/>`, "a.xhtml", `<body xmlns:epub="e"><object data="x.swf" type="x"><p>It was</p></object><epub:switch><epub:case>`+
				`<p>a dark</p></epub:case></epub:switch><video src="v"></video><p>night.</p></body>`), "It was a dark night.", "",
		},
		"drop caps, small capitals and capital openings": {
			odd("", `<itemref idref="a"/>`, "a.xhtml", `<body><p><span class="dropcap">I</span><span class="smallcaps">t was</span> a</p>`+
				`<p><b>D</b>ARK <i>n</i>ight</p><p><img src="i.png" alt="A"/>nd day.</p></body>`), "It was a DARK night [A]nd day.", "",
		},
	} {
		book := bookOf(t, "a.epub", c.book)
		var got []string
		for _, b := range book.Blocks {
			text := ""
			for _, s := range b.Spans {
				if s.Class == "" && s.Say != "" {
					text += "[" + s.Say + "]"
				} else if s.Class == "" {
					text += s.Text
				}
			}
			got = append(got, strings.Fields(text)...)
		}
		require.Equal(t, c.want, strings.Join(got, " "), name)
		require.Equal(t, c.notes, strings.Join(codes(book.Notes), " "), name)
	}
}

// A table of contents that links to itself, and to a part that links to it, has the chapters that lead to text, once each.
func TestContentsThatLinkToThemselves(t *testing.T) {
	book := bookOf(t, "a.epub", small("", navItem, `<itemref idref="nav"/>`, "", "x/nav.xhtml", `<nav epub:type="toc"><ol><li><a href="nav.xhtml">Contents</a>`+
		`<ol><li><a href="nav.xhtml">Contents</a></li></ol></li><li><a href="../a.xhtml">One</a></li><li><a href="../b.xhtml">Two</a></li>`+
		`<li><a href="../a.xhtml">One</a></li></ol></nav>`))
	require.Equal(t, []backend.Section{
		{Title: "One", Level: 1}, {Title: "Two", Level: 1}, {Title: "Contents", Level: 1}, {Title: "Contents", Level: 2},
	}, begins(book))
	require.Len(t, wordsOf(book, ""), 11)
	require.Equal(t, []string{"Contents", "Contents", "One", "Two", "One"}, wordsOf(book, backend.ClassContents))
}
