package english

import (
	"strconv"
	"strings"
)

// longestCardinal is the most digits that are read as one number; more are read one by one.
const longestCardinal = 36

func small(n int) string {
	switch {
	case n < 20:
		return [...]string{
			"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
			"thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
		}[n]
	case n < 100:
		tens := [...]string{"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}[n/10-2]
		if n%10 == 0 {
			return tens
		}
		return tens + "-" + small(n%10)
	case n%100 == 0:
		return small(n/100) + " hundred"
	}
	return small(n/100) + " hundred " + small(n%100)
}

// cardinal reads a string of digits as one number, digit by digit where it begins with a zero or is very long.
func cardinal(digits string) string {
	if len(digits) > 1 && digits[0] == '0' || len(digits) > longestCardinal {
		return spell(digits)
	}
	if digits == "0" {
		return "zero"
	}
	scales := [...]string{
		"", " thousand", " million", " billion", " trillion", " quadrillion", " quintillion", " sextillion", " septillion",
		" octillion", " nonillion", " decillion",
	}
	var parts []string
	for len(digits) > 0 {
		first := (len(digits)-1)%3 + 1
		n, _ := strconv.Atoi(digits[:first])
		digits = digits[first:]
		if n > 0 {
			parts = append(parts, small(n)+scales[len(digits)/3])
		}
	}
	return strings.Join(parts, " ")
}

// spell reads digits one by one.
func spell(digits string) string {
	words := make([]string, len(digits))
	for i := range len(digits) {
		words[i] = small(int(digits[i] - '0'))
	}
	return strings.Join(words, " ")
}

// ordinal reads a string of digits as a place in a row: 21 is twenty-first.
func ordinal(digits string) string {
	return toOrdinal(cardinal(digits))
}

func toOrdinal(words string) string {
	cut := strings.LastIndexAny(words, " -") + 1
	last := words[cut:]
	switch last {
	case "one":
		last = "first"
	case "two":
		last = "second"
	case "three":
		last = "third"
	case "five":
		last = "fifth"
	case "eight":
		last = "eighth"
	case "nine":
		last = "ninth"
	case "twelve":
		last = "twelfth"
	default:
		if y, found := strings.CutSuffix(last, "y"); found {
			last = y + "ie"
		}
		last += "th"
	}
	return words[:cut] + last
}

// plural gives more than one of a number word: nineties, hundreds, sixths.
func plural(words string) string {
	if y, found := strings.CutSuffix(words, "y"); found {
		return y + "ies"
	}
	if strings.HasSuffix(words, "x") {
		return words + "es"
	}
	return words + "s"
}

// year reads four digits in pairs: nineteen ninety-nine, nineteen oh five, nineteen hundred, two thousand five.
func year(digits string) string {
	y, _ := strconv.Atoi(digits)
	switch {
	case y%1000 == 0 || y%1000 < 10 || len(digits) != 4 || digits[0] == '0':
		return cardinal(digits)
	case y%100 == 0:
		return small(y/100) + " hundred"
	}
	return small(y/100) + " " + twoDigits(digits[2:])
}

// twoDigits reads the end of a year or the minutes of a time: oh five, thirty.
func twoDigits(digits string) string {
	n, _ := strconv.Atoi(digits)
	if n < 10 {
		return "oh " + small(n)
	}
	return small(n)
}

// model reads the number of a room, a flight or a type: one oh one, seven forty-seven, thirty eighty.
func model(digits string) string {
	switch {
	case digits[0] == '0' && len(digits) > 1 || len(digits) > 4:
		return spell(digits)
	case len(digits) == 3 && digits[1:] != "00":
		return small(int(digits[0]-'0')) + " " + twoDigits(digits[1:])
	case len(digits) == 4:
		return year(digits)
	}
	return cardinal(digits)
}
