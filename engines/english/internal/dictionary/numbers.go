package dictionary

import (
	"strings"

	textenglish "github.com/voicewright/voicewright/backend/text/english"
	"github.com/voicewright/voicewright/engines/english/internal/sound"
	"github.com/voicewright/voicewright/engines/english/internal/token"
)

// number is a number as it is written, and what misaki's reading of it depends on.
type number struct {
	digits          string // without the minus
	whole, fraction string // before and after the first point, without commas
	suffix          string // st, nd, rd, th, s, 's, ed, 'd, ing or none
	point, minus    bool
	first           bool   // of its group
	unit, sub       string // of its currency, such as dollar and cent
}

// readings are the ways to read a number; the first that fits is taken.
var readings = []struct {
	fits  func(number) bool
	words func(number) []string
}{
	{number.isOrdinal, func(n number) []string { return words(textenglish.Ordinal(trimZeros(n.whole))) }},
	{number.isYear, func(n number) []string { return year(n.whole) }},
	{func(n number) bool { return !n.point && !n.first }, func(n number) []string { return piecewise(n.whole) }},
	{number.isVersion, func(n number) []string { return version(n.digits) }},
	{func(n number) bool { return n.unit != "" && len(n.fraction) < 3 }, number.money},
	{func(n number) bool { return n.point }, number.decimal},
	{func(number) bool { return true }, func(n number) []string { return cardinal(n.whole) }},
}

// number returns the phonemes of a number; false for a word that is none. currency is its sign, empty for none. first is false
// for a number behind something else, which is read in pieces.
func (d *Dictionary) number(word, currency string, first bool) (string, bool) {
	n, ok := parseNumber(word, currency, first)
	if !ok {
		return "", false
	}
	phonemes, ok := d.say(n.words())
	if !ok {
		return "", false
	}
	switch n.suffix {
	case "s", "'s":
		return d.addS(phonemes), true
	case "ed", "'d":
		return d.addEd(phonemes), true
	case "ing":
		return d.addIng(phonemes)
	}
	return phonemes, true
}

// parseNumber returns the parts of a number; false for a word that is none.
func parseNumber(word, currency string, first bool) (number, bool) {
	digits, suffix, ok := numeric(word, first)
	n := number{suffix: suffix, first: first}
	n.digits, n.minus = strings.CutPrefix(digits, "-")
	n.whole, n.fraction, n.point = strings.Cut(n.digits, ".")
	n.whole, n.fraction = strings.ReplaceAll(n.whole, ",", ""), strings.ReplaceAll(n.fraction, ",", "")
	n.unit, n.sub = token.Coins(currency)
	return n, ok
}

// suffixes are the endings that may follow a number.
var suffixes = [...]string{"ing", "'d", "ed", "'s", "st", "nd", "rd", "th", "s"}

// numeric splits a number from its suffix; ok is false for a word that is no number. A minus belongs to a number that is the
// first of its group.
func numeric(word string, first bool) (digits, suffix string, ok bool) {
	digits = word
	for _, s := range suffixes {
		if stem, found := strings.CutSuffix(word, s); found {
			digits, suffix = stem, s
			break
		}
	}
	for i := range len(digits) {
		c := digits[i]
		switch {
		case c >= '0' && c <= '9':
			ok = true
		case c == ',', c == '.', c == '-' && i == 0 && first:
		default:
			return "", "", false
		}
	}
	return digits, suffix, ok
}

// say joins the phonemes of words of numbers; false when the dictionary lacks one.
func (d *Dictionary) say(words []string) (string, bool) {
	all := make([]string, 0, len(words))
	for _, w := range words {
		e := sound.AsIs
		if w == "point" || w == "O" {
			e = sound.Mute
		}
		var phonemes string
		var ok bool
		if _, _, listed := d.entry(w); listed {
			phonemes, ok = d.lookup(w, "", e, inNumber)
		} else {
			phonemes, ok = d.withS(w, "", e, inNumber)
		}
		if !ok {
			return "", false
		}
		all = append(all, phonemes)
	}
	return strings.Join(all, " "), len(all) > 0
}

// words returns the words that a number is read as.
func (n number) words() []string {
	for _, r := range readings {
		if r.fits(n) {
			if n.minus {
				return append([]string{"minus"}, r.words(n)...)
			}
			return r.words(n)
		}
	}
	return nil
}

func (n number) isOrdinal() bool {
	return !n.point && (n.suffix == "st" || n.suffix == "nd" || n.suffix == "rd" || n.suffix == "th")
}

func (n number) isYear() bool {
	return !n.point && len(n.digits) == 4 && len(n.whole) == 4 && !n.minus && n.unit == ""
}

func (n number) isVersion() bool { return strings.Contains(n.fraction, ".") || n.point && !n.first }

// money returns the words of an amount: the units, then the hundredths where there are any.
func (n number) money() []string {
	units, cents := trimZeros(n.whole), trimZeros(n.fraction)
	if cents != "0" && len(cents) == 1 && len(n.fraction) == 1 {
		cents += "0"
	}
	var all []string
	if units != "0" || cents == "0" {
		all = append(cardinal(units), token.Plural(n.unit, units))
	}
	if cents == "0" {
		return all
	}
	if len(all) > 0 {
		all = append(all, "and")
	}
	return append(append(all, cardinal(cents)...), token.Plural(n.sub, cents))
}

// decimal returns the words of a number with one point, the digits after it one by one. Zeros at the end are not said, but one
// is when there is nothing else.
func (n number) decimal() []string {
	var all []string
	if n.whole != "" {
		all = cardinal(n.whole)
	}
	if n.fraction != "" {
		kept := strings.TrimRight(n.fraction, "0")
		if kept == "" {
			kept = "0"
		}
		all = append(append(all, "point"), digitByDigit(kept)...)
	}
	if n.unit != "" {
		all = append(all, token.Plural(n.unit, ""))
	}
	return all
}

// words splits the words of package text/english as misaki reads them: without hyphens.
func words(text string) []string { return strings.Fields(strings.ReplaceAll(text, "-", " ")) }

// cardinal returns the words of a whole number; misaki skips zeros at its start.
func cardinal(digits string) []string { return words(textenglish.Cardinal(trimZeros(digits))) }

func digitByDigit(digits string) []string { return words(textenglish.Digits(digits)) }

// year returns the words of four digits read as a year; misaki reads those with a zero at the start in pairs too.
func year(digits string) []string {
	if digits[0] != '0' || digits[1] == '0' {
		return words(textenglish.Year(trimZeros(digits)))
	}
	century, tail := cardinal(digits[:2]), digits[2:]
	switch {
	case tail == "00":
		return append(century, "hundred")
	case tail[0] == '0':
		return append(append(century, "oh"), cardinal(tail)...)
	}
	return append(century, cardinal(tail)...)
}

// piecewise returns the words of digits behind something else, such as the 747 of B747.
func piecewise(digits string) []string {
	switch {
	case digits == "":
		return nil
	case digits[0] == '0' || len(digits) > 3:
		return digitByDigit(digits)
	case len(digits) < 3 || strings.HasSuffix(digits, "00"):
		return cardinal(digits)
	case digits[1] == '0':
		return append(append(cardinal(digits[:1]), "O"), cardinal(digits[2:])...)
	}
	return append(cardinal(digits[:1]), cardinal(digits[1:])...)
}

// version returns the words of a number with more than one point.
func version(digits string) []string {
	var all []string
	for part := range strings.SplitSeq(strings.ReplaceAll(digits, ",", ""), ".") {
		switch {
		case part == "":
		case part[0] == '0' || len(part) != 2 && strings.Trim(part[1:], "0") != "":
			all = append(all, digitByDigit(part)...)
		default:
			all = append(all, cardinal(part)...)
		}
	}
	return all
}

func trimZeros(digits string) string {
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		return "0"
	}
	return digits
}
