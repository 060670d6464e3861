package dictionary

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/engines/english/internal/sound"
	"github.com/voicewright/voicewright/engines/english/internal/token"
)

// WithoutAccents returns the phonemes of a word without its accents, so that café is read as cafe; false for a word that has
// no accents or is unknown without them.
func (d *Dictionary) WithoutAccents(word string) (string, bool) {
	bare := unaccented(word)
	if bare == word {
		return "", false
	}
	return d.Pronounce(Word{Text: bare}, inNumber)
}

// plainLetters replaces the letters that Unicode does not take apart.
var plainLetters = strings.NewReplacer("ß", "ss", "æ", "ae", "Æ", "Ae", "œ", "oe", "Œ", "Oe", "ø", "o", "Ø", "O", "ł", "l",
	"Ł", "L", "đ", "d", "þ", "th", "ð", "th", "ı", "i")

// unaccented removes the accents of letters.
func unaccented(word string) string {
	if token.ASCII(word) {
		return word
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(plainLetters.Replace(word)))
}

// Unreadable reports whether a word has no letter that English readers would try (Latin, Greek and Cyrillic) and no digit.
func Unreadable(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool {
		return unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) || unicode.IsDigit(r)
	}) < 0
}

// Guess returns the phonemes of a word without an entry: as two words of the dictionary, letter by letter when it has no
// vowel, else by letter-to-sound rules. Only Latin letters and digits have a sound.
func (d *Dictionary) Guess(word string) string {
	var all []string
	for _, p := range token.Pieces(unaccented(token.Straight(word))) {
		p = strings.ReplaceAll(p, "'", "")
		if digits, _, ok := numeric(p, false); ok {
			digits = strings.Trim(strings.NewReplacer(",", "", ".", "").Replace(digits), "-")
			if phonemes, ok := d.say(digitByDigit(digits)); ok {
				all = append(all, phonemes)
			}
			continue
		}
		if p = strings.ToLower(p); !token.ASCIILetters(p) || p == "" {
			continue
		}
		if phonemes := d.guessLetters(p); phonemes != "" {
			all = append(all, phonemes)
		}
	}
	return strings.Join(all, " ")
}

// guessLetters returns the phonemes of a word of small ASCII letters.
func (d *Dictionary) guessLetters(word string) string {
	const longestSpelled = 16 // letters of a word without vowels that are named
	if phonemes, ok := d.compound(word); ok {
		return phonemes
	}
	if !strings.ContainsAny(word, "aeiouy") {
		phonemes, _ := d.spell(word[:min(len(word), longestSpelled)])
		return phonemes
	}
	return d.ByRules(word)
}

// compound returns the phonemes of a word that is two words with gold entries, the first one as long as possible.
func (d *Dictionary) compound(word string) (string, bool) {
	const shortest, longest = 3, 40
	if len(word) > longest {
		return "", false
	}
	for i := len(word) - shortest; i >= shortest; i-- {
		first, ok := d.half(word[:i])
		if !ok {
			continue
		}
		if second, ok := d.half(word[i:]); ok && (i > shortest || len(word)-i > shortest) {
			return first + sound.Stress(second, sound.Reduce), true
		}
	}
	return "", false
}

// half returns the phonemes of a word that may be one half of a compound: it has a gold entry with a stress.
func (d *Dictionary) half(word string) (string, bool) {
	value, gold, _ := d.find(word)
	if !gold {
		return "", false
	}
	phonemes, ok := phonemesFor(value, "", inNumber)
	return phonemes, ok && strings.Contains(phonemes, sound.Primary)
}
