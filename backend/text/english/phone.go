package english

import "strings"

// phone reads telephone numbers, North American ones and those with + or a leading 0, and card numbers: digit by digit
// in groups.
func (n *normalizer) phone() bool {
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
		words[g] = Digits(digits)
		if len(digits) == 3 && digits[1:] == "00" && g < 2 && digits[0] != '0' { // 1-800
			words[g] = ones[digits[0]-'0'] + " hundred"
		}
	}
	if plus {
		words[0] = "plus " + words[0]
	}
	n.say(strings.Join(words, ", "), end)
	return true
}

// The maximum of groups in a telephone number, and of digits in a group.
const (
	maxPhoneGroups = 7
	maxPhoneDigits = 11
)

// phoneGroups returns groups of digits, the marks between them and the end of the last group. A group ends with a space, a
// hyphen or a full stop, or is in brackets, whose mark is "(".
func (n *normalizer) phoneGroups(i int) (groups []string, marks string, end int) {
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
