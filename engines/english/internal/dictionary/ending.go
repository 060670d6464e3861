package dictionary

import (
	"strings"

	"github.com/voicewright/voicewright/engines/english/internal/sound"
)

// flapping are the phonemes after which an American t between vowels becomes a flap.
const flapping = "AIOWYiuæɑəɛɪɹʊʌ"

// ending returns the phonemes of a word whose stem the dictionary has: with -s, -ed or -ing.
func (d *Dictionary) ending(word, tag string, e sound.Emphasis, next Next) (string, bool) {
	if phonemes, ok := d.withS(word, tag, e, next); ok {
		return phonemes, true
	}
	if phonemes, ok := d.withEd(word, tag, e, next); ok {
		return phonemes, true
	}
	if e == sound.AsIs {
		e = sound.Mild
	}
	return d.withIng(word, tag, e, next)
}

func (d *Dictionary) withS(word, tag string, e sound.Emphasis, next Next) (string, bool) {
	stem := d.stemOfS(word)
	if stem == "" {
		return "", false
	}
	phonemes, ok := d.lookup(stem, tag, e, next)
	return d.addS(phonemes), ok
}

// stemOfS returns the known word that a word in -s is formed from, empty for none.
func (d *Dictionary) stemOfS(word string) string {
	n := len(word)
	if n < 3 || word[n-1] != 's' {
		return ""
	}
	ies := strings.HasSuffix(word, "ies")
	switch {
	case !strings.HasSuffix(word, "ss") && d.Known(word[:n-1]):
		return word[:n-1]
	case (strings.HasSuffix(word, "'s") || n > 4 && strings.HasSuffix(word, "es") && !ies) && d.Known(word[:n-2]):
		return word[:n-2]
	case n > 4 && ies && d.Known(word[:n-3]+"y"):
		return word[:n-3] + "y"
	}
	return ""
}

// addS adds the ending of plurals, possessives and verbs to the phonemes of a word.
func (d *Dictionary) addS(phonemes string) string {
	last, _ := sound.LastTwo(phonemes)
	switch {
	case strings.ContainsRune("ptkfθ", last):
		return phonemes + "s"
	case strings.ContainsRune("szʃʒʧʤ", last):
		return phonemes + d.weakI() + "z"
	}
	return phonemes + "z"
}

func (d *Dictionary) withEd(word, tag string, e sound.Emphasis, next Next) (string, bool) {
	n := len(word)
	if n < 4 || word[n-1] != 'd' {
		return "", false
	}
	var stem string
	switch {
	case !strings.HasSuffix(word, "dd") && d.Known(word[:n-1]):
		stem = word[:n-1]
	case n > 4 && strings.HasSuffix(word, "ed") && !strings.HasSuffix(word, "eed") && d.Known(word[:n-2]):
		stem = word[:n-2]
	default:
		return "", false
	}
	phonemes, ok := d.lookup(stem, tag, e, next)
	return d.addEd(phonemes), ok
}

// addEd adds the ending of the past to the phonemes of a word.
func (d *Dictionary) addEd(phonemes string) string {
	last, before := sound.LastTwo(phonemes)
	switch {
	case strings.ContainsRune("pkfθʃsʧ", last):
		return phonemes + "t"
	case last == 'd':
		return phonemes + d.weakI() + "d"
	case last != 't':
		return phonemes + "d"
	case d.British || before == 0:
		return phonemes + "ɪd"
	case strings.ContainsRune(flapping, before):
		return phonemes[:len(phonemes)-1] + "ɾᵻd"
	}
	return phonemes + "ᵻd"
}

func (d *Dictionary) withIng(word, tag string, e sound.Emphasis, next Next) (string, bool) {
	n := len(word)
	if n < 5 || !strings.HasSuffix(word, "ing") {
		return "", false
	}
	var stem string
	switch {
	case n > 5 && d.Known(word[:n-3]):
		stem = word[:n-3]
	case d.Known(word[:n-3] + "e"):
		stem = word[:n-3] + "e"
	case n > 5 && doubled(word[:n-3]) && d.Known(word[:n-4]):
		stem = word[:n-4]
	default:
		return "", false
	}
	phonemes, ok := d.lookup(stem, tag, e, next)
	if !ok {
		return "", false
	}
	return d.addIng(phonemes)
}

// doubled reports whether a stem ends in a consonant that is written twice because of its ending.
func doubled(stem string) bool {
	n := len(stem)
	return n > 1 && (stem[n-2] == stem[n-1] && strings.IndexByte("bcdgklmnprstvxz", stem[n-1]) >= 0 ||
		strings.HasSuffix(stem, "ck"))
}

// addIng adds -ing to the phonemes of a word; false for a British word in ə or a long vowel, which may need an r.
func (d *Dictionary) addIng(phonemes string) (string, bool) {
	last, before := sound.LastTwo(phonemes)
	switch {
	case d.British && (last == 'ə' || last == 'ː'):
		return "", false
	case !d.British && last == 't' && before != 0 && strings.ContainsRune(flapping, before):
		return phonemes[:len(phonemes)-1] + "ɾɪŋ", true
	}
	return phonemes + "ɪŋ", true
}

// weakI returns the vowel of an unstressed ending.
func (d *Dictionary) weakI() string {
	if d.British {
		return "ɪ"
	}
	return "ᵻ"
}
