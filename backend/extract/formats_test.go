package extract_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// word matches a word as the figures of TestOneBookInAllFormats count them.
var word = regexp.MustCompile(`[\p{L}\p{N}]+(?:[-’'][\p{L}\p{N}]+)*`)

var escapeHTML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// What files of a book have beside its text.
const (
	junkHeader   = "The Adventures of Sherlock Holmes"
	junkNote     = "A note that nobody reads"
	junkDeletion = "words that were deleted"
	junkScript   = "menu of the page"
)

// storyFiles returns a story as a file of each format, with what such files have beside the text.
func storyFiles(story []string) map[string]string {
	var md, page, word strings.Builder
	md.WriteString("---\ntitle: A Scandal in Bohemia\n---\n")
	for i, p := range story {
		escaped := escapeHTML.Replace(p)
		switch {
		case isHeading(p):
			fmt.Fprintf(&md, "# %s\n\n", p)
			fmt.Fprintf(&page, "<h1>%s</h1>\n", escaped)
			word.WriteString(para("berschrift1", run(escaped)))
		case i%10 == 5:
			first, after, _ := strings.Cut(p, " ")
			start, end, _ := strings.Cut(escaped, " ")
			fmt.Fprintf(&md, "*%s* %s[^%d]\n\n[^%d]: %s.\n\n", first, after, i, i, junkNote)
			fmt.Fprintf(&page, "<p><em>%s</em> %s<a epub:type=\"noteref\" href=\"#n%d\"><sup>%d</sup></a></p><aside epub:type=\"footnote\" id=\"n%d\"><p>%s.</p></aside>\n", start, end, i, i, i, junkNote)
			word.WriteString(para("", run(start+" ")+`<w:del w:id="1"><w:r><w:delText>`+junkDeletion+`</w:delText></w:r></w:del>`+`<w:ins w:id="2">`+run(end)+`</w:ins><w:r><w:footnoteReference w:id="2"/></w:r>`))
		default:
			fmt.Fprintf(&md, "%s\n\n", p)
			fmt.Fprintf(&page, "<p>%s</p>\n", escaped)
			word.WriteString(para("", run(escaped)))
		}
	}
	chapter := `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>A Scandal in Bohemia</title><script>` + junkScript +
		`</script></head><body><nav>` + junkScript + `</nav>` + page.String() + `</body></html>`
	return map[string]string{
		"txt": strings.Join(story, "\r\n\r\n"),
		"md":  md.String(),
		"epub": novel(map[string]string{
			"OEBPS/text/one.xhtml": chapter, "OEBPS/text/two b.xhtml": "", "OEBPS/text/extra.xhtml": "",
			"OEBPS/book.opf": strings.NewReplacer(" The  Book ", "A Scandal in Bohemia", `<itemref idref="two"/>`, "", `<itemref idref="extra" linear="no"/>`, "", `<itemref idref="missing"/>`, "").Replace(packageDocument),
		}),
		"docx": docx(word.String(), map[string]string{
			"word/header1.xml":   "<hdr>" + para("", run(junkHeader)) + "</hdr>",
			"word/footnotes.xml": "<footnotes><footnote>" + para("", run(junkNote)) + "</footnote></footnotes>",
			"docProps/core.xml":  "<coreProperties><title>A Scandal in Bohemia</title></coreProperties>",
		}),
		"html": chapter,
		"pdf": setting{
			title: "A Scandal in Bohemia", columns: 1, indent: 3, notes: true,
			header: func(int) (string, float64) { return junkHeader, 120 },
			footer: func(n int) string { return fmt.Sprintf("Page %d of 60", n) },
		}.book(story),
	}
}

// The same book says the same in every format: all of its words, all of its paragraphs, and nothing else.
func TestOneBookInAllFormats(t *testing.T) {
	story := bohemia(t)
	words := len(word.FindAllString(strings.Join(story, "\n"), -1))
	for format, content := range storyFiles(story) {
		doc := read(t, "A Scandal in Bohemia."+format, content)
		n, missing := intact(story, doc.Text)
		kept, junk := len(word.FindAllString(doc.Text, -1)), 0
		for _, s := range []string{junkHeader, junkNote, junkDeletion, junkScript, "a note that nobody reads", "Page ", "[^"} {
			junk += strings.Count(doc.Text, s)
		}
		t.Logf("%-4s  words kept %d of %d, paragraphs intact %d of %d, junk read aloud %d, notes %v", format, kept, words, n, len(story), junk, codes(doc.Notes))
		require.Empty(t, missing, format)
		require.Equal(t, words, kept, format)
		require.Zero(t, junk, format)
		require.Equal(t, "A Scandal in Bohemia", doc.Title, format)
	}
}
