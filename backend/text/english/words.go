package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// word reads letters.
func (n *normalizer) word() {
	end := n.letters(n.at)
	w := n.s[n.at:end]
	next := n.byteAt(end)
	if !plain(w) || next == '.' || next == '+' || next == '#' || next == '/' || next == '$' || digit(next) || len(w) <= 3 {
		switch {
		case n.dottedLetters(end), n.shorthand(w, end), n.month(w, end), n.weekday(w, end), n.roman(w, end), n.code(w, end),
			n.version(w, end), n.perUnit(end), n.initial(w, end), n.capitals(w, end), n.humps(w, end):
			return
		}
	}
	n.keep(end)
}

// plain reports lower case letters only.
func plain(w string) bool {
	for i := range len(w) {
		if !lower(w[i]) {
			return false
		}
	}
	return true
}

// dottedLetters reads letters with dots: U.S., a.m., J.R.R., Ph.D., e.g. and i.e.
func (n *normalizer) dottedLetters(end int) bool {
	if n.byteAt(end) != '.' || end-n.at > 2 || n.at > 0 && n.s[n.at-1] == '.' {
		return false
	}
	i, letters := n.at, ""
	for len(letters) <= 6 {
		last := n.letters(i)
		short := last == i+1 || last == i+2 && upper(n.s[i]) && lower(n.s[i+1])
		if !short || !ascii(n.s[i:last]) || n.byteAt(last) != '.' && letters == "" {
			break
		}
		if n.byteAt(last) != '.' {
			if last == i+1 && n.ends(last) {
				letters, i = letters+n.s[i:last], last
			}
			break
		}
		letters, i = letters+n.s[i:last], last+1
	}
	many := ""
	if cut, found := strings.CutSuffix(letters, "s"); found && cut != "" && upper(cut[len(cut)-1]) {
		letters, many = cut, "'s"
	}
	if len(letters) < 2 || len(letters) > 6 || i == end+1 || prose.IsWordRune(n.after(i)) {
		return false
	}
	if n.s[i-1] == '.' && n.stops(i) {
		i--
	}
	switch words := strings.ToLower(letters); {
	case words == "eg":
		n.say("for example", dotEnd(n, i))
	case words == "ie":
		n.say("that is", dotEnd(n, i))
	case words == "am" || words == "pm":
		n.say(characters(letters), dotEnd(n, i))
		if n.byteAt(n.at) != '.' && n.newSentence(n.at) && n.byteAt(n.at-1) == '.' {
			n.at--
		}
	case words == "aka", words == "cf", strings.ContainsFunc(letters, unicode.IsUpper):
		n.say(characters(letters)+many, i)
	default:
		return false
	}
	return true
}

// dotEnd takes the dot at i with what it ends.
func dotEnd(n *normalizer, i int) int {
	if n.byteAt(i) == '.' && strings.TrimSpace(n.s[i+1:min(i+8, len(n.s))]) != "" && !n.stops(i+1) {
		return i + 1
	}
	return i
}

// initial reads the initial of a name without its dot: J. Smith, George W. Bush.
func (n *normalizer) initial(w string, end int) bool {
	if len(w) != 1 || !upper(w[0]) || n.byteAt(end) != '.' {
		return false
	}
	at := n.spaces(end + 1)
	if at == end+1 || !upper(n.byteAt(at)) {
		return false
	}
	next := n.wordAt(at)
	before, _ := n.wordBefore(n.at)
	switch {
	case len(next) > 1 && prose.StartsSentence(strings.ToLower(next)), lettered(before), w == "I" && len(next) > 1:
		return false
	}
	n.keep(end)
	n.at = end + 1
	return true
}

// lettered reports things that are told apart by letters, such as plan B.
func lettered(word string) bool {
	switch strings.ToLower(word) {
	case "vitamin", "plan", "option", "group", "type", "class", "grade", "section", "appendix", "figure", "hepatitis", "step",
		"part", "exhibit", "table", "team", "point", "line", "side", "model", "series", "letter", "variant", "version":
		return true
	}
	return false
}

// code reads C++, C#, US$5 and USD 50.
func (n *normalizer) code(w string, end int) bool {
	if n.byteAt(end) == '$' || len(w) == 3 && upper(w[0]) {
		sign := end
		if n.byteAt(end) == '$' {
			sign++
		}
		if c, ok := currencyOf(n.s[n.at:sign]); ok && digit(n.byteAt(n.spaces(sign))) && n.money(c, sign) {
			return true
		}
	}
	if n.byteAt(end) == '+' && n.byteAt(end+1) == '+' && n.ends(end+2) && n.byteAt(end+2) != '+' {
		n.keep(end)
		n.say("plus plus", end+2)
		return true
	}
	if n.byteAt(end) == '#' && len(w) == 1 && upper(w[0]) && n.ends(end+1) {
		n.keep(end)
		n.say("sharp", end+1)
		return true
	}
	return false
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

// perUnit reads units that stand without a number: km/h, mg/dL, kWh.
func (n *normalizer) perUnit(end int) bool {
	if prose.IsWordRune(n.before(n.at)) {
		return false
	}
	u, last, ok := n.unitName(n.at)
	if !ok || last > end && !length(strings.TrimPrefix(strings.TrimPrefix(u.one, "square "), "cubic ")) {
		return false
	}
	if n.byteAt(last) == '/' && end-n.at <= 2 {
		if per, i, ok := n.unitName(last + 1); ok {
			n.say(u.many+" per "+per.one, i)
			return true
		}
	}
	if w := n.s[n.at:end]; last == end && (plain(w) || prose.AllCapitals(w) || !capitalInside(w)) {
		return false
	}
	n.say(u.many, last)
	return true
}

func capitalInside(w string) bool { return strings.ContainsFunc(w[1:], unicode.IsUpper) }

// humps reads camelCase and the like part by part.
func (n *normalizer) humps(w string, end int) bool {
	if !ascii(w) || !capitalInside(w) || prose.AllCapitals(w) {
		return false
	}
	parts := camel(w)
	for i, part := range parts {
		if spelled, ok := acronym(part); ok {
			parts[i] = spelled
		}
	}
	if len(parts) == 1 && parts[0] == w {
		return false
	}
	n.say(strings.Join(parts, " "), end)
	return true
}

// camel cuts getUserName, HTTPServer and macOS into their parts. Names such as iPhone and YouTube stay whole.
func camel(w string) []string {
	switch w {
	case "PhD":
		return []string{"PHD"}
	case "PhDs":
		return []string{"PHDs"}
	}
	head := 0
	for head < len(w) && lower(w[head]) {
		head++
	}
	if head == 1 && len(w) > 2 && !prose.AllCapitals(w[1:]) {
		return []string{w}
	}
	var parts []string
	start := 0
	for i := 1; i < len(w); i++ {
		hump := lower(w[i-1]) && upper(w[i]) && head > 0
		if run := i+1 < len(w) && upper(w[i-1]) && upper(w[i]) && lower(w[i+1]); run && i > start+1 && w[i+1:] != "s" {
			hump = true
		}
		if hump {
			parts = append(parts, w[start:i])
			start = i
		}
	}
	return append(parts, w[start:])
}

// firstSize is the size of the first character.
func firstSize(s string) int {
	_, size := utf8.DecodeRuneInString(s)
	return size
}
