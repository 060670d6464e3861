package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// sign reads a character that is no letter and no digit.
func (n *normalizer) sign(r rune, size int) {
	end := n.at + size
	switch {
	case r == '"':
		n.quoted = !n.quoted
		n.keep(end)
	case r < utf8.RuneSelf && n.asciiSign(byte(r), end):
	case r >= utf8.RuneSelf && (n.numberSign(r, end) || n.wideSign(r, end)):
	case r == '\n':
		if n.byteAt(end) == '\n' {
			n.quoted = false
		}
		n.keep(end)
	default:
		n.keep(end)
	}
}

// asciiSign reads the signs of ASCII; false for those that stay.
func (n *normalizer) asciiSign(c byte, end int) bool {
	next := n.byteAt(end)
	start := n.at == 0 || space(n.s[n.at-1])
	switch c {
	case '$':
		if currency, _ := currencyOf("$"); !n.money(currency, end) {
			n.say("dollar", end)
		}
	case '-':
		return n.minus(end)
	case '+':
		return n.plus(end)
	case '(':
		return n.phone()
	case '.':
		return n.point(end)
	case '\'':
		return n.shortYear(1)
	case '&':
		return n.ampersand(end)
	case '#':
		return n.hash(end, start)
	case '%':
		n.say("percent", end)
	case '@':
		n.say("at", end)
	case '=', '<', '>':
		return n.compare(c, end, start)
	case '*':
		return n.star(end)
	case '/':
		return n.slash(end)
	case '^':
		return n.caret()
	case '!':
		if next != '=' {
			return false
		}
		n.say("is not equal to", end+1)
	case '_', '`':
		n.drop(end)
	case '~':
		if !digit(next) && next != '$' {
			return false
		}
		n.say("about", end)
	case '\\':
		n.drop(end)
	default:
		return false
	}
	return true
}

// number reports a number at i, perhaps with the sign of money before it.
func (n *normalizer) numberAt(i int) bool {
	r, size := utf8.DecodeRuneInString(n.s[min(i, len(n.s)):])
	if unicode.Is(unicode.Sc, r) {
		i += size
	}
	return digit(n.byteAt(i)) || n.byteAt(i) == '.' && digit(n.byteAt(i+1))
}

// minus reads - before a number, where nothing else stands before it, and between numbers and letters of an equation.
func (n *normalizer) minus(end int) bool {
	before := n.before(n.at)
	switch {
	case n.byteAt(end) == '>':
		n.say("to", end+1)
	case n.numberAt(end) && (unicode.IsSpace(before) || strings.ContainsRune("([=<>*/^", before)):
		n.say("minus", end)
	case before == '%' && digit(n.byteAt(end)):
		n.say("to", end)
	case n.equation(end):
		n.say("minus", end)
	default:
		return false
	}
	return true
}

// equation reports numbers beside an operator that ends at end, with an equals sign near.
func (n *normalizer) equation(end int) bool {
	next := n.spaces(end)
	near := n.s[max(0, n.at-12):min(len(n.s), end+24)]
	return strings.Contains(near, "=") && (digit(n.byteAt(next)) || n.letters(next) == next+1) && n.operandBefore()
}

// operandBefore reports a number or a single letter before n.at.
func (n *normalizer) operandBefore() bool {
	i := n.at
	for i > 0 && n.s[i-1] == ' ' {
		i--
	}
	if i == 0 {
		return false
	}
	c := n.s[i-1]
	single := lower(c) && (i == 1 || !prose.IsWordRune(n.before(i-1)) || digit(n.s[i-2]))
	return digit(c) || c == ')' || single
}

func (n *normalizer) plus(end int) bool {
	next := n.byteAt(end)
	if digit(next) && n.phone() {
		return true
	}
	before := n.before(n.at)
	if !digit(next) && !prose.IsWordRune(before) && (!space(next) || !unicode.IsSpace(before)) {
		return false
	}
	n.say("plus", end)
	return true
}

// point reads .5
func (n *normalizer) point(end int) bool {
	if before := n.before(n.at); !digit(n.byteAt(end)) || prose.IsWordRune(before) || before == '.' || before == ')' || before == '"' {
		return false
	}
	q, ok := n.numeral(n.at)
	if ok {
		n.quantity(q, "")
	}
	return ok
}

func (n *normalizer) ampersand(end int) bool {
	for _, entity := range [...]string{"amp;", "nbsp;", "quot;", "apos;", "lt;", "gt;"} {
		if !strings.HasPrefix(n.s[end:], entity) {
			continue
		}
		if end += len(entity); entity != "amp;" {
			n.drop(end)
			return true
		}
		break
	}
	if n.byteAt(end) == '&' {
		end++
	}
	n.say("and", end)
	return true
}

// hash reads #5 as a number and leaves the marks of headings out.
func (n *normalizer) hash(end int, start bool) bool {
	switch {
	case digit(n.byteAt(end)):
		n.say("number", end)
	case n.byteAt(end) == '#' || n.byteAt(end) == ' ' && start || n.byteAt(end-2) == '#':
		n.drop(end)
	default:
		n.say("hash", end)
	}
	return true
}

func (n *normalizer) compare(c byte, end int, start bool) bool {
	next := n.byteAt(end)
	lineStart := n.at == 0 || n.s[n.at-1] == '\n'
	if c == '<' && n.element(end) {
		return true
	}
	switch {
	case c == '>' && lineStart:
		for n.byteAt(end) == '>' || n.byteAt(end) == ' ' {
			end++
		}
		n.drop(end)
	case c == '=' && next == '>':
		n.say("to", end+1)
	case c == '<' && next == '=':
		n.say("is less than or equal to", end+1)
	case c == '>' && next == '=':
		n.say("is greater than or equal to", end+1)
	case c == '=' && next == '=' && n.byteAt(end+1) == '=' || c == '=' && lineStart:
		for n.byteAt(end) == '=' {
			end++
		}
		n.drop(end)
	case c == '=' && next == '=':
		n.say("equals", end+1)
	case c == '=':
		n.say("equals", end)
	case !prose.IsWordRune(n.after(n.spaces(end))) || !start && !prose.IsWordRune(n.before(n.at)):
		return false
	case !n.wordEndsBefore() && c == '<':
		n.say("less than", end)
	case !n.wordEndsBefore():
		n.say("more than", end)
	case c == '<':
		n.say("is less than", end)
	default:
		n.say("is greater than", end)
	}
	return true
}

// wordEndsBefore reports a letter or a digit before n.at, white space between left out.
func (n *normalizer) wordEndsBefore() bool {
	i := n.at
	for i > 0 && n.s[i-1] == ' ' {
		i--
	}
	r := n.before(i)
	return prose.IsWordRune(r) || r == ')'
}

// star reads * between numbers and leaves it out elsewhere.
func (n *normalizer) star(end int) bool {
	if digit(n.byteAt(n.spaces(end))) && n.operandBefore() {
		n.say("times", end)
		return true
	}
	for n.byteAt(end) == '*' {
		end++
	}
	n.drop(end)
	return true
}

// slash keeps what it divides apart; behind a number a word is what it is counted by.
func (n *normalizer) slash(end int) bool {
	before := n.before(n.at)
	switch {
	case before >= '0' && before <= '9' && lower(n.byteAt(end)), period(n.wordAt(end)):
		n.say("per", end)
	case before >= '0' && before <= '9' && digit(n.byteAt(end)):
		n.say("slash", end)
	default:
		n.drop(end)
	}
	return true
}

// period reports what rates are told by: hours/day.
func period(word string) bool {
	switch word {
	case "day", "week", "month", "year", "hour", "minute", "second", "night", "person":
		return true
	}
	return false
}

func (n *normalizer) caret() bool {
	words, end := n.power(n.at)
	if end == n.at {
		return false
	}
	n.say(strings.TrimSpace(words), end)
	return true
}

// numberSign reads fractions and powers that are one character, and subscripts.
func (n *normalizer) numberSign(r rune, end int) bool {
	if a, b, last := n.vulgar(n.at); last > 0 {
		n.quantity(numeral{whole: half, end: last}, part(a, b))
		return true
	}
	switch words, last := n.power(n.at); {
	case last > n.at && prose.IsWordRune(n.before(n.at)):
		n.say(strings.TrimSpace(words), last)
	case last > n.at:
		n.drop(last)
	case r >= '₀' && r <= '₉':
		n.say(belowThousand(int(r-'₀')), end)
	default:
		return false
	}
	return true
}

// wideSign reads the other signs; false for those that stay.
func (n *normalizer) wideSign(r rune, end int) bool {
	if unicode.Is(unicode.Sc, r) {
		if c, ok := currencyOf(string(r)); ok && n.money(c, end) {
			return true
		}
	}
	if words := signName(r); words != "" {
		n.say(words, end)
		return true
	}
	switch {
	case r == '−' && n.numberAt(n.spaces(end)):
		n.say("minus", end)
	case r == '’' || r == '‘':
		return n.shortYear(len("’"))
	case emoji(r), r == '™', r == '®', r == '\u200d' && n.gap:
		n.drop(end)
	default:
		return false
	}
	return true
}

// signName names signs that have words of their own.
func signName(r rune) string {
	switch r {
	case '×':
		return "times"
	case '÷':
		return "divided by"
	case '±':
		return "plus or minus"
	case '≤':
		return "is less than or equal to"
	case '≥':
		return "is greater than or equal to"
	case '≠':
		return "is not equal to"
	case '≈':
		return "is about"
	case '√':
		return "the square root of"
	case '∞':
		return "infinity"
	case '→', '⇒':
		return "to"
	case '°':
		return "degrees"
	case '§':
		return "section"
	case '№':
		return "number"
	case '©':
		return "copyright"
	case '¢':
		return "cents"
	case '£':
		return "pounds"
	case '€':
		return "euros"
	}
	return ""
}

// emoji reports pictures, and what changes or joins them. They are left out: their names would break the sentence.
func emoji(r rune) bool {
	switch {
	case r >= 0x1f000 && r <= 0x1faff, r >= 0x2600 && r <= 0x27bf, r >= 0x2b00 && r <= 0x2bff, r >= 0x2300 && r <= 0x23ff,
		r >= 0x25a0 && r <= 0x25ff, r >= 0xe0020 && r <= 0xe007f, r >= 0x2190 && r <= 0x21ff:
		return true
	}
	return r == '\ufe0f' || r == '\u20e3'
}
