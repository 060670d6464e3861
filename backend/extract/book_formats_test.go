package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
)

// chapterTitles are the titles of the chapters of the story.
var chapterTitles = strings.Split("The Woman|A Visitor|The Note|The King|The Photograph|A Plan|Briony Lodge|The Groom|A Wedding|At the Altar|"+
	"The Coachman|Cold Beef|Another Disguise|The Avenue|A Street Fight|The Cry of Fire|The Secret Place|Good Night|The Second Call|An Empty House|"+
	"The Letter|A Better Man|The Reward|The Best Plans", "|")

// storyChapter is a chapter of the story.
type storyChapter struct {
	name, title string // "Chapter 1", "The Woman"
	paragraphs  []string
}

// storyChapters returns the story in 24 chapters.
func storyChapters(t *testing.T) []storyChapter {
	t.Helper()
	var paragraphs []string
	for _, p := range bohemia(t)[1:] {
		if !isHeading(p) || len(p) > 4 { // without its own Roman numerals
			paragraphs = append(paragraphs, p)
		}
	}
	var all []storyChapter
	for i, title := range chapterTitles {
		from, to := i*len(paragraphs)/len(chapterTitles), (i+1)*len(paragraphs)/len(chapterTitles)
		all = append(all, storyChapter{fmt.Sprint("Chapter ", i+1), title, paragraphs[from:to]})
	}
	return all
}

const storyTitle, storyAuthor = "A Scandal in Bohemia", "Arthur Conan Doyle"

// wrappedAt returns a paragraph in lines of some characters.
func wrappedAt(paragraph string, width int) string {
	var out, line strings.Builder
	for word := range strings.FieldsSeq(paragraph) {
		if line.Len() > 0 && len([]rune(line.String()))+1+len([]rune(word)) > width {
			out.WriteString(line.String() + "\n")
			line.Reset()
		}
		if line.Len() > 0 {
			line.WriteByte(' ')
		}
		line.WriteString(word)
	}
	return out.String() + line.String()
}

// storyText is the story as Project Gutenberg has it: with a table of contents, and lines that are wrapped.
func storyText(chapters []storyChapter) string {
	out := "Title: " + storyTitle + "\nAuthor: " + storyAuthor + "\nLanguage: English\n\n*** START OF THE PROJECT GUTENBERG EBOOK ***\n\n\nCONTENTS\n\n"
	for _, c := range chapters {
		out += " " + strings.ToUpper(c.name) + ".  " + c.title + "\n"
	}
	for _, c := range chapters {
		out += "\n\n\n\n" + strings.ToUpper(c.name) + ".\n" + c.title + "\n\n"
		for _, p := range c.paragraphs {
			out += "\n" + wrappedAt(p, 72) + "\n"
		}
	}
	return out + "\n*** END OF THE PROJECT GUTENBERG EBOOK ***\n\nChapter 1 of the licence.\n"
}

func storyMarkdown(chapters []storyChapter) string {
	out := "---\ntitle: " + storyTitle + "\nauthor: " + storyAuthor + "\nlang: en\n---\n\n"
	for i, c := range chapters {
		out += "# " + c.name + ": " + c.title + "\n\n" + strings.Join(c.paragraphs, "\n\n") + fmt.Sprintf("[^%d]\n\n[^%d]: %s.\n\n", i, i, junkNote)
	}
	return out
}

// storyPage returns a page of HTML with chapters.
func storyPage(chapters []storyChapter) string {
	out := "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\"><head><title>" + storyTitle + `</title><meta name="author" content="` + storyAuthor +
		`"/></head><body>`
	for _, c := range chapters {
		out += "<h1>" + c.name + "<br/>" + c.title + "</h1>"
		for i, p := range c.paragraphs {
			out += "<p>" + escaped(p)
			if i == 0 {
				out += `<a role="doc-noteref" href="#n"><sup>1</sup></a>`
			}
			out += "</p>\n"
		}
		out += `<aside role="doc-footnote"><p>` + junkNote + `.</p></aside><script>` + junkScript + "</script>"
	}
	return out + "</body></html>"
}

func storyWord(chapters []storyChapter) string {
	out := ""
	for _, c := range chapters {
		out += para("berschrift1", run(c.name)+`<w:r><w:br/></w:r>`+run(c.title))
		for i, p := range c.paragraphs {
			more := ""
			if i == 0 {
				more = `<w:del w:id="1"><w:r><w:delText>` + junkDeletion + `</w:delText></w:r></w:del><w:r><w:footnoteReference w:id="2"/></w:r>`
			}
			out += para("", run(escaped(p))+more)
		}
	}
	return docx(out, map[string]string{
		"word/styles.xml":    styled["word/styles.xml"],
		"word/header1.xml":   "<hdr>" + para("", run(junkHeader)) + "</hdr>",
		"word/footnotes.xml": `<footnotes><footnote w:id="2">` + para("", run(junkNote)) + "</footnote></footnotes>",
		"docProps/core.xml": `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>` + storyTitle + `</dc:title><dc:creator>` + storyAuthor +
			`</dc:creator><dc:language>en</dc:language></cp:coreProperties>`,
	})
}

func storyPDF(chapters []storyChapter) string {
	var paragraphs []string
	for _, c := range chapters {
		paragraphs = append(append(paragraphs, c.name, c.title), c.paragraphs...)
	}
	return setting{
		title: storyTitle, columns: 1, indent: 3, notes: true,
		header: func(int) (string, float64) { return "The Adventures of Sherlock Holmes", 120 },
		footer: func(n int) string { return fmt.Sprint(n) },
	}.book(paragraphs)
}

func storyEPUB(chapters []storyChapter) string {
	files := []string{
		"mimetype", "application/epub+zip", "META-INF/container.xml", `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>` +
			`<rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
	}
	nav, items, spine := "", "", ""
	for i, c := range chapters {
		nav += fmt.Sprintf(`<li><a href="c%d.xhtml">%s: %s</a></li>`, i, c.name, c.title)
		items += fmt.Sprintf(`<item id="c%d" href="c%d.xhtml" media-type="application/xhtml+xml"/>`, i, i)
		spine += fmt.Sprintf(`<itemref idref="c%d"/>`, i)
		files = append(files, fmt.Sprintf("c%d.xhtml", i), storyPage(chapters[i:i+1]))
	}
	return packed(append(files,
		"nav.xhtml", `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol>`+nav+`</ol></nav></body></html>`,
		"a.opf", `<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>`+storyTitle+
			`</dc:title><dc:creator>`+storyAuthor+`</dc:creator><dc:language>en</dc:language></metadata><manifest>`+items+
			`<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/></manifest><spine>`+spine+`</spine></package>`)...)
}

// escaped returns a text as HTML and XML write it.
func escaped(text string) string { return strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(text) }

// spokenWords returns the words of each chapter that have no class.
func spokenWords(book extract.Book) [][]string {
	var all [][]string
	for _, b := range book.Blocks {
		if len(b.Begins) > 0 {
			all = append(all, nil)
		}
		if len(all) == 0 {
			all = [][]string{nil} // before the first heading
		}
		text := ""
		for _, span := range b.Spans {
			if span.Class == "" {
				text += span.Text
			}
		}
		all[len(all)-1] = append(all[len(all)-1], backend.Words(text)...)
	}
	if len(all) > 0 && len(all[0]) == 0 {
		all = all[1:]
	}
	return all
}

// The same book is the same 24 chapters in each format, with each of its words and nothing else: no note, mark, header, page number or
// deletion is read aloud.
func TestSameBookInEachFormat(t *testing.T) {
	chapters := storyChapters(t)
	var want [][]string
	for _, c := range chapters {
		want = append(want, backend.Words(strings.ToLower(c.name+"\n"+c.title+"\n"+strings.Join(c.paragraphs, "\n"))))
	}
	for name, file := range map[string]string{
		"a.txt": storyText(chapters), "a.md": storyMarkdown(chapters), "a.html": storyPage(chapters), "a.docx": storyWord(chapters),
		"a.pdf": storyPDF(chapters), "a.epub": storyEPUB(chapters),
	} {
		book := readBook(t, name, file)
		got := spokenWords(book)
		require.Len(t, got, len(want), "%s: %v", name, begins(book))
		for i, words := range got {
			require.Equal(t, strings.Join(want[i], " "), strings.ToLower(strings.Join(words, " ")), "%s, chapter %d", name, i+1)
		}
		for i, section := range begins(book) {
			require.Equal(t, 1, section.Level, name)
			require.Equal(t, want[i][:len(backend.Words(section.Title))], backend.Words(strings.ToLower(section.Title)), name)
			require.Contains(t, section.Title, chapters[i].title, name)
		}
		require.Equal(t, storyTitle, book.Title, name)
		if name != "a.pdf" {
			require.Equal(t, []string{storyAuthor}, book.Authors, name)
		}
		if name != "a.pdf" && name != "a.epub" {
			require.Equal(t, "en", book.Language, name)
		}
		total, classes := backend.CountWords(book.Blocks)
		for _, c := range classes {
			total -= c.Words
		}
		require.Zero(t, total, "%s: words kept and left out are all words", name)
		if name != "a.txt" {
			require.NotEmpty(t, wordsOf(book, backend.ClassNotes), name)
		}
	}
}
