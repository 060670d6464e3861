package english

import "unicode"

// pieces cuts a token into runs that a dictionary may know: numbers, words with their apostrophes, parts of camelCase,
// hyphens, single signs.
func pieces(s string) []string {
	if letters(s) && allASCIILetters(s) && !camel(s) {
		return []string{s}
	}
	var out []string
	text := []rune(s)
	for i := 0; i < len(text); {
		n := max(piece(text, i), 1)
		out = append(out, string(text[i:i+n]))
		i += n
	}
	return out
}

// camel reports whether a capital follows a small letter, or a capital is followed by another and a small letter.
func camel(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i] < 'a' && (s[i-1] >= 'a' || i == 1 && len(s) > 2 && s[2] >= 'a') {
			return true
		}
	}
	return false
}

// piece gives the length of the run at i.
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
	if n := figures(s[i:], i == 0); n > 0 {
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

// figures gives the length of a number at the start of s: digits with single points and commas, a minus only at the very start.
func figures(s []rune, first bool) int {
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
			return some(i, start)
		}
	}
	return some(i, start)
}

// some is i when it is past start, else 0.
func some(i, start int) int {
	if i == start {
		return 0
	}
	return i
}

// lettersRun gives the length of the word at the start of s: up to the first capital after a small letter, else all letters,
// with the apostrophes between them.
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

// run gives how many runes at the start of s fit.
func run(s []rune, fits func(rune) bool) int {
	n := 0
	for n < len(s) && fits(s[n]) {
		n++
	}
	return n
}

func apostrophe(r rune) bool { return r == '\'' || r == '‘' || r == '’' }
