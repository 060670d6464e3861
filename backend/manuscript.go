package backend

import (
	"regexp"
	"strings"
)

// BlockKind is what a block of a manuscript is.
type BlockKind string

// The kinds of blocks.
const (
	BlockHeading   BlockKind = "heading"
	BlockParagraph BlockKind = "paragraph"
	BlockList      BlockKind = "list" // an item of one
	BlockQuote     BlockKind = "quote"
	BlockVerse     BlockKind = "verse" // a stanza, its lines apart
	BlockScene     BlockKind = "scene" // a break between scenes, without words
	BlockNote      BlockKind = "note"
	BlockTable     BlockKind = "table" // a row of one
	BlockImage     BlockKind = "image" // its caption or description
)

// TextClass is what words of a manuscript are that need not be read aloud; empty for the text of the work.
type TextClass string

// The classes of words, in the order in which they are listed. Each is a switch: its words are read aloud or left out.
const (
	ClassNotes       TextClass = "notes"        // footnotes and endnotes
	ClassNoteMarks   TextClass = "note_marks"   // the numbers and signs of notes in the text
	ClassPageNumbers TextClass = "page_numbers" // of the printed edition
	ClassPageHeaders TextClass = "page_headers" // headers and footers of the printed edition
	ClassCitations   TextClass = "citations"    // [12], (Smith, 2020)
	ClassURLs        TextClass = "urls"
	ClassTables      TextClass = "tables" // of data; a play laid out as a table is text
	ClassCaptions    TextClass = "captions"
	ClassContents    TextClass = "contents" // tables of contents, lists of pages
	ClassFrontMatter TextClass = "front_matter"
	ClassBackMatter  TextClass = "back_matter"
	ClassAside       TextClass = "aside" // outside of the reading order: linear="no", hidden parts, text along the edge of a page
)

// TextClasses returns the classes in the order in which they are listed. All are left out where nothing else is chosen.
func TextClasses() []TextClass {
	return []TextClass{
		ClassNotes, ClassNoteMarks, ClassPageNumbers, ClassPageHeaders, ClassCitations, ClassURLs, ClassTables, ClassCaptions,
		ClassContents, ClassFrontMatter, ClassBackMatter, ClassAside,
	}
}

// Manuscript is the text of a book as it is in its file, with every word of it.
type Manuscript struct {
	ManuscriptMeta
	Cover  *Cover
	Blocks []Block // in reading order
}

// ManuscriptMeta is what a file says about its book. Empty strings are unknown.
type ManuscriptMeta struct {
	Title       string   `json:"title"`
	Authors     []string `json:"authors"`
	Language    string   `json:"language"` // BCP 47
	Description string   `json:"description"`
	Publisher   string   `json:"publisher"`
	Year        string   `json:"year"` // four digits
	ISBN        string   `json:"isbn"`
	Series      string   `json:"series"`
	SeriesPart  string   `json:"series_part"`
}

// Block is a paragraph, a heading or another part of a manuscript that stands alone.
type Block struct {
	Kind     BlockKind `json:"kind"`
	Level    int       `json:"level,omitempty"` // of a heading: 1 is the highest
	Spans    []Span    `json:"spans,omitempty"` // none for a break between scenes
	Begins   []Section `json:"begins,omitempty"`
	Language string    `json:"language,omitempty"` // of its part of the file, BCP 47; empty where it is that of the whole
}

// Section is an entry of the table of contents that begins with a block. A part without a place of its own begins with its first
// chapter.
type Section struct {
	Title string `json:"title"`
	Level int    `json:"level"` // 1 is the outermost
}

// Span is text within a block that has one class.
type Span struct {
	Text  string    `json:"text"` // lines of a verse are apart by a line end; empty for a picture, whose description is Say
	Class TextClass `json:"class,omitempty"`
	Say   string    `json:"say,omitempty"` // the reading that is spoken in place of Text (ruby)

	Markup bool `json:"markup,omitempty"` // Text was written by the user, and may have markup such as pauses
}

// wordRune is a letter, digit, mark or low line, of which words consist.
const wordRune = `[\p{L}\p{N}\p{M}_]`

// word matches a word: apostrophes and hyphens within one belong to it.
var word = regexp.MustCompile(wordRune + `+(?:['’‐‑-]` + wordRune + `+)*`)

// invisible are the characters that do not end a word: soft hyphen, zero-width characters, byte order mark.
var invisible = strings.NewReplacer("\u00AD", "", "\u200B", "", "\u200C", "", "\u200D", "", "\u2060", "", "\uFEFF", "")

// Words returns the words of a text in order. In Chinese, Japanese and Thai, which have no blanks, a run of letters is one word.
func Words(s string) []string { return word.FindAllString(invisible.Replace(s), -1) }

// WordCount is how many words have a class.
type WordCount struct {
	Class  TextClass // empty for the text of the work
	Words  int
	Sample string // the first of them, at most 80 characters
}

// sampleLength is the most characters of a sample.
const sampleLength = 80

// CountWords returns how many words blocks have, all together and by class: first the text of the work, then the classes in the order
// of TextClasses, without those that have no words. A word whose characters have several classes, such as "word" with the mark of a
// note directly behind it, counts in the class of its first character, so that the classes together are all words. Blocks end a word,
// and so does a span without text (a picture).
func CountWords(blocks []Block) (total int, classes []WordCount) {
	counts := map[TextClass]*WordCount{}
	for _, b := range blocks {
		b.countWords(counts)
	}
	for _, class := range append([]TextClass{""}, TextClasses()...) {
		if c := counts[class]; c != nil && c.Words > 0 {
			c.Sample = FirstWords(strings.Join(strings.Fields(c.Sample), " "), sampleLength)
			total += c.Words
			classes = append(classes, *c)
		}
	}
	return total, classes
}

// countWords adds the words of a block.
func (b Block) countWords(counts map[TextClass]*WordCount) {
	var text strings.Builder
	var starts []int // of the spans in text
	for i, span := range b.Spans {
		if span.Text == "" && i > 0 {
			text.WriteByte(' ')
		}
		starts = append(starts, text.Len())
		text.WriteString(invisible.Replace(span.Text))
		c := counts[span.Class]
		if c == nil {
			c = &WordCount{Class: span.Class}
			counts[span.Class] = c
		}
		if len(c.Sample) < 4*sampleLength {
			c.Sample += " " + FirstWords(span.Text, 4*sampleLength)
		}
	}
	at := 0
	for _, found := range word.FindAllStringIndex(text.String(), -1) {
		for at+1 < len(starts) && starts[at+1] <= found[0] {
			at++
		}
		counts[b.Spans[at].Class].Words++
	}
}
