package extract_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// What need not be read aloud has the same class in every format that can say what it is.
func TestClassesInEachFormat(t *testing.T) {
	page := func(body string) string { return `<p>It was night.</p>` + body + `<p>So it ends.</p>` }
	word := func(body string) string {
		return docx(para("", run("It was night."))+body+para("", run("So it ends.")), styled)
	}
	epub := func(body string) string {
		return small("", "", "", "", "a.xhtml", "<body>"+page(body)+"</body>", "b.xhtml", "<body><p>More of it.</p></body>")
	}
	text := func(body string) string { return "It was night.\n\n" + body + "\n\nSo it ends.\n" }
	row := func(cells ...string) string {
		out := "<w:tr>"
		for _, cell := range cells {
			out += "<w:tc>" + para("", run(cell)) + "</w:tc>"
		}
		return out + "</w:tr>"
	}
	const table = "<table><tr><td>Anna</td><td>1984</td></tr><tr><td>Ben</td><td>1991</td></tr></table>"
	for name, c := range map[string]struct {
		want  map[backend.TextClass]string
		files map[string]string
	}{
		"addresses of the web": {
			map[backend.TextClass]string{backend.ClassURLs: "https example org map"},
			map[string]string{
				"a.txt": text("See https://example.org/map there."), "a.md": text("See <https://example.org/map> there."),
				"a.html": page("<p>See https://example.org/map there.</p>"), "a.epub": epub(`<p>See <a href="https://example.org/map">https://example.org/map</a> there.</p>`),
				"a.docx": word(para("", run("See https://example.org/map there."))),
				"a.pdf":  laidOut("", body(100, "It was night.", "See https://example.org/map there.", "So it ends.")),
			},
		},
		"citations": {
			map[backend.TextClass]string{backend.ClassCitations: "12"},
			map[string]string{
				"a.txt": text("It is so [12] there."), "a.md": text("It is so [12] there."), "a.html": page("<p>It is so [12] there.</p>"),
				"a.epub": epub("<p>It is so [12] there.</p>"), "a.docx": word(para("", run("It is so [12] there."))),
				"a.pdf": laidOut("", body(100, "It was night.", "It is so [12] there.", "So it ends.")),
			},
		},
		"notes and their marks": {
			map[backend.TextClass]string{backend.ClassNotes: "river", backend.ClassNoteMarks: "1"},
			map[string]string{
				"a.txt": text("They saw it. [1]\n\n[1] The river."), "a.md": text("They saw it. [^1]\n\n[^1]: The river."),
				"a.html": page(`<p>They saw it. <a role="doc-noteref" href="#n">1</a></p><aside role="doc-footnote" id="n"><p>The river.</p></aside>`),
				"a.epub": epub(`<p>They saw it. <a epub:type="noteref" href="#n">1</a></p><aside epub:type="footnote" id="n"><p>The river.</p></aside>`),
				"a.docx": docx(para("", run("They saw it. ")+`<w:r><w:footnoteReference w:id="1"/></w:r>`)+para("", run("So it ends.")), map[string]string{
					"word/footnotes.xml": `<footnotes><footnote w:id="1">` + para("", run("The river.")) + "</footnote></footnotes>",
				}),
				"a.pdf": laidOut("", append(body(100, "They saw it.", "So it ends."), piece{123, 96, 6, "1"}, piece{50, 540, 5, "1"}, piece{55, 543, 7, "The river."})),
			},
		},
		"tables of data": {
			map[backend.TextClass]string{backend.ClassTables: "Anna 1984 Ben 1991"},
			map[string]string{
				"a.md": text("| Anna | 1984 |\n|---|---|\n| Ben | 1991 |"), "a.html": page(table), "a.epub": epub(table),
				"a.docx": word("<w:tbl>" + row("Anna", "1984") + row("Ben", "1991") + "</w:tbl>"),
			},
		},
		"code": {
			map[backend.TextClass]string{backend.ClassTables: "var x 1"},
			map[string]string{
				"a.md": text("```go\nvar x = 1\n```"), "a.html": page("<pre><code>var x = 1</code></pre>"),
				"a.epub": epub(`<pre class="go"><code>var x = 1</code></pre>`),
			},
		},
		"captions": {
			map[backend.TextClass]string{backend.ClassCaptions: "map"},
			map[string]string{
				"a.txt": text("[Illustration: A map]"), "a.md": text("![A map](map.png)"), "a.html": page(`<figure><figcaption>A map</figcaption></figure>`),
				"a.epub": epub(`<figure><img src="map.png" alt="Lines"/><figcaption>A map</figcaption></figure>`),
			},
		},
		"tables of contents": {
			map[backend.TextClass]string{backend.ClassContents: "Storm"},
			map[string]string{
				"a.txt":  "CONTENTS\n\nChapter 1. The Storm\nChapter 2. The Calm\n\n\nCHAPTER 1\nThe Storm\n\nIt was night.\n\nCHAPTER 2\nThe Calm\n\nSo it ends.\n",
				"a.html": page("<nav><ol><li>The Storm</li></ol></nav>"), "a.epub": epub(`<nav epub:type="toc"><ol><li>The Storm</li></ol></nav>`),
				"a.docx": word(para("Verzeichnis1", run("The Storm"))),
				"a.pdf":  laidOut("", body(100, "The Storm . . . . . . . . . 2"), body(100, "It was night.", "So it ends.")),
			},
		},
		"no class": {
			map[backend.TextClass]string{},
			map[string]string{
				"a.txt": text("A <b>line</b> of 1984."), "a.md": text("A **line** and `a word`.\n\n<table><tr><td>One</td><td>two</td></tr></table>"),
				"a.html": page("<p>A line and <code>a word</code>.</p><pre>Of a poem\nin lines</pre>"), "a.epub": epub("<pre>Of a poem\nin lines</pre>"),
				"a.docx": word(para("", run("A line."))),
			},
		},
	} {
		for _, file := range slices.Sorted(maps.Keys(c.files)) {
			book := readBook(t, file, c.files[file])
			_, count := backend.CountWords(book.Blocks)
			require.Contains(t, strings.Join(wordsOf(book, ""), " "), "So it ends", name+", "+file)
			require.Len(t, count, 1+len(c.want), "%s, %s: %v", name, file, count)
			for class, words := range c.want {
				got := " " + strings.Join(wordsOf(book, class), " ") + " "
				for word := range strings.FieldsSeq(words) {
					require.Contains(t, got, " "+word+" ", "%s, %s", name, file)
				}
			}
		}
	}
}
