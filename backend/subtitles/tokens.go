package subtitles

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/words"

	"github.com/voicewright/voicewright/backend"
)

// token is a part of a text that is never broken, with its times in seconds.
type token struct {
	text       string
	spaced     bool // white space precedes it
	open       bool // the next token is of the same word
	start, end float64
}

// tokens returns the parts of a segment. timed is set if their times are those of words; else they are in proportion to the
// text.
func tokens(s backend.Segment) (list []token, timed bool) {
	spans, timed := spansOf(s)
	at := 0
	for _, part := range parts(s.Text) {
		for i, piece := range pieces(part.text, longestPiece) {
			if i > 0 {
				list[len(list)-1].open = true
			}
			n := utf8.RuneCountInString(piece)
			list = append(list, token{piece, part.spaced && i == 0, false, spans.start(at), spans.end(at + n)})
			at += n
		}
	}
	return list, timed
}

// parts returns the parts of a text between which a line may end, without times.
func parts(text string) (list []token) {
	spaced := false
	for all := words.FromString(text); all.Next(); {
		part := all.Value()
		if strings.TrimSpace(part) == "" {
			spaced = true
			continue
		}
		if last := len(list) - 1; last >= 0 && !spaced && !breaks(list[last].text, part) {
			list[last].text += part
		} else {
			list = append(list, token{text: part, spaced: spaced})
		}
		spaced = false
	}
	return list
}

// longestPiece is the most columns of a word that is not cut: those of the narrowest line, without the mark of the cut.
const longestPiece = 31

// pieces cuts a word that fits in no line, after one of the signs of addresses where it can.
func pieces(word string, limit int) []string {
	if len(word) <= limit {
		return []string{word}
	}
	var out []string
	start, columns, sign := 0, 0, 0
	for characters := graphemes.FromString(word); characters.Next(); {
		columns += columnsOf(characters.Value(), true)
		if columns > limit {
			at := characters.Start()
			if sign > start+limit/2 {
				at = sign
			}
			out = append(out, word[start:at])
			start, columns = at, columnsOf(word[at:characters.End()], true)
		}
		if strings.ContainsAny(characters.Value(), "/-._?&=#:@,;") {
			sign = characters.End()
		}
	}
	return append(out, word[start:])
}

// columnsOf returns the width of a text in code points, so that marks count and a line is short enough however characters are
// counted; with wide, wide characters count as two.
func columnsOf(text string, wide bool) (n int) {
	for _, r := range text {
		if n++; wide && isWide(r) {
			n++
		}
	}
	return n
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
	n := sort.Search(len(s)-1, func(k int) bool { return i < s[k].to })
	return s[n]
}

func (s span) at(i int) float64 {
	if s.to == s.from {
		return s.start
	}
	return s.start + (s.end-s.start)*float64(i-s.from)/float64(s.to-s.from)
}
