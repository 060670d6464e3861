package english

import (
	"strings"
	"unicode/utf8"
)

// currency is the name of a unit of money and of its hundredth part, each in singular and plural.
type currency struct{ one, many, cent, cents string }

// currencies are the currencies by their signs and their codes of ISO 4217.
var currencies = map[string]currency{
	"$":   dollar(""),
	"US$": dollar("U S "), "USD": dollar("U S "),
	"C$": dollar("Canadian "), "CA$": dollar("Canadian "), "CAD": dollar("Canadian "),
	"A$": dollar("Australian "), "AU$": dollar("Australian "), "AUD": dollar("Australian "),
	"NZ$": dollar("New Zealand "), "NZD": dollar("New Zealand "),
	"HK$": dollar("Hong Kong "), "HKD": dollar("Hong Kong "),
	"S$": dollar("Singapore "), "SGD": dollar("Singapore "),
	"£":   {"pound", "pounds", "penny", "pence"},
	"GBP": {"British pound", "British pounds", "penny", "pence"},
	"€":   {"euro", "euros", "cent", "cents"}, "EUR": {"euro", "euros", "cent", "cents"},
	"¥": {one: "yen", many: "yen"}, "￥": {one: "yen", many: "yen"}, "JPY": {one: "yen", many: "yen"},
	"CNY": {one: "yuan", many: "yuan"}, "RMB": {one: "yuan", many: "yuan"},
	"₹": {"rupee", "rupees", "paisa", "paise"}, "INR": {"rupee", "rupees", "paisa", "paise"},
	"₩": {one: "won", many: "won"}, "KRW": {one: "won", many: "won"},
	"₽": {"ruble", "rubles", "kopeck", "kopecks"}, "RUB": {"ruble", "rubles", "kopeck", "kopecks"},
	"₿": {one: "bitcoin", many: "bitcoins"}, "BTC": {one: "bitcoin", many: "bitcoins"},
	"CHF": {"Swiss franc", "Swiss francs", "centime", "centimes"},
	"R$":  {"Brazilian real", "Brazilian reais", "centavo", "centavos"},
	"BRL": {"Brazilian real", "Brazilian reais", "centavo", "centavos"},
	"₪":   {one: "shekel", many: "shekels"}, "ILS": {one: "shekel", many: "shekels"},
	"¢": {one: "cent", many: "cents"},
	"₺": {one: "lira", many: "lira"}, "₴": {one: "hryvnia", many: "hryvnias"}, "₦": {one: "naira", many: "naira"},
	"₱": {one: "peso", many: "pesos"}, "₫": {one: "dong", many: "dong"}, "฿": {one: "baht", many: "baht"},
	"₸": {one: "tenge", many: "tenge"}, "₾": {one: "lari", many: "lari"}, "₭": {one: "kip", many: "kip"},
	"₮": {one: "tugrik", many: "tugrik"}, "₡": {one: "colon", many: "colones"}, "₵": {one: "cedi", many: "cedis"},
	"₲": {one: "guarani", many: "guaranies"}, "₼": {one: "manat", many: "manat"}, "֏": {one: "dram", many: "dram"},
	"৳":  {one: "taka", many: "taka"},
	"kr": {one: "krona", many: "kronor"}, "SEK": {one: "Swedish krona", many: "Swedish kronor"},
	"NOK": {one: "Norwegian krone", many: "Norwegian kroner"}, "DKK": {one: "Danish krone", many: "Danish kroner"},
	"zł": {one: "zloty", many: "zlotys"}, "PLN": {one: "Polish zloty", many: "Polish zlotys"},
	"Kč": {one: "koruna", many: "korunas"}, "CZK": {one: "Czech koruna", many: "Czech korunas"},
	"HUF": {one: "Hungarian forint", many: "Hungarian forints"}, "UAH": {one: "hryvnia", many: "hryvnias"},
	"MXN": {one: "Mexican peso", many: "Mexican pesos"}, "ZAR": {one: "South African rand", many: "South African rand"},
	"THB": {one: "Thai baht", many: "Thai baht"}, "VND": {one: "Vietnamese dong", many: "Vietnamese dong"},
	"AED": {one: "U A E dirham", many: "U A E dirhams"}, "SAR": {one: "Saudi riyal", many: "Saudi riyals"},
}

// dollar returns the dollar of a country.
func dollar(country string) currency {
	return currency{country + "dollar", country + "dollars", "cent", "cents"}
}

// money reads an amount after the sign of its currency, which ends at i: $3.50, £2m, $1.5 billion, $20-$30, $5/hr.
func (n *amounts) money(c currency, i int) bool {
	start := n.at
	at := n.spaces(i)
	minus := ""
	if r, size := n.runeAt(at); (r == '-' || r == '−') && digit(n.byteAt(at+size)) {
		minus, at = "minus ", at+size
	}
	q, ok := n.numeral(at)
	if !ok || q.whole == "" && n.byteAt(at) != '.' {
		return false
	}
	if q.fraction == "" && n.byteAt(q.end) == ',' && n.digits(q.end+1) == q.end+3 {
		q.fraction, q.end = n.s[q.end+1:q.end+3], q.end+3 // €3,50
	}
	scale, end := n.scale(q.end)
	first := ""
	if second, lastScale, last, ok := n.secondAmount(end, n.s[start:i]); ok {
		first = c.firstAmount(q, second, scale, lastScale) + " to "
		q, scale, end = second, lastScale, last
	}
	n.say(minus+first+c.amount(q, scale, n.compound(start, end)), end)
	n.perUnit()
	return true
}

// secondAmount returns the second number of a range of money, its scale and its end: the 30 of $20-30 and $20-$30. i is the
// end of the first one.
func (n *amounts) secondAmount(i int, sign string) (q numeral, scale string, end int, ok bool) {
	size := n.dash(i)
	if size == 0 {
		return numeral{}, "", 0, false
	}
	next := i + size
	if _, size := n.runeAt(next); n.s[next:next+size] == sign {
		next += size
	}
	if q, ok = n.numeral(next); !ok || !digit(n.byteAt(next)) || n.byteAt(q.end) == '-' {
		return numeral{}, "", 0, false
	}
	scale, end = n.scale(q.end)
	return q, scale, end, true
}

// firstAmount returns the words of the first of two amounts. Their scale, such as " million", and their currency come with
// the second one, unless the scales differ or there are cents.
func (c currency) firstAmount(first, second numeral, scale, secondScale string) string {
	if scale == secondScale {
		scale = ""
	}
	if scale == "" && secondScale == "" && (len(first.fraction) == 2 || len(second.fraction) == 2) {
		return c.amount(first, "", false)
	}
	return first.String() + scale
}

// perUnit reads what an amount of money before n.at is paid for: $5/hr.
func (n *amounts) perUnit() {
	if n.byteAt(n.at) != '/' || !lower(n.byteAt(n.at+1)) {
		return
	}
	n.say("per", n.at+1)
	if unit, end, ok := n.unitName(n.at); ok {
		n.say(unit.one, end)
	}
}

// amount returns the words of an amount of money. scale is such as " million"; one makes the currency singular, as in a
// five dollar bill.
func (c currency) amount(q numeral, scale string, one bool) string {
	many := c.many
	if one || q.one() && scale == "" {
		many = c.one
	}
	if len(q.fraction) != 2 || scale != "" || c.cent == "" {
		return q.String() + scale + " " + many
	}
	if q.whole == "1" {
		many = c.one
	}
	cents := Cardinal(strings.TrimPrefix(q.fraction, "0")) + " " + c.cents
	if q.fraction == "01" {
		cents = "one " + c.cent
	}
	switch {
	case q.fraction == "00":
		return Cardinal(q.whole) + " " + many
	case strings.Trim(q.whole, "0") == "":
		return cents
	}
	return Cardinal(q.whole) + " " + many + " and " + cents
}

// currencyAfter returns the currency whose sign or code follows a number that ends at i: 3.50 €, 50 USD.
func (n *figures) currencyAfter(i int) (c currency, end int, ok bool) {
	at := n.spaces(i)
	end = n.letters(at)
	if end == at {
		r, size := utf8.DecodeRuneInString(n.s[at:])
		if end += size; at > i && r != '€' && r != '₽' {
			return currency{}, 0, false
		}
	} else if word := n.s[at:end]; len(word) != 3 && word != "kr" && word != "Kč" {
		return currency{}, 0, false
	}
	c, ok = currencies[n.s[at:end]]
	return c, end, ok && n.ends(end) && !digit(n.byteAt(end))
}

var (
	// scales multiply an amount of money.
	scales = map[string]string{
		"hundred": " hundred", "thousand": " thousand", "million": " million", "billion": " billion", "trillion": " trillion",
		"mn": " million", "mln": " million", "bn": " billion", "tn": " trillion",
	}

	// attachedScales do so without white space before them.
	attachedScales = map[string]string{
		"k": " thousand", "K": " thousand", "m": " million", "M": " million", "MM": " million", "b": " billion", "B": " billion",
		"t": " trillion", "T": " trillion",
	}
)

// scale returns the words and the end of what multiplies an amount of money at i: k, M, bn, or a word.
func (n *figures) scale(i int) (words string, end int) {
	at := n.spaces(i)
	word := n.wordAt(at)
	end = at + len(word)
	words = scales[word]
	if words == "" && at == i {
		words = attachedScales[word]
	}
	if words == "" || !n.ends(end) {
		return "", i
	}
	return words, end
}
