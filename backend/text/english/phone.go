package english

import (
	"strings"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// phone reads telephone numbers, North American ones and those with + or a leading 0, and card numbers: digit by digit
// in groups.
func (n *amounts) phone() bool {
	i, plus := n.at, n.byteAt(n.at) == '+'
	if plus {
		i++
	}
	groups, marks, end := n.phoneGroups(i)
	if len(groups) < 2 || !n.ends(end) || !isPhone(groups, marks, plus) {
		return false
	}
	words := make([]string, len(groups))
	for g, digits := range groups {
		if words[g] = Digits(digits); len(digits) == 3 && g < 2 {
			words[g] = areaCode(digits)
		}
	}
	if plus {
		words[0] = "plus " + words[0]
	}
	n.say(strings.Join(words, ", "), end)
	return true
}

// areaCode returns the words of three digits: eight hundred, five five five.
func areaCode(digits string) string {
	if digits[1:] == "00" && digits[0] != '0' {
		return ones[digits[0]-'0'] + " hundred"
	}
	return Digits(digits)
}

// The maximum of groups in a telephone number, and of digits in a group.
const (
	maxPhoneGroups = 7
	maxPhoneDigits = 11
)

// phoneGroups returns groups of digits, the marks between them and the end of the last group. A group ends with a space, a
// hyphen or a full stop, or is in brackets, whose mark is "(".
func (n *amounts) phoneGroups(i int) (groups []string, marks string, end int) {
	for len(groups) < maxPhoneGroups {
		bracket := n.byteAt(i) == '('
		if bracket {
			i++
		}
		last := n.digits(i)
		if last == i || last > i+maxPhoneDigits || bracket && n.byteAt(last) != ')' {
			break
		}
		groups = append(groups, n.s[i:last])
		if end = last; bracket {
			end++
			marks += "("
			if i = end; n.byteAt(i) == ' ' || n.byteAt(i) == '-' {
				i++
			}
			continue
		}
		mark := n.byteAt(last)
		i = last + 1
		if mark != ' ' && mark != '-' && mark != '.' || !digit(n.byteAt(i)) && n.byteAt(i) != '(' {
			break
		}
		marks += string(mark)
	}
	return groups, marks, end
}

// isPhone reports whether groups of digits look like the number of a telephone or a card.
func isPhone(groups []string, marks string, plus bool) bool {
	total, shape := 0, "" // shape has a letter for the length of each group: d for three digits
	for _, g := range groups {
		total += len(g)
		shape += string(rune('a' + len(g)))
	}
	switch {
	case plus:
		return total >= 8 && total <= 15
	case shape == "dde" || shape == "bdde": // 555 123 4567
		return true
	case shape == "de": // 555-1234
		return marks == "-"
	case shape == "eeee": // a card
		return marks == "   " || marks == "---"
	}
	return groups[0][0] == '0' && len(groups[0]) > 1 && total >= 9 && total <= 11 && !strings.ContainsAny(marks, ".")
}

// tollFree are the first digits of numbers that people write with letters.
var tollFree = setOf("800 888 877 866 855 844 833 822 900")

// vanityNumber reads a telephone number whose last groups are letters: 1-800-FLOWERS, (800) FLOWERS, 1-800-GOT-JUNK. Without a 1 or
// brackets no blank is behind the area code: 900 PEOPLE is a count.
func (n *amounts) vanityNumber() bool {
	i := n.at
	words := []string{}
	if n.s[i] == '1' && n.phoneMark(i+1) > 0 {
		words = append(words, "one")
		i += 1 + n.phoneMark(i+1)
	}
	bracket := n.byteAt(i) == '('
	if bracket {
		i++
	}
	area := n.digits(i)
	if area != i+3 || prose.IsWordRune(n.before(n.at)) || !tollFree[n.s[i:area]] && (len(words) == 0 || n.byteAt(area) != '-') {
		return false
	}
	long := len(words) > 0
	words = append(words, areaCode(n.s[i:area]))
	if bracket {
		if n.byteAt(area) != ')' {
			return false
		}
		area = n.spaces(area+1) - 1
	} else if !n.vanityFollows(area, long) {
		return false
	}
	more, end := n.vanityGroups(area)
	if len(more) == 0 {
		return false
	}
	n.say(strings.Join(append(words, more...), ", "), end)
	return true
}

// vanityFollows reports whether the groups of a telephone number may follow its area code, which ends at area. long: it began
// with a 1.
func (n *amounts) vanityFollows(area int, long bool) bool {
	size := n.phoneMark(area)
	return size > 0 && (long || n.byteAt(area) != ' ') && !n.measureAfter(area+size) // no 900 PEOPLE, 1 800 USD
}

// measureAfter reports whether a currency or a unit is at i.
func (n *amounts) measureAfter(i int) bool {
	_, _, money := n.currencyAfter(i)
	_, end, unit := n.unitName(i)
	return money || unit && n.dash(end) == 0
}

// phoneMark returns the size of the mark between groups of a telephone number at i, 0 for none.
func (n *amounts) phoneMark(i int) int {
	if c := n.byteAt(i); c == ' ' || c == '.' {
		return 1
	}
	return n.dash(i)
}

// vanityGroups returns the words of groups of letters and digits, each with a mark before it at i, and their end; none if there
// are fewer than three letters.
func (n *amounts) vanityGroups(i int) (words []string, end int) {
	end = i
	letters := 0
	for size := max(n.phoneMark(end), 1); size > 0; size = n.dash(end) {
		next := end + size
		last := max(n.digits(next), next+len(n.wordAt(next)))
		group := n.s[min(next, len(n.s)):min(last, len(n.s))]
		if group == "" || letter(group[0]) && !prose.AllCapitals(group) {
			return nil, i
		}
		end = last
		switch {
		case digit(group[0]):
			words = append(words, Digits(group))
			continue
		case len(group) > 1 && (readAsWord(group) || len(group) > 3 && pronounceable(group)):
			words = append(words, strings.ToLower(group))
		default:
			words = append(words, spell(group))
		}
		letters += len(group)
	}
	if letters < 3 || !n.ends(end) {
		return nil, i
	}
	return words, end
}
