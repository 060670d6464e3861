// Package python has the methods of Python's strings that the text steps of speech models were written with, with the same
// results. They differ from those of package strings for a few characters, which matter where ids must be equal.
package python

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// IsSpace reports whether str.isspace is true for a character: white space, and the separators U+001C to U+001F.
func IsSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// Fields returns what str.split returns without arguments.
func Fields(s string) []string { return strings.FieldsFunc(s, IsSpace) }

// TrimSpace returns what str.strip returns without arguments.
func TrimSpace(s string) string { return strings.TrimFunc(s, IsSpace) }

// Lines returns what str.splitlines returns.
func Lines(s string) []string {
	var lines []string
	for s != "" {
		end := strings.IndexFunc(s, isLineEnd)
		if end < 0 {
			return append(lines, s)
		}
		lines = append(lines, s[:end])
		_, size := utf8.DecodeRuneInString(s[end:])
		if strings.HasPrefix(s[end:], "\r\n") {
			size = 2
		}
		s = s[end+size:]
	}
	return lines
}

func isLineEnd(r rune) bool {
	return r >= '\n' && r <= '\r' || r >= 0x1c && r <= 0x1e || r == 0x85 || r == 0x2028 || r == 0x2029
}

// IsAlphanumeric reports whether str.isalnum is true for a character.
func IsAlphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// Capitalize returns the text with its first character in upper case if that is a lower-case letter. It may become several
// characters, as ß does.
func Capitalize(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if !unicode.In(first, unicode.Ll, unicode.Other_Lowercase) {
		return s
	}
	return cases.Upper(language.Und).String(s[:size]) + s[size:]
}

// Lower returns what str.lower returns.
func Lower(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	for i, r := range s {
		switch {
		case r == 'İ':
			out.WriteString("i\u0307")
		case r == 'Σ' && endsWord(s[:i], s[i+len("Σ"):]):
			out.WriteRune('ς')
		default:
			out.WriteRune(unicode.ToLower(r))
		}
	}
	return out.String()
}

// endsWord reports whether a letter between two texts is the last one of a word and not the first.
func endsWord(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(before, isCaseIgnorable))
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(after, isCaseIgnorable))
	return isCased(last) && !isCased(next)
}

// isCased reports whether a character has the Unicode property Cased.
func isCased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// isCaseIgnorable reports whether a character has the Unicode property Case_Ignorable: marks and signs inside words.
func isCaseIgnorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) ||
		strings.ContainsRune("'.:·\u0387\u055f\u05f4‘’․‧\ufe13\ufe52\ufe55＇．：", r)
}
