package supertonic

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// clean returns text in the form that the model was trained on. The steps and their order are those of the supertonic
// package 1.3.1 (core.py, _preprocess_text), each on the result of the one before: NFKD, emoji and symbols,
// abbreviations, the space before a mark, doubled quotes and white space, and the mark at the end.
func clean(text string) string {
	text = norm.NFKD.String(text)
	text = strings.Map(symbol, text)
	text = abbreviations.Replace(text)
	text = marks.Replace(text)
	text = tidy(text)
	if last, _ := utf8.DecodeLastRuneInString(text); text == "" || !strings.ContainsRune(endings, last) {
		text += "."
	}
	return text
}

// endings are the characters after which no point is added.
const endings = `.!?;:,'")]}…。」』】〉》›»`

// abbreviations replaces signs by words. No two of them overlap, so one pass does what one after another would do.
var abbreviations = strings.NewReplacer("@", " at ", "e.g.,", "for example, ", "i.e.,", "that is, ")

// marks removes one space before each of these marks.
var marks = strings.NewReplacer(" ,", ",", " .", ".", " !", "!", " ?", "?", " ;", ";", " :", ":", " '", "'")

// symbol returns what a single character becomes, -1 for nothing. NFKD has taken U+2011, U+00B4 and U+00AF apart
// before, so the rules for them do not match; they are here because the reference has them.
func symbol(r rune) rune {
	switch r {
	case '–', '\u2011', '—':
		return '-'
	case '\u00af', '_', '[', ']', '|', '/', '#', '→', '←':
		return ' '
	case '“', '”':
		return '"'
	case '‘', '’', '\u00b4', '`':
		return '\''
	case '©', '\\':
		return -1
	}
	if emoji(r) {
		return -1
	}
	return r
}

// emoji reports whether r is in the ranges that the reference removes, adjacent ones joined. The first one includes the
// hearts and stars that it removes in a later step.
func emoji(r rune) bool {
	return r >= 0x2600 && r <= 0x27bf ||
		r >= 0x1f1e6 && r <= 0x1f1ff ||
		r >= 0x1f300 && r <= 0x1f64f ||
		r >= 0x1f680 && r <= 0x1faff
}

// tidy reduces each run of the same quotes to one, each run of white space to one space, and trims white space at both ends.
func tidy(text string) string {
	out := make([]byte, 0, len(text)+1)
	gap, before := false, rune(-1)
	for _, r := range text {
		switch {
		case space(r):
			gap = len(out) > 0
		case r == before && (r == '"' || r == '\''):
		default:
			if gap {
				out, gap = append(out, ' '), false
			}
			out = utf8.AppendRune(out, r)
		}
		before = r
	}
	return string(out)
}

// space reports whether the reference counts r as white space: Unicode's, and U+001C to U+001F.
func space(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }
