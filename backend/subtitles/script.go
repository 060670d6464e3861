package subtitles

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

const (
	sentenceEnds = ".?!…。！？．؟۔।॥։።។။"
	clauseEnds   = ",;:、，；：—–،؛၊፣"
	closings     = `"'”’»“)]）」』】〉》`
)

// EndsSentence reports whether s ends with the punctuation that ends a sentence.
func EndsSentence(s string) bool { return endsWith(s, sentenceEnds) }

// endsWith reports whether the last character of s, without quotation marks and brackets, is one of the characters.
func endsWith(s, characters string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(strings.TrimSpace(s), closings))
	return strings.ContainsRune(characters, last)
}

// SpaceBetween reports whether texts are joined with a space: all but those in Chinese and Japanese.
func SpaceBetween(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return !eastAsian(last) || !eastAsian(first)
}

// eastAsian reports whether words and sentences in the script of r are written without spaces between them.
func eastAsian(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("、。，．！？：；「」『』（）ー・…", r)
}

// southEastAsian reports whether words in the script of r are written without spaces, which are between phrases.
func southEastAsian(r rune) bool {
	return unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tai_Le, unicode.New_Tai_Lue,
		unicode.Tai_Tham, unicode.Tai_Viet) || r == tsheg
}

// Characters that belong to the syllable of a letter beside them.
const (
	tsheg      = '་'                      // between the syllables of Tibetan
	leadVowels = "เแโใไເແໂໃໄ"             // written before the letter after which they are spoken
	trailSigns = "ะาำๅๆฯະາຳຽໆ"            // after their letter
	smallKana  = "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮー々" // after their letter
	stackers   = "\u17d2\u1039\u1a60"     // the next letter is written below
	silencers  = "\u103a\u1039"           // of a letter that ends the syllable
)

// breaks reports whether a line may end between two parts without a space between them: in scripts without spaces, but not
// before closing or after opening punctuation, nor within a syllable.
func breaks(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	base, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(before, unicode.IsMark))
	first, size := utf8.DecodeRuneInString(after)
	second, _ := utf8.DecodeRuneInString(after[size:])
	switch {
	case !unspaced(base) && !unspaced(first):
		return false
	case unicode.In(base, unicode.Ps, unicode.Pi) || strings.ContainsRune(smallKana+trailSigns, first):
		return false
	case strings.ContainsRune(leadVowels+stackers, last) || strings.ContainsRune(silencers, second):
		return false
	default:
		return unicode.In(first, unicode.Ps, unicode.Pi) || !unicode.IsPunct(first)
	}
}

func unspaced(r rune) bool { return eastAsian(r) || southEastAsian(r) }

// script is how wide characters count, and how many fit in a line.
type script struct {
	wide  bool    // most letters are wide
	line  int     // columns of a line
	speed float64 // columns that are read in a second
}

// The limits: 42 characters a line, for Chinese, Japanese and Korean 16 wide ones, which count as two columns.
var (
	narrowScript = script{false, 42, 17}
	wideScript   = script{true, 32, 18}
)

func isWide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}
