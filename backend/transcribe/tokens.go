package transcribe

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/width"

	"github.com/voicewright/voicewright/backend"
)

// token is a part of a text that is never broken, with its times in seconds.
type token struct {
	text       string
	spaced     bool // white space precedes it
	start, end float64
}

// tokens returns the parts of a segment. timed is set if their times are those of words; else they are in proportion to the
// text.
func tokens(s backend.Segment) (list []token, timed bool) {
	spans, timed := spansOf(s)
	at, spaced := 0, false
	for parts := words.FromString(s.Text); parts.Next(); {
		part := parts.Value()
		if strings.TrimSpace(part) == "" {
			spaced = true
			continue
		}
		n := utf8.RuneCountInString(part)
		if last := len(list) - 1; last >= 0 && !spaced && !breaks(list[last].text, part) {
			list[last].text += part
			list[last].end = spans.end(at + n)
		} else {
			list = append(list, token{part, spaced, spans.start(at), spans.end(at + n)})
		}
		at, spaced = at+n, false
	}
	return list, timed
}

// breaks reports whether a line may end between two parts without a space between them: in scripts without spaces, but not
// before closing or after opening punctuation, nor before a small or lengthening kana.
func breaks(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	switch {
	case !unspaced(last) && !unspaced(first):
		return false
	case unicode.In(last, unicode.Ps, unicode.Pi) || strings.ContainsRune("ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮー々", first):
		return false
	default:
		return unicode.In(first, unicode.Ps, unicode.Pi) || !unicode.IsPunct(first)
	}
}

// spans are the times of the characters of a segment, white space not counted.
type spans []span

type span struct {
	from, to   int // characters
	start, end float64
}

// spansOf returns one span for each word if the words are the text, else one for the whole segment.
func spansOf(s backend.Segment) (out spans, timed bool) {
	var text strings.Builder
	at, last := 0, s.Start
	for _, w := range s.Words {
		said := unspacedText(w.Word)
		n := utf8.RuneCountInString(said)
		if n == 0 {
			continue
		}
		text.WriteString(said)
		start := min(max(w.Start, last), max(s.End, s.Start))
		end := min(max(w.End, start), max(s.End, s.Start))
		out = append(out, span{at, at + n, start, end})
		at, last = at+n, end
	}
	all := unspacedText(s.Text)
	if text.String() == all && all != "" {
		return out, true
	}
	return spans{{0, utf8.RuneCountInString(all), s.Start, max(s.Start, s.End)}}, false
}

// unspacedText returns a text without its white space.
func unspacedText(s string) string { return strings.Join(strings.Fields(s), "") }

// start returns when the character at i begins.
func (s spans) start(i int) float64 { return s.of(i).at(i) }

// end returns when the character before i ends.
func (s spans) end(i int) float64 { return s.of(i - 1).at(i) }

func (s spans) of(i int) span {
	for _, one := range s {
		if i < one.to {
			return one
		}
	}
	return s[len(s)-1]
}

func (s span) at(i int) float64 {
	if s.to == s.from {
		return s.start
	}
	return s.start + (s.end-s.start)*float64(i-s.from)/float64(s.to-s.from)
}

// script is how wide characters count, and how many fit in a line.
type script struct {
	wide  bool    // most letters are wide
	line  int     // columns of a line
	speed float64 // columns that are read in a second
}

// scriptOf returns the limits for a text: 42 characters a line, for Chinese, Japanese and Korean 16 wide ones, which count as
// two columns.
func scriptOf(text string) script {
	wide, letters := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if isWide(r) {
				wide++
			}
		}
	}
	if 2*wide > letters {
		return script{true, 32, 18}
	}
	return script{false, 42, 17}
}

func isWide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}

// columns returns the width of a line. The last stop or comma of a line of wide characters hangs over its end.
func (s script) columns(line string) int {
	if s.wide {
		line = strings.TrimRight(line, "、。，．")
	}
	n := 0
	for characters := graphemes.FromString(line); characters.Next(); {
		n++
		if r, _ := utf8.DecodeRuneInString(characters.Value()); s.wide && isWide(r) {
			n++
		}
	}
	return n
}
