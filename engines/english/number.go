package english

import (
	"strings"
	"unicode"
)

// numeric splits a number from the ending that may follow it (st, nd, rd, th, s, 's, ed, 'd, ing). ok is false for a word
// that is no number. A minus is part of a number that stands at the head of its group.
func numeric(word string, head bool) (digits, suffix string, ok bool) {
	digits = word
	for _, s := range []string{"ing", "'d", "ed", "'s", "st", "nd", "rd", "th", "s"} {
		if stem, found := strings.CutSuffix(word, s); found {
			digits, suffix = stem, s
			break
		}
	}
	for i := range len(digits) {
		c := digits[i]
		ok = ok || digit(c)
		if !digit(c) && c != ',' && c != '.' && (c != '-' || i > 0 || !head) {
			return "", "", false
		}
	}
	return digits, suffix, ok
}

// number gives the phonemes of a number. currency is its sign, empty for none; head is false for a number glued behind
// something else, which is read in pieces.
func (l *lexicon) number(word, currency string, head bool) (string, bool) {
	digits, suffix, ok := numeric(word, head)
	if !ok {
		return "", false
	}
	var words []string
	digits, minus := strings.CutPrefix(digits, "-")
	if minus {
		words = append(words, "minus")
	}
	whole, fraction, point := strings.Cut(digits, ".")
	whole, fraction = strings.ReplaceAll(whole, ",", ""), strings.ReplaceAll(fraction, ",", "")
	unit, sub := coins(currency)
	switch {
	case !point && (suffix == "st" || suffix == "nd" || suffix == "rd" || suffix == "th"):
		words = append(words, ordinal(whole)...)
	case !point && len(digits) == 4 && len(whole) == 4 && !minus && unit == "":
		words = append(words, year(whole)...)
	case !point && !head:
		words = append(words, piecewise(whole)...)
	case strings.Contains(fraction, ".") || point && !head:
		words = append(words, version(digits)...)
	case unit != "" && len(fraction) < 3:
		words = append(words, money(whole, fraction, unit, sub)...)
	case point:
		words = append(words, decimal(whole, fraction)...)
		if unit != "" {
			words = append(words, plural(unit, ""))
		}
	default:
		words = append(words, cardinal(whole)...)
	}
	sound, ok := l.say(words)
	if !ok {
		return "", false
	}
	switch suffix {
	case "s", "'s":
		return l.s(sound), true
	case "ed", "'d":
		return l.ed(sound), true
	case "ing":
		return l.ing(sound)
	}
	return sound, true
}

// say joins the phonemes of words that the dictionary has.
func (l *lexicon) say(words []string) (string, bool) {
	sounds := make([]string, 0, len(words))
	for _, w := range words {
		e := asIs
		if w == "point" || w == "O" {
			e = mute
		}
		var sound string
		var ok bool
		if _, _, listed := l.entry(w); listed {
			sound, ok = l.lookup(w, "", e, inside)
		} else {
			sound, ok = l.withS(w, "", e, inside)
		}
		if !ok {
			return "", false
		}
		sounds = append(sounds, sound)
	}
	return strings.Join(sounds, " "), len(sounds) > 0
}

// coins gives the words for a currency sign, empty for signs that are no such.
func coins(sign string) (unit, sub string) {
	switch sign {
	case "$":
		return "dollar", "cent"
	case "£":
		return "pound", "pence"
	case "€":
		return "euro", "cent"
	}
	return "", ""
}

// money reads an amount: the units, then the hundredths where there are any.
func money(whole, fraction, unit, sub string) []string {
	units, cents := trimZeros(whole), trimZeros(fraction)
	if cents != "0" && len(cents) == 1 && len(fraction) == 1 {
		cents += "0"
	}
	var words []string
	if units != "0" || cents == "0" {
		words = append(cardinal(units), plural(unit, units))
	}
	if cents == "0" {
		return words
	}
	if len(words) > 0 {
		words = append(words, "and")
	}
	return append(append(words, cardinal(cents)...), plural(sub, cents))
}

// plural gives the form of a unit that goes with an amount.
func plural(unit, amount string) string {
	if amount == "1" || unit == "pence" {
		return unit
	}
	return unit + "s"
}

// piecewise reads digits behind something else, such as the 747 of B747.
func piecewise(digits string) []string {
	switch {
	case digits == "":
		return nil
	case digits[0] == '0' || len(digits) > 3:
		return spelled(digits)
	case len(digits) < 3 || strings.HasSuffix(digits, "00"):
		return cardinal(digits)
	case digits[1] == '0':
		return append(append(cardinal(digits[:1]), "O"), cardinal(digits[2:])...)
	}
	return append(cardinal(digits[:1]), cardinal(digits[1:])...)
}

// version reads numbers with more than one dot.
func version(digits string) []string {
	var words []string
	for part := range strings.SplitSeq(strings.ReplaceAll(digits, ",", ""), ".") {
		switch {
		case part == "":
		case part[0] == '0' || len(part) != 2 && strings.Trim(part[1:], "0") != "":
			words = append(words, spelled(part)...)
		default:
			words = append(words, cardinal(part)...)
		}
	}
	return words
}

// decimal reads a number with one point, the digits after it one by one. Zeros at the end say nothing, but one stays.
func decimal(whole, fraction string) []string {
	var words []string
	if whole != "" {
		words = cardinal(whole)
	}
	if fraction == "" {
		return words
	}
	kept := strings.TrimRight(fraction, "0")
	if kept == "" {
		kept = "0"
	}
	return append(append(words, "point"), spelled(kept)...)
}

func trimZeros(digits string) string {
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		return "0"
	}
	return digits
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// plainDigits replaces the digits of other scripts by 0 to 9; each script has its ten in a row.
func plainDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 || !unicode.Is(unicode.Nd, r) {
			return r
		}
		zero := r
		for zero > r-9 && unicode.Is(unicode.Nd, zero-1) {
			zero--
		}
		return '0' + r - zero
	}, s)
}
