package extract_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
)

// outlined returns a PDF file with an outline: each entry is a level, a page from 0 and a title; the level 0 ends one.
func outlined(file string, items string) string {
	// The objects of the outline are behind the others, and the catalog is written again at the end, as programs update a file.
	objects := strings.Count(file, " 0 obj")
	root := objects + 1
	out := file
	at := map[int]int{}
	add := func(id int, body string) {
		at[id] = len(out)
		out += fmt.Sprintf("%d 0 obj\n%s\nendobj\n", id, body)
	}
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(items), "\n") {
		lines = append(lines, strings.TrimSpace(line))
	}
	type node struct {
		level, page int
		title       string
		parent      int
		kids        []int
	}
	nodes := []node{{}}
	for _, line := range lines {
		var n node
		_, err := fmt.Sscanf(line, "%d %d", &n.level, &n.page)
		if err != nil {
			panic(err)
		}
		n.title = strings.SplitN(line, " ", 3)[2]
		for i := len(nodes) - 1; i >= 0; i-- {
			if nodes[i].level < n.level {
				n.parent = i
				break
			}
		}
		nodes = append(nodes, n)
		nodes[n.parent].kids = append(nodes[n.parent].kids, len(nodes)-1)
	}
	for i, n := range nodes {
		body := "<< /Type /Outlines"
		if i > 0 {
			body = fmt.Sprintf("<< /Title (%s) /Parent %d 0 R", n.title, root+n.parent)
			siblings := nodes[n.parent].kids
			for k, id := range siblings {
				if id == i && k > 0 {
					body += fmt.Sprintf(" /Prev %d 0 R", root+siblings[k-1])
				}
				if id == i && k+1 < len(siblings) {
					body += fmt.Sprintf(" /Next %d 0 R", root+siblings[k+1])
				}
			}
			if n.page >= 0 {
				body += fmt.Sprintf(" /Dest [%d 0 R /Fit]", 5+2*n.page)
			}
		}
		if len(n.kids) > 0 {
			body += fmt.Sprintf(" /First %d 0 R /Last %d 0 R /Count %d", root+n.kids[0], root+n.kids[len(n.kids)-1], len(n.kids))
		}
		add(root+i, body+" >>")
	}
	add(1, fmt.Sprintf("<< /Type /Catalog /Pages 2 0 R /Outlines %d 0 R >>", root))
	start := file[strings.LastIndex(file, "startxref\n")+len("startxref\n"):]
	start = start[:strings.IndexByte(start, '\n')]
	table := fmt.Sprintf("xref\n1 1\n%010d 00000 n \n%d %d\n", at[1], root, len(nodes))
	for i := range nodes {
		table += fmt.Sprintf("%010d 00000 n \n", at[root+i])
	}
	end := len(out)
	return out + table + fmt.Sprintf("trailer << /Size %d /Root 1 0 R /Info 4 0 R /Prev %s >>\nstartxref\n%d\n%%%%EOF\n", root+len(nodes), start, end)
}

// pageOf returns a page with a title in larger letters and lines of text.
func pageOf(title string, size float64, lines ...string) []piece {
	var all []piece
	if title != "" {
		all = append(all, piece{50, 70, size, title})
	}
	return append(all, body(110, lines...)...)
}

func TestPDFOutlines(t *testing.T) {
	if _, err := exec.LookPath("pdftohtml"); err != nil {
		t.Skip("pdftohtml is not installed")
	}
	file := laidOut("The Trip",
		pageOf("", 0, "This is for Anna and for nobody else at all."),
		pageOf("The Way", 16, "It was a long way to the river that they saw.", "So they went home."),
		append(pageOf("", 0, "More of the way and of the evening that came."), piece{50, 200, 16, "At the Bridge"}, piece{50, 230, 10, "They saw a bridge."}),
		pageOf("The River", 16, "They were at the river, and nobody was there."),
	)
	book := readBook(t, "a.pdf", outlined(file, "1 -1 Part One\n2 1 The Way\n3 2 At the Bridge\n1 3 Part Two & The River"))
	require.Equal(t, []string{
		"paragraph [This is for Anna and for nobody else at all.]", "heading2 {1 Part One} {2 The Way} [The Way]",
		"paragraph [It was a long way to the river that they saw. So they went home.]", "paragraph [More of the way and of the evening that came.]",
		"heading3 {3 At the Bridge} [At the Bridge]", "paragraph [They saw a bridge.]", "heading1 {1 Part Two & The River} [The River]",
		"paragraph [They were at the river, and nobody was there.]",
	}, shown(book.Blocks))
	require.Equal(t, "The Trip", book.Title)
}

// An outline of thousands of entries on one page is read in the time that its length takes.
func TestHostilePDFOutlines(t *testing.T) {
	if _, err := exec.LookPath("pdftohtml"); err != nil {
		t.Skip("pdftohtml is not installed")
	}
	var items strings.Builder
	for i := range 3_000 {
		fmt.Fprintf(&items, "%d %d Entry %d\n", 1+i%2, i%2, i)
	}
	file := laidOut("", pageOf("", 0, "It was a long way to the river."), pageOf("", 0, "They were at the river then."))
	book := readBook(t, "a.pdf", outlined(file, items.String()))
	require.NotEmpty(t, begins(book))
	require.Len(t, wordsOf(book), 14)
}

func TestPDFHeadings(t *testing.T) {
	pages := func(titles ...string) (all [][]piece) {
		for i, title := range titles {
			word := []string{"first", "second", "third", "fourth"}[i]
			all = append(all, pageOf(title, 16, "The "+word+" page has its own words, "+word+" of all.", "So it ends."))
		}
		return all
	}
	book := readBook(t, "a.pdf", laidOut("", pages("Chapter 1", "Chapter 2", "Chapter 3")...))
	require.Equal(t, []backend.Section{{Title: "Chapter 1", Level: 1}, {Title: "Chapter 2", Level: 1}, {Title: "Chapter 3", Level: 1}}, begins(book))
	book = readBook(t, "a.pdf", laidOut("", pages("The Way", "The River", "Home")...))
	require.Equal(t, []backend.Section{{Title: "The Way", Level: 1}, {Title: "The River", Level: 1}, {Title: "Home", Level: 1}}, begins(book))
	all := pages("Chapter 1", "Chapter 2")
	for i := range all {
		all[i] = append(all[i], piece{50, 90, 16, []string{"The Way", "The River"}[i]})
	}
	book = readBook(t, "a.pdf", laidOut("", all...))
	require.Equal(t, []backend.Section{{Title: "Chapter 1: The Way", Level: 1}, {Title: "Chapter 2: The River", Level: 1}}, begins(book))
	require.Empty(t, begins(readBook(t, "a.pdf", laidOut("", pages("", "")...))))
}

// All words of the pages are in the manuscript, those beside the text with a class.
func TestPDFBookClasses(t *testing.T) {
	story := bohemia(t)
	pages := 0
	set := setting{
		title: "A Scandal in Bohemia", columns: 1, indent: 3, notes: true, footer: func(n int) string { pages = n; return fmt.Sprint(n + 100) },
		header: func(int) (string, float64) { return "The Adventures of Sherlock Holmes", 120 },
	}
	book := readBook(t, "a.pdf", set.book(story))
	require.Equal(t, backend.Words(strings.Join(story, "\n\n")), wordsOf(book, ""))
	require.Empty(t, book.Notes)
	_, count := backend.CountWords(book.Blocks)
	require.Equal(t, []backend.WordCount{
		{Words: len(wordsOf(book, "")), Sample: count[0].Sample},
		{Class: backend.ClassNotes, Words: 10 * pages, Sample: "1 Ben and Anna know a note that nobody reads. 2 Cleo and Anna know a note that"},
		{Class: backend.ClassPageNumbers, Words: pages, Sample: "101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 119 120"},
		{
			Class: backend.ClassPageHeaders, Words: 5 * pages,
			Sample: "The Adventures of Sherlock Holmes The Adventures of Sherlock Holmes The",
		},
	}, count)

	book = readBook(t, "a.pdf", laidOut("", append(
		body(100, "It was in 1984 when they came.", "They brought a long exam-", "ple of it, as he said."),
		piece{230, 96, 6, "12"},
	)))
	require.Equal(t, []string{
		"paragraph [It was in 1984 when they came.] note_marks[12] [ They brought a long example of it, as he said.]",
	}, shown(book.Blocks))

	book = readBook(t, "a.pdf", laidOut("", [][]piece{
		append([]piece{{50, 70, 16, "Contents"}}, body(100, "The Storm . . . . . . . . . 2", "The Calm ................ 3")...),
		pageOf("The Storm", 16, "It was night and the wind came up over the sea."), pageOf("The Calm", 16, "It was day and there was no wind at all then."),
	}...))
	require.Equal(t, []backend.Section{{Title: "The Storm", Level: 1}, {Title: "The Calm", Level: 1}}, begins(book))
	require.Equal(t, []string{"Contents", "The", "Storm", "2", "The", "Calm", "3"}, wordsOf(book, backend.ClassContents))
}

func TestPDFBooksThatCannotBeRead(t *testing.T) {
	for content, want := range map[string]backend.Code{
		pdf(nil): backend.CodeNothingToSpeak, "%PDF-1.4\nnothing more": backend.CodeUnsupportedMedia, "no PDF": backend.CodeUnsupportedMedia,
	} {
		_, err := (&extract.Extractor{}).Book(t.Context(), "a.pdf", "", spooled(t, content))
		require.Equal(t, want, backend.CodeOf(err), content)
	}
}
