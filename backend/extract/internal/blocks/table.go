package blocks

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/pattern"
)

// Table is a table of a page that is being read. Tables of data are not read aloud; a play, a poem, a dialogue or paragraphs that are
// laid out as a table are text.
type Table struct {
	From   int  // the block that it begins with
	Layout bool // it says that it is no table
	Nested int  // open tables inside of it

	cells, words int // of cells with words
	sentences    int // words of the cells that hold sentences
	rows, told   int // rows with words, and those of them with a sentence
	inRow, spoke bool
}

// Row begins a row.
func (t *Table) Row() {
	if t != nil {
		t.endRow()
	}
}

func (t *Table) endRow() {
	if t.inRow {
		t.rows++
	}
	if t.spoke {
		t.told++
	}
	t.inRow, t.spoke = false, false
}

// Cell ends a cell with a text.
func (t *Table) Cell(text string) {
	words := len(strings.Fields(text))
	if t == nil || words == 0 || !backend.Speakable(text) {
		return
	}
	t.inRow = true
	t.cells++
	t.words += words
	if isSentence(text) {
		t.sentences += words
		t.spoke = true
	}
}

// sentenceEnd matches the end of a sentence, of a part of one, or of a line of a poem.
var sentenceEnd = pattern.New(`[.!?…,;:—–。！？、」』]["'”’»)\]]*$`)

const (
	sentenceWords   = 3 // the least of a cell that holds a sentence
	sentenceLetters = 8 // the same where words have no blanks
)

// isSentence reports whether a cell holds a sentence or a line of verse, not a name or a figure.
func isSentence(text string) bool {
	text = strings.TrimSpace(text)
	letters, digits := 0, 0
	for _, r := range text {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	long := len(strings.Fields(text)) >= sentenceWords
	if first, _ := utf8.DecodeRuneInString(text); unicode.In(first, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
		long = letters >= sentenceLetters
	}
	return long && digits*4 < letters && sentenceEnd.MatchString(text)
}

// Decide sets the class of the blocks of a table of data, and the kind of those of a text. Most words of a text are in cells that hold
// sentences, in most rows: the names of who speaks in a play are in cells of their own.
func (t *Table) Decide(blocks []backend.Block) {
	t.endRow()
	text := t.Layout || t.cells <= 1 || t.sentences*10 >= t.words*6 && t.told*2 >= t.rows
	for i := range blocks {
		b := &blocks[i]
		text = text || b.Kind == backend.BlockHeading
	}
	for i := range blocks {
		b := &blocks[i]
		if text {
			if b.Kind == backend.BlockTable {
				b.Kind = backend.BlockParagraph
			}
			continue
		}
		for j := range b.Spans {
			b.Spans[j].Class = backend.ClassTables
		}
		b.Spans = mergeSpans(b.Spans)
	}
}
