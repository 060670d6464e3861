package english

import (
	"strings"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// quantity reads a number that is no date, time or the like, with what belongs to it: an exponent, a fraction, the end of a
// range, a currency or a unit after it.
func (n *amounts) quantity(q numeral) {
	words := q.String()
	if power, end := n.exponent(q.end); end > q.end {
		n.sayMeasured(words+power, end, false)
		return
	}
	if part, end := n.mixed(q); end > q.end {
		n.sayMeasured(words+part, end, false)
		return
	}
	if second, ok := n.rangeEnd(q.end); ok {
		n.numberRange(q, second)
		return
	}
	switch {
	case n.sayAmount("", q), n.sayUnit(words, q.end, q.one()), n.dayMonth(q):
	case n.dayOfMonth(n.at, q):
		n.say(Ordinal(q.whole), q.end)
	default:
		read := n.inContext(q)
		if n.keepDigits && q.plain() && read == words {
			n.keep(q.end)
			return
		}
		n.say(read, q.end)
	}
}

// numberRange reads two numbers with a dash between them.
func (n *amounts) numberRange(first, second numeral) {
	words := first.String() + " to "
	switch {
	case n.longZIPCode(first, second), n.sharedHalves(first, second):
	case n.sayAmount(words, second), n.sayUnit(words+second.String(), second.end, false):
	case n.dayRangeBeforeMonth(first, second):
	case n.dayOfMonth(n.at, first):
		n.say(Ordinal(first.whole)+" to "+Ordinal(second.whole), second.end)
	default:
		n.say(n.inContext(first)+" to "+rangeEndWords(first, second), second.end)
	}
}

// sayMeasured says words in place of s up to end, with the end of a range, a currency or a unit after it. one is set for a
// part of one thing, such as a half, whose unit is singular.
func (n *amounts) sayMeasured(words string, end int, one bool) {
	if second, ok := n.rangeEnd(end); ok {
		if n.sayAmount(words+" to ", second) {
			return
		}
		words, end, one = words+" to "+second.String(), second.end, false
	}
	if !n.sayUnit(words, end, one) {
		n.say(words, end)
	}
}

// sayAmount says words and an amount of the currency that follows q. It reports false if none does.
func (n *amounts) sayAmount(words string, q numeral) bool {
	c, end, ok := n.currencyAfter(q.end)
	if ok {
		n.say(words+c.amount(q, "", n.compound(n.at, end)), end)
	}
	return ok
}

// sayUnit says words and the unit that follows at end, singular if one is set. It reports false if none does.
func (n *amounts) sayUnit(words string, end int, one bool) bool {
	u, last, ok := n.unit(end)
	if ok {
		n.say(words+u.name(one || n.compound(n.at, last)), n.pastUnitStop(last))
	}
	return ok
}

// compound reports whether a quantity from start to end describes the noun after it, so that its unit is singular: a 5 km
// run, a $10 bill.
func (n *amounts) compound(start, end int) bool {
	article, _ := n.wordBefore(start)
	if article != "a" && article != "an" && article != "A" && article != "An" {
		return false
	}
	next := n.spaces(end)
	if n.dash(end) > 0 {
		next = end + 1
	}
	word := n.wordAt(next)
	return next > end && word != "" && lower(word[0]) && !prose.StartsSentence(word) && word != "per" && word != "or" && word != "of"
}

// inContext returns the words of the number at n.at as a year, as a type or as it is.
func (n *amounts) inContext(q numeral) string {
	switch {
	case q.fraction == "" && !q.grouped && n.after(q.end) != '\'' && !n.ends(q.end):
		return model(q.whole) // 1080p, 4K
	case q.whole == "911" && q.fraction == "":
		return "nine one one"
	case n.isYear(q):
		return Year(q.whole)
	case n.isZIPCode(q):
		return Digits(q.whole)
	}
	return q.String()
}

// isZIPCode reports whether the number at n.at is five digits after the two letters of a state or the word ZIP.
func (n *amounts) isZIPCode(q numeral) bool {
	return len(q.whole) == 5 && !q.grouped && q.fraction == "" && (n.afterState() || n.afterZIP())
}

// afterState reports whether two capitals are before n.at, such as those of a state.
func (n *amounts) afterState() bool {
	word, _ := n.wordBefore(n.at)
	return len(word) == 2 && upper(word[0]) && upper(word[1])
}

// afterZIP reports whether a name of postal codes is before n.at: ZIP, zip code:, postcode is.
func (n *amounts) afterZIP() bool {
	before := strings.ToLower(n.s[max(0, n.at-24):n.at])
	before = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(before, " :#"), " is"), " :#")
	for _, name := range [...]string{"zip", "zip code", "zip codes", "zipcode", "postcode", "postal code", "post code"} {
		if start := len(before) - len(name); strings.HasSuffix(before, name) && (start == 0 || !letter(before[start-1])) {
			return true
		}
	}
	return false
}

// longZIPCode reads 90210-1234 where a code of five digits would be read digit by digit.
func (n *amounts) longZIPCode(first, second numeral) bool {
	if len(second.whole) != 4 || !second.fourDigits() || n.byteAt(first.end) != '-' || !n.isZIPCode(first) {
		return false
	}
	n.say(Digits(first.whole)+", "+Digits(second.whole), second.end)
	return true
}

// isYear reports whether the number at n.at is a year rather than a count.
func (n *amounts) isYear(q numeral) bool {
	if !q.fourDigits() {
		return false
	}
	word, _ := n.wordBefore(n.at)
	next := n.wordAt(n.spaces(q.end))
	switch {
	case eras[next] || word == "AD":
		return true
	case beforeYear[strings.ToLower(word)]:
		return q.yearLike() || q.whole > "1009" && q.whole < "1100"
	}
	return q.yearLike() && (!isPluralNoun(next) || monthOf(word) != "")
}

var (
	// eras come after a year.
	eras = setOf("BC AD BCE CE")

	// beforeYear are words before a year.
	beforeYear = setOf("in since from until till by of circa year early late around the before after during between spring summer " +
		"fall autumn winter")

	// irregularPlurals are plurals that do not end in s, after a count; notPlural end in s and are no plurals.
	irregularPlurals = setOf("people men women children percent dollars")
	notPlural        = setOf("was is has as this its his us does across plus minus equals")
)

// isPluralNoun reports whether word looks like the plural of a noun, as after a count.
func isPluralNoun(word string) bool {
	if irregularPlurals[word] || notPlural[word] {
		return irregularPlurals[word]
	}
	return len(word) > 3 && lower(word[0]) && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss")
}

// rangeEnd returns the second number of a range whose first one, at n.at, ends at i: 5-10, 1990–2000, 5 – 10.
func (n *amounts) rangeEnd(i int) (numeral, bool) {
	mark := n.spaces(i)
	r, size := n.runeAt(mark)
	next := n.spaces(mark + size)
	if r != '-' && r != '–' && r != '‑' || !digit(n.byteAt(next)) || (mark == i) != (next == mark+size) {
		return numeral{}, false
	}
	second, _ := n.numeral(next)
	if c := n.after(second.end); c == '-' || c == '/' || c == ':' && digit(n.byteAt(second.end+1)) {
		return numeral{}, false
	}
	return second, !n.inEquation(second.end)
}

// sharedHalves reads 50-50, 20-20, and shares of a hundred such as a 60-40 split.
func (n *amounts) sharedHalves(first, second numeral) bool {
	if !first.plain() || !second.plain() || !isShare(first.whole, second.whole, n.wordAt(n.spaces(second.end))) {
		return false
	}
	n.say(first.String()+" "+second.String(), second.end)
	return true
}

// isShare reports whether two numbers before a word are the shares of two sides rather than a range or a fraction.
func isShare(first, second, next string) bool {
	if first == second && (first == "50" || first == "20") {
		return true
	}
	a, b := number(first), number(second)
	return a+b == 100 && a > b && shared[next]
}

// shared are what is divided into two shares.
var shared = setOf("split splits rule chance chances odds ratio mix blend basis share shares partnership deal principle")

// inEquation reports whether an operator is before n.at, or an operator or an equals sign after end, so that a hyphen between
// is a minus.
func (n *amounts) inEquation(end int) bool {
	before := n.before(n.at)
	operator := n.at > 1 && before == ' ' && strings.IndexByte("=+*", n.s[n.at-2]) >= 0
	return before == '=' || operator || n.byteAt(n.spaces(end)) == '=' || n.operatorAfterBracket(end) || n.operatorBeforeBracket(n.at)
}

// operators stand between the operands of a calculation.
const operators = "=*/+^×÷·<>"

// operatorBeforeBracket reports whether an opening bracket is before i and an operator before it: 4 * (2 - 1).
func (n *amounts) operatorBeforeBracket(i int) bool {
	return n.byteAt(i-1) == '(' && strings.ContainsRune(operators, n.before(n.skipSpacesBack(i-1)))
}

// operatorAfterBracket reports whether a closing bracket is at i and an operator behind it: (2 - 1) / 4.
func (n *amounts) operatorAfterBracket(i int) bool {
	if n.byteAt(i) != ')' {
		return false
	}
	at := n.spaces(i + 1)
	r, size := n.runeAt(at)
	return strings.ContainsRune(operators, r) && size > 0 && prose.IsWordRune(n.after(n.spaces(at+size)))
}

// rangeEndWords returns the words of the second number of a range.
func rangeEndWords(first, second numeral) string {
	switch {
	case first.yearLike() && second.yearLike():
		return Year(second.whole)
	case first.yearLike() && len(second.whole) == 2 && second.fraction == "":
		return twoDigits(second.whole)
	}
	return second.String()
}
