package english

import (
	"strings"
	"unicode/utf8"
)

// name returns the singular if one is set, else the plural.
func (u unit) name(one bool) string {
	if one {
		return u.one
	}
	return u.many
}

// with returns the unit with a text before both its forms.
func (u unit) with(prefix string) unit { return unit{prefix + u.one, prefix + u.many} }

// unit returns the unit of a number that ends at i, with the space or the hyphen before it, and its end. A hyphen makes it
// an adjective, which is singular: 5-km.
func (n *figures) unit(i int) (u unit, end int, ok bool) {
	if u, end, ok := n.unitSign(i); ok {
		return u.with(" "), end, true
	}
	at := n.spaces(i)
	hyphen := at == i && n.byteAt(i) == '-'
	if hyphen {
		at++
	}
	u, end, ok = n.unitName(at)
	if !ok || !n.fits(at, end, hyphen, at > i && !hyphen) {
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
	return u.with(" "), end, true
}

// fits reports whether the letters from at to end can be a unit after a hyphen, after white space or directly after a number.
func (n *figures) fits(at, end int, hyphen, spaced bool) bool {
	letters := n.s[at:end]
	if hyphen {
		return len(letters) >= 2 && n.byteAt(end) != '-'
	}
	return !spaced || !attachedUnits[letters] || n.isInches(at, end)
}

// attachedUnits are other words if white space is before them.
var attachedUnits = setOf("in x M pt N J")

// isInches reports whether "in" from at to end, after white space, is inches: 6 in. long, 5 ft 6 in.
func (n *figures) isInches(at, end int) bool {
	before, _ := n.wordBefore(n.at)
	feet := before == "ft" || before == "feet" || before == "foot"
	return n.s[at:end] == "in" && (feet || n.byteAt(end) == '.' && lower(n.byteAt(n.spaces(end+1))))
}

// unitSigns are the units that are one character.
var unitSigns = map[rune]unit{
	'%': {"percent", "percent"}, '‰': {"per mille", "per mille"}, '¢': {"cent", "cents"},
	'″': {"inch", "inches"}, '"': {"inch", "inches"}, '′': {"foot", "feet"},
	'℃': celsius, '℉': fahrenheit,
}

// The scales of temperature.
var (
	celsius    = unit{"degree Celsius", "degrees Celsius"}
	fahrenheit = unit{"degree Fahrenheit", "degrees Fahrenheit"}
)

// unitSign returns the unit whose sign follows a number that ends at i: % and ° and the like.
func (n *figures) unitSign(i int) (u unit, end int, ok bool) {
	at := n.spaces(i)
	r, size := n.runeAt(at)
	end = at + size
	switch r {
	case '°', 'º', '˚':
		u, end = n.degrees(end)
		return u, end, true
	case '″', '"', '′':
		if at > i || r != '′' && n.quoted {
			return unit{}, 0, false
		}
	}
	u, ok = unitSigns[r]
	return u, end, ok
}

// degrees returns the unit of a degree sign that ends at end: 5 °C, 5 °F, 5 °.
func (n *figures) degrees(end int) (unit, int) {
	at := n.spaces(end)
	if n.ends(at + 1) {
		switch n.byteAt(at) {
		case 'C':
			return celsius, at + 1
		case 'F':
			return fahrenheit, at + 1
		}
	}
	return unit{"degree", "degrees"}, end
}

// unitName returns the unit whose letters are at i, with a power: km, µg, m², sq ft, cm3.
func (n *figures) unitName(i int) (u unit, end int, ok bool) {
	if strings.HasPrefix(n.s[min(i, len(n.s)):], "sq") {
		at := i + 2
		if n.byteAt(at) == '.' {
			at++
		}
		next := n.spaces(at)
		if u, end, ok := n.unitLetters(next); ok && next > at && isLength(u.one) {
			return u.with("square "), end, true
		}
	}
	return n.unitLetters(i)
}

// longestUnit is the length of the longest abbreviation of a unit, in bytes.
const longestUnit = 8

// unitLetters is unitName without "sq".
func (n *figures) unitLetters(i int) (u unit, end int, ok bool) {
	letters := n.letters(i)
	if letters == i || letters-i > longestUnit {
		return unit{}, 0, false
	}
	u, ok = units[n.s[i:letters]]
	if !ok || n.s[i:letters] == "x" && strings.IndexByte("+-=^*/", n.byteAt(n.spaces(letters))) >= 0 { // 5x + 2
		return unit{}, 0, false
	}
	end = n.superscript(letters)
	if c := n.byteAt(letters); end == letters && letters-i <= 2 && (c == '2' || c == '3') && isLength(u.one) {
		end++
	}
	u, ok = u.power(asciiDigits(n.s[letters:end]))
	return u, end, ok && n.ends(end)
}

// power returns the unit with an exponent, which is empty, 2 or 3; ok is false for others.
func (u unit) power(exponent string) (power unit, ok bool) {
	switch {
	case exponent == "":
		return u, true
	case exponent == "2" && !isLength(u.one):
		return unit{u.one + " squared", u.many + " squared"}, true
	case exponent == "2":
		return u.with("square "), true
	case exponent == "3":
		return u.with("cubic "), true
	}
	return unit{}, false
}

// isLength reports whether name is that of a length, whose powers are areas and volumes.
func isLength(name string) bool {
	return strings.HasSuffix(name, "meter") || name == "foot" || name == "inch" || name == "yard" || name == "mile"
}

// unitsWithStop are the abbreviations of units that are written with a full stop as well.
var unitsWithStop = setOf("ft in lb lbs oz min sec hr hrs mi yd yds gal sq mph kg cm mm km")

// pastUnitStop returns end, or the end of the full stop of an abbreviated unit there: 5 ft. tall. A full stop that ends the
// sentence stays.
func (n *figures) pastUnitStop(end int) int {
	if n.byteAt(end) != '.' || n.stops(end+1) || n.capital(n.spaces(end+1)) {
		return end
	}
	start := end
	for start > 0 && lower(n.s[start-1]) {
		start--
	}
	if unitsWithStop[n.s[start:end]] {
		return end + 1
	}
	return end
}

// feetAndInches reads 5'11", 5′ 11″ and 6'2.
func (n *amounts) feetAndInches() bool {
	feet, inches, _, end := n.height(n.at)
	if end > 0 {
		n.say(Cardinal(feet)+" "+units["ft"].name(feet == "1")+" "+Cardinal(inches)+" "+units["in"].name(inches == "1"), end)
	}
	return end > 0
}

// height returns the feet and inches at start, whether a sign shows them rather than an apostrophe, and their end, 0 if there are none.
func (n *figures) height(start int) (feet, inches string, signed bool, end int) {
	i := n.digits(start)
	r, size := n.runeAt(i)
	at := n.spaces(i + size)
	last := n.digits(at)
	if !apostrophe(r) && r != '′' || i > start+2 || last == at || last > at+2 || number(n.s[at:last]) > 11 {
		return "", "", false, 0
	}
	if end = n.inchSign(last); end == last && (!n.ends(last) || n.byteAt(last) == '\'' || at > i+size) {
		return "", "", false, 0
	}
	return n.s[start:i], n.s[at:last], r == '′' || end > last && !n.quoted, end
}

// inchSign returns the end of the sign for inches at i, i if there is none.
func (n *figures) inchSign(i int) int {
	switch r, size := utf8.DecodeRuneInString(n.s[i:]); {
	case r == '"' || r == '″' || r == '”':
		return i + size
	case strings.HasPrefix(n.s[i:], "''"):
		return i + 2
	}
	return i
}
