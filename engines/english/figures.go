package english

import (
	"strings"
	"unicode"
)

// number takes a number and what belongs to it: time, range, fraction, ending, unit.
func (t *tokenizer) number() {
	start := t.at
	if !unicode.IsDigit(t.text[t.at]) {
		t.at++
	}
	for t.at < len(t.text) {
		r := t.text[t.at]
		if !unicode.IsDigit(r) && (r != '.' && r != ',' || !unicode.IsDigit(t.peek(1)) || !unicode.IsDigit(t.peek(-1)) && t.at > start+1) {
			break
		}
		t.at++
	}
	digits := strings.Replace(plainDigits(string(t.text[start:t.at])), "−", "-", 1)
	switch {
	case t.clock(digits), t.dashed(digits), t.fraction(digits):
		return
	}
	if r := t.peek(0); unicode.IsLetter(r) {
		t.suffix(digits)
		return
	}
	t.add(digits, "CD")
	t.afterNumber(digits)
}

// followingDigits gives the digits at i.
func (t *tokenizer) followingDigits(i int) string {
	if i >= len(t.text) {
		return ""
	}
	n := run(t.text[i:], func(r rune) bool { return r >= '0' && r <= '9' })
	return string(t.text[i : i+n])
}

// clock reads 10:30 as ten thirty, 10:05 as ten oh five, 10:00 as ten o'clock, and any other 3:1 as three to one.
func (t *tokenizer) clock(digits string) bool {
	next := ""
	if t.peek(0) == ':' {
		next = t.followingDigits(t.at + 1)
	}
	if next == "" || !whole(digits) {
		return false
	}
	t.add(digits, "CD")
	t.gap()
	t.at += 1 + len(next)
	if len(digits) > 2 || len(next) != 2 || next > "59" {
		t.say("to")
		t.add(next, "CD")
		return true
	}
	seconds := t.peek(0) == ':' && t.followingDigits(t.at+1) != ""
	switch {
	case next == "00" && !seconds:
		if r := unicode.ToLower(t.first(t.at)); r != 'a' && r != 'p' && r != 'h' {
			t.add("o'clock", "RB")
		}
	case next[0] == '0':
		t.say("oh")
		t.add(next[1:], "CD")
	default:
		t.add(next, "CD")
	}
	if seconds {
		t.gap()
		next = t.followingDigits(t.at + 1)
		t.at += 1 + len(next)
		t.add(next, "CD")
	}
	if unicode.IsLetter(t.peek(0)) {
		t.gap()
	}
	return true
}

// dashed reads 10-20 as ten to twenty, and longer chains or ones that go down, such as telephone numbers, digit by digit.
func (t *tokenizer) dashed(digits string) bool {
	parts := []string{digits}
	i := t.at
	for i < len(t.text) && (t.text[i] == '-' || t.text[i] == '–') {
		next := t.followingDigits(i + 1)
		if next == "" {
			break
		}
		parts = append(parts, next)
		i += 1 + len(next)
	}
	if len(parts) == 1 || !whole(digits) || i < len(t.text) && unicode.IsLetter(t.text[i]) {
		return false
	}
	t.at = i
	first, last := parts[0], parts[1]
	up := first[0] != '0' && (len(first) < len(last) || len(first) == len(last) && first < last)
	switch {
	case len(parts) == 2 && up && (len(first) != 3 || len(last) != 4):
		t.add(first, "CD")
		t.say("to")
		t.add(last, "CD")
	case len(parts) == 3 && len(first) == 4:
		for _, p := range parts {
			t.add(p, "CD")
			t.gap()
		}
	default:
		for _, p := range parts {
			t.say(strings.Join(spelled(p), " "))
		}
		return true
	}
	t.afterNumber(last)
	return true
}

// fraction reads 3/4 as three quarters.
func (t *tokenizer) fraction(digits string) bool {
	if t.peek(0) != '/' && t.peek(0) != '⁄' {
		return false
	}
	next := t.followingDigits(t.at + 1)
	after := t.at + 1 + len(next)
	if len(digits) != 1 || next == "" || len(next) > 2 || digits == "0" || len(next) == 1 && digits >= next ||
		len(next) == 2 && next != "10" || after < len(t.text) && (t.text[after] == '/' || unicode.IsLetter(t.text[after])) {
		t.add(digits, "CD")
		t.join()
		return true
	}
	t.at = after
	t.gap()
	t.add(digits, "CD")
	t.gap()
	t.add(part(next, digits), "NNS")
	return true
}

// part gives the name of an nth part.
func part(n, count string) string {
	name := ordinal(n)[0]
	switch n {
	case "2":
		if count == "1" {
			return "half"
		}
		return "halves"
	case "4":
		name = "quarter"
	}
	return plural(name, count)
}

// suffix takes the letters behind digits: an ending stays, a unit or am and pm become words, anything else is glued.
func (t *tokenizer) suffix(digits string) {
	letters := t.letters(t.at)
	n := len([]rune(letters))
	if name := unit(letters, digits, true); name != "" {
		t.at += n
		t.add(digits, "CD")
		t.say(name)
		return
	}
	switch strings.ToLower(letters) {
	case "am", "pm":
		t.at += n
		t.add(digits, "CD")
		t.gap()
		t.add(strings.ToUpper(letters), "NNP")
		return
	case "k", "m", "bn", "b", "tn":
		if t.previous() == "$" || t.previous() == "£" || t.previous() == "€" {
			t.at += n
			t.add(digits, "CD")
			t.gap()
			t.add(scale(letters), "CD")
			return
		}
	}
	t.at += n
	t.add(digits+letters, "CD")
	t.join()
}

// scale gives the word for a letter behind an amount.
func scale(letters string) string {
	switch strings.ToLower(letters) {
	case "k":
		return "thousand"
	case "m":
		return "million"
	case "tn":
		return "trillion"
	}
	return "billion"
}

// afterNumber takes what may follow a number: a unit, a sign, a hyphen.
func (t *tokenizer) afterNumber(digits string) {
	i := t.at
	if t.peek(0) == ' ' {
		i++
	}
	if i < len(t.text) && unicode.IsLetter(t.text[i]) {
		letters := t.letters(i)
		if name := unit(letters, digits, false); name != "" {
			t.at = i + len([]rune(letters))
			t.say(name)
			return
		}
	}
	switch r := t.peek(0); {
	case r == '°' && (t.peek(1) == 'C' || t.peek(1) == 'F') && !unicode.IsLetter(t.peek(2)):
		t.at += 2
		name := "celsius"
		if t.text[t.at-1] == 'F' {
			name = "fahrenheit"
		}
		t.say(plural("degree", digits) + " " + name)
	case r == '€' || r == '£' || r == '¢':
		t.at++
		name := "cent"
		if n, _ := coins(string(r)); n != "" {
			name = n
		}
		t.say(plural(name, digits))
	case (r == '\'' || r == '’' || r == '′') && unicode.IsDigit(t.peek(1)):
		t.at++
		t.say(unit("ft", digits, true))
	case r == '-' && unicode.IsLetter(t.peek(1)):
		t.join()
	}
}

func whole(digits string) bool { return digits != "" && strings.Trim(digits, "0123456789") == "" }
