package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

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
	mark, before := ' ', ' ' // the last character, without and with closing quotes and brackets
	for at := lead; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		length := 1
		if m, ok := markup.Read(s[at:]); ok {
			r, size, length = ']', m.Size, chars(s[at:at+m.Size])
		}
		if !attached(before, r) {
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
		before = r
		count += length
		at += size
	}
	return len(s)
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

// attached reports whether r is displayed as one with the character before it.
func attached(before, r rune) bool {
	const joiner = '\u200d'
	return unicode.IsMark(r) || r == joiner || before == joiner || r >= 0x1f3fb && r <= 0x1f3ff
}

// chars returns the length of s in code points.
func chars(s string) int { return utf8.RuneCountInString(s) }
