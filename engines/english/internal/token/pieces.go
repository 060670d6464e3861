package token

import "unicode"

// Pieces cuts a token into runs that a dictionary may have: numbers, words with their apostrophes, parts of camelCase,
// hyphens, single signs.
func Pieces(s string) []string {
	if s != "" && ASCIILetters(s) && !camelCase(s) {
		return []string{s}
	}
	var out []string
	text := []rune(s)
	for i := 0; i < len(text); {
		n := piece(text, i)
		out = append(out, string(text[i:i+n]))
		i += n
	}
	return out
}

// camelCase reports whether a capital follows a small letter, or a capital is followed by another and a small letter.
func camelCase(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i] < 'a' && (s[i-1] >= 'a' || i == 1 && len(s) > 2 && s[2] >= 'a') {
			return true
		}
	}
	return false
}

// piece returns the length of the run at i, at least 1.
func piece(s []rune, i int) int {
	r := s[i]
	switch {
	case apostrophe(r):
		n := run(s[i:], apostrophe)
		if i == 0 || n > 1 || i+n == len(s) {
			return n
		}
		return 1
	case unicode.IsUpper(r) && i+2 < len(s) && unicode.IsUpper(s[i+1]) && unicode.IsLower(s[i+2]):
		return 1
	}
	if n := number(s[i:], i == 0); n > 0 {
		return n
	}
	switch {
	case r == '-' || r == '_':
		return run(s[i:], func(r rune) bool { return r == '-' || r == '_' })
	case unicode.IsLetter(r):
		return lettersRun(s[i:])
	}
	return 1
}

// number returns the length of the number at the start of s: digits with single points and commas, after a minus only where
// first is set.
func number(s []rune, first bool) int {
	i := 0
	if first && len(s) > 1 && s[0] == '-' {
		i = 1
	}
	start := i
	for i < len(s) {
		switch {
		case unicode.IsDigit(s[i]):
			i++
		case (s[i] == ',' || s[i] == '.') && i+1 < len(s) && unicode.IsDigit(s[i+1]):
			i += 2
		default:
			return lengthFrom(i, start)
		}
	}
	return lengthFrom(i, start)
}

// lengthFrom returns i when it is past start, else 0.
func lengthFrom(i, start int) int {
	if i == start {
		return 0
	}
	return i
}

// lettersRun returns the length of the word at the start of s, with the apostrophes between its letters: up to the first
// capital after a small letter, else all letters.
func lettersRun(s []rune) int {
	n := 0
	for n < len(s) {
		switch {
		case unicode.IsLetter(s[n]):
			n++
		case apostrophe(s[n]) && n > 0 && n+1 < len(s) && unicode.IsLetter(s[n+1]):
			n += 2
		default:
			return n
		}
		if n < len(s) && unicode.IsUpper(s[n]) && unicode.IsLower(s[n-1]) {
			return n
		}
	}
	return n
}
