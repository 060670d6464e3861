package english

import "strings"

// phone reads telephone numbers, North American ones and those with + or a leading 0, and card numbers: digit by digit
// in groups.
func (n *normalizer) phone() bool {
	i, plus := n.at, false
	if n.byteAt(i) == '+' {
		i, plus = i+1, true
	}
	groups, marks, end := n.phoneGroups(i)
	if len(groups) < 2 || !n.ends(end) || !telephone(groups, marks, plus) {
		return false
	}
	words := make([]string, len(groups))
	for g, digits := range groups {
		words[g] = Digits(digits)
		if len(digits) == 3 && digits[1:] == "00" && g < 2 && digits[0] != '0' {
			words[g] = belowThousand(int(digits[0]-'0')) + " hundred"
		}
	}
	if plus {
		words[0] = "plus " + words[0]
	}
	n.say(strings.Join(words, ", "), end)
	return true
}

// phoneGroups reads up to seven groups of digits with one mark between: space, hyphen, dot or brackets.
func (n *normalizer) phoneGroups(i int) (groups []string, marks string, end int) {
	for len(groups) < 7 {
		open := n.byteAt(i) == '('
		if open {
			i++
		}
		last := n.digits(i)
		if last == i || last > i+11 || open && n.byteAt(last) != ')' {
			break
		}
		groups = append(groups, n.s[i:last])
		if end = last; open {
			end++
			marks += "("
			if i = end; n.byteAt(i) == ' ' || n.byteAt(i) == '-' {
				i++
			}
			continue
		}
		c := n.byteAt(last)
		if c != ' ' && c != '-' && c != '.' {
			break
		}
		if i = last + 1; !digit(n.byteAt(i)) && n.byteAt(i) != '(' {
			break
		}
		marks += string(c)
	}
	return groups, marks, end
}

// telephone reports whether groups of digits look like the number of a telephone or a card.
func telephone(groups []string, marks string, plus bool) bool {
	total, shape := 0, ""
	for _, g := range groups {
		total += len(g)
		shape += string(rune('a' + len(g)))
	}
	switch {
	case plus:
		return total >= 8 && total <= 15
	case shape == "dde", shape == "bdde": // 555 123 4567
		return true
	case shape == "de": // 555-1234
		return marks == "-"
	case shape == "eeee": // a card
		return marks == "   " || marks == "---"
	}
	return groups[0][0] == '0' && len(groups[0]) > 1 && total >= 9 && total <= 11 && !strings.ContainsAny(marks, ".")
}
