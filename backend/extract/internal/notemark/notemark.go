// Package notemark tells raised characters that are read aloud, such as powers, from the marks of notes.
package notemark

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/pattern"
)

// Raised are raised characters of a text, or a link, that may be the mark of a note.
type Raised struct {
	Words   string
	Element string // that began it: sup or a
	Sup     bool   // it is raised, not only a link
	Link    bool
}

// How much is looked at.
const (
	MaxMark   = 12  // characters of the mark of a note
	MaxBefore = 200 // bytes of the text before raised characters that are looked at
)

// LastPart returns the end of a text, which is all that is looked at to understand raised characters behind it.
func LastPart[T string | []byte](text T) string {
	start := max(0, len(text)-MaxBefore)
	for start > 0 && start < len(text) && !utf8.RuneStart(text[start]) {
		start++
	}
	return string(text[start:])
}

var (
	noteNumbers   = pattern.New(`^[\[(]?\d{1,4}(?:\s?[,;–-]\s?\d{1,4}){0,5}[\])]?[.,]?$`)
	noteSigns     = pattern.New(`^[\[(]?[*†‡§¶‖#⁎∗]{1,4}[\])]?$`)
	noteLetters   = pattern.New(`^[\[(]?(?:[a-z]|[ivxl]{1,5})[\])]?$`)
	bracketedMark = pattern.New(`^\[.*\]$|^\(.*\)$`)
	exponent      = pattern.New(`^[−–+-]?(?:\d{1,3}|\d?[n])$`)
	lastNumber    = pattern.New(`(?:^|[^\d.,])(\d[\d.,]*)$`)
	lastLetters   = pattern.New(`\p{L}+$`)
)

// raisedSigns are the characters that a power is written with.
var raisedSigns = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸",
	"9", "⁹", "-", "⁻", "−", "⁻", "–", "⁻", "+", "⁺", "n", "ⁿ")

// Spoken returns what is read aloud of raised characters or a link behind a text, before the character next: a power, a part of a
// word or of a fraction, or nothing for the mark of a note. directly says that no blank is before them.
func (m Raised) Spoken(text string, directly bool, next rune) (words string, isNote bool) {
	words, text = strings.TrimSpace(m.Words), LastPart(text)
	token := text
	if !directly {
		token = ""
	} else if at := strings.LastIndexFunc(text, unicode.IsSpace); at >= 0 {
		token = text[at+1:]
	}
	switch {
	case !m.Sup:
		return words, m.linkIsNote(words, token)
	case (next == '/' || next == '⁄') && noteNumbers.MatchString(words): // a fraction, whose second part is lowered
		if r, _ := utf8.DecodeLastRuneInString(token); unicode.IsDigit(r) {
			return " " + words, false
		}
		return words, false
	case !m.Link && exponent.MatchString(words) && isBase(token, text, words):
		return raisedSigns.Replace(words), false
	case noteNumbers.MatchString(words), noteSigns.MatchString(words), m.Link && noteLetters.MatchString(words):
		return "", true
	case strings.EqualFold(words, "tm"):
		return "™", false
	}
	return words, false
}

// linkIsNote reports whether the words of a link that is not raised are the mark of a note: in brackets or a sign, or directly
// behind a word.
func (m Raised) linkIsNote(words, token string) bool {
	switch {
	case noteSigns.MatchString(words):
		return true
	case !noteNumbers.MatchString(words) && !noteLetters.MatchString(words):
		return false
	case bracketedMark.MatchString(words) && words[0] == '[':
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(token)
	return token != "" && (unicode.IsLetter(before) && noteNumbers.MatchString(words) || strings.ContainsRune(".,;:!?…”’\"'»)", before))
}

// poweredUnits have powers when 2 or 3 is behind them.
var poweredUnits = []string{"km", "cm", "mm", "dm", "nm", "µm", "μm", "ft", "yd", "mi", "hm", "dam"}

// isBase reports whether raised digits behind a token are its power: behind a number that is no year, a variable, a unit or a
// bracket of a formula.
func isBase(token, text, digits string) bool {
	signed := strings.ContainsAny(digits, "-−–+")
	if m := lastNumber.FindStringSubmatch(token); m != nil {
		return !strings.HasSuffix(m[1], ".") && !strings.HasSuffix(m[1], ",") && (signed || !isYear(m[1])) && (digits != "1" || m[1] == "10")
	}
	if strings.HasSuffix(token, ")") {
		return strings.ContainsAny(token, "+−*/=×·^")
	}
	letters := lastLetters.FindString(token)
	return letters != "" && isVariable(token, text, letters, digits, signed)
}

// isYear reports whether a number can be a year.
func isYear(number string) bool {
	return len(number) == 4 && (number[0] == '1' || number[0] == '2') && !strings.ContainsAny(number, ".,")
}

// isVariable reports whether the letters at the end of a token are a variable or a unit with a power.
func isVariable(token, text, letters, digits string, signed bool) bool {
	stem := strings.TrimSuffix(token, letters)
	first, _ := utf8.DecodeRuneInString(letters)
	before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(strings.TrimSuffix(text, letters), " "))
	switch {
	case signed:
		return true
	case digits == "1", unicode.IsUpper(first) && len(digits) > 1:
		return false
	case utf8.RuneCountInString(letters) == 1 && letters != "I":
		return true
	case slices.Contains(poweredUnits, letters) && (digits == "2" || digits == "3"):
		return true
	}
	return strings.ContainsRune("=+×·*^", before) || stem != "" && unicode.IsDigit(before) && utf8.RuneCountInString(letters) <= 2
}

// OnlyMark reports whether the words of a link to a note are only the mark of it. Others are text that a note explains.
func OnlyMark(words string) bool {
	words = strings.TrimSpace(words)
	return !backend.Speakable(words) || noteNumbers.MatchString(words) || noteSigns.MatchString(words) || noteLetters.MatchString(words)
}
