// Package prose classifies the characters, words, abbreviations and web addresses of running text, for packages text and
// text/english.
package prose

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// AllCapitals reports whether all letters that have case are capitals, and there are some.
func AllCapitals(s string) bool {
	return strings.ContainsFunc(s, unicode.IsUpper) && !strings.ContainsFunc(s, unicode.IsLower)
}

// FirstOrSpace returns the first character of s, a space if s is empty.
func FirstOrSpace(s string) rune {
	if s == "" {
		return ' '
	}
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// IsWordRune reports whether r is part of a word: a letter, a digit, a mark or an underscore.
func IsWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// IsSpaceless reports whether r belongs to a script that puts no white space between words.
func IsSpaceless(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
		unicode.Khmer, unicode.Myanmar)
}

// IsLineEnd reports whether r ends a line.
func IsLineEnd(r rune) bool { return r == '\n' || r == '\r' || r == '\u0085' || r == '\u2028' }

// IsBlankLine reports whether white space contains two line ends or a paragraph separator.
func IsBlankLine(space string) bool {
	ends := 0
	for i, r := range space {
		if r == '\u2029' {
			return true
		}
		if IsLineEnd(r) && (r != '\n' || i == 0 || space[i-1] != '\r') {
			ends++
		}
	}
	return ends > 1
}

// IsClosing reports whether r is a closing quote or bracket.
func IsClosing(r rune) bool {
	return r == '"' || r == '\'' || r == '“' || r == '«' || unicode.In(r, unicode.Pe, unicode.Pf)
}

// IsOpening reports whether r is an opening quote or bracket.
func IsOpening(r rune) bool {
	return r == '"' || r == '\'' || r == '¿' || r == '¡' || r == '»' || unicode.In(r, unicode.Ps, unicode.Pi)
}

// CloseGap returns out and next, adjusted to stand side by side after something between them was removed: words stay
// apart, and there is neither double white space nor a space before punctuation.
func CloseGap(out []byte, next string) ([]byte, string) {
	last, _ := utf8.DecodeLastRune(out)
	first := FirstOrSpace(next)
	switch {
	case len(out) == 0 || unicode.IsSpace(last):
		if strings.ContainsRune(".,;:!?…", first) {
			return bytes.TrimRight(out, " "), next
		}
		return out, strings.TrimLeft(next, " ")
	case IsWordRune(last) && IsWordRune(first):
		return append(out, ' '), next
	}
	return out, next
}
