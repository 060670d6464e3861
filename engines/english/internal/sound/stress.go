// Package sound handles phonemes as text: which are vowels, and how stress is written and changed.
package sound

import (
	"strings"
	"unicode/utf8"
)

// Symbols by what they do.
const (
	Primary   = "ˈ" // main stress, before its vowel
	Secondary = "ˌ" // lesser stress
	Stresses  = Primary + Secondary
	Vowels    = "AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ"
	// Consonants are the phonemes that show the word before them that no vowel follows.
	Consonants = "bdfhjklmnpstvwzðŋɡɹɾʃʒʤʧθ"
	// Pauses are the marks that end a clause.
	Pauses = ";:,.!?—…"
)

// Emphasis is how the stress of a word changes with its place or its spelling.
type Emphasis int

// The changes of stress.
const (
	AsIs   Emphasis = iota
	Mute            // no stress at all
	Reduce          // primary becomes secondary
	Level           // as Reduce, and a word without stress gets a secondary one
	Mild            // a word without stress gets a secondary one: it is capitalised
	Strong          // every word gets a primary one: it is in capitals
)

// Stress returns phonemes with their stress changed.
func Stress(phonemes string, e Emphasis) string {
	primary, secondary := strings.Contains(phonemes, Primary), strings.Contains(phonemes, Secondary)
	switch e {
	case Mute:
		return strings.NewReplacer(Primary, "", Secondary, "").Replace(phonemes)
	case Reduce, Level:
		if primary {
			return lower(phonemes)
		}
		if e == Level && !secondary {
			return beforeVowel(Secondary, phonemes)
		}
	case Mild:
		if !primary && !secondary {
			return beforeVowel(Secondary, phonemes)
		}
	case Strong:
		if !primary && !secondary {
			return beforeVowel(Primary, phonemes)
		}
		if !primary {
			return strings.ReplaceAll(phonemes, Secondary, Primary)
		}
	case AsIs:
	}
	return phonemes
}

// lower makes primary stress secondary and drops secondary stress.
func lower(phonemes string) string {
	return strings.ReplaceAll(strings.ReplaceAll(phonemes, Secondary, ""), Primary, Secondary)
}

// beforeVowel puts a mark before the first vowel; phonemes without a vowel are returned unchanged.
func beforeVowel(mark, phonemes string) string {
	i := strings.IndexAny(phonemes, Vowels)
	if i < 0 {
		return phonemes
	}
	return phonemes[:i] + mark + phonemes[i:]
}

// StressVowels moves each stress mark to the next vowel of its word, where Kokoro's models expect it; dictionaries write it
// before the syllable.
func StressVowels(phonemes string) string {
	var b strings.Builder
	pending := ""
	for i, r := range phonemes {
		switch {
		case strings.ContainsRune(Stresses, r):
			b.WriteString(pending)
			pending = string(r)
			if word, _, _ := strings.Cut(phonemes[i:], " "); !strings.ContainsAny(word, Vowels) {
				b.WriteString(pending)
				pending = ""
			}
			continue
		case strings.ContainsRune(Vowels, r):
			b.WriteString(pending)
			pending = ""
		}
		b.WriteRune(r)
	}
	b.WriteString(pending)
	return b.String()
}

// Weight returns how long phonemes sound, in phonemes; diphthongs and affricates count twice.
func Weight(phonemes string) int {
	n := 0
	for _, r := range phonemes {
		n++
		if strings.ContainsRune("AIOQWYʤʧ", r) {
			n++
		}
	}
	return n
}

// LastTwo returns the last rune and the one before it, 0 for a missing one.
func LastTwo(s string) (last, before rune) {
	if s == "" {
		return 0, 0
	}
	last, size := utf8.DecodeLastRuneInString(s)
	if size < len(s) {
		before, _ = utf8.DecodeLastRuneInString(s[:len(s)-size])
	}
	return last, before
}
