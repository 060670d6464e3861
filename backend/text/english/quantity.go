package english

import (
	"strings"
	"unicode/utf8"
)

// half is the whole of a number that is a part of one thing, whose unit is singular.
const half = "half"

// quantity reads a number that is no date, time or the like, with what belongs behind it: an exponent, a fraction, the
// end of a range, a unit. words are said for the number where it has been read already.
func (n *normalizer) quantity(q numeral, words string) {
	start := n.at
	read := words != ""
	if !read {
		words = q.String()
		if power, end := n.exponent(q.end); end > q.end {
			words, q.end, q.whole, read = words+power, end, "2", true
		} else if part, end := n.mixed(q); end > q.end {
			words, q.end, q.whole, read = words+part, end, "2", true
		}
	}
	first := q
	second, isRange := n.rangeEnd(q)
	if isRange {
		q = second
	}
	if c, end, ok := n.currencyBehind(q.end); ok && (isRange || !read) {
		if isRange {
			words = first.String() + " to "
		} else {
			words = ""
		}
		n.say(words+c.amount(q, "", n.compound(start, end)), end)
		return
	}
	if unit, end, ok := n.unit(q.end); ok {
		if isRange {
			words += " to " + second.String()
		}
		one := q.whole == half || q.one() && !isRange && !read || n.compound(start, end)
		n.say(words+unit.name(one), n.unitDot(end))
		return
	}
	switch {
	case isRange && n.dayOfMonth(start, first):
		words = Ordinal(first.whole) + " to " + Ordinal(second.whole)
	case isRange:
		words = n.inContext(start, first, words) + " to " + n.rangeWords(first, second)
	case !read && n.dayMonth(q):
		return
	case !read && n.dayOfMonth(start, q):
		words = Ordinal(q.whole)
	case !read:
		if words = n.inContext(start, q, words); n.keepDigits && q.plain() && words == q.String() {
			n.keep(q.end)
			return
		}
	}
	n.say(words, q.end)
}

// inContext reads a number as a year, as a type or as it is.
func (n *normalizer) inContext(start int, q numeral, words string) string {
	switch {
	case q.part == "" && !q.grouped && n.after(q.end) != '\'' && !n.ends(q.end):
		return model(q.whole) // 1080p, 4K
	case q.whole == "911" && q.part == "":
		return "nine one one"
	case n.isYear(start, q):
		return Year(q.whole)
	case len(q.whole) == 5 && n.zipCode(start, q):
		return Digits(q.whole)
	}
	return words
}

// zipCode reports five digits behind the two letters of a state.
func (n *normalizer) zipCode(start int, q numeral) bool {
	word, _ := n.wordBefore(start)
	return !q.grouped && q.part == "" && len(word) == 2 && upper(word[0]) && upper(word[1])
}

// isYear reports whether four digits are a year rather than a count.
func (n *normalizer) isYear(start int, q numeral) bool {
	word, _ := n.wordBefore(start)
	next := n.wordAt(n.spaces(q.end))
	era := next == "BC" || next == "AD" || next == "BCE" || next == "CE"
	if era || word == "AD" {
		return q.part == "" && len(q.whole) == 4 && !q.grouped
	}
	switch strings.ToLower(word) {
	case "in", "since", "from", "until", "till", "by", "of", "circa", "year", "early", "late", "around", "the", "before", "after",
		"during", "between", "spring", "summer", "fall", "autumn", "winter":
		return q.pairs() || len(q.whole) == 4 && !q.grouped && q.part == "" && q.whole > "1009" && q.whole < "1100"
	}
	return q.pairs() && (!counted(next) || monthOf(word) != "")
}

// counted reports the plural of a noun, as after a count.
func counted(word string) bool {
	switch word {
	case "people", "men", "women", "children", "percent", "dollars":
		return true
	case "was", "is", "has", "as", "this", "its", "his", "us", "does", "across", "plus", "minus", "equals":
		return false
	}
	return len(word) > 3 && lower(word[0]) && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss")
}

// rangeEnd reads the second number of 5-10, 1990–2000, 5 – 10.
func (n *normalizer) rangeEnd(q numeral) (numeral, bool) {
	mark := n.spaces(q.end)
	r, size := utf8.DecodeRuneInString(n.s[mark:])
	next := n.spaces(mark + size)
	if r != '-' && r != '–' && r != '‑' || !digit(n.byteAt(next)) || (mark == q.end) != (next == mark+size) {
		return numeral{}, false
	}
	second, _ := n.numeral(next)
	if c := n.after(second.end); c == '-' || c == '/' || c == ':' && digit(n.byteAt(second.end+1)) {
		return numeral{}, false
	}
	if n.before(n.at) == '=' || n.byteAt(n.spaces(second.end)) == '=' || n.at > 1 && n.before(n.at) == ' ' && strings.IndexByte("=+*", n.s[n.at-2]) >= 0 {
		return numeral{}, false
	}
	return second, true
}

// rangeWords reads the second number of a range.
func (n *normalizer) rangeWords(first, second numeral) string {
	switch {
	case first.pairs() && second.pairs():
		return Year(second.whole)
	case first.pairs() && len(second.whole) == 2 && second.part == "":
		return twoDigits(second.whole)
	}
	return second.String()
}

// exponent reads e-5, ×10^23, ², ^2.
func (n *normalizer) exponent(i int) (string, int) {
	if c := n.byteAt(i); c == 'e' || c == 'E' {
		if power, end := n.signed(i + 1); end > 0 && n.ends(end) {
			return " times ten to the power of " + power, end
		}
	}
	mark := n.spaces(i)
	r, size := utf8.DecodeRuneInString(n.s[mark:])
	if next := n.spaces(mark + size); (r == '×' || r == 'x' || r == '*') && strings.HasPrefix(n.s[next:], "10") && !digit(n.byteAt(next+2)) {
		if power, end := n.power(next + 2); end > next+2 {
			return " times ten" + power, end
		}
	}
	return n.power(i)
}

// signed reads an integer with its sign; end is 0 where there is none.
func (n *normalizer) signed(i int) (words string, end int) {
	sign := ""
	switch r, size := utf8.DecodeRuneInString(n.s[min(i, len(n.s)):]); r {
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

// power reads a superscript or ^ with a number or a letter; end is i where there is none.
func (n *normalizer) power(i int) (words string, end int) {
	if end = n.superscript(i); end > i {
		plain := superscripts(n.s[i:end])
		sign := ""
		if cut, found := strings.CutPrefix(plain, "-"); found {
			sign, plain = "minus ", cut
		}
		if plain == "" || strings.Contains(plain, "-") {
			return "", i
		}
		return powerWords(sign + Cardinal(plain)), end
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

// superscript gives the end of the superscript digits at i.
func (n *normalizer) superscript(i int) int {
	for i < len(n.s) {
		r, size := utf8.DecodeRuneInString(n.s[i:])
		if !strings.ContainsRune("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", r) {
			break
		}
		i += size
	}
	return i
}

// superscripts gives superscript or subscript digits as plain ones.
func superscripts(s string) string {
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
		if r >= '₀' && r <= '₉' {
			return r - '₀' + '0'
		}
		return r - '⁰' + '0'
	}, s)
}
