package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// cut divides s into parts of at most limit code points, white space around a part not counted. It cuts after the last
// clause punctuation beyond a quarter of the limit, else at the last white space, else before the first character that does
// not fit, but never within markup or characters that are displayed as one. Joined together the parts are s.
func cut(s string, limit int) []string {
	var parts []string
	for {
		at := breakPoint(s, limit)
		if at == len(s) {
			return append(parts, s)
		}
		parts = append(parts, s[:at])
		s = s[at:]
	}
}

// breakPoint returns the byte at which the first part of s ends.
func breakPoint(s string, limit int) int {
	lead := len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
	count, clause, space, hard := 0, 0, 0, 0
	mark := ' ' // the last character without closing quotes and brackets
	clusters := clusterReader{Iterator: graphemes.FromString(s)}
	for at := lead; at < len(s); {
		r, size, length := firstUnit(s[at:])
		if length > 0 && clusters.starts(at) {
			hard = at
		}
		switch {
		case unicode.IsSpace(r):
			if space = at; clauseMark(mark) && count >= limit/4 {
				clause = at
			}
		case count > 0 && count+length > limit:
			return firstOf(clause, space, hard, at)
		case fullClauseMark(mark) && !prose.IsClosing(r) && !clauseMark(r) && count >= limit/4:
			clause = at
		}
		if !prose.IsClosing(r) {
			mark = r
		}
		count += length
		at += size
	}
	return len(s)
}

// firstUnit returns what a text begins with: a character, or a piece of markup as its last character, with its length in bytes
// and in the characters that count.
func firstUnit(s string) (r rune, size, length int) {
	if m, ok := markup.Read(s); ok {
		return ']', m.Size, chars(s[:m.Size])
	}
	if target := markup.Target(s); target > 0 {
		return ')', target, 0 // it is not spoken, and stays with its words
	}
	r, size = utf8.DecodeRuneInString(s)
	return r, size, 1
}

// firstOf returns the first number above 0.
func firstOf(numbers ...int) int {
	for _, n := range numbers {
		if n > 0 {
			return n
		}
	}
	return 0
}

// clauseMark reports whether r ends a clause if white space follows.
func clauseMark(r rune) bool {
	switch r {
	case ',', ';', ':', '!', '?', '…', '–', '—', '-', '،', '؛', '؟', '۔', '।', '՝':
		return true
	}
	return fullClauseMark(r)
}

// fullClauseMark reports whether r ends a clause without white space after it, in scripts that have none.
func fullClauseMark(r rune) bool {
	switch r {
	case '、', '，', '；', '：', '。', '！', '？', '၊', '။', '។', '።', '፣':
		return true
	}
	return false
}

// clusterReader finds where the clusters of characters that are displayed as one begin (UAX #29).
type clusterReader struct {
	*graphemes.Iterator[string]
}

// starts reports whether a cluster begins at a byte. Calls are in ascending order.
func (c clusterReader) starts(at int) bool {
	for c.End() <= at && c.Next() {
	}
	return c.Start() == at
}

// chars returns the length of s in code points.
func chars(s string) int { return utf8.RuneCountInString(s) }
