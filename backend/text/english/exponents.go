package english

import "strings"

// exponent returns the words of an exponent at i and its end, which is i if there is none: e-5, ×10^23, ², ^2.
func (n *figures) exponent(i int) (words string, end int) {
	if c := n.byteAt(i); c == 'e' || c == 'E' {
		if power, end := n.signed(i + 1); end > 0 && n.ends(end) {
			return " times ten to the power of " + power, end
		}
	}
	mark := n.spaces(i)
	r, size := n.runeAt(mark)
	if next := n.spaces(mark + size); (r == '×' || r == 'x' || r == '*') && strings.HasPrefix(n.s[next:], "10") && !digit(n.byteAt(next+2)) {
		if power, end := n.power(next + 2); end > next+2 {
			return " times ten" + power, end
		}
	}
	return n.power(i)
}

// signed returns the words of an integer with its sign at i, and its end, which is 0 if there is none.
func (n *figures) signed(i int) (words string, end int) {
	sign := ""
	switch r, size := n.runeAt(i); r {
	case '-', '−':
		sign, i = "minus ", i+size
	case '+':
		i++
	}
	if end = n.digits(i); end == i {
		return "", 0
	}
	return sign + Cardinal(n.s[i:end]), end
}

// power returns the words of a superscript, or of ^ with a number, at i, and its end, which is i if there is none.
func (n *figures) power(i int) (words string, end int) {
	if end = n.superscript(i); end > i {
		digits, negative := strings.CutPrefix(asciiDigits(n.s[i:end]), "-")
		if digits == "" || strings.Contains(digits, "-") {
			return "", i
		}
		words = Cardinal(digits)
		if negative {
			words = "minus " + words
		}
		return powerWords(words), end
	}
	if n.byteAt(i) != '^' {
		return "", i
	}
	if words, end := n.signed(i + 1); end > 0 {
		return powerWords(words), end
	}
	return "", i
}

func powerWords(exponent string) string {
	switch exponent {
	case "two":
		return " squared"
	case "three":
		return " cubed"
	}
	return " to the power of " + exponent
}

// superscript returns the end of the superscript digits at i.
func (n *figures) superscript(i int) int {
	for i < len(n.s) {
		r, size := n.runeAt(i)
		if !strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", r) {
			break
		}
		i += size
	}
	return i
}

// asciiDigits returns superscript digits, and 2 and 3, as digits of ASCII, and the superscript minus as a hyphen.
func asciiDigits(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '2', '3':
			return r
		case '¹':
			return '1'
		case '²', '³':
			return r - '²' + '2'
		case '⁻':
			return '-'
		}
		return r - '⁰' + '0'
	}, s)
}
