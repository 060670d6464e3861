package subtitles

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// cutMark ends a line within a word, where nothing but a longer line could keep the word whole. Readers of subtitles take it and
// the line end after it for nothing.
const cutMark = "\u00ad"

// layout is a list of tokens with sums over its beginnings, so that each range of it is measured at once.
type layout struct {
	tokens  []token
	columns [2][]int // of the first n tokens with white space; wide characters count as one or as two
	letters []int
	wide    []int // letters
}

func layoutOf(tokens []token) layout {
	n := len(tokens) + 1
	l := layout{tokens, [2][]int{make([]int, n), make([]int, n)}, make([]int, n), make([]int, n)}
	for i, t := range tokens {
		narrow, wide := columnsOf(t.text, false), columnsOf(t.text, true)
		if t.spaced {
			narrow, wide = narrow+1, wide+1
		}
		letters, wideLetters := 0, 0
		for _, r := range t.text {
			if unicode.IsLetter(r) {
				letters++
				if isWide(r) {
					wideLetters++
				}
			}
		}
		l.columns[0][i+1], l.columns[1][i+1] = l.columns[0][i]+narrow, l.columns[1][i]+wide
		l.letters[i+1], l.wide[i+1] = l.letters[i]+letters, l.wide[i]+wideLetters
	}
	return l
}

// script returns the limits for a range of tokens.
func (l layout) script(from, to int) script {
	if 2*(l.wide[to]-l.wide[from]) > l.letters[to]-l.letters[from] {
		return wideScript
	}
	return narrowScript
}

// width returns the columns of a range as a line. The last stop or comma of a line of wide characters hangs over its end.
func (l layout) width(from, to int, s script) int {
	sums := l.columns[0]
	if s.wide {
		sums = l.columns[1]
	}
	n := sums[to] - sums[from]
	if l.tokens[from].spaced {
		n--
	}
	last := l.tokens[to-1]
	if last.open {
		n++
	}
	if s.wide {
		n -= 2 * (utf8.RuneCountInString(last.text) - utf8.RuneCountInString(strings.TrimRight(last.text, "、。，．")))
	}
	return n
}

// split cuts a range until each part fits in a cue, and returns where the parts end.
func (l layout) split(from, to int, timed bool) []int {
	if to-from == 1 {
		return []int{to}
	}
	at := l.pause(from, to)
	if at == 0 {
		if l.fits(from, to) && !l.tooLong(from, to, timed) {
			return []int{to}
		}
		at = l.breakAt(from, to, l.script(from, to), func(int) bool { return true })
	}
	return append(l.split(from, at, timed), l.split(at, to, timed)...)
}

// pause returns the token of a range before which there is a pause that no cue goes over, 0 if there is none.
func (l layout) pause(from, to int) int {
	for i := from + 1; i < to; i++ {
		if isPause(l.tokens[i-1].end, l.tokens[i].start) {
			return i
		}
	}
	return 0
}

// fits reports whether a range fits in two lines.
func (l layout) fits(from, to int) bool {
	s := l.script(from, to)
	return l.width(from, to, s) <= s.line || l.lineBreak(from, to, s) > 0
}

// tooLong reports whether a range lasts too long for a cue and can be cut. Without times of words only the ends of phrases are
// places to cut.
func (l layout) tooLong(from, to int, timed bool) bool {
	if l.tokens[to-1].end-l.tokens[from].start <= maxCue {
		return false
	}
	for _, t := range l.tokens[from : to-1] {
		if timed || phraseEnd(t.text) > 0 {
			return true
		}
	}
	return false
}

// lineBreak returns where the second line of a range begins, 0 if two lines are not enough.
func (l layout) lineBreak(from, to int, s script) int {
	return l.breakAt(from, to, s, func(i int) bool { return l.width(from, i, s) <= s.line && l.width(i, to, s) <= s.line })
}

// breakAt returns the best allowed place for a break in a range: near the middle, after a phrase, not after a short word, which
// belongs to what follows, and not around brackets alone, which would look like the description of a noise. It returns 0 if no
// place is allowed.
func (l layout) breakAt(from, to int, s script, allowed func(i int) bool) int {
	best, highest := 0, math.Inf(-1)
	total := float64(max(1, l.width(from, to, s)))
	for i := from + 1; i < to; i++ {
		if !allowed(i) {
			continue
		}
		at := float64(l.width(from, i, s)) / total
		score := breakScore(l.tokens[i-1], l.tokens[i]) - math.Abs(at-0.5)
		if l.bracketed(from, i) || l.bracketed(i, to) {
			score--
		}
		if score > highest {
			best, highest = i, score
		}
	}
	return best
}

// bracketed reports whether a range is in brackets.
func (l layout) bracketed(from, to int) bool {
	first, last := l.tokens[from].text, l.tokens[to-1].text
	return strings.HasPrefix(first, "(") && strings.HasSuffix(last, ")") || strings.HasPrefix(first, "[") && strings.HasSuffix(last, "]")
}

// breakScore returns how good a break between two tokens is.
func breakScore(before, after token) float64 {
	score := phraseEnd(before.text)
	if after.start-before.end > 0.3 {
		score += 0.2
	}
	last, _ := utf8.DecodeLastRuneInString(before.text)
	first, _ := utf8.DecodeRuneInString(after.text)
	switch {
	case before.open:
		score -= 0.8
	case after.spaced && score == 0 && utf8.RuneCountInString(before.text) <= 3:
		score -= 0.08
	case after.spaced:
	case unicode.Is(unicode.Hiragana, last) && !unicode.Is(unicode.Hiragana, first): // after a particle
	case southEastAsian(first): // perhaps within a word
		score -= 0.3
	default:
		score -= 0.1
	}
	return score
}

// phraseEnd returns more than 0 if a token ends a phrase, and more for a sentence.
func phraseEnd(s string) float64 {
	switch {
	case EndsSentence(s):
		return 0.35
	case endsWith(s, clauseEnds):
		return 0.25
	default:
		return 0
	}
}

// line returns a range of tokens as a line.
func (l layout) line(from, to int) string {
	var out strings.Builder
	for i := from; i < to; i++ {
		if i > from && l.tokens[i].spaced {
			out.WriteByte(' ')
		}
		out.WriteString(l.tokens[i].text)
	}
	if l.tokens[to-1].open {
		out.WriteString(cutMark)
	}
	return out.String()
}

// lines returns all tokens as the one or two lines of a cue.
func (l layout) lines() string {
	n := len(l.tokens)
	s := l.script(0, n)
	if l.width(0, n, s) > s.line {
		if i := l.lineBreak(0, n, s); i > 0 {
			return l.line(0, i) + "\n" + l.line(i, n)
		}
	}
	return l.line(0, n)
}
