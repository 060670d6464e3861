package charset

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plausible returns how much a text looks as people write it, if it is in this encoding: the mean over its characters beyond ASCII, 1
// at most. ok is false where the bytes are not valid in it.
func (c candidate) plausible(sample []byte) (score float64, ok bool) {
	text, err := NewDecoder(c.name).Bytes(sample)
	if err != nil {
		return 0, false
	}
	runes := []rune(string(text))
	if n := len(runes); n > 0 && runes[n-1] == utf8.RuneError && !singleByte(c.name) { // a character that is cut off at the end
		runes = runes[:n-1]
	}
	var beyond []int
	for i, r := range runes {
		switch {
		case r == utf8.RuneError, r >= 0x80 && r < 0xa0 && r != 0x85, unicode.Is(unicode.Co, r):
			return 0, false
		case r >= utf8.RuneSelf:
			beyond = append(beyond, i)
		}
	}
	if len(beyond) == 0 {
		return 0, false
	}
	best := -1e9
	for _, letters := range append([]alphabet{}, c.alphabetsOrNone()...) {
		sum := 0.0
		for _, i := range beyond {
			sum += letters.weight(near{at(runes, i-1), runes[i], at(runes, i+1)})
		}
		best = max(best, sum/float64(len(beyond)))
	}
	return best + c.prior, true
}

func (c candidate) alphabetsOrNone() []alphabet {
	if len(c.alphabets) == 0 {
		return []alphabet{""}
	}
	return c.alphabets
}

// at returns a character of a text, a blank before its start and after its end.
func at(runes []rune, i int) rune {
	if i < 0 || i >= len(runes) {
		return ' '
	}
	return runes[i]
}

// near is a character between its neighbours.
type near struct{ before, r, after rune }

// weight returns how likely a character is where it stands, from -3 to 1.
func (a alphabet) weight(n near) float64 {
	switch {
	case unicode.In(n.r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return n.ideograph()
	case unicode.IsLetter(n.r), unicode.IsMark(n.r):
		return a.letter(n)
	default:
		return n.sign()
	}
}

// letter returns the weight of a letter: of the language, with neighbours of the same script, and capital at the start of words only.
func (a alphabet) letter(n near) float64 {
	weight := -1.0
	if place := runeIndex(string(a), unicode.ToLower(n.r)); place >= 0 {
		weight = 1 - 0.8*float64(place)/float64(max(utf8.RuneCountInString(string(a)), fewLetters))
	}
	latin := unicode.Is(unicode.Latin, n.r)
	for _, other := range []rune{n.before, n.after} {
		switch {
		case !unicode.IsLetter(other):
		case unicode.Is(unicode.Latin, other) != latin:
			weight -= 2
		case latin && other >= utf8.RuneSelf:
			weight -= 0.3 // most letters of a Latin script are plain ones
		}
	}
	return weight - n.misplaced(latin)
}

// misplaced returns what a letter loses where it stands: a capital inside a word or by itself, and a letter of another script by
// itself.
func (n near) misplaced(latin bool) float64 {
	alone := !unicode.IsLetter(n.before) && !unicode.IsLetter(n.after)
	switch upper := unicode.IsUpper(n.r); {
	case upper && unicode.IsLower(n.before):
		return 2
	case upper && alone:
		return 0.5
	case upper && (unicode.IsUpper(n.before) || unicode.IsUpper(n.after)):
		return 0.12
	case !latin && alone:
		return 0.3
	default:
		return 0
	}
}

// fewLetters is the length of an alphabet up to which all its letters are frequent.
const fewLetters = 16

func runeIndex(s string, r rune) int {
	at := strings.IndexRune(s, r)
	if at < 0 {
		return -1
	}
	return utf8.RuneCountInString(s[:at])
}

// sign returns the weight of a character that is no letter: quotation marks and dashes where they belong, no sign inside of words.
func (n near) sign() float64 {
	before, after := unicode.IsLetter(n.before), unicode.IsLetter(n.after)
	switch {
	case strings.ContainsRune("。、「」『』・！？（）：；，《》…〜ー", n.r):
		return 0.7
	case strings.ContainsRune("\u00a0…–—", n.r):
		return 0.5
	case n.isQuote(before, after):
		return 0.8
	case before && after:
		return -2
	case n.r == '§', strings.ContainsRune("€£°", n.r) && (n.before == ' ' || unicode.IsNumber(n.before)):
		return 0.7
	case strings.ContainsRune("©®½¼¾²³×±•™№", n.r):
		return 0.2
	case before || after:
		return -2
	}
	return -1
}

// isQuote reports whether a character is an apostrophe behind a letter, or a quotation mark where one opens or closes. before and
// after are whether letters are beside it.
func (n near) isQuote(before, after bool) bool {
	opens := strings.ContainsRune("“‘„‚«‹¿¡", n.r) && !before && (after || unicode.IsNumber(n.after))
	closes := strings.ContainsRune("”’“»›«", n.r) && n.before != ' ' && !after
	return opens || closes || n.r == '’' && before
}

// ideograph returns the weight of a character of Chinese, Japanese or Korean.
func (n near) ideograph() float64 {
	weight := -0.2
	switch {
	case n.r >= 0xff61 && n.r <= 0xff9f: // half width, which old Japanese programs wrote
		return -0.5
	case unicode.In(n.r, unicode.Hiragana, unicode.Katakana):
		weight = 0.9
	case strings.ContainsRune(frequentIdeographs, n.r), strings.ContainsRune(frequentSyllables, n.r):
		weight = 1
	case unicode.Is(unicode.Hangul, n.r):
		weight = 0.4
	}
	if asciiLetter(n.before) || asciiLetter(n.after) {
		weight -= 1
	}
	return weight
}

func asciiLetter(r rune) bool { return r < utf8.RuneSelf && unicode.IsLetter(r) }
