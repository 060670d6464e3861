package english

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// plain looks a word up without its accents, so that café is cafe.
func (l *lexicon) plain(word string) (string, bool) {
	bare := unaccented(word)
	if bare == word {
		return "", false
	}
	return l.token(token{text: bare}, inside)
}

// unaccented takes the accents off letters.
func unaccented(word string) string {
	if ascii(word) {
		return word
	}
	word = strings.NewReplacer("ß", "ss", "æ", "ae", "Æ", "Ae", "œ", "oe", "Œ", "Oe", "ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d",
		"þ", "th", "ð", "th", "ı", "i").Replace(word)
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(word))
}

// silent reports whether a word has no letter that English readers would try: those of Latin, Greek and Cyrillic, or a digit.
func silent(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool {
		return unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) || unicode.IsDigit(r)
	}) < 0
}

// letters reads a word that no dictionary has: as two words of the dictionary, letter by letter when nobody could say it, else
// by rules. Only Latin letters and digits have a sound.
func (l *lexicon) letters(word string) string {
	var sounds []string
	for _, p := range pieces(unaccented(straight(word))) {
		p = strings.ReplaceAll(p, "'", "")
		if digits, _, ok := numeric(p, false); ok {
			if sound, ok := l.say(spelled(strings.Trim(strings.NewReplacer(",", "", ".", "").Replace(digits), "-"))); ok {
				sounds = append(sounds, sound)
			}
			continue
		}
		if p = strings.ToLower(p); !allASCIILetters(p) || p == "" {
			continue
		}
		if sound := l.unknown(p); sound != "" {
			sounds = append(sounds, sound)
		}
	}
	return strings.Join(sounds, " ")
}

// unknown reads a word of small ASCII letters.
func (l *lexicon) unknown(word string) string {
	if sound, ok := l.joined(word); ok {
		return sound
	}
	if !strings.ContainsAny(word, "aeiouy") {
		if len(word) > longestSpelled {
			word = word[:longestSpelled]
		}
		sound, _ := l.spell(word)
		return sound
	}
	return l.byRules(word)
}

// longestSpelled is how many letters of a word without vowels are named.
const longestSpelled = 16

// joined reads a word as two checked words of the dictionary, the longest first part that fits.
func (l *lexicon) joined(word string) (string, bool) {
	const shortest, longest = 3, 40
	if len(word) > longest {
		return "", false
	}
	for i := len(word) - shortest; i >= shortest; i-- {
		first, ok := l.part(word[:i])
		if !ok {
			continue
		}
		if second, ok := l.part(word[i:]); ok && (i > shortest || len(word)-i > shortest) {
			return first + stressed(second, reduce), true
		}
	}
	return "", false
}

// part gives the sound of a word that may be one half of another: checked, with a stress.
func (l *lexicon) part(word string) (string, bool) {
	value, gold, _ := l.find(word)
	if !gold {
		return "", false
	}
	sound, ok := reading(value, "", inside)
	return sound, ok && strings.Contains(sound, primary)
}
