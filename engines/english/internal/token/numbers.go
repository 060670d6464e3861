package token

import (
	"strings"
	"unicode"

	textenglish "github.com/voicewright/voicewright/backend/text/english"
)

// number adds a number and what belongs to it: time, range, fraction, ending, unit.
func (t *tokenizer) number() {
	start := t.at
	if !unicode.IsDigit(t.text[t.at]) {
		t.at++
	}
	for t.at < len(t.text) && t.inNumber(start) {
		t.at++
	}
	digits := strings.Replace(plainDigits(string(t.text[start:t.at])), "−", "-", 1)
	switch {
	case t.clock(digits), t.dashed(digits), t.fraction(digits):
	case unicode.IsLetter(t.peek(0)):
		t.numberEnding(digits)
	default:
		t.add(digits, "CD")
		t.unit(digits)
	}
}

// signed reports whether a minus or a point starts a number here.
func (t *tokenizer) signed(r rune) bool {
	before := t.peek(-1)
	free := before == 0 || unicode.IsSpace(before) || strings.ContainsRune("([“\"$£€", before)
	return free && (r == '-' || r == '−' || r == '.') && unicode.IsDigit(t.peek(1))
}

// inNumber reports whether the rune here belongs to the number that begins at start: a digit, or a point or comma before one.
func (t *tokenizer) inNumber(start int) bool {
	r := t.text[t.at]
	if r != '.' && r != ',' {
		return unicode.IsDigit(r)
	}
	return unicode.IsDigit(t.peek(1)) && (unicode.IsDigit(t.peek(-1)) || t.at <= start+1)
}

// clock reads 10:30 as ten thirty, 10:05 as ten oh five, 10:00 as ten o'clock, and any other 3:1 as three to one. It reports
// whether a colon and digits follow.
func (t *tokenizer) clock(digits string) bool {
	next := ""
	if t.peek(0) == ':' {
		next = t.digits(t.at + 1)
	}
	if next == "" || !digitsOnly(digits) {
		return false
	}
	t.add(digits, "CD")
	t.space()
	t.at += 1 + len(next)
	if len(digits) > 2 || len(next) != 2 || next > "59" {
		t.addWords("to")
		t.add(next, "CD")
		return true
	}
	seconds := ""
	if t.peek(0) == ':' {
		seconds = t.digits(t.at + 1)
	}
	t.minutes(next, seconds != "")
	if seconds != "" {
		t.space()
		t.at += 1 + len(seconds)
		t.add(seconds, "CD")
	}
	if unicode.IsLetter(t.peek(0)) {
		t.space()
	}
	return true
}

// minutes adds the two digits of the minutes of a time.
func (t *tokenizer) minutes(digits string, seconds bool) {
	switch {
	case digits == "00" && !seconds:
		if r := unicode.ToLower(t.firstRune(t.at)); r != 'a' && r != 'p' && r != 'h' { // 10:00 am, 10:00 hours
			t.add("o'clock", "RB")
		}
	case digits[0] == '0':
		t.addWords("oh")
		t.add(digits[1:], "CD")
	default:
		t.add(digits, "CD")
	}
}

// dashed reads 10-20 as ten to twenty, three numbers after one of four digits one by one, and other rows of numbers with
// dashes, such as telephone numbers, digit by digit. It reports whether digits follow a dash.
func (t *tokenizer) dashed(digits string) bool {
	numbers, end := t.row(digits)
	if len(numbers) == 1 || !digitsOnly(digits) || end < len(t.text) && unicode.IsLetter(t.text[end]) {
		return false
	}
	t.at = end
	first, last := numbers[0], numbers[1]
	switch {
	case len(numbers) == 2 && isRange(first, last):
		t.add(first, "CD")
		t.addWords("to")
		t.add(last, "CD")
	case len(numbers) == 3 && len(first) == 4: // a date
		for _, n := range numbers {
			t.add(n, "CD")
			t.space()
		}
	default:
		for _, n := range numbers {
			t.addWords(textenglish.Digits(n))
		}
		return true
	}
	t.unit(last)
	return true
}

// row returns the numbers here that dashes join, the first of which is known, and where they end.
func (t *tokenizer) row(first string) (numbers []string, end int) {
	numbers, end = []string{first}, t.at
	for end < len(t.text) && (t.text[end] == '-' || t.text[end] == '–') {
		next := t.digits(end + 1)
		if next == "" {
			break
		}
		numbers = append(numbers, next)
		end += 1 + len(next)
	}
	return numbers, end
}

// isRange reports whether two numbers with a dash between them are a range: they go up, and are no telephone number.
func isRange(first, last string) bool {
	up := len(first) < len(last) || len(first) == len(last) && first < last
	return up && first[0] != '0' && (len(first) != 3 || len(last) != 4)
}

// fraction reads 3/4 as three quarters, and reports whether a slash follows.
func (t *tokenizer) fraction(digits string) bool {
	if t.peek(0) != '/' && t.peek(0) != '⁄' {
		return false
	}
	below := t.digits(t.at + 1)
	end := t.at + 1 + len(below)
	if !isFraction(digits, below) || end < len(t.text) && (t.text[end] == '/' || unicode.IsLetter(t.text[end])) {
		t.add(digits, "CD")
		t.join()
		return true
	}
	t.at = end
	t.space()
	t.add(digits, "CD")
	t.space()
	t.add(partName(below, digits), "NNS")
	return true
}

// isFraction reports whether a number over another is read as a fraction: less than one, in halves to tenths.
func isFraction(above, below string) bool {
	if len(above) != 1 || above == "0" {
		return false
	}
	return below == "10" || len(below) == 1 && above < below
}

// partName returns the name of an nth part.
func partName(n, count string) string {
	switch {
	case n == "2" && count == "1":
		return "half"
	case n == "2":
		return "halves"
	case n == "4":
		return Plural("quarter", count)
	}
	return Plural(textenglish.Ordinal(n), count)
}

// scales are the letters behind an amount of money, with their words.
var scales = map[string]string{"k": "thousand", "m": "million", "b": "billion", "bn": "billion", "tn": "trillion"}

// numberEnding adds digits and the letters behind them: a unit, am and pm become words, an ending such as th stays.
func (t *tokenizer) numberEnding(digits string) {
	letters := t.letters(t.at)
	t.at += len([]rune(letters))
	if name := unitName(letters, digits, true); name != "" {
		t.add(digits, "CD")
		t.addWords(name)
		return
	}
	lower := strings.ToLower(letters)
	scale := scales[lower]
	if unit, _ := Coins(t.previous()); unit == "" {
		scale = ""
	}
	switch {
	case lower == "am" || lower == "pm":
		t.add(digits, "CD")
		t.space()
		t.add(strings.ToUpper(letters), "NNP")
	case scale != "":
		t.add(digits, "CD")
		t.space()
		t.add(scale, "CD")
	default:
		t.add(digits+letters, "CD")
		t.join()
	}
}

// unit adds what may follow a number: a unit, a sign, a hyphen.
func (t *tokenizer) unit(digits string) {
	i := t.at
	if t.peek(0) == ' ' {
		i++
	}
	letters := t.letters(min(i, len(t.text)))
	if name := unitName(letters, digits, false); name != "" {
		t.at = i + len([]rune(letters))
		t.addWords(name)
		return
	}
	r, next := t.peek(0), t.peek(1)
	switch {
	case r == '°' && temperatures[next] != "" && !unicode.IsLetter(t.peek(2)):
		t.at += 2
		t.addWords(Plural("degree", digits) + " " + temperatures[next])
	case r == '€' || r == '£' || r == '¢':
		t.at++
		t.addWords(Plural(coinName(r), digits))
	case (r == '\'' || r == '’' || r == '′') && unicode.IsDigit(next):
		t.at++
		t.addWords(unitName("ft", digits, true))
	case r == '-' && unicode.IsLetter(next):
		t.join()
	}
}

// temperatures are the letters behind the sign for degrees.
var temperatures = map[rune]string{'C': "celsius", 'F': "fahrenheit"}

// coinName returns the word for a sign behind an amount.
func coinName(sign rune) string {
	if unit, _ := Coins(string(sign)); unit != "" {
		return unit
	}
	return "cent"
}

func digitsOnly(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
