package english

import (
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// word reads letters. Most words are lower case and stay; the rest goes through the readers below.
func (n *normalizer) word() {
	end := n.letters(n.at)
	w := n.s[n.at:end]
	next := n.byteAt(end)
	if len(w) > 3 && lowercase(w) && !digit(next) && strings.IndexByte(".+#/$", next) < 0 {
		n.keep(end)
		return
	}
	switch {
	case n.dottedLetters(end), n.abbreviation(w, end), n.month(w, end), n.weekday(w, end), n.roman(w, end),
		n.currencyCode(w, end), n.language(w, end), n.version(w, end), n.unitAlone(end), n.initial(w, end), n.capitals(w, end),
		n.camelCase(w, end):
	default:
		n.keep(end)
	}
}

// currencyCode reads US$5 and USD 50.
func (n *normalizer) currencyCode(w string, end int) bool {
	dollar := n.byteAt(end) == '$'
	if !dollar && (len(w) != 3 || !upper(w[0])) {
		return false
	}
	if dollar {
		end++
	}
	c, ok := currencies[n.s[n.at:end]]
	return ok && digit(n.byteAt(n.spaces(end))) && n.money(c, end)
}

// language reads the programming languages C++ and C#.
func (n *normalizer) language(w string, end int) bool {
	switch {
	case n.byteAt(end) == '+' && n.byteAt(end+1) == '+' && n.ends(end+2) && n.byteAt(end+2) != '+':
		n.keep(end)
		n.say("plus plus", end+2)
	case n.byteAt(end) == '#' && len(w) == 1 && upper(w[0]) && n.ends(end+1):
		n.keep(end)
		n.say("sharp", end+1)
	default:
		return false
	}
	return true
}

// version reads v2 and v1.2.3.
func (n *normalizer) version(w string, end int) bool {
	if w != "v" && w != "V" || !digit(n.byteAt(end)) || prose.IsWordRune(n.before(n.at)) {
		return false
	}
	n.say("version", end)
	if n.dotted() {
		return true
	}
	q, _ := n.numeral(end)
	n.say(q.String(), q.end)
	return true
}

// unitAlone reads a unit without a number before it: km/h, mg/dL, kWh.
func (n *normalizer) unitAlone(end int) bool {
	if prose.IsWordRune(n.before(n.at)) {
		return false
	}
	u, last, ok := n.unitName(n.at)
	if !ok || last > end && !isLength(strings.TrimPrefix(strings.TrimPrefix(u.one, "square "), "cubic ")) {
		return false
	}
	if n.byteAt(last) == '/' && end-n.at <= 2 {
		if per, i, ok := n.unitName(last + 1); ok {
			n.say(u.many+" per "+per.one, i)
			return true
		}
	}
	if w := n.s[n.at:end]; last == end && (lowercase(w) || prose.AllCapitals(w) || !capitalInside(w)) {
		return false
	}
	n.say(u.many, last)
	return true
}

func capitalInside(w string) bool { return strings.ContainsFunc(w[1:], unicode.IsUpper) }
