package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// sign reads a character that is no letter and no digit.
func (n *signs) sign(r rune, size int) {
	end := n.at + size
	switch {
	case r == '"':
		n.quoted = !n.quoted
	case r == '\n' && n.byteAt(end) == '\n':
		n.quoted = false
	case r < utf8.RuneSelf && n.asciiSign(byte(r), end), r >= utf8.RuneSelf && (n.numberSign(end) || n.otherSign(r, end)):
		return
	}
	n.keep(end)
}

// asciiSigns read the signs of ASCII. c is at n.at and end is after it; false keeps the sign.
var asciiSigns = [utf8.RuneSelf]func(n *signs, end int) bool{
	'$': (*signs).dollarSign, '-': (*signs).minus, '+': (*signs).plus, '.': (*signs).point,
	'&': (*signs).ampersand, '#': (*signs).hash, '=': (*signs).equals, '<': (*signs).less,
	'>': (*signs).greater, '*': (*signs).star, '/': (*signs).slash,
	'(':  func(n *signs, _ int) bool { return n.vanityNumber() || n.phone() },
	'\'': func(n *signs, _ int) bool { return n.shortYear(1) },
	'^':  func(n *signs, _ int) bool { return n.caret() },
	'%':  saying("percent"),
	'@':  saying("at"),
	'_':  (*signs).dropSign,
	'`':  (*signs).dropSign,
	'\\': (*signs).dropSign,
	'!':  (*signs).notEqual,
	':':  (*signs).colon,
	'~':  (*signs).about,
}

// saying returns a reader that says words for a sign.
func saying(words string) func(n *signs, end int) bool {
	return func(n *signs, end int) bool {
		n.say(words, end)
		return true
	}
}

func (n *signs) asciiSign(c byte, end int) bool {
	read := asciiSigns[c]
	return read != nil && read(n, end)
}

// dropSign leaves a sign out.
func (n *signs) dropSign(end int) bool {
	n.drop(end)
	return true
}

// dollarSign reads an amount, or the sign alone.
func (n *signs) dollarSign(end int) bool {
	if !n.money(currencies["$"], end) {
		n.say("dollar", end)
	}
	return true
}

// notEqual reads !=.
func (n *signs) notEqual(end int) bool {
	if n.byteAt(end) != '=' {
		return false
	}
	if end++; n.byteAt(end) == '=' {
		end++
	}
	n.say("is not equal to", end)
	return true
}

// about reads ~5 and ~$5.
func (n *signs) about(end int) bool {
	if next := n.byteAt(end); !digit(next) && next != '$' {
		return false
	}
	n.say("about", end)
	return true
}

// numberAt reports whether a number is at i, perhaps with the sign of a currency before it.
func (n *signs) numberAt(i int) bool {
	r, size := n.runeAt(i)
	if unicode.Is(unicode.Sc, r) {
		i += size
	}
	return digit(n.byteAt(i)) || n.byteAt(i) == '.' && digit(n.byteAt(i+1))
}

// minus reads a hyphen before a number that follows no word, and in an equation.
func (n *signs) minus(end int) bool {
	before := n.before(n.at)
	switch {
	case n.byteAt(end) == '>':
		n.say("to", end+1)
	case n.numberAt(end) && (unicode.IsSpace(before) || strings.ContainsRune("([=<>*/^", before)):
		n.say("minus", end)
	case before == '%' && digit(n.byteAt(end)), n.betweenDays(end): // 5%-10%
		n.say("to", end)
	case n.equation(end):
		n.say("minus", end)
	default:
		return false
	}
	return true
}

// betweenDays reports whether a dash that ends at end stands between two days of different months: Jan 5-Feb 3.
func (n *signs) betweenDays(end int) bool {
	before := n.skipSpacesBack(n.at)
	next := n.spaces(end)
	word := n.wordAt(next)
	day := n.spaces(next + len(word))
	return digit(n.byteAt(before-1)) && monthOf(word) != "" && day > next+len(word) && digit(n.byteAt(day))
}

// equation reports whether an operator that ends at end has operands on both sides and an equals sign near, or is in brackets
// beside another operator.
func (n *signs) equation(end int) bool {
	next := n.spaces(end)
	if !n.operandBefore() || !digit(n.byteAt(next)) && n.letters(next) != next+1 {
		return false
	}
	near := n.s[max(0, n.at-12):min(len(n.s), end+24)]
	return strings.ContainsAny(near, "=≠") || n.operatorAfterBracket(max(n.digits(next), n.letters(next))) ||
		n.operatorBeforeBracket(n.operandStart())
}

// operandBefore reports whether a number, a share in percent, a closing bracket or a single letter is before n.at.
func (n *signs) operandBefore() bool {
	i := n.skipSpacesBack(n.at)
	if i == 0 {
		return false
	}
	c := n.s[i-1]
	variable := lower(c) && (i == 1 || !prose.IsWordRune(n.before(i-1)) || digit(n.s[i-2]))
	return digit(c) || c == ')' || c == '%' || variable
}

// operandStart returns where the digits or letters before n.at begin, spaces between left out.
func (n *signs) operandStart() int {
	end := n.skipSpacesBack(n.at)
	start := end
	for start > 0 && end-start < prose.LongestWord && (digit(n.s[start-1]) || letter(n.s[start-1])) {
		start--
	}
	return start
}

// plus reads + between numbers and words, and telephone numbers.
func (n *signs) plus(end int) bool {
	next := n.byteAt(end)
	if digit(next) && n.phone() {
		return true
	}
	before := n.before(n.at)
	if !digit(next) && !prose.IsWordRune(before) && (!space(next) || !unicode.IsSpace(before)) {
		return false
	}
	if !unicode.IsLetter(n.after(end)) {
		n.joinLetterA()
	}
	n.say("plus", end)
	return true
}

// point reads .5, and the names .NET and the like after a slash.
func (n *signs) point(end int) bool {
	if n.byteAt(n.at-1) == '/' && letter(n.byteAt(end)) || n.wordAt(end) == "NET" {
		n.say("dot", end)
		return true
	}
	if before := n.before(n.at); !digit(n.byteAt(end)) || prose.IsWordRune(before) || before == '.' || before == ')' || before == '"' {
		return false
	}
	q, ok := n.numeral(n.at)
	if ok {
		n.quantity(q)
	}
	return ok
}

// ampersand reads & and && as "and", and leaves the entities of HTML out.
func (n *signs) ampersand(end int) bool {
	for _, entity := range [...]string{"nbsp;", "quot;", "apos;", "lt;", "gt;"} {
		if strings.HasPrefix(n.s[end:], entity) {
			n.drop(end + len(entity))
			return true
		}
	}
	if strings.HasPrefix(n.s[end:], "amp;") {
		end += len("amp;")
	}
	if n.byteAt(end) == '&' {
		end++
	}
	n.say("and", end)
	return true
}

// hash reads #5 as a number and leaves the marks of headings out.
func (n *signs) hash(end int) bool {
	start := n.at == 0 || space(n.s[n.at-1])
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

// lineStart reports whether n.at is at the beginning of a line.
func (n *signs) lineStart() bool { return n.at == 0 || n.s[n.at-1] == '\n' }

// equals reads =, == and =>, and leaves lines of = out.
func (n *signs) equals(end int) bool {
	next := n.byteAt(end)
	switch {
	case next == '>':
		n.say("to", end+1)
	case next == '=' && n.byteAt(end+1) == '=' || n.lineStart():
		for n.byteAt(end) == '=' {
			end++
		}
		n.drop(end)
	case next == '=':
		n.say("equals", end+1)
	default:
		n.say("equals", end)
	}
	return true
}

// less reads < and <=, and elements such as <script>.
func (n *signs) less(end int) bool {
	switch {
	case n.element(end):
	case n.byteAt(end) == '=':
		n.say("is less than or equal to", end+1)
	default:
		return n.comparison("less than", end)
	}
	return true
}

// greater reads > and >=, and leaves the marks of quoted lines out.
func (n *signs) greater(end int) bool {
	switch {
	case n.lineStart():
		for n.byteAt(end) == '>' || n.byteAt(end) == ' ' {
			end++
		}
		n.drop(end)
	case n.byteAt(end) == '=':
		n.say("is greater than or equal to", end+1)
	case n.valueBefore():
		return n.comparison("greater than", end)
	default:
		return n.comparison("more than", end)
	}
	return true
}

// comparison reads a sign between two values, or before one: >5.
func (n *signs) comparison(words string, end int) bool {
	spaced := n.at == 0 || space(n.s[n.at-1])
	if !prose.IsWordRune(n.after(n.spaces(end))) || !spaced && !prose.IsWordRune(n.before(n.at)) {
		return false
	}
	if n.valueBefore() {
		words = "is " + words
	}
	n.say(words, end)
	return true
}

// valueBefore reports whether a word, a number or a closing bracket is before n.at, spaces between left out.
func (n *signs) valueBefore() bool {
	r := n.before(n.skipSpacesBack(n.at))
	return prose.IsWordRune(r) || r == ')'
}

// star reads * between numbers and leaves it out elsewhere.
func (n *signs) star(end int) bool {
	next := n.byteAt(n.spaces(end))
	if n.operandBefore() && (digit(next) || next == '(' && space(n.byteAt(end))) || n.equation(end) {
		n.say("times", end)
		return true
	}
	for n.byteAt(end) == '*' {
		end++
	}
	n.drop(end)
	return true
}

// slash leaves a slash out. After a number, and before a time, it is "per", between operands "divided by", and beside a sign
// of a programming language, as in C#/.NET, it is said.
func (n *signs) slash(end int) bool {
	before := n.before(n.at)
	number := before >= '0' && before <= '9'
	switch {
	case (before == '#' || before == '+') && !space(n.byteAt(end)),
		n.byteAt(end) == '.' && letter(n.byteAt(end+1)) && prose.IsWordRune(before), n.languageAt(end):
		n.say("slash", end)
	case n.divides(end):
		n.say("divided by", end)
	case number && lower(n.byteAt(end)) || rateUnits[n.wordAt(end)]:
		n.say("per", end)
	case number && digit(n.byteAt(end)):
		n.say("slash", end)
	default:
		n.drop(end)
	}
	return true
}

// languageAt reports whether the name of a programming language with a sign is at i: C++, C#.
func (n *signs) languageAt(i int) bool {
	last := n.letters(i)
	return last > i && (strings.HasPrefix(n.s[last:], "++") || last == i+1 && n.byteAt(last) == '#')
}

// divides reports whether a slash that ends at end divides the operands on its sides: 6 / 2, (2 - 1)/4.
func (n *signs) divides(end int) bool {
	spaced := space(n.byteAt(n.at-1)) && space(n.byteAt(end))
	next := n.after(n.spaces(end))
	bracket := n.before(n.skipSpacesBack(n.at)) == ')' || next == '('
	operand := next >= '0' && next <= '9' || next == '('
	number := digit(n.byteAt(n.skipSpacesBack(n.at) - 1))
	return n.operandBefore() && operand && (spaced && number || bracket) || n.equation(end)
}

// colon reads a colon between two numbers of an equation: 10 : 2 = 5.
func (n *signs) colon(end int) bool {
	if !space(n.byteAt(n.at-1)) || !space(n.byteAt(end)) || !n.equation(end) {
		return false
	}
	n.say("divided by", end)
	return true
}

// rateUnits are what rates are counted by: hours/day.
var rateUnits = setOf("day week month year hour minute second night person")

// caret reads ^2.
func (n *signs) caret() bool {
	words, end := n.power(n.at)
	if end == n.at {
		return false
	}
	n.say(strings.TrimSpace(words), end)
	return true
}

// numberSign reads fractions and powers that are one character, and subscripts.
func (n *signs) numberSign(end int) bool {
	if a, b, last := n.vulgarFraction(n.at); last > 0 {
		n.sayMeasured(partWords(a, b), last, true)
		return true
	}
	r := n.after(n.at)
	switch words, last := n.power(n.at); {
	case last > n.at && prose.IsWordRune(n.before(n.at)):
		n.say(strings.TrimSpace(words), last)
	case last > n.at:
		n.drop(last)
	case r >= '₀' && r <= '₉':
		n.say(ones[r-'₀'], end)
	default:
		return false
	}
	return true
}

// otherSign reads the other signs beyond ASCII; false keeps the sign.
func (n *signs) otherSign(r rune, end int) bool {
	if unicode.Is(unicode.Sc, r) {
		if c, ok := currencies[string(r)]; ok && n.money(c, end) {
			return true
		}
	}
	if words := signNames[r]; words != "" {
		if r == '♭' || r == '♯' {
			n.joinLetterA()
		}
		n.say(words, end)
		return true
	}
	switch r {
	case '–', '−':
		return n.longDash(r, end)
	case '·', '⋅', '∙':
		return n.dot(end)
	case '’', '‘':
		return n.shortYear(len("’"))
	}
	dropped := emoji(r) || r == '™' || r == '®' || r == '\u200d' && n.gap
	if dropped {
		n.drop(end)
	}
	return dropped
}

// dot reads a raised dot between two factors.
func (n *signs) dot(end int) bool {
	if !n.operandBefore() || !digit(n.byteAt(n.spaces(end))) {
		return false
	}
	n.say("times", end)
	return true
}

// longDash reads a dash between days, and the sign before a number or in a calculation.
func (n *signs) longDash(r rune, end int) bool {
	switch {
	case r == '–' && n.betweenDays(end):
		n.say("to", end)
	case r == '−' && n.numberAt(n.spaces(end)), n.equation(end):
		n.say("minus", end)
	default:
		return false
	}
	return true
}

// signNames are the words of signs.
var signNames = map[rune]string{
	'×': "times", '÷': "divided by", '±': "plus or minus", '≤': "is less than or equal to", '≥': "is greater than or equal to",
	'≠': "is not equal to", '≈': "is about", '√': "the square root of", '∞': "infinity", '→': "to", '⇒': "to", '°': "degrees",
	'♭': "flat", '♯': "sharp", '§': "section", '№': "number", '©': "copyright", '¢': "cents", '£': "pounds", '€': "euros",
}

// pictures are the ranges of characters that are pictures, or change or join them.
var pictures = [...][2]rune{
	{0x1f000, 0x1faff}, {0x2600, 0x27bf}, {0x2b00, 0x2bff}, {0x2300, 0x23ff}, {0x25a0, 0x25ff}, {0xe0020, 0xe007f}, {0x2190, 0x21ff},
}

// emoji reports whether r is a picture. Pictures are left out: their names would break the sentence.
func emoji(r rune) bool {
	for _, p := range pictures {
		if r >= p[0] && r <= p[1] {
			return true
		}
	}
	return emojiModifier(r)
}
