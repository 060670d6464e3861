package english

import (
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// currency is money and its hundredth part, each for one and for more.
type currency struct{ one, many, cent, cents string }

// currencyOf gives the currency of a sign or an ISO 4217 code.
func currencyOf(sign string) (currency, bool) {
	dollars := func(of string) currency { return currency{of + "dollar", of + "dollars", "cent", "cents"} }
	switch sign {
	case "$":
		return dollars(""), true
	case "US$", "USD":
		return dollars("U S "), true
	case "C$", "CA$", "CAD":
		return dollars("Canadian "), true
	case "A$", "AU$", "AUD":
		return dollars("Australian "), true
	case "NZ$", "NZD":
		return dollars("New Zealand "), true
	case "HK$", "HKD":
		return dollars("Hong Kong "), true
	case "S$", "SGD":
		return dollars("Singapore "), true
	case "£":
		return currency{"pound", "pounds", "penny", "pence"}, true
	case "GBP":
		return currency{"British pound", "British pounds", "penny", "pence"}, true
	case "€", "EUR":
		return currency{"euro", "euros", "cent", "cents"}, true
	case "¥", "￥", "JPY":
		return currency{"yen", "yen", "", ""}, true
	case "CNY", "RMB":
		return currency{"yuan", "yuan", "", ""}, true
	case "₹", "INR":
		return currency{"rupee", "rupees", "paisa", "paise"}, true
	case "₩", "KRW":
		return currency{"won", "won", "", ""}, true
	case "₽", "RUB":
		return currency{"ruble", "rubles", "kopeck", "kopecks"}, true
	case "₿", "BTC":
		return currency{"bitcoin", "bitcoins", "", ""}, true
	case "CHF":
		return currency{"Swiss franc", "Swiss francs", "centime", "centimes"}, true
	case "R$", "BRL":
		return currency{"Brazilian real", "Brazilian reais", "centavo", "centavos"}, true
	case "₪":
		return currency{"shekel", "shekels", "", ""}, true
	}
	return currency{}, false
}

// money reads an amount behind the sign of its currency, which ends at i: $3.50, £2m, $1.5 billion, $20-$30.
func (n *normalizer) money(c currency, i int) bool {
	start := n.at
	at := n.spaces(i)
	minus := ""
	if r, size := utf8.DecodeRuneInString(n.s[at:]); (r == '-' || r == '−') && digit(n.byteAt(at+size)) {
		minus, at = "minus ", at+size
	}
	q, ok := n.numeral(at)
	if !ok || q.whole == "" && n.byteAt(at) != '.' {
		return false
	}
	if q.part == "" && n.byteAt(q.end) == ',' && n.digits(q.end+1) == q.end+3 {
		q.part, q.end = n.s[q.end+1:q.end+3], q.end+3 // €3,50
	}
	scale, end := n.scale(q.end)
	words := ""
	if size := n.dash(end); size > 0 {
		next := end + size
		if _, sign := utf8.DecodeRuneInString(n.s[min(next, len(n.s)):]); n.s[next:min(next+sign, len(n.s))] == n.s[start:i] {
			next += sign
		}
		if second, ok := n.numeral(next); ok && digit(n.byteAt(next)) && n.byteAt(second.end) != '-' {
			last := ""
			if last, end = n.scale(second.end); scale == last {
				scale = ""
			}
			words = q.String() + scale + " to "
			if scale == "" && last == "" && (len(q.part) == 2 || len(second.part) == 2) {
				words = c.amount(q, "", false) + " to "
			}
			q, scale = second, last
		}
	}
	one := n.compound(start, end)
	words = minus + words + c.amount(q, scale, one)
	n.say(words, end)
	if n.byteAt(end) == '/' && lower(n.byteAt(end+1)) {
		n.say("per", end+1)
		if unit, last, ok := n.unitName(end + 1); ok {
			n.say(unit.one, last)
		}
	}
	return true
}

// amount reads an amount of money; scale is such as " million", one makes it an adjective: a five dollar bill.
func (c currency) amount(q numeral, scale string, one bool) string {
	many := c.many
	if one || q.whole == "1" && q.part == "" && scale == "" {
		many = c.one
	}
	if len(q.part) != 2 || scale != "" || c.cent == "" {
		return q.String() + scale + " " + many
	}
	cents := Cardinal(strings.TrimPrefix(q.part, "0")) + " " + c.cents
	if q.part == "01" {
		cents = "one " + c.cent
	}
	switch {
	case q.part == "00" && q.whole == "1":
		return "one " + c.one
	case q.part == "00":
		return Cardinal(q.whole) + " " + many
	case strings.Trim(q.whole, "0") == "":
		return cents
	case q.whole == "1":
		many = c.one
	}
	return Cardinal(q.whole) + " " + many + " and " + cents
}

// currencyBehind reads the sign or the code of a currency behind a number: 3.50 €, 50 USD.
func (n *normalizer) currencyBehind(i int) (currency, int, bool) {
	at := n.spaces(i)
	end := at + len(n.wordAt(at))
	if end == at {
		r, size := utf8.DecodeRuneInString(n.s[at:])
		if end += size; at > i && r != '€' && r != '₽' {
			return currency{}, 0, false
		}
	} else if end != at+3 {
		return currency{}, 0, false
	}
	c, ok := currencyOf(n.s[at:end])
	return c, end, ok && n.ends(end) && !digit(n.byteAt(end))
}

// scale reads what multiplies an amount of money: k, M, bn, or a word behind it.
func (n *normalizer) scale(i int) (words string, end int) {
	word := n.wordAt(n.spaces(i))
	end = n.spaces(i) + len(word)
	if !n.ends(end) {
		return "", i
	}
	switch word {
	case "hundred", "thousand", "million", "billion", "trillion":
		return " " + word, end
	case "mn", "mln":
		return " million", end
	case "bn":
		return " billion", end
	case "tn":
		return " trillion", end
	}
	if n.spaces(i) > i {
		return "", i
	}
	switch word {
	case "k", "K":
		return " thousand", end
	case "m", "M", "MM":
		return " million", end
	case "b", "B":
		return " billion", end
	case "t", "T":
		return " trillion", end
	}
	return "", i
}

// compound reports whether a quantity from start to end describes the noun behind it, so that its unit is singular:
// a 5 km run, a $10 bill.
func (n *normalizer) compound(start, end int) bool {
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
