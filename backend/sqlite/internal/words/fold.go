// Package words divides texts into words without case and accents, as the library finds them, and marks what was searched.
package words

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// FoldVersion is the version of the folding in this package. The search index stores the version that filled it, and is filled
// again when the database is opened with another one.
const FoldVersion = "1"

// letters replaces letters that people type without their mark although Unicode does not decompose them.
var letters = strings.NewReplacer(
	"ı", "i", "ß", "ss", "ς", "σ", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ð", "d", "þ", "th",
	"ł", "l", "ħ", "h", "ŧ", "t", "ŋ", "n", "ĸ", "k",
)

// unspaced are the scripts without spaces between words. Each of their characters is a word in the index, and a run of them is
// searched as a phrase.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// span is a word of a text: its bytes [start, end) and its folded forms in the index. One word may become
// several ("½" is "1" and "2").
type span struct {
	start, end int
	folded     []string
}

// spans iterates over the words of a text.
func spans(s string) iter.Seq[span] {
	return func(yield func(span) bool) {
		for i := 0; i < len(s); {
			end, single := nextWord(s[i:])
			if end == 0 {
				_, size := utf8.DecodeRuneInString(s[i:])
				i += size
				continue
			}
			sp := span{start: i, end: i + end, folded: foldWord(s[i:i+end], single)}
			if len(sp.folded) > 0 && !yield(sp) {
				return
			}
			i += end
		}
	}
}

// nextWord returns the length in bytes of the word at the start of s, 0 if none starts there, and whether it
// is one character of an unspaced script.
func nextWord(s string) (end int, single bool) {
	for i, r := range s {
		switch {
		case i > 0 && joins(r):
		case !isWord(r):
			return i, false
		case isUnspaced(r):
			if i > 0 {
				return i, false
			}
			return len(s) - len(strings.TrimLeftFunc(s[utf8.RuneLen(r):], joins)), true
		}
	}
	return len(s), false
}

// isUnspaced reports whether r is of a script without spaces; the first of them, Thai, starts at U+0E00.
func isUnspaced(r rune) bool { return r >= 0x0e00 && unicode.In(r, unspaced...) }

// isWord reports whether r can start or continue a word.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.M)
}

// joins reports whether r belongs to the character before it: marks, and the half-width sound marks of Japanese.
func joins(r rune) bool {
	return r >= utf8.RuneSelf && (unicode.Is(unicode.M, r) || r == '\uff9e' || r == '\uff9f')
}

// foldWord returns the folded forms of a word for the index.
func foldWord(word string, single bool) []string {
	if !single && isASCII(word) {
		return []string{strings.ToLower(word)}
	}
	folded := norm.NFC.String(letters.Replace(strip(strings.ToLower(norm.NFKD.String(word)))))
	var pieces []string
	for folded != "" {
		end, _ := nextWord(folded)
		if end > 0 {
			pieces = append(pieces, folded[:end])
		} else {
			_, end = utf8.DecodeRuneInString(folded)
		}
		folded = folded[end:]
	}
	return pieces
}

// strip removes the marks that people leave out when they type: accents, points and vowel signs of Latin,
// Greek, Cyrillic, Arabic and Hebrew. Marks that make another letter (Indic vowels, Japanese sound marks) stay.
func strip(s string) string {
	return strings.Map(func(r rune) rune {
		sound := r == '\u3099' || r == '\u309a'
		if !sound && unicode.Is(unicode.Mn, r) && unicode.In(r, unicode.Inherited, unicode.Arabic, unicode.Hebrew) {
			return -1
		}
		return r
	}, s)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Fold returns the words of a text as they are indexed, separated by spaces: without case and accents.
func Fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for sp := range spans(s) {
		for _, piece := range sp.folded {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(piece)
		}
	}
	return b.String()
}

// NameKey returns the key that is unique among profile names: the name without case; accents count.
func NameKey(name string) string {
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(strings.TrimSpace(name))))
}
