package extract_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLanguagesOfParts reads a book of which a part states another language than the book; one of the same in another country is none.
func TestLanguagesOfParts(t *testing.T) {
	page := func(lang, text string) string {
		return `<html xmlns="http://www.w3.org/1999/xhtml" ` + lang + `><body><p>` + text + `</p></body></html>`
	}
	book := bookOf(t, "a.epub", packed(
		"mimetype", "application/epub+zip",
		"META-INF/container.xml", `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>`+
			`<rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
		"a.opf", `<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">`+
			`<dc:title>Two</dc:title><dc:language>en-GB</dc:language></metadata><manifest>`+
			`<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="b.xhtml" media-type="application/xhtml+xml"/>`+
			`<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/><item id="d" href="d.xhtml" media-type="application/xhtml+xml"/>`+
			`</manifest><spine><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/><itemref idref="d"/></spine></package>`,
		"a.xhtml", page(`xml:lang="en-US"`, "In English."), "b.xhtml", page(`lang="fr_CA"`, "En français."),
		"c.xhtml", page(``, "Again."), "d.xhtml", page(`lang="not a tag"`, "And again."),
	))
	var languages []string
	for _, b := range book.Blocks {
		languages = append(languages, b.Language)
	}
	require.Equal(t, []string{"", "fr-CA", "", ""}, languages)
}
