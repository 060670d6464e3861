package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// pair adds two signs of size bytes, at r.at and so many bytes behind it.
func (r *signReader) pair(size, distance int) {
	r.add(r.at, size, "")
	r.add(r.at+distance, size, "")
}

// run returns how often s begins with its first byte.
func run(s string) int { return len(s) - len(strings.TrimLeft(s, s[:1])) }

// flanks reports whether s begins with a character of a word or of its punctuation, and not with white space.
func flanks(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return s != "" && !unicode.IsSpace(c)
}

// second returns where mark closes what begins at s[len(mark):], 0 if it does not: behind no white space, in the same paragraph,
// and accepted by ends, which gets the characters beside it.
func second(s, mark string, ends func(before, after rune) bool) int {
	s, _, _ = strings.Cut(s[:min(len(s), longestPair)], "\n\n")
	for at := len(mark) + 1; at < len(s); {
		i := strings.Index(s[at:], mark)
		if i < 0 {
			return 0
		}
		i += at
		n := run(s[i:])
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after := prose.FirstOrSpace(s[i+n:])
		if n == len(mark) && !unicode.IsSpace(before) && ends(before, after) {
			return i
		}
		at = i + n
	}
	return 0
}

// emphasis reads asterisks, underscores and tildes around words, and the fence of code.
func (r *signReader) emphasis(remaining string) int {
	n := run(remaining)
	if r.lineStart() {
		if m := fence.FindString(remaining); m != "" && n < len(strings.TrimSpace(m)) {
			return r.whole(len(strings.TrimRight(m, "\r\n")), "")
		}
	}
	mark, before := remaining[:n], r.before()
	if !isEmphasis(mark, remaining[n:], prose.IsWordRune(before)) {
		return n
	}
	size := second(remaining, mark, func(_, after rune) bool {
		return mark == "**" || mark == "***" || mark == "~~" || !prose.IsWordRune(after)
	})
	switch {
	case size > 0 && flanks(remaining[n:]):
		r.pair(n, size)
	case mark == "~~" && (!unicode.IsSpace(before) || flanks(remaining[n:])):
		r.add(r.at, n, "")
	}
	return n
}

// isEmphasis reports whether a run of one sign before the rest of a text can stand before emphasised words, or behind them.
func isEmphasis(mark, after string, inWord bool) bool {
	switch {
	case len(mark) > 3 || !flanks(after) && mark != "~~":
		return false
	case mark[0] == '~':
		return mark == "~~"
	default:
		return !inWord || mark[0] != '_' && mark != "*"
	}
}

// highlight reads == around words. Where a sentence of several is highlighted, only one of them is in s.
func (r *signReader) highlight(remaining string) int {
	n := run(remaining)
	before := r.before()
	if n != 2 {
		return n
	}
	if flanks(remaining[n:]) && !prose.IsWordRune(before) {
		if size := second(remaining, remaining[:n], func(_, after rune) bool { return !prose.IsWordRune(after) }); size > 0 {
			r.pair(n, size)
			return n
		}
		if r.at == 0 {
			r.add(r.at, n, "")
		}
		return n
	}
	closed := len(r.signs) > 0 && r.signs[len(r.signs)-1].At == r.at
	if strings.TrimSpace(remaining[n:]) == "" && strings.ContainsRune(`.!?…)"”»`, before) && !closed {
		r.add(r.at, n, "")
	}
	return n
}

// formula reads the dollar signs around a formula. An amount such as $5 is none.
func (r *signReader) formula(remaining string) int {
	n := run(remaining)
	if n > 2 || prose.IsWordRune(r.before()) {
		return n
	}
	content := strings.TrimLeft(remaining[n:], " ")
	if n == 1 && !flanks(remaining[n:]) || content == "" {
		return n
	}
	size := strings.Index(remaining[n:min(len(remaining), n+longestPair)], remaining[:n])
	if size <= 0 {
		return n
	}
	if !isFormula(remaining[n:n+size], remaining[n+size+n:], n) {
		return n
	}
	r.pair(n, n+size)
	return n + size + n
}

// isFormula reports whether what is between n dollar signs and the next ones is a formula.
func isFormula(inside, after string, n int) bool {
	signs := strings.ContainsAny(inside, `=^\_{+`)
	if n == 2 {
		return signs && !strings.Contains(inside, "\n\n")
	}
	last, _ := utf8.DecodeLastRuneInString(inside)
	return !unicode.IsSpace(last) && !strings.Contains(inside, "\n") && !prose.IsWordRune(prose.FirstOrSpace(after)) &&
		(signs || !unicode.IsNumber(prose.FirstOrSpace(inside)))
}

// code reads backticks around code, in which nothing else is a sign, and the fence of code.
func (r *signReader) code(remaining string) int {
	n := run(remaining)
	if r.lineStart() {
		if m := fence.FindString(remaining); m != "" {
			return r.whole(len(strings.TrimRight(m, "\r\n")), "")
		}
	}
	if n == 1 && unicode.IsLetter(r.before()) && unicode.IsLetter(prose.FirstOrSpace(remaining[n:])) {
		return n // don`t
	}
	size := strings.Index(remaining[n:min(len(remaining), n+longestPair)], remaining[:n])
	if size <= 0 || strings.Contains(remaining[n:n+size], "\n\n") {
		return n
	}
	r.pair(n, n+size)
	return n + size + n
}
