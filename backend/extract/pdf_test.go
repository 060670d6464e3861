package extract_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
)

// setting is how a book is set in type: Courier, whose characters are all 0.6 of their size wide.
type setting struct {
	title   string
	columns int
	indent  int     // characters before the first line of a paragraph
	space   float64 // points between paragraphs
	ragged  bool    // else justified
	header  func(page int) (text string, x float64)
	footer  func(page int) string
	notes   bool // a footnote on each page
}

const (
	bookWidth, paperWidth = 420, 595 // of a page with one column, and with two
	pageHeight            = 595
	typeSize, linePitch   = 10.0, 12.5
	sideMargin, topMargin = 50.0, 60.0
	gutterWidth           = 24.0
)

// typesetter writes the pages of a book.
type typesetter struct {
	s      setting
	pages  []string
	column int
	y      float64
}

// book returns the PDF file of a text.
func (s setting) book(paragraphs []string) string {
	t := &typesetter{s: s, column: s.columns}
	t.nextColumn()
	for _, p := range paragraphs {
		if isHeading(p) {
			t.reserve(3 * linePitch)
			t.y += linePitch
			t.put(t.left(), t.y, 12, p, 0)
			t.y += 2 * linePitch
			continue
		}
		lines := s.lines(p, t.chars())
		for i, line := range lines {
			t.reserve(linePitch)
			x, spread := t.left(), 0.0
			if i == 0 {
				x += float64(s.indent) * typeSize * 0.6
			}
			blanks := strings.Count(line, " ")
			if end := t.left() + float64(t.chars())*typeSize*0.6; !s.ragged && i+1 < len(lines) && blanks > 0 {
				spread = (end - x - float64(len([]rune(line)))*typeSize*0.6) / float64(blanks)
			}
			t.put(x, t.y, typeSize, line, spread)
			t.y += linePitch
		}
		t.y += s.space
	}
	return pdfFile(s.title, "Courier", t.width(), pageHeight, t.pages)
}

func isHeading(p string) bool {
	return len(p) < 40 && !strings.ContainsAny(p, ".!?:,;”’")
}

// width returns the width of a page.
func (t *typesetter) width() int {
	if t.s.columns > 1 {
		return paperWidth
	}
	return bookWidth
}

// chars returns how many characters a line has.
func (t *typesetter) chars() int {
	width := float64(t.width()) - 2*sideMargin
	if t.s.columns > 1 {
		width = (width - gutterWidth) / 2
	}
	return int(width / (typeSize * 0.6))
}

func (t *typesetter) left() float64 {
	if t.column == 0 {
		return sideMargin
	}
	return sideMargin + (float64(t.width())-2*sideMargin+gutterWidth)/2
}

// reserve begins a column where the current one has less than some points left.
func (t *typesetter) reserve(points float64) {
	end := pageHeight - topMargin
	if t.s.notes {
		end -= 2 * linePitch
	}
	if t.y+points > end {
		t.nextColumn()
	}
}

func (t *typesetter) nextColumn() {
	t.y = topMargin + 2*linePitch
	if t.column++; t.column < t.s.columns {
		return
	}
	t.column = 0
	t.pages = append(t.pages, "")
	n := len(t.pages)
	if t.s.header != nil {
		text, x := t.s.header(n)
		t.put(x, 40, 8, text, 0)
	}
	if t.s.footer != nil {
		t.put(float64(t.width())/2-20, pageHeight-30, 8, t.s.footer(n), 0)
	}
	if t.s.notes {
		t.put(sideMargin, pageHeight-topMargin-6, 5, fmt.Sprint(n), 0)
		names := []string{"Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gwen"}
		t.put(sideMargin+5, pageHeight-topMargin-3, 7, names[n%7]+" and "+names[n/7%7]+" know a note that nobody reads.", 0)
	}
}

// put writes a text at a place of the current page.
func (t *typesetter) put(x, y, size float64, text string, spread float64) {
	raw, err := charmap.Windows1252.NewEncoder().Bytes([]byte(text))
	if err != nil {
		panic(err)
	}
	escaped := strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(string(raw))
	t.pages[len(t.pages)-1] += fmt.Sprintf("BT /F1 %g Tf %.2f Tw 1 0 0 1 %.2f %.2f Tm (%s) Tj ET\n", size, spread, x, pageHeight-y, escaped)
}

// lines sets a paragraph in lines of some characters. Words of letters are divided where they do not fit.
func (s setting) lines(paragraph string, width int) []string {
	var lines []string
	line := []rune(nil)
	free := func() int {
		left := width - len(line)
		if len(lines) == 0 {
			left -= s.indent
		}
		if len(line) > 0 {
			left--
		}
		return left
	}
	add := func(word []rune) {
		if len(line) > 0 {
			line = append(line, ' ')
		}
		line = append(line, word...)
	}
	for _, w := range strings.Fields(paragraph) {
		word := []rune(w)
		for len(word) > free() {
			if n := division(word, free()); n > 0 {
				add(word[:n])
				if word[n-1] != '-' {
					line = append(line, '-')
				}
				word = word[n:]
			}
			lines, line = append(lines, string(line)), nil
		}
		add(word)
	}
	return append(lines, string(line))
}

// division returns after how many characters a word is divided so that the first part fits; 0 if it is not divided.
func division(word []rune, free int) int {
	for n := min(free, len(word)-1); n > 1; n-- {
		if word[n-1] == '-' && unicode.IsLetter(word[n]) {
			return n
		}
	}
	for _, r := range word {
		if !unicode.IsLetter(r) {
			return 0
		}
	}
	if n := min(free-1, len(word)-3); n >= 3 && len(word) >= 7 {
		return n
	}
	return 0
}

// bohemia returns the paragraphs of a story.
func bohemia(t *testing.T) []string {
	t.Helper()
	raw, err := os.ReadFile("testdata/bohemia.txt")
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(raw)), "\n\n")
}

// intact returns how many paragraphs are in a text as they are.
func intact(paragraphs []string, text string) (n int, missing []string) {
	left := map[string]int{}
	for _, p := range strings.Split(text, "\n\n") {
		left[p]++
	}
	for _, p := range paragraphs {
		if left[p] == 0 {
			missing = append(missing, p)
			continue
		}
		left[p]--
		n++
	}
	return n, missing
}

func roman(n int) string {
	return strings.Repeat("x", n/10) + []string{"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"}[n%10]
}

// The same story, set as books and papers are: all of its paragraphs are read as they are, and nothing else.
func TestPDFBooks(t *testing.T) {
	story := bohemia(t)
	for name, s := range map[string]setting{
		"indented, page numbers": {
			title: "A Scandal in Bohemia", columns: 1, indent: 3,
			header: func(int) (string, float64) { return "The Adventures of Sherlock Holmes", 120 },
			footer: func(n int) string { return fmt.Sprint(n) },
		},
		"spaced, ragged, page of": {
			title: "A Scandal in Bohemia", columns: 1, space: 7, ragged: true,
			header: func(n int) (string, float64) { return fmt.Sprintf("Doyle | Page %d of 40", n), 200 },
		},
		"alternating headers with numbers": {title: "A Scandal in Bohemia", columns: 1, indent: 2, header: func(n int) (string, float64) {
			if n%2 == 0 {
				return fmt.Sprintf("%d   ARTHUR CONAN DOYLE", n+10), sideMargin
			}
			return fmt.Sprintf("Chapter %d: Part %d   %d", n/8+1, n/8+1, n+10), 200
		}},
		"columns, Roman numbers": {
			title: "A Scandal in Bohemia", columns: 2, indent: 2,
			footer: func(n int) string { return "- " + roman(n) + " -" },
		},
		"footnotes": {
			title: "Microsoft Word - bohemia.doc", columns: 1, indent: 3, notes: true,
			footer: func(n int) string { return fmt.Sprint(n + 100) },
		},
	} {
		doc := read(t, "A Scandal in Bohemia.pdf", s.book(story))
		n, missing := intact(story, doc.Text)
		require.Empty(t, missing, "%s: %d of %d", name, n, len(story))
		require.Equal(t, len(strings.Fields(strings.Join(story, " "))), len(strings.Fields(doc.Text)), "%s: nothing else is read", name)
		require.Equal(t, "A Scandal in Bohemia", doc.Title, name)
		if s.notes {
			require.Equal(t, []string{"footnotes", "page_numbers"}, codes(doc.Notes))
		}
	}
}

// piece is a text at a place of a page.
type piece struct {
	x, y, size float64
	text       string
}

// laidOut returns a PDF file of pages with texts at places.
func laidOut(title string, pages ...[]piece) string {
	t := &typesetter{}
	for _, page := range pages {
		t.pages = append(t.pages, "")
		for _, p := range page {
			t.put(p.x, p.y, p.size, p.text, 0)
		}
	}
	return pdfFile(title, "Courier", bookWidth, pageHeight, t.pages)
}

// body returns lines of the usual text, one below the other.
func body(y float64, lines ...string) []piece {
	var all []piece
	for i, line := range lines {
		all = append(all, piece{50, y + float64(i)*linePitch, typeSize, line})
	}
	return all
}

func TestPDFPages(t *testing.T) {
	page := func(pieces []piece, more ...piece) []piece { return append(pieces, more...) }
	filler := func(n int) []piece {
		word := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh"}[n]
		return body(100, "The "+word+" page has its own words, "+word+" of all.", "So it ends.")
	}
	for name, c := range map[string]struct {
		pages [][]piece
		want  string
		notes []string
	}{
		"chapters that begin pages are text": {[][]piece{
			page(filler(0), piece{50, 60, 16, "Chapter 1"}), page(filler(1), piece{50, 60, 16, "Chapter 2"}), page(filler(2), piece{50, 60, 16, "Chapter 3"}),
		}, "Chapter 1\n\nThe first page has its own words, first of all. So it ends.\n\nChapter 2\n\nThe second page has its own words, second of all. So it ends.\n\n" +
			"Chapter 3\n\nThe third page has its own words, third of all. So it ends.", nil},
		"chapter titles in headers are none": {[][]piece{
			page(filler(0), piece{150, 40, 8, "The Storm"}), page(filler(1), piece{150, 40, 8, "The Storm"}), page(filler(2), piece{150, 40, 8, "The Calm"}),
			page(filler(3), piece{150, 40, 8, "The Calm"}), page(filler(4), piece{150, 40, 8, "Home"}),
		}, "The first page has its own words, first of all. So it ends.\n\nThe second page has its own words, second of all. So it ends.\n\nThe third page has its own words, third of all. So it ends.\n\n" +
			"The fourth page has its own words, fourth of all. So it ends.\n\nThe fifth page has its own words, fifth of all. So it ends.", []string{"page_headers"}},
		"titles of sections beside numbers are none": {
			[][]piece{
				page(filler(0), piece{150, 40, 8, "Storm 12"}), page(filler(1), piece{50, 40, 8, "13 The Calm"}), page(filler(2), piece{150, 40, 8, "Home again 14"}),
			},
			"The first page has its own words, first of all. So it ends.\n\nThe second page has its own words, second of all. So it ends.\n\nThe third page has its own words, third of all. So it ends.",
			[]string{"page_headers"},
		},
		"a number at the end is text": {[][]piece{body(100, "It was in the year", "1984")}, "It was in the year 1984", nil},
		"powers, indices and marks": {[][]piece{{
			{50, 100, 10, "Of 10"}, {80, 96, 6, "6"}, {90, 100, 10, "atoms of H"}, {150, 103, 6, "2"}, {153.6, 100, 10, "O, some"}, {195.6, 96, 6, "3"}, {205, 100, 10, "are the 1"}, {259, 96, 6, "st"}, {272, 100, 10, "ones."},
		}}, "Of 10⁶ atoms of H2O, some are the 1st ones.", []string{"note_marks"}},
		"verses": {
			[][]piece{body(100, "I wandered lonely", "As a cloud that floats on high", "Over vales and hills in the wind of May")},
			"I wandered lonely\nAs a cloud that floats on high\nOver vales and hills in the wind of May", nil,
		},
		"contents and a page of pictures": {
			[][]piece{body(100, "The Storm . . . . . . . . . 5", "The Calm ................ 9"), {}, body(100, "It was night.")},
			"It was night.",
			[]string{"contents_lines", "empty_pages"},
		},
		"contents with numbers apart": {[][]piece{{{50, 100, 10, "1.2"}, {110, 100, 10, "The Storm . . . . . . . 5"}, {50, 140, 10, "He fell silent. . . . Then he went."}}}, "He fell silent. . . . Then he went.", []string{"contents_lines"}},
		"items of a list": {[][]piece{append(body(100, "These are the rules of this house:"), piece{62, 112.5, 10, "\u2022 A rule that is so long that it"}, piece{74, 125, 10, "goes on in the next line"},
			piece{62, 137.5, 10, "\u2022 Another one"})}, "These are the rules of this house:\n• A rule that is so long that it goes on in the next line\n• Another one", nil},
		"across pages": {
			[][]piece{page(body(100, "This sentence goes on and has a long exam-"), piece{200, 560, 8, "7"}), page(body(100, "ple on the next page, in a state-of-the-", "art book."), piece{200, 560, 8, "8"})},
			"This sentence goes on and has a long example on the next page, in a state-of-the-art book.",
			[]string{"page_numbers"},
		},
	} {
		doc := read(t, "a.pdf", laidOut("", c.pages...))
		require.Equal(t, c.want, doc.Text, name)
		require.Equal(t, c.notes, codes(doc.Notes), name)
	}
	xmp := "%<rdf:RDF><dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">Cats &amp; dogs</rdf:li></rdf:Alt></dc:title></rdf:RDF>\n"
	require.Equal(t, "Cats & dogs", read(t, "a.pdf", laidOut("Microsoft Word - cats.doc", filler(0))+xmp).Title)
	require.Equal(t, "Dogs", read(t, "a.pdf", laidOut("Dogs", filler(0))+xmp).Title)
}

// Margins and indents that several numbers may be are the same each time that it is read.
func TestPDFIsReadTheSameEachTime(t *testing.T) {
	line := func(x, y float64, text string) piece { return piece{x, y, typeSize, text} }
	full := "of a line that goes on and on to the end"
	var indents []piece
	for i := range 12 {
		y := 100 + 3*linePitch*float64(i)
		indents = append(indents, line([]float64{62, 74}[i%2], y, "One "+full), line(50, y+linePitch, "Two "+full), line(50, y+2*linePitch, "three "+full))
	}
	var aligned [][]piece
	for i := range 4 {
		page := []piece{}
		for k := range 12 {
			page = append(page, line([]float64{50, 56}[i%2], 200+linePitch*float64(k), string(rune('A'+i))+string(rune('a'+k))+" "+full))
		}
		aligned = append(aligned, page, []piece{line(62, 200, "A line "+full), line(56, 200+linePitch, "some more "+full), line(62, 200+2*linePitch, "of it "+full)})
	}
	for name, file := range map[string]string{"indents": laidOut("", indents), "columns": laidOut("", aligned...)} {
		want := read(t, "a.pdf", file).Text
		for range 24 {
			require.Equal(t, want, read(t, "a.pdf", file).Text, name)
		}
	}
}
