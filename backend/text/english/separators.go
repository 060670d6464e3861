package english

import (
	"strings"
	"unicode"
)

// The spaces that people write between groups of three digits: those that do not break, and thin ones.
const groupSpaces = "\u00a0\u202f\u2007\u2009\u200a"

// groupsEnd returns the end of the groups of digits behind separators that follow the first digits of a number, which are from
// start to i, or i if there are none: 1,000,000, 1 000 000, 1'000 and 1,00,000. european is set for 1.000.000, whose fraction
// has a comma before it.
func (n *figures) groupsEnd(start, i int) (end int, european bool) {
	if i == start || i > start+3 {
		return i, false
	}
	if end = n.groupsAfter(i, ','); end > i {
		return end, false
	}
	if end = n.indianGroups(i); end > i {
		return end, false
	}
	if n.s[start] == '0' {
		return i, false
	}
	if end = n.spacedGroups(start, i); end > i {
		return end, false
	}
	if end = n.apostropheGroups(i); end > i {
		return end, false
	}
	if end = n.europeanGroups(start, i); end > i {
		return end, true
	}
	return i, false
}

// groupsAfter returns the end of groups of three digits at i, each with the mark before it.
func (n *figures) groupsAfter(i int, mark byte) int {
	for n.byteAt(i) == mark && n.digits(i+1) == i+4 {
		i += 4
	}
	return i
}

// indianGroups returns the end of groups of two digits and a last one of three at i, as in 1,00,000; i if there are none.
func (n *figures) indianGroups(i int) int {
	end := i
	for n.byteAt(end) == ',' && n.digits(end+1) == end+3 {
		end += 3
	}
	if end == i || n.byteAt(end) != ',' || n.digits(end+1) != end+4 {
		return i
	}
	return end + 4
}

// apostropheGroups returns the end of the groups of 1'000'000 at i.
func (n *figures) apostropheGroups(i int) int {
	end := i
	for apostrophe(n.after(end)) {
		next := end + firstSize(n.s[end:])
		if n.digits(next) != next+3 {
			break
		}
		end = next + 3
	}
	if !n.ends(end) {
		return i
	}
	return end
}

// europeanGroups returns the end of the groups of 1.234.567 and 1.234,50 at i, whose number begins at start. One group alone
// is the fraction of an English number, and four groups up to 255 are the address of a machine.
func (n *figures) europeanGroups(start, i int) int {
	end := n.groupsAfter(i, '.')
	decimal := n.byteAt(end) == ',' && digit(n.byteAt(end+1)) && n.digits(end+1) != end+4
	count := (end - i) / 4
	switch {
	case count == 0 || n.byteAt(end) == '.' && digit(n.byteAt(end+1)) || !n.ends(end):
		return i
	case decimal:
		return end
	case count == 1 || count == 3 && isAddress(n.s[start:end]):
		return i
	}
	return end
}

// isAddress reports whether all numbers between full stops are below 256.
func isAddress(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if number(part) > 255 {
			return false
		}
	}
	return true
}

// spacedGroups returns the end of groups of three digits after spaces at i, whose number begins at start, or i if there are
// none. Behind a plain space, one group alone is part of the number where it is 000 or measured: 10 000, 5 200 km.
func (n *figures) spacedGroups(start, i int) int {
	end, count, plain := i, 0, false
	for count < maxGroups {
		r, size := n.runeAt(end)
		if r != ' ' && !strings.ContainsRune(groupSpaces, r) || size == 0 || n.digits(end+size) != end+size+3 {
			break
		}
		plain = plain || r == ' '
		end, count = end+size+3, count+1
	}
	if count == 0 || !n.ends(end) || plain && count == 1 && n.s[end-3:end] != "000" && !n.measured(start, end) {
		return i
	}
	return end
}

// measured reports whether a currency is before the number from start to end, or a currency, a unit or what is counted is after
// it or after the end of its range. In "take 2 500 mg tablets" the unit belongs to the second number.
func (n *figures) measured(start, end int) bool {
	word, _ := n.wordBefore(start)
	if unicode.Is(unicode.Sc, n.before(start)) || currencies[word].one != "" && len(word) == 3 {
		return true
	}
	if mark := n.byteAt(end); (mark == ',' || mark == '.') && digit(n.byteAt(end+1)) {
		end = n.digits(end + 1)
	}
	if next := n.afterDash(end); next > 0 && digit(n.byteAt(next)) {
		end = n.digits(next)
		for n.byteAt(end) == ' ' && n.digits(end+1) == end+4 {
			end += 4
		}
	}
	if _, _, ok := n.currencyAfter(end); ok || isPluralNoun(n.wordAt(n.spaces(end))) {
		return true
	}
	_, last, ok := n.unit(end)
	return ok && !portions[n.wordAt(n.spaces(last))]
}

// portions are things that a weight or a volume is said of, each.
var portions = setOf("tablet tablets pill pills capsule capsules dose doses ampoules vials bottles cans packs packets bags boxes jars " +
	"cups glasses pieces portions servings sachets")

// decimalComma returns the digits of a fraction after a comma at i, and its end; the end is i if there is none. After a number
// that is not grouped in the European way a currency, a unit or a scale such as million has to follow: 5,50 €, 3,5 km.
func (n *figures) decimalComma(i int, european bool) (fraction string, end int) {
	end = n.digits(i + 1)
	size := end - i - 1
	if n.byteAt(i) != ',' || size < 1 || n.byteAt(end) == ',' && digit(n.byteAt(end+1)) {
		return "", i
	}
	fraction = n.s[i+1 : end]
	if european {
		return fraction, end
	}
	if size == 3 {
		return "", i
	}
	_, _, money := n.currencyAfter(end)
	_, _, unit := n.unit(end)
	if scale, _ := n.scale(end); money || unit || scale != "" {
		return fraction, end
	}
	return "", i
}

// onlyDigits returns s without what separates its digits.
func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}
