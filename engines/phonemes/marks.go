package phonemes

import "unicode"

// mark is what a punctuation character does at the end of a clause.
type mark struct {
	terminator string
	sentence   bool // ends a sentence as well
	glued      bool // ends a clause without white space after it
}

var ellipsis = mark{glued: true}

// marks is the punctuation of espeak-ng as Piper sees it, measured over every code point of the Unicode categories P, S and Z.
var marks = func() map[rune]mark {
	all := make(map[rune]mark)
	for _, row := range []struct {
		mark  mark
		runes []rune
	}{
		{mark{terminator: "!", sentence: true}, []rune{
			'!', 0x703, 0x7f9, 0x1944, 0x203c, 0x2755, 0x2757, 0x2762, 0x2763,
			0xfe15, 0xfe57, 0x1e95e,
		}},
		{mark{terminator: ","}, []rune{
			',', 0x55d, 0x60c, 0x702, 0x7f8, 0xf14, 0x1363, 0x1802, 0x1808, 0x2e32, 0x2e34, 0x2e41, 0xa4fe,
			0xa60d, 0xa6f5, 0xfe10, 0xfe11, 0xfe50, 0xfe51, 0xff64, 0x1144d, 0x1da87,
		}},
		{mark{terminator: ".", sentence: true}, []rune{
			'.', 0x6d4, 0x701, 0x704, 0x1362, 0x166e, 0x1803, 0x1809, 0x2cf9, 0x2cfe, 0x2e33, 0x2e3c, 0xa4ff,
			0xa60e, 0xa6f3, 0xfe12, 0xfe52, 0xff61, 0x16af5, 0x1bc9f, 0x1da88,
		}},
		{mark{terminator: ":"}, []rune{':', 0x706, 0x707, 0x1365, 0x1366, 0x1804, 0x2982, 0xa6f4, 0xfe13, 0xfe55, 0x12471, 0x12472, 0x1da8a}},
		{mark{terminator: ";"}, []rune{
			';', 0x387, 0x61b, 0x708, 0x1364, 0x2013, 0x2014, 0x204f, 0x2e35, 0x2e3a, 0x2e3b, 0xa6f6, 0xfe14,
			0xfe31, 0xfe32, 0xfe54, 0x1da89,
		}},
		{mark{terminator: "?", sentence: true}, []rune{
			'?', 0x37e, 0x61f, 0x709, 0x1367, 0x1945, 0x2047, 0x2753, 0x2754, 0x2cfa, 0x2cfb, 0xa60f, 0xa6f7,
			0xfe16, 0xfe56, 0x11143, 0x1e95f,
		}},
		{ellipsis, []rune{0xa1, 0xbf, 0x1801, 0x2026, 0x22ee, 0x22ef, 0x22f0, 0x22f1, 0x3001, 0xfe19, 0xff0c, 0xff1a, 0xff1b}},
		{mark{sentence: true, glued: true}, []rune{0x589, 0x964, 0xdf4, 0xf0d, 0x3002, 0xff01, 0xff0e, 0xff1f}},
		{mark{sentence: true}, []rune{0x700, 0x965, 0xf0e, 0x10fb, 0x1368, 0x2029}},
	} {
		for _, r := range row.runes {
			all[r] = row.mark
		}
	}
	return all
}()

func isMark(r rune) bool {
	_, ok := marks[r]
	return ok
}

// space reports whether r is white space to espeak-ng; no-break spaces are not.
func space(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r', r == ' ', r == 0x85, r == 0x1680, r >= 0x2000 && r <= 0x200a,
		r == 0x2028, r == 0x205f, r == 0x3000:
		return true
	}
	return false
}

// bracket reports whether r is a bracket or a quote that may follow the mark at the end of a clause.
func bracket(r rune) bool {
	switch r {
	case '"', '\'', '(', ')', '<', '>', '[', ']', '`', '{', '}', '«', '»', '《', '》':
		return true
	}
	return r >= 0x2014 && r <= 0x201f
}

func alphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func lower(r rune) bool { return unicode.IsLower(r) || unicode.Is(unicode.Other_Lowercase, r) }

// ordinals are the languages that write ordinal numbers with a dot.
var ordinals = map[string]bool{
	"da": true, "de": true, "fi": true, "hu": true, "lv": true, "nb": true, "nl": true, "sl": true, "et": true, "lt": true,
}
