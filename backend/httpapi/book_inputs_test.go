package httpapi_test

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const bookOPF = `<package version="3.0" xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">` +
	`<dc:title>%s</dc:title><dc:language>%s</dc:language></metadata><manifest>` +
	`<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>%s</manifest><spine>%s</spine></package>`

// page is an XHTML file.
func page(body string) string {
	return `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>` + body + `</body></html>`
}

// pagesEPUB is an EPUB file of pages with a table of contents, which is a list of links.
func pagesEPUB(t *testing.T, title, language, toc string, pages ...string) string {
	t.Helper()
	var items, spine strings.Builder
	more := map[string]string{"nav.xhtml": page(`<nav epub:type="toc"><ol>` + toc + `</ol></nav>`)}
	for i, body := range pages {
		name := fmt.Sprintf("p%d", i+1)
		more[name+".xhtml"] = page(body)
		fmt.Fprintf(&items, `<item id="%s" href="%s.xhtml" media-type="application/xhtml+xml"/>`, name, name)
		fmt.Fprintf(&spine, `<itemref idref="%s"/>`, name)
	}
	more["book.opf"] = fmt.Sprintf(bookOPF, title, language, items.String(), spine.String())
	return bookEPUB(t, more)
}

// toc is an entry of a table of contents.
func toc(href, title string) string { return `<li><a href="` + href + `">` + title + `</a></li>` }

// headings is a Markdown file with n chapters.
func headings(n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "# Chapter %d\n\nIt rains.\n\n", i+1)
	}
	return out.String()
}

// TestOddBooks makes books of files that are odd, and not wrong: nothing of them is lost.
func TestOddBooks(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	text := strings.Repeat("<p>"+strings.Repeat("A long day at the harbour went by. ", 100)+"</p>", 86)
	two := toc("p1.xhtml", "One") + toc("p2.xhtml", "Two")
	for name, c := range map[string]struct {
		file, content string
		chapters      int
		words         string // in all
		has           []string
	}{
		"10,000 headings": {"a.md", headings(10_000), 10_000, "40000", nil},
		"links to nowhere": {
			"a.epub", pagesEPUB(t, "Rain", "en", toc("p1.xhtml", "One")+toc("none.xhtml", "Lost")+toc("p2.xhtml#none", "Two"),
				"<p>It rains.</p>", "<p>It rained.</p>"), 2, "4", []string{"contents_lost", "2 entries", "“Lost”", `"title":"Two"`},
		},
		"a loop": {
			"a.epub", pagesEPUB(t, "Rain", "en", two+toc("nav.xhtml", "Contents")+toc("p1.xhtml", "One again"),
				"<p>It rains.</p>", "<p>It rained.</p>"), 2, "4", []string{"contents_lost", "One again", `"title":"Two"`},
		},
		"an empty chapter": {
			"a.epub",
			pagesEPUB(t, "Rain", "en", two+toc("p3.xhtml", "Three"), "<p>It rains.</p>", "<p></p>", "<p>It rained.</p>"), 3, "4",
			[]string{`"title":"Two"`, `"title":"Three"`},
		},
		"a chapter of 300,000 characters": {"a.epub", pagesEPUB(t, "Rain", "en", toc("p1.xhtml", "One"), text), 1, "68800", nil},
		"Hebrew": {
			"a.epub", pagesEPUB(t, "גשם", "he", toc("p1.xhtml", "אחת")+toc("p2.xhtml", "שתיים"), "<p>יורד גשם.</p>", "<p>ירד גשם.</p>"),
			2, "4",
			[]string{`"title":"שתיים"`, `"language":"he"`},
		},
		"Arabic":   {"مطر.txt", "Chapter 1\n\nهطل المطر.\n\nChapter 2\n\nتوقف المطر.\n", 2, "8", []string{`"title":"مطر"`}},
		"Chinese":  {"雨.txt", "第一章\n\n下雨了。\n\n第二章\n\n雨停了。\n", 2, "12", []string{`"title":"第二章"`, `"language":"zh"`}},
		"Japanese": {"雨.txt", "第一章\n\n雨が降っています。\n\n第二章\n\nもう降りません。\n", 2, "21", []string{`"language":"ja"`}},
		"Thai":     {"ฝน.txt", "ฝนตก\n", 1, "4", []string{`"language":"th"`}},
		"languages": {
			"a.epub", pagesEPUB(t, "Rain", "en", two, "<p>It rains.</p>", `<p lang="de" xml:lang="de">Es regnet.</p>`),
			2, "4",
			[]string{`"language":"en"`},
		},
		"a cover that is none": {"a.epub", bookEPUB(t, map[string]string{"cover.png": "no picture"}), 24, "288", []string{"cover_unusable"}},
		"a cover cut off": {
			"a.epub", bookEPUB(t, map[string]string{"cover.png": "\x89PNG\r\n\x1a\n\x00\x00"}), 24, "288", []string{"cover_unusable"},
		},
		"a cover of 50 MB": {
			"a.epub", bookEPUB(t, map[string]string{"cover.png": strings.Repeat("\x89PNG", 12_500_000)}), 24, "288",
			[]string{"cover_large", "20 MB"},
		},
		"a cover of another type": {
			"a.epub", bookEPUB(t, map[string]string{"cover.png": picture(t, func(b *bytes.Buffer, m image.Image) error {
				return gif.Encode(b, m, nil)
			})}), 24, "288", []string{"cover_unusable"},
		},
		"long titles": {
			"a.epub", pagesEPUB(t, strings.Repeat("Regen ", 300), "en", toc("p1.xhtml", strings.Repeat("ä", 1500))+toc("p2.xhtml", "Two"),
				"<p>It rains.</p>", "<p>It rained.</p>"), 2, "4", []string{`"title":"` + strings.Repeat("ä", 1000) + `"`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.sendBook("POST", "/books", part{"file", c.file, c.content}, part{"profile_id", "", s.profile})
			require.Equal(t, 201, a.StatusCode, "%.2000s", a.body)
			for _, part := range c.has {
				require.Contains(t, a.body, part)
			}
			book := a.object(t)
			require.Len(t, book["chapters"], c.chapters)
			left := int64(0)
			for _, class := range book.at("words", "left_out").([]any) {
				left += integer(t, class.(map[string]any)["words"])
			}
			require.Equal(t, c.words, num(book.at("words", "body")))
			require.Equal(t, integer(t, book.at("words", "body")), integer(t, book.at("words", "kept"))+left)
			require.Equal(t, 204, s.do("DELETE", "/books/"+book["id"].(string), "").StatusCode)
		})
	}
	s.noUploadLeft()
}

// TestLanguageOfAChapter has one chapter spoken in a language that its voice does not speak: it says so, and the others are there.
func TestLanguageOfAChapter(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	a := s.sendBook("POST", "/books", part{"file", "a.txt", "Chapter 1\n\nIt rains.\n\nChapter 2\n\nEs regnet.\n"},
		part{"language", "", "en"}, part{"profile_id", "", s.profile})
	require.Equal(t, 201, a.StatusCode, a.body)
	book := a.object(t)
	path := "/books/" + book["id"].(string)
	a = s.do("PATCH", path+"/chapters/"+book.at("chapters", 1, "id").(string), `{"options":{"language":"de"}}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, 202, s.do("POST", path+"/generate", "{}").StatusCode)
	done := s.generated(path)
	require.Equal(t, []any{"done", "failed"}, []any{done.at("chapters", 0, "state"), done.at("chapters", 1, "state")})
	require.Equal(t, "language_not_supported", done.at("chapters", 1, "error", "code"))
	require.Contains(t, done.at("chapters", 1, "error", "remedy"), "Choose a voice of that language")
	sound := done.at("chapters", 0, "generations")
	a = s.do("PATCH", path+"/chapters/"+book.at("chapters", 1, "id").(string), `{"options":{"language":"en-GB"}}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, 202, s.do("POST", path+"/generate", "{}").StatusCode)
	done = s.generated(path)
	require.Equal(t, []any{"done", sound}, []any{done["state"], done.at("chapters", 0, "generations")}, done.at("chapters", 1, "error"))
}

// TestTheSameFileTwice makes two books, which a change of one leaves apart.
func TestTheSameFileTwice(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	first, second := s.newBook(), s.newBook()
	require.NotEqual(t, first["id"], second["id"])
	require.Equal(t, first.at("source", "sha256"), second.at("source", "sha256"))
	path, other := "/books/"+first["id"].(string), "/books/"+second["id"].(string)
	before := s.shown(other)
	changed := bookText(func(chapter int, text string) string { return strings.Repeat(text+"\n\n", chapter%2+1) })
	a := s.sendBook("POST", path+"/update", part{"file", "other.txt", changed})
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, before, s.shown(other))
	require.Equal(t, 204, s.do("DELETE", path, "").StatusCode)
	require.Equal(t, before, s.shown(other))
}

// TestFilesThatAreTooLarge are refused with what can be done.
func TestFilesThatAreTooLarge(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	for name, c := range map[string]struct{ file, content, has string }{
		"10,001 headings": {"a.md", headings(10_001), "Divide it into several files"},
		"51 MB of text":   {"a.txt", strings.Repeat("x", 51_000_000), "50 MB"},
	} {
		a := s.sendBook("POST", "/books", part{"file", c.file, c.content})
		require.Equal(t, 413, a.StatusCode, name)
		require.Equal(t, "body_too_large", a.object(t)["code"], name)
		require.Contains(t, a.object(t)["remedy"], c.has, name)
	}
	require.Empty(t, s.do("GET", "/books", "").items(t))
	s.noUploadLeft()
}
