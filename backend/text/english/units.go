package english

import (
	"strings"
	"unicode/utf8"
)

// unit is the name of a unit for one and for more.
type unit struct{ one, many string }

func (u unit) name(one bool) string {
	if one {
		return u.one
	}
	return u.many
}

func (u unit) spaced() unit { return unit{" " + u.one, " " + u.many} }

// unit reads, with the space or the hyphen before it, the unit of a number that ends at i. A hyphen before it makes it an adjective: 5-km.
func (n *normalizer) unit(i int) (unit, int, bool) {
	if u, end, ok := n.unitSign(i); ok {
		return u.spaced(), end, true
	}
	at := n.spaces(i)
	hyphen := at == i && n.byteAt(i) == '-'
	if hyphen {
		at++
	}
	u, end, ok := n.unitName(at)
	if !ok {
		return unit{}, 0, false
	}
	if letters := n.s[at:end]; at > i && !hyphen && onlyAttached(letters) && !n.inches(at, end) || hyphen && (len(letters) < 2 || n.byteAt(end) == '-') {
		return unit{}, 0, false
	}
	for n.byteAt(end) == '/' {
		per, last, ok := n.unitName(end + 1)
		if !ok {
			break
		}
		u, end = unit{u.one + " per " + per.one, u.many + " per " + per.one}, last
	}
	if hyphen {
		return unit{"-" + u.one, "-" + u.one}, end, true
	}
	return u.spaced(), end, true
}

// inches reports the abbreviation behind white space, which has its dot there: 6 in. long.
func (n *normalizer) inches(at, end int) bool {
	before, _ := n.wordBefore(n.at)
	feet := before == "ft" || before == "feet" || before == "foot"
	return n.s[at:end] == "in" && (feet || n.byteAt(end) == '.' && lower(n.byteAt(n.spaces(end+1))))
}

// onlyAttached reports units that are other words where white space stands before them.
func onlyAttached(letters string) bool {
	switch letters {
	case "in", "x", "M", "pt", "N", "J":
		return true
	}
	return false
}

// unitSign reads % and ° and their like behind a number.
func (n *normalizer) unitSign(i int) (unit, int, bool) {
	at := n.spaces(i)
	r, size := utf8.DecodeRuneInString(n.s[at:])
	end := at + size
	switch r {
	case '%':
		return unit{"percent", "percent"}, end, true
	case '‰':
		return unit{"per mille", "per mille"}, end, true
	case '¢':
		return unit{"cent", "cents"}, end, true
	case '″', '"':
		if at == i && !n.quoted {
			return unit{"inch", "inches"}, end, true
		}
	case '′':
		if at == i {
			return unit{"foot", "feet"}, end, true
		}
	case '°', 'º', '˚', '℃', '℉':
		return n.degrees(r, end)
	}
	return unit{}, 0, false
}

func (n *normalizer) degrees(r rune, end int) (unit, int, bool) {
	scale := byte(0)
	switch r {
	case '℃':
		scale = 'C'
	case '℉':
		scale = 'F'
	default:
		if at := n.spaces(end); n.ends(at + 1) {
			scale = n.byteAt(at)
			if scale == 'C' || scale == 'F' {
				end = at + 1
			}
		}
	}
	switch scale {
	case 'C':
		return unit{"degree Celsius", "degrees Celsius"}, end, true
	case 'F':
		return unit{"degree Fahrenheit", "degrees Fahrenheit"}, end, true
	}
	return unit{"degree", "degrees"}, end, true
}

// unitName reads the letters of a unit at i, with a power: km, µg, m², sq ft, cm3.
func (n *normalizer) unitName(i int) (unit, int, bool) {
	if strings.HasPrefix(n.s[min(i, len(n.s)):], "sq") {
		at := i + 2
		if n.byteAt(at) == '.' {
			at++
		}
		next := n.spaces(at)
		if u, end, ok := n.plainUnit(next); ok && next > at && length(u.one) {
			return unit{"square " + u.one, "square " + u.many}, end, true
		}
	}
	return n.plainUnit(i)
}

func (n *normalizer) plainUnit(i int) (unit, int, bool) {
	end := n.letters(i)
	if end == i || end-i > 8 {
		return unit{}, 0, false
	}
	u := unitOf(n.s[i:end])
	if variable := n.s[i:end] == "x" && strings.IndexByte("+-=^*/", n.byteAt(n.spaces(end))) >= 0; variable || u.one == "" {
		return unit{}, 0, false
	}
	power := ""
	last := n.superscript(end)
	if last == end && end-i <= 2 && (n.byteAt(end) == '2' || n.byteAt(end) == '3') && length(u.one) {
		last++
	}
	if last > end {
		power = superscripts(n.s[end:last])
	}
	switch {
	case !n.ends(last):
		return unit{}, 0, false
	case power == "":
	case !length(u.one) && power == "2":
		u = unit{u.one + " squared", u.many + " squared"}
	case power == "2":
		u = unit{"square " + u.one, "square " + u.many}
	case power == "3":
		u = unit{"cubic " + u.one, "cubic " + u.many}
	default:
		return unit{}, 0, false
	}
	return u, last, true
}

// length reports names of lengths, whose powers are areas and volumes.
func length(name string) bool {
	return strings.HasSuffix(name, "meter") || name == "foot" || name == "inch" || name == "yard" || name == "mile"
}

// unitDot leaves the dot of an abbreviated unit out, as in 5 ft. tall.
func (n *normalizer) unitDot(end int) int {
	if n.byteAt(end) != '.' || n.stops(end+1) || n.capital(n.spaces(end+1)) {
		return end
	}
	start := end
	for start > 0 && lower(n.s[start-1]) {
		start--
	}
	switch n.s[start:end] {
	case "ft", "in", "lb", "lbs", "oz", "min", "sec", "hr", "hrs", "mi", "yd", "yds", "gal", "sq", "mph", "kg", "cm", "mm", "km":
		return end + 1
	}
	return end
}

// feet reads 5'11", 5′ 11″ and 6'2.
func (n *normalizer) feet() bool {
	i := n.digits(n.at)
	r, size := utf8.DecodeRuneInString(n.s[i:])
	if r != '\'' && r != '′' && r != '’' || i > n.at+2 {
		return false
	}
	at := n.spaces(i + size)
	end := n.digits(at)
	if end == at || end > at+2 || number(n.s[at:end]) > 11 {
		return false
	}
	inches := n.s[at:end]
	switch r, size := utf8.DecodeRuneInString(n.s[end:]); {
	case r == '"' || r == '″' || r == '”':
		end += size
	case strings.HasPrefix(n.s[end:], "''"):
		end += 2
	case !n.ends(end) || r == '\'' || at > i+size:
		return false
	}
	feet, inch := " feet ", " inches"
	if n.s[n.at:i] == "1" {
		feet = " foot "
	}
	if inches == "1" {
		inch = " inch"
	}
	n.say(Cardinal(n.s[n.at:i])+feet+Cardinal(inches)+inch, end)
	return true
}
