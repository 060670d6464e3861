package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// FirstRune returns the first character of s after opening quotes and brackets.
func FirstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(s, IsOpening))
	return r
}

// LongestWord is the length of the longest word beside a mark that is looked at, in bytes.
const LongestWord = 40

// lastWord returns what follows the last white space, opening bracket or dash of s, white space at the end left out. It is
// empty if that is longer than LongestWord.
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

// FirstWord returns the first word of s after opening quotes and brackets.
func FirstWord(s string) string {
	s = strings.TrimLeftFunc(s, IsOpening)
	if i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }); i >= 0 {
		return s[:i]
	}
	return s
}
