package english

import (
	"strings"
	"unicode/utf8"
)

const (
	primary   = "ˈ"
	secondary = "ˌ"
	stresses  = primary + secondary
	vowels    = "AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ"
	// consonants are those that tell a word before them that no vowel follows.
	consonants = "bdfhjklmnpstvwzðŋɡɹɾʃʒʤʧθ"
)

// emphasis says how the stress of a word is changed by where it stands or how it is written.
type emphasis int

const (
	asIs   emphasis = iota
	mute            // no stress at all
	reduce          // primary becomes secondary
	level           // like reduce, and a word without stress gets a secondary one
	mild            // a word without stress gets a secondary one: it is capitalised
	strong          // every word gets a primary one: it is in capitals
)

// stressed gives the phonemes with their stress changed.
func stressed(sound string, e emphasis) string {
	hasPrimary, hasSecondary := strings.Contains(sound, primary), strings.Contains(sound, secondary)
	switch e {
	case asIs:
		return sound
	case mute:
		return strings.NewReplacer(primary, "", secondary, "").Replace(sound)
	case reduce:
		if hasPrimary {
			return lowered(sound)
		}
	case level:
		if hasPrimary {
			return lowered(sound)
		}
		if !hasSecondary {
			return beforeVowel(secondary, sound)
		}
	case mild:
		if !hasPrimary && !hasSecondary {
			return beforeVowel(secondary, sound)
		}
	case strong:
		if hasPrimary {
			return sound
		}
		if hasSecondary {
			return strings.ReplaceAll(sound, secondary, primary)
		}
		return beforeVowel(primary, sound)
	}
	return sound
}

// lowered makes primary stress secondary, and drops what was secondary.
func lowered(sound string) string {
	return strings.ReplaceAll(strings.ReplaceAll(sound, secondary, ""), primary, secondary)
}

// beforeVowel puts a mark in front of the first vowel; phonemes without one stay as they are.
func beforeVowel(mark, sound string) string {
	i := strings.IndexAny(sound, vowels)
	if i < 0 {
		return sound
	}
	return sound[:i] + mark + sound[i:]
}

// settle moves each stress mark to the next vowel of its word, which is where Kokoro's models know it; dictionaries write it
// in front of the syllable.
func settle(sound string) string {
	var b strings.Builder
	waiting := ""
	for i, r := range sound {
		switch {
		case strings.ContainsRune(stresses, r):
			b.WriteString(waiting)
			waiting = string(r)
			if !strings.ContainsAny(untilSpace(sound[i:]), vowels) {
				b.WriteString(waiting)
				waiting = ""
			}
			continue
		case strings.ContainsRune(vowels, r):
			b.WriteString(waiting)
			waiting = ""
		}
		b.WriteRune(r)
	}
	b.WriteString(waiting)
	return b.String()
}

func untilSpace(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

// weight is how long a word sounds; diphthongs and affricates count twice.
func weight(sound string) int {
	n := 0
	for _, r := range sound {
		n++
		if strings.ContainsRune("AIOQWYʤʧ", r) {
			n++
		}
	}
	return n
}

// lastRunes gives the last rune and the one before it, 0 where there is none.
func lastRunes(s string) (last, before rune) {
	if s == "" {
		return 0, 0
	}
	last, size := utf8.DecodeLastRuneInString(s)
	if size < len(s) {
		before, _ = utf8.DecodeLastRuneInString(s[:len(s)-size])
	}
	return last, before
}
