package english

import (
	"strconv"
	"strings"
)

// longestCardinal is the maximum of digits that are read as one number; more are read one by one.
const longestCardinal = 36

// The words of numbers: 0 to 19, the tens from 20 on, and the powers of a thousand.
var (
	ones = [...]string{
		"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
		"thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
	}
	tens   = [...]string{"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}
	powers = [...]string{
		"", " thousand", " million", " billion", " trillion", " quadrillion", " quintillion", " sextillion", " septillion",
		" octillion", " nonillion", " decillion",
	}
)

// irregularOrdinals are the ordinals that do not end in -th after the cardinal.
var irregularOrdinals = map[string]string{
	"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth",
}

// Cardinal returns the words of a whole number without sign: 342 is "three hundred forty-two". digits are 0 to 9; a number
// that begins with a superfluous zero, or has more than 36 digits, is read digit by digit.
func Cardinal(digits string) string {
	if len(digits) > 1 && digits[0] == '0' || len(digits) > longestCardinal {
		return Digits(digits)
	}
	if digits == "0" {
		return ones[0]
	}
	var parts []string
	for len(digits) > 0 {
		first := (len(digits)-1)%3 + 1
		n, _ := strconv.Atoi(digits[:first])
		digits = digits[first:]
		if n > 0 {
			parts = append(parts, belowThousand(n)+powers[len(digits)/3])
		}
	}
	return strings.Join(parts, " ")
}

// Ordinal returns the words of a rank: 21 is "twenty-first". digits are as for Cardinal.
func Ordinal(digits string) string {
	words := Cardinal(digits)
	start := strings.LastIndexAny(words, " -") + 1
	last := words[start:]
	if ordinal, ok := irregularOrdinals[last]; ok {
		return words[:start] + ordinal
	}
	if stem, ok := strings.CutSuffix(last, "y"); ok {
		last = stem + "ie"
	}
	return words[:start] + last + "th"
}

// Year returns the words of a year of four digits, read in pairs: "nineteen ninety-nine", "nineteen oh five", "nineteen
// hundred", "two thousand five". Other numbers, and years before 1000, are read as by Cardinal.
func Year(digits string) string {
	y, _ := strconv.Atoi(digits)
	switch {
	case y%1000 < 10 || len(digits) != 4 || digits[0] == '0':
		return Cardinal(digits)
	case y%100 == 0:
		return belowThousand(y/100) + " hundred"
	}
	return belowThousand(y/100) + " " + twoDigits(digits[2:])
}

// Digits returns the words of digits read one by one.
func Digits(digits string) string {
	words := make([]string, len(digits))
	for i := range len(digits) {
		words[i] = ones[digits[i]-'0']
	}
	return strings.Join(words, " ")
}

// belowThousand returns the words of a number from 0 to 999.
func belowThousand(n int) string {
	switch {
	case n < 20:
		return ones[n]
	case n < 100 && n%10 == 0:
		return tens[n/10-2]
	case n < 100:
		return tens[n/10-2] + "-" + ones[n%10]
	case n%100 == 0:
		return ones[n/100] + " hundred"
	}
	return ones[n/100] + " hundred " + belowThousand(n%100)
}

// twoDigits returns the words of the end of a year or the minutes of a time: "oh five", "thirty".
func twoDigits(digits string) string {
	n, _ := strconv.Atoi(digits)
	if n < 10 {
		return "oh " + ones[n]
	}
	return belowThousand(n)
}

// model returns the words of the number of a room, a flight or a type: "one oh one", "seven forty-seven", "thirty eighty".
func model(digits string) string {
	switch {
	case digits[0] == '0' && len(digits) > 1 || len(digits) > 4:
		return Digits(digits)
	case len(digits) == 3 && digits[1:] != "00":
		return ones[digits[0]-'0'] + " " + twoDigits(digits[1:])
	case len(digits) == 4:
		return Year(digits)
	}
	return Cardinal(digits)
}

// plural returns the plural of a word of a number: nineties, hundreds, sixths.
func plural(words string) string {
	if stem, ok := strings.CutSuffix(words, "y"); ok {
		return stem + "ies"
	}
	if strings.HasSuffix(words, "x") {
		return words + "es"
	}
	return words + "s"
}
