package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// FirstRune returns the first character after opening quotes and brackets.
func FirstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(s, IsOpening))
	return r
}

// LongestWord bounds the search for the word before a mark, in bytes.
const LongestWord = 40

// lastWord is what stands after the last white space, opening bracket or dash, without white space behind; empty when
// that is far.
func lastWord(s string) string {
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	low := max(0, len(s)-LongestWord)
	i := strings.LastIndexFunc(s[low:], func(r rune) bool {
		return unicode.IsSpace(r) || r != '\'' && IsOpening(r) || unicode.Is(unicode.Pd, r) || r == '/'
	})
	switch {
	case i >= 0:
		_, size := utf8.DecodeRuneInString(s[low+i:])
		return s[low+i+size:]
	case low > 0:
		return ""
	}
	return s
}

// FirstWord returns the first word after opening quotes and brackets.
func FirstWord(s string) string {
	s = strings.TrimLeftFunc(s, IsOpening)
	if i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }); i >= 0 {
		return s[:i]
	}
	return s
}
