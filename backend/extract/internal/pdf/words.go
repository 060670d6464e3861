package pdf

import (
	"bytes"
	"cmp"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/extract/internal/notemark"
	"github.com/voicewright/voicewright/backend/extract/internal/plaintext"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
)

// page is a page as pdftotext -bbox-layout describes it. Lengths are in points, from the upper left corner.
type page struct {
	height float64
	lines  []*textLine
}

// word is a word with the box around it.
type word struct {
	x0, y0, x1, y1 float64
	text           string
}

// textLine is a line of words.
type textLine struct {
	x0, y0, x1, y1 float64
	text           string
	size           float64 // height of most of its words
	firstWord      float64 // width
	marks          []string
	marked         string // text with the marks of notes, as blocks.Marked writes them
	raised         bool   // its first word is a raised mark, as of a footnote

	left, right float64 // the margins of its column
	column      int     // number of the column in the document
	page        int
}

// output reads what pdftotext writes, a tag a line, while it comes.
type output struct {
	limit    int64 // bytes of text, and a part of the bytes of output
	exceeded func()

	title   string
	author  string
	pages   []*page
	words   []word // of the current line
	pending []byte // an incomplete line of output
	full    bool
	read    int64 // bytes of output
	kept    int64 // bytes of text
}

const (
	outputShare = 12  // times the limit of the text that the output may have: the tag of a word has about 90 bytes
	pageBytes   = 100 // that a page counts as, beside its text
)

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.read += int64(len(p))
	remaining := p
	for !o.full {
		end := bytes.IndexByte(remaining, '\n')
		if end < 0 {
			o.pending = append(o.pending, remaining...)
			break
		}
		line := remaining[:end]
		if len(o.pending) > 0 {
			line = append(o.pending, line...)
			o.pending = o.pending[:0]
		}
		o.tag(bytes.TrimSpace(line))
		remaining = remaining[end+1:]
		o.full = o.kept > o.limit
	}
	if o.full = o.full || o.read > o.limit*outputShare || int64(len(o.pending)) > o.limit; o.full {
		o.exceeded()
	}
	return len(p), nil
}

// tag reads a line of output.
func (o *output) tag(line []byte) {
	switch {
	case bytes.HasPrefix(line, []byte("<word ")):
		o.word(string(line))
	case bytes.HasPrefix(line, []byte("</line>")):
		o.endLine()
	case bytes.HasPrefix(line, []byte("<page ")):
		o.kept += pageBytes
		o.pages = append(o.pages, &page{height: number(string(line), ` height="`)})
	case bytes.HasPrefix(line, []byte(`<meta name="Author" content="`)):
		o.author = html.UnescapeString(strings.TrimSuffix(strings.TrimPrefix(string(line), `<meta name="Author" content="`), `"/>`))
	case bytes.HasPrefix(line, []byte("<title>")):
		o.title = html.UnescapeString(strings.TrimSuffix(strings.TrimPrefix(string(line), "<title>"), "</title>"))
	}
}

// word adds a word to the current line.
func (o *output) word(s string) {
	tag, text, _ := strings.Cut(s, ">")
	text = strings.TrimSuffix(text, "</word>")
	if strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf || r == '&' || r < ' ' }) {
		text = strings.ToValidUTF8(html.UnescapeString(text), string(utf8.RuneError))
		text = blocks.Unmarked(ligatures.Replace(prose.Clean(strings.ReplaceAll(text, "\u00ad", "-")))) // what a PDF file has is to be seen
	}
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	o.kept += int64(len(text)) + 1
	o.words = append(o.words, word{
		number(tag, ` xMin="`), number(tag, ` yMin="`), number(tag, ` xMax="`), number(tag, ` yMax="`), strings.Clone(text),
	})
}

// number returns the value of an attribute, 0 where there is none.
func number(tag, attribute string) float64 {
	_, value, _ := strings.Cut(tag, attribute)
	value, _, _ = strings.Cut(value, `"`)
	n, err := strconv.ParseFloat(value, 64)
	if err != nil || n != n || n < -1e6 || n > 1e6 {
		return 0
	}
	return n
}

// endLine adds the current line to its page.
func (o *output) endLine() {
	words := o.words
	o.words = nil
	if len(words) == 0 || len(o.pages) == 0 {
		return
	}
	page := o.pages[len(o.pages)-1]
	line := newLine(words)
	line.page = len(o.pages) - 1
	page.lines = append(page.lines, line)
}

// newLine returns the line of some words.
func newLine(words []word) *textLine {
	var text strings.Builder
	for _, w := range words {
		text.WriteString(w.text)
	}
	if !isRightToLeft(text.String()) {
		return setLine(words, false)
	}
	l := setLine(mirror(words), true)
	l.x0, l.x1 = -l.x1, -l.x0
	return l
}

// setLine returns the line of words that are read from left to right, if need be in a mirror.
func setLine(words []word, rightToLeft bool) *textLine {
	slices.SortStableFunc(words, func(a, b word) int { return cmp.Compare(a.x0, b.x0) })
	logical(words, rightToLeft)
	l := &textLine{
		x0: words[0].x0, x1: words[0].x1, y0: words[0].y0, y1: words[0].y1, firstWord: words[0].x1 - words[0].x0,
		size: commonHeight(words),
	}
	base := 0.0 // the lower end of words of the usual size
	for _, w := range words {
		l.x1, l.y0, l.y1 = max(l.x1, w.x1), min(l.y0, w.y0), max(l.y1, w.y1)
		if !l.isSmall(w) {
			base = max(base, w.y1)
		}
	}
	var out, marked strings.Builder
	write := func(s string) {
		out.WriteString(s)
		marked.WriteString(s)
	}
	for i, w := range words {
		isRaised := l.isSmall(w) && w.y1 < base-0.08*l.size
		if i == 0 {
			l.raised = isRaised && isMark(w.text)
			write(w.text)
			continue
		}
		if isRaised && isMark(w.text) && w.x0-words[i-1].x1 < 0.3*l.size {
			power, isNote := notemark.Raised{Words: w.text, Sup: true}.Spoken(out.String(), true, ' ')
			if isNote {
				l.marks = append(l.marks, w.text)
				marked.WriteString(blocks.Marked(backend.ClassNoteMarks, w.text))
			}
			write(power)
			continue
		}
		if !l.isJoined(words, i, out.String()) {
			write(" ")
		}
		write(w.text)
	}
	l.text, l.marked = strings.TrimSpace(out.String()), strings.TrimSpace(marked.String())
	if r, _ := utf8.DecodeRuneInString(l.text); plaintext.IsSpaceless(r) {
		l.firstWord = min(l.firstWord, l.size) // a line may end after each character
	}
	return l
}

// isSmall reports whether a word is smaller than those of its line.
func (l *textLine) isSmall(w word) bool { return w.y1-w.y0 < 0.8*l.size }

// isJoined reports whether word i follows the text before it without a space: a power, an index, the ending of an ordinal, what
// stands behind one, or a hyphen at the end of the line.
func (l *textLine) isJoined(words []word, i int, text string) bool {
	w, gap := words[i], words[i].x0-words[i-1].x1
	before, _ := utf8.DecodeLastRuneInString(text)
	return l.isSmall(w) && gap < 0.12*l.size ||
		l.isSmall(words[i-1]) && gap < 0.06*l.size && !l.raised ||
		i == len(words)-1 && isHyphen(w.text) && gap < 0.15*l.size && unicode.IsLetter(before)
}

func isHyphen(s string) bool { return s == "-" || s == "\u2010" }

// commonHeight returns the height of the words with the most characters.
func commonHeight(words []word) float64 {
	count := map[float64]int{}
	best := words[0].y1 - words[0].y0
	for _, w := range words {
		height := float64(int((w.y1-w.y0)*10)) / 10
		count[height] += utf8.RuneCountInString(w.text)
		if count[height] > count[best] || count[height] == count[best] && height > best {
			best = height
		}
	}
	return best
}

// isMark reports whether a word can be the mark of a note.
func isMark(s string) bool {
	for _, r := range s {
		if !unicode.IsDigit(r) && !strings.ContainsRune("*†‡§¶,[]()", r) {
			return false
		}
	}
	return len(s) <= 8
}
