// Package token cuts English text into words, numbers and marks, and writes out what no dictionary has: abbreviations, units,
// times and signs.
package token

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Token is a word, a part of a word, a number or a mark of a text.
type Token struct {
	Text  string
	Tag   string // part of speech (Penn Treebank, as spaCy writes it) where the spelling decides it, else empty
	Space bool   // white space follows
	Line  bool   // the line ends after it
	IPA   bool   // Text is phonemes in IPA, which were in double brackets in the text
}

var straightApostrophes = strings.NewReplacer("‘", "'", "’", "'")

// Straight returns a word as dictionaries have it: straight apostrophes, compatible characters folded, digits 0 to 9.
func Straight(word string) string {
	if ASCII(word) {
		return word
	}
	return plainDigits(norm.NFKC.String(straightApostrophes.Replace(word)))
}

// plainDigits replaces the digits of other scripts by 0 to 9; each script has its ten in a row.
func plainDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 || !unicode.Is(unicode.Nd, r) {
			return r
		}
		zero := r
		for zero > r-9 && unicode.Is(unicode.Nd, zero-1) {
			zero--
		}
		return '0' + r - zero
	}, s)
}

// ASCII reports whether s is ASCII only.
func ASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// ASCIILetters reports whether s is ASCII letters only.
func ASCIILetters(s string) bool {
	for i := range len(s) {
		if b := s[i] | 0x20; b < 'a' || b > 'z' {
			return false
		}
	}
	return true
}

// Letters reports whether s is letters only, at least one.
func Letters(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return s != ""
}

// Readable reports whether s has a letter or a digit.
func Readable(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

// Capitalised reports whether a word begins with a capital.
func Capitalised(word string) bool {
	for _, r := range word {
		return unicode.IsUpper(r)
	}
	return false
}

func apostrophe(r rune) bool { return r == '\'' || r == '‘' || r == '’' }

// run returns how many runes at the start of s fit.
func run(s []rune, fits func(rune) bool) int {
	n := 0
	for n < len(s) && fits(s[n]) {
		n++
	}
	return n
}
