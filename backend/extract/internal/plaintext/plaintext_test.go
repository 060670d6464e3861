package plaintext_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/plaintext"
)

// entries returns the table of contents of a manuscript, and its words by class.
func entries(m backend.Manuscript) (toc []string, words map[backend.TextClass]int) {
	words = map[backend.TextClass]int{}
	for _, b := range m.Blocks {
		for _, s := range b.Begins {
			toc = append(toc, fmt.Sprintf("%d %s", s.Level, s.Title))
		}
		for _, s := range b.Spans {
			words[s.Class] += len(backend.Words(s.Text))
		}
	}
	return toc, words
}

// all returns the words of a manuscript.
func all(m backend.Manuscript) []string {
	var words []string
	for _, b := range m.Blocks {
		for _, s := range b.Spans {
			words = append(words, backend.Words(s.Text)...)
		}
	}
	return words
}

const body = `It was a long way to the river, and nobody had thought of bringing a map,
so they walked on without one until the evening came down over the hills and
the first lights of the town were seen.

"We are there," said the boy.`

func TestChapters(t *testing.T) {
	join := func(parts ...string) string { return strings.Join(parts, "\n\n\n") }
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"words": {join("Chapter 1", body, "Chapter 2", body, "EPILOGUE", body), []string{"1 Chapter 1", "1 Chapter 2", "1 EPILOGUE"}},
		"titles below": {
			join("CHAPTER I.\nDown the Rabbit-Hole", body, "CHAPTER II.\nThe Pool of Tears", body),
			[]string{"1 CHAPTER I. Down the Rabbit-Hole", "1 CHAPTER II. The Pool of Tears"},
		},
		"titles apart": {
			join("CHAPTER I", "The Period", body, "CHAPTER II", "The Mail", body), []string{"1 CHAPTER I. The Period", "1 CHAPTER II. The Mail"},
		},
		"titles with an end": {
			join("CHAPTER I.\nLoomings.\n", body, "CHAPTER II.\nThe Carpet-Bag.\n", body, "CHAPTER III.\nThe Spouter-Inn.\n", body),
			[]string{"1 CHAPTER I. Loomings.", "1 CHAPTER II. The Carpet-Bag.", "1 CHAPTER III. The Spouter-Inn."},
		},
		"parts": {
			join("PROLOGUE", body, "Part One", "Chapter the First", body, "Chapter the Second", body, "Part Two\nThe Sea", "Chapter the Third", body),
			[]string{
				"1 PROLOGUE", "1 Part One", "2 Chapter the First", "2 Chapter the Second", "1 Part Two. The Sea", "2 Chapter the Third",
			},
		},
		"parts of books": {
			join("Book I", "Part I", "Chapter I", body, "Chapter II", body, "Part II", "Chapter I", body, "Book II", "Part I", "Chapter I", body),
			[]string{
				"1 Book I", "2 Part I", "3 Chapter I", "3 Chapter II", "2 Part II", "3 Chapter I", "1 Book II", "2 Part I", "3 Chapter I",
			},
		},
		"on lines without a blank one": {
			"Book the First--Recalled to Life\nCHAPTER I.\nThe Period\n\n" + join(body, "CHAPTER II.\nThe Mail", body),
			[]string{"1 Book the First--Recalled to Life", "2 CHAPTER I. The Period", "2 CHAPTER II. The Mail"},
		},
		"numerals":      {join("I", body, "II", body, "III", body), []string{"1 I", "1 II", "1 III"}},
		"numbers":       {join("1.", body, "2.", body), []string{"1 1.", "1 2."}},
		"numbers parts": {join("Part 1", "1", body, "2", body, "Part 2", "1", body, "2", body), []string{"1 Part 1", "2 1", "2 2", "1 Part 2", "2 1", "2 2"}},
		"stories": {
			join("I. A Scandal in Bohemia", "I.", body, "II.", body, "II. The Red-Headed League", body, "III. A Case of Identity", body),
			[]string{"1 I. A Scandal in Bohemia", "2 I.", "2 II.", "1 II. The Red-Headed League", "1 III. A Case of Identity"},
		},
		"numbers in stories": {
			join("I", body, "I", body, "II", body, "II", body, "III", body, "I", body, "II", body),
			[]string{"1 I", "2 I", "2 II", "1 II", "1 III", "1 I", "1 II"},
		},
		"titles behind blank lines": {
			join("The Trip\n\nby Anna Bell", "\n\nThe Way", body, "\n\nThe River", "I", body, "II", body),
			[]string{"1 The Way", "1 The River", "2 I", "2 II"},
		},
		"the start of a text": {
			join("Chapter 1", "BOOK I. (FOLIO), CHAPTER I. (SPERM WHALE).—This whale, among the English\nof old vaguely known.\n\n"+body, "Chapter 2", body),
			[]string{"1 Chapter 1", "1 Chapter 2"},
		},
		"a list": {join(body, "1. Buy milk", "2. Buy bread", "3. Go home", body), nil},
		"a year": {join(body, "1984", body), nil},
		"none":   {body, nil},
		"German": {
			join("Erster Teil", "Erstes Kapitel\nDie Ankunft", body, "Zweites Kapitel\nDas Fest", body),
			[]string{"1 Erster Teil", "2 Erstes Kapitel. Die Ankunft", "2 Zweites Kapitel. Das Fest"},
		},
		"Russian":  {join("ЧАСТЬ ПЕРВАЯ", "I", body, "II", body), []string{"1 ЧАСТЬ ПЕРВАЯ", "2 I", "2 II"}},
		"Chinese":  {join("第一章 猫", "吾輩は猫である。名前はまだ無い。", "第二章 犬", "吾輩は犬である。"), []string{"1 第一章 猫", "1 第二章 犬"}},
		"play":     {join("ACT I", "SCENE I. A room.", body, "SCENE II. A wood.", body), []string{"1 ACT I", "2 SCENE I. A room.", "2 SCENE II. A wood."}},
		"an empty": {join("Chapter 1", body, "Chapter 2", "Chapter 3", body), []string{"1 Chapter 1", "1 Chapter 2", "1 Chapter 3"}},
		"within a sentence": {
			join("Chapter 1", "He opened the book that she gave him and read aloud to all what it says in\npart two: the sea is deep.", "Chapter 2", body),
			[]string{"1 Chapter 1", "1 Chapter 2"},
		},
	} {
		m := plaintext.Read(c.text)
		toc, words := entries(m)
		require.Equal(t, c.want, toc, name)
		require.Equal(t, backend.Words(c.text), all(m), "%s: every word is kept in its order", name)
		require.Len(t, words, 1, name)
	}
}

// The first chapter of a part begins with it.
func TestPartsWithoutText(t *testing.T) {
	m := plaintext.Read("Part One\n\nThe Sea\n\nChapter 1\n\n" + body + "\n\nChapter 2\n\n" + body)
	require.Equal(t, []backend.Section{{Title: "Part One. The Sea", Level: 1}, {Title: "Chapter 1", Level: 2}}, m.Blocks[0].Begins)
	require.Empty(t, m.Blocks[2].Begins)
	require.Equal(t, backend.BlockHeading, m.Blocks[2].Kind)
}

func TestContents(t *testing.T) {
	join := func(parts ...string) string { return strings.Join(parts, "\n\n") }
	for name, c := range map[string]struct {
		text     string
		want     []string
		contents int // words
	}{
		"lines": {
			join("The Trip", "CONTENTS", "CHAPTER I. The Way\nCHAPTER II. The River\nCHAPTER III. Home", "CHAPTER I.\nThe Way", body, "CHAPTER II.\nThe River", body,
				"CHAPTER III.\nHome", body),
			[]string{"1 CHAPTER I. The Way", "1 CHAPTER II. The River", "1 CHAPTER III. Home"},
			12,
		},
		"with parts and no heading": {
			join("Part One", "Chapter 1\nChapter 2", "Part Two", "Chapter 3\nChapter 4", "Part One", "Chapter 1", body, "Chapter 2", body,
				"Part Two", "Chapter 3", body, "Chapter 4", body),
			[]string{"1 Part One", "2 Chapter 1", "2 Chapter 2", "1 Part Two", "2 Chapter 3", "2 Chapter 4"},
			12,
		},
		"before a preface": {
			join("Contents", "Chapter 1\n\nChapter 2\n\nChapter 3", body, "Chapter 1", body, "Chapter 2", body, "Chapter 3", body),
			[]string{"1 Chapter 1", "1 Chapter 2", "1 Chapter 3"},
			7,
		},
		"numbered": {
			join("Contents", "I. The Way\nII. The River\nIII. Home", "I. The Way", body, "II. The River", body, "III. Home", body),
			[]string{"1 I. The Way", "1 II. The River", "1 III. Home"},
			9,
		},
		"only titles": {
			join("CONTENTS", "The Way ..... 1\nThe River ..... 7\nAt Home Again ..... 12", "The Way", body, "THE RIVER", body, "At home again", body),
			[]string{"1 The Way", "1 THE RIVER", "1 At home again"},
			11,
		},
		"titles on lines of their own": {
			join("CHAPTER I", "The Period", "CHAPTER II", "The Mail", "CHAPTER III", "The Night", "CHAPTER I", "The Period", body, "CHAPTER II", "The Mail", body, "CHAPTER III",
				"The Night", body),
			[]string{"1 CHAPTER I. The Period", "1 CHAPTER II. The Mail", "1 CHAPTER III. The Night"},
			12,
		},
	} {
		m := plaintext.Read(c.text)
		toc, words := entries(m)
		require.Equal(t, c.want, toc, name)
		require.Equal(t, c.contents, words[backend.ClassContents], name)
		require.Equal(t, backend.Words(c.text), all(m), name)
	}
}

func TestGutenberg(t *testing.T) {
	text := "The Project Gutenberg eBook of The Trip\n\nThis eBook is for the use of anyone.\n\nTitle: The Trip\n        to the River\n\nAuthor: Anna Bell\n\n" +
		"Language: English\n\n*** START OF THE PROJECT GUTENBERG EBOOK THE TRIP ***\n\nProduced by somebody.\n\nTHE TRIP\n\nby Anna Bell\n\n[Illustration: A river]\n\n" +
		"CHAPTER I\n\n" + body + "\n\n[Footnote 1: It was the Thames.]\n\nCHAPTER II\n\n" + body + "\n\n* * *\n\n" + body +
		"\n\nEnd of the Project Gutenberg EBook\n\n*** END OF THE PROJECT GUTENBERG EBOOK THE TRIP ***\n\nCHAPTER III of the licence. Section 1.\n\nSection 2. More"
	m := plaintext.Read(text)
	toc, words := entries(m)
	require.Equal(t, []string{"1 CHAPTER I", "1 CHAPTER II"}, toc)
	require.Equal(t, backend.ManuscriptMeta{Title: "The Trip to the River", Authors: []string{"Anna Bell"}, Language: "en"}, m.ManuscriptMeta)
	require.Equal(t, map[backend.TextClass]int{
		"": 2 + 3 + 2*2 + 3*len(backend.Words(body)), backend.ClassFrontMatter: 37, backend.ClassBackMatter: 24, backend.ClassCaptions: 3, backend.ClassNotes: 6,
	}, words)
	require.Equal(t, backend.Words(text), all(m))
	require.True(t, slices.ContainsFunc(m.Blocks, func(b backend.Block) bool { return b.Kind == backend.BlockScene }))
}

func TestTitles(t *testing.T) {
	for text, want := range map[string]backend.ManuscriptMeta{
		"The Trip\n\nby Anna Bell\n\n" + body:          {Title: "The Trip", Authors: []string{"Anna Bell"}},
		"THE TRIP\nBY\nANNA BELL\n\n" + body:           {Title: "THE TRIP", Authors: []string{"ANNA BELL"}},
		"Die Reise\n\nvon Anna Bell\n\n" + body:        {Title: "Die Reise", Authors: []string{"Anna Bell"}},
		"Title: The Trip\nAuthor: A. Bell\n\n" + body:  {Title: "The Trip", Authors: []string{"A. Bell"}},
		"Chapter 1\n\n" + body:                         {},
		body:                                           {},
		"The Trip\n\n" + body + "\n\n" + body + "\n\n": {Title: "The Trip"},
	} {
		require.Equal(t, want, plaintext.Read(text).ManuscriptMeta, text)
	}
}

// Lines that are wrapped are one paragraph, those of poems stay, and long lines are paragraphs.
func TestLines(t *testing.T) {
	kinds := func(text string) (out []string) {
		for _, b := range plaintext.Read(text).Blocks {
			line := string(b.Kind)
			if len(b.Spans) > 0 {
				line += ": " + b.Spans[0].Text
			}
			out = append(out, line)
		}
		return out
	}
	wrapped := strings.ReplaceAll(strings.Split(body, "\n\n")[0], "\n", " ")
	require.Equal(t, []string{"paragraph: " + wrapped, `paragraph: "We are there," said the boy.`}, kinds(body))
	poem := "Tyger Tyger, burning bright,\nIn the forests of the night;\nWhat immortal hand or eye,\nCould frame thy fearful symmetry?"
	require.Equal(t, "verse: "+poem, kinds(body + "\n\n" + poem)[2])
	indented := "  It was a long way to the river, and nobody had thought of bringing a map,\nso they walked on without one.\n" +
		"  The evening came down over the hills and the first lights of the town were\nseen."
	require.Len(t, kinds(indented), 2)
	long := strings.Repeat("A long line. ", 20)
	require.Len(t, kinds(long+"\n"+long+"\nShort.\n"+long), 4)
	require.Equal(t, []string{"paragraph: 吾輩は猫である。名前はまだ無い。"}, kinds("吾輩は猫である。\n名前はまだ無い。"))
	require.Equal(t, []string{"paragraph: One.", "scene", "paragraph: Two."}, kinds("One.\n* * *\nTwo."))
	pages := strings.Repeat(body+"\n\nand she said that\n\n7\n\nit was so.\n\n", 1)
	require.NotContains(t, kinds(pages), "heading: 7")
}

func TestPageNumbers(t *testing.T) {
	var text strings.Builder
	for i := range 12 {
		fmt.Fprintf(&text, "%s And then they walked on and on and\n\n%d\n\ncame to another river.\n\n", body, i+1)
	}
	toc, words := entries(plaintext.Read(text.String()))
	require.Empty(t, toc)
	require.Equal(t, 12, words[backend.ClassPageNumbers])
}

func TestManyHeadings(t *testing.T) {
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "Chapter %d\n\nIt was so.\n\n", i%9999+1)
	}
	toc, _ := entries(plaintext.Read(text.String()))
	require.Len(t, toc, 10_000)
	require.Empty(t, plaintext.Read("").Blocks)
	require.Empty(t, plaintext.Read("\n\n\n").Blocks)

	text.Reset()
	for range 10_000 {
		text.WriteString("1\n\n2\n\nContents\n\nPart One\n\nIt was so.\n\n")
	}
	require.Equal(t, backend.Words(text.String()), all(plaintext.Read(text.String())))
}

func TestHostileTexts(t *testing.T) {
	long := strings.Repeat("It was so. ", 30_000)
	var headings strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&headings, "Chapter %d\n\n", i%5_000)
	}
	require.Equal(t, backend.Words(headings.String()), all(plaintext.Read(headings.String())))
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a long chapter": {"Chapter 1\n\n" + long + "\n\nChapter 2\n\nEnd.", []string{"1 Chapter 1", "1 Chapter 2"}},
		"many lines":     {"Chapter 1\n\n" + strings.Repeat("It was so\n", 30_000), []string{"1 Chapter 1"}},
		"Hebrew":         {"פרק א\n\nזה היה כך.\n\nChapter 1\n\nשלום רב.\n\nChapter 2\n\nשלום.", []string{"1 Chapter 1", "1 Chapter 2"}},
		"Chinese":        {"第一回 猫\n\n吾輩は猫である。\n名前はまだ無い。\n\n第二回 犬\n\n吾輩は犬である。", []string{"1 第一回 猫", "1 第二回 犬"}},
		"only headings":  {"Chapter 1\n\nChapter 2\n\nChapter 3\n\nChapter 4", []string{"1 Chapter 1", "1 Chapter 2", "1 Chapter 3", "1 Chapter 4"}},
		"no letters":     {"* * *\n\n---\n\n!!!", nil},
	} {
		m := plaintext.Read(c.text)
		toc, _ := entries(m)
		require.Equal(t, c.want, toc, name)
		require.Equal(t, strings.Join(backend.Words(strings.ReplaceAll(c.text, "。\n名", "。名")), " "), strings.Join(all(m), " "), name)
	}
}

// Each letter of a text is in exactly one span, in its order.
func FuzzRead(f *testing.F) {
	f.Add("Contents\n\nChapter 1\nChapter 2\n\nPart One\n\nChapter 1\nThe Way\n\n" + body + "\n\nII\n\n* * *\n\n第一章\n\n猫\n")
	f.Add("Title: A\n B\n\n*** START OF THE PROJECT GUTENBERG EBOOK\n\nI. One\n\n1.\n\n2.\n\n\n\n\nB\n\nII. Two\n\n*** END OF THE PROJECT GUTENBERG EBOOK")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "") // as it is decoded
		letters := func(s string) string {
			return strings.Map(func(r rune) rune {
				if unicode.IsLetter(r) || unicode.IsNumber(r) {
					return r
				}
				return -1
			}, s)
		}
		var out strings.Builder
		for _, b := range plaintext.Read(text).Blocks {
			for _, span := range b.Spans {
				out.WriteString(span.Text)
			}
		}
		require.Equal(t, letters(text), letters(out.String()))
		plaintext.Fountain(text)
	})
}

func TestFountain(t *testing.T) {
	m, left := plaintext.Fountain("Title: _**The Trip**_\nAuthor: Anna Bell\n\n# Act One\n\n= They meet.\n\nINT. HOUSE - DAY #1#\n\nAnna enters. [[Should she?]]\nShe sits. /* not\n\nthis */\n\n" +
		"ANNA (O.S.)\n(softly)\nHello,\nBen.\n\n> CUT TO:\n\n.ON THE ROAD\n\n>The End<\n\n===\n\n!BEN WALKS.")
	require.Equal(t, backend.ManuscriptMeta{Title: "The Trip", Authors: []string{"Anna Bell"}}, m.ManuscriptMeta)
	var lines []string
	for _, b := range m.Blocks {
		lines = append(lines, fmt.Sprintf("%s%d %s", b.Kind, b.Level, b.Spans[0].Text))
	}
	require.Equal(t, []string{
		"paragraph0 Title: The Trip", "paragraph0 Author: Anna Bell", "heading1 Act One", "heading2 INT. HOUSE - DAY", "paragraph0 Anna enters. She sits.",
		"paragraph0 ANNA (O.S.): (softly) Hello, Ben.", "paragraph0 CUT TO:", "heading2 ON THE ROAD", "paragraph0 The End", "paragraph0 BEN WALKS.",
	}, lines)
	toc, _ := entries(m)
	require.Equal(t, []string{"1 Act One", "2 INT. HOUSE - DAY", "2 ON THE ROAD"}, toc)
	require.Equal(t, 6, left, "They meet; Should she; not this")
}

// Marks without an end are text, and all words are kept or counted.
func TestMarksOfFountain(t *testing.T) {
	for text, want := range map[string]struct {
		words string
		left  int
	}{
		"Tea and/*or milk.\n\nShe walks.":                 {"Tea and or milk She walks", 0},
		"Tea and/*or milk.\n\nShe /* slowly\n\n*/ walks.": {"Tea and or milk She walks", 1},
		"One /* two /* three */ four */ five.":            {"One five", 3},
		"A [[ b.\n\nC [[d]] e.\n\n]] f":                   {"A b C e f", 1},
		"One [[two\n\nthree]] four [[five]].":             {"One two three four", 1},
		"It ends */ here ]].":                             {"It ends here", 0},
		"ANNA\nHello.\n= She waves.":                      {"ANNA Hello", 2},
	} {
		m, left := plaintext.Fountain(text)
		require.Equal(t, want.words, strings.Join(all(m), " "), text)
		require.Equal(t, want.left, left, text)
	}
}
