package english

import "strings"

// The words of numbers, as they are read without "and".
const (
	ones    = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
	tens    = "zero ten twenty thirty forty fifty sixty seventy eighty ninety"
	powers  = "thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion"
	longest = 36 // digits; a longer number is read digit by digit
)

// pick gives the word with an index from a list.
func pick(list string, i int) string { return strings.Fields(list)[i] }

// cardinal reads a whole number: 342 is three hundred forty two.
func cardinal(digits string) []string {
	digits = trimZeros(digits)
	if len(digits) > longest {
		return spelled(digits)
	}
	if digits == "0" {
		return []string{"zero"}
	}
	var words []string
	for len(digits) > 0 {
		n := (len(digits)-1)%3 + 1
		group := hundreds(digits[:n])
		digits = digits[n:]
		words = append(words, group...)
		if power := len(digits) / 3; power > 0 && len(group) > 0 {
			words = append(words, pick(powers, power-1))
		}
	}
	return words
}

// hundreds reads up to three digits; 0 is nothing.
func hundreds(digits string) []string {
	n := 0
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	var words []string
	if n >= 100 {
		words = append(words, pick(ones, n/100), "hundred")
		n %= 100
	}
	if n >= 20 {
		words = append(words, pick(tens, n/10))
		n %= 10
	}
	if n > 0 {
		words = append(words, pick(ones, n))
	}
	return words
}

// ordinal reads a rank: 22 is twenty second.
func ordinal(digits string) []string {
	words := cardinal(digits)
	last := &words[len(words)-1]
	switch {
	case *last == "one":
		*last = "first"
	case *last == "two":
		*last = "second"
	case *last == "three":
		*last = "third"
	case *last == "five":
		*last = "fifth"
	case *last == "eight":
		*last = "eighth"
	case *last == "nine":
		*last = "ninth"
	case *last == "twelve":
		*last = "twelfth"
	case strings.HasSuffix(*last, "y"):
		*last = strings.TrimSuffix(*last, "y") + "ieth"
	default:
		*last += "th"
	}
	return words
}

// year reads four digits as a year: 1905 is nineteen oh five, 2005 two thousand five.
func year(digits string) []string {
	high, low := digits[:2], digits[2:]
	switch {
	case high == "00" || high[1] == '0' && low[0] == '0':
		return cardinal(digits)
	case low == "00":
		return append(cardinal(high), "hundred")
	case low[0] == '0':
		return append(append(cardinal(high), "oh"), cardinal(low)...)
	}
	return append(cardinal(high), cardinal(low)...)
}

// spelled reads digit by digit.
func spelled(digits string) []string {
	words := make([]string, len(digits))
	for i := range len(digits) {
		words[i] = pick(ones, int(digits[i]-'0'))
	}
	return words
}
