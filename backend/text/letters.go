package text

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// letters returns s with letters and digits as they are usually written: accents in one character with their letter (NFC), and
// what stands for usual letters by these (NFKC), such as ligatures, Roman numerals, full-width and mathematical letters, units and
// numbers in circles. Superscripts, fractions and marks stay as they are.
func letters(s string) string {
	if ascii(s) {
		return s
	}
	s = norm.NFC.String(s)
	if !strings.ContainsFunc(s, compatible) {
		return s
	}
	var out strings.Builder
	out.Grow(len(s))
	before := ' '
	for at, r := range s {
		size := utf8.RuneLen(r)
		if !compatible(r) {
			out.WriteRune(r)
			before = r
			continue
		}
		usual := usualLetters(r)
		if circled(r) && prose.IsWordRune(before) {
			out.WriteByte(' ')
		}
		out.WriteString(usual)
		if circled(r) && prose.IsWordRune(prose.FirstOrSpace(s[at+size:])) && !compatible(prose.FirstOrSpace(s[at+size:])) {
			out.WriteByte(' ')
		}
		before, _ = utf8.DecodeLastRuneInString(usual)
	}
	return norm.NFC.String(out.String())
}

// ascii reports whether s is ASCII.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// compatibles are the characters that stand for usual letters and digits. Not among them are those whose place has a meaning
// (superscripts), fractions, punctuation and the letters of Thai and Korean, which voices know.
var compatibles = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x132, 0x133, 1}, {0x13f, 0x140, 1}, {0x149, 0x149, 1}, {0x17f, 0x17f, 1}, {0x1c4, 0x1cc, 1}, {0x1f1, 0x1f3, 1}, // digraphs, long s
		{0x3d0, 0x3d6, 1}, {0x3f0, 0x3f5, 1}, {0x587, 0x587, 1}, // Greek symbols, Armenian
		{0x2100, 0x2115, 1}, {0x2118, 0x211d, 1}, {0x2121, 0x2121, 1}, {0x2124, 0x2138, 1}, {0x213b, 0x2149, 1}, // letters as symbols
		{0x2160, 0x217f, 1},                      // Roman numerals
		{0x2460, 0x24ff, 1}, {0x2776, 0x2793, 1}, // in circles, in brackets
		{0x2e9f, 0x2e9f, 1}, {0x2ef3, 0x2ef3, 1}, {0x2f00, 0x2fd5, 1}, // radicals
		{0x3200, 0x33ff, 1},                                                                                     // units and words in a square
		{0xfb00, 0xfb06, 1}, {0xfb13, 0xfb17, 1}, {0xfb20, 0xfb29, 1}, {0xfb4f, 0xfdfb, 1}, {0xfe70, 0xfefc, 1}, // ligatures and forms of letters
		{0xff04, 0xff06, 1}, {0xff0b, 0xff0b, 1}, {0xff10, 0xff19, 1}, // full width
		{0xff1d, 0xff1d, 1}, {0xff20, 0xff3a, 1}, {0xff41, 0xff5a, 1}, // full width
		{0xff66, 0xffdc, 1}, {0xffe0, 0xffe1, 1}, {0xffe5, 0xffe6, 1}, // half width
	},
	R32: []unicode.Range32{{0x1d400, 0x1d7ff, 1}, {0x1ee00, 0x1eebb, 1}, {0x1f100, 0x1f12c, 1}, {0x1f130, 0x1f149, 1}, {0x1fbf0, 0x1fbf9, 1}},
}

// compatible reports whether usual letters stand for r.
func compatible(r rune) bool { return r >= 0x132 && unicode.Is(compatibles, r) }

// circled reports whether r is a number in a circle or in brackets, which is a word of its own.
func circled(r rune) bool {
	return r >= 0x2460 && r <= 0x249b || r >= 0x24ea && r <= 0x24ff || r >= 0x2776 && r <= 0x2793 || r >= 0x3251 && r <= 0x325f ||
		r >= 0x32b1 && r <= 0x32bf
}

// filled are the first characters of rows of numbers in circles without a usual form, and the numbers that they begin with.
var filled = [...]struct {
	first, last rune
	number      int
}{{0x24eb, 0x24f4, 11}, {0x24f5, 0x24fe, 1}, {0x24ff, 0x24ff, 0}, {0x2776, 0x277f, 1}, {0x2780, 0x2789, 1}, {0x278a, 0x2793, 1}}

// usualLetters returns the letters or digits for which a character stands. The power of a unit stays one.
func usualLetters(r rune) string {
	for _, row := range filled {
		if r >= row.first && r <= row.last {
			return strconv.Itoa(row.number + int(r-row.first))
		}
	}
	s := norm.NFKC.String(string(r))
	if square := r >= 0x3380 && r <= 0x33df; square {
		s = strings.ReplaceAll(s, "\u2215", "/")
		for digit, power := range map[string]string{"2": "²", "3": "³"} {
			if unit, found := strings.CutSuffix(s, digit); found && unit != "" {
				s = unit + power
			}
		}
	}
	return s
}
