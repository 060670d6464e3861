package dictionary

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/engines/english/internal/sound"
	"github.com/voicewright/voicewright/engines/english/internal/token"
)

// Onset is what the sound after a word begins with.
type Onset int

// What a word may be followed by.
const (
	Pause Onset = iota // punctuation, or nothing
	Consonant
	Vowel
)

// Next is what the pronunciation of a word depends on in the word after it.
type Next struct {
	Onset Onset
	To    bool // the next word is to
}

// inNumber is the place of a word within a number.
var inNumber = Next{Onset: Consonant}

// Word is a word or a number to be pronounced.
type Word struct {
	Text, Tag string
	Currency  string // the sign that is said with it, if any
	First     bool   // of its group; a number behind something else is read in pieces
}

// Pronounce returns the phonemes of a word; false for a word that has no entry, no stem with an entry, and is no number.
func (d *Dictionary) Pronounce(w Word, next Next) (string, bool) {
	word := token.Straight(w.Text)
	e := sound.AsIs
	if lower := strings.ToLower(word); word != lower {
		e = sound.Mild
		if word == strings.ToUpper(word) {
			e = sound.Strong
		}
	}
	phonemes, ok := d.word(word, w.Tag, e, next)
	if !ok {
		return d.number(word, w.Currency, w.First)
	}
	if unit, _ := token.Coins(w.Currency); unit != "" {
		if amount, found := d.say([]string{unit + "s"}); found {
			phonemes += " " + amount
		}
	}
	return phonemes, true
}

// word returns the phonemes of a word with straight apostrophes; false when the dictionary and its endings have none.
func (d *Dictionary) word(word, tag string, e sound.Emphasis, next Next) (string, bool) {
	if phonemes, ok := d.special(word, tag, e, next); ok {
		return phonemes, true
	}
	lower := strings.ToLower(word)
	if d.lowerFits(word, lower, tag) {
		word = lower
	}
	if d.Known(word) {
		return d.lookup(word, tag, e, next)
	}
	if stem, ok := strings.CutSuffix(word, "s'"); ok && d.Known(stem+"'s") {
		return d.lookup(stem+"'s", tag, e, next)
	}
	if stem, ok := strings.CutSuffix(word, "'"); ok && d.Known(stem) {
		return d.lookup(stem, tag, e, next)
	}
	return d.ending(word, tag, e, next)
}

// lowerFits reports whether a capitalised word without an entry should be looked up in lower case.
func (d *Dictionary) lowerFits(word, lower, tag string) bool {
	const shortName = 7
	switch {
	case word == lower, utf8.RuneCountInString(word) < 2, tag == "NNP" && len(word) <= shortName:
		return false
	case !token.Letters(strings.ReplaceAll(word, "'", "")):
		return false
	case word != strings.ToUpper(word) && word[1:] != strings.ToLower(word[1:]):
		return false
	}
	if _, _, ok := d.entry(word); ok {
		return false
	}
	if _, _, ok := d.entry(lower); ok {
		return true
	}
	_, ok := d.ending(lower, tag, sound.AsIs, Next{})
	return ok
}

// lookup returns the phonemes of a known word. A word in capitals is spelled out when it is a name, or when it has no
// pronunciation.
func (d *Dictionary) lookup(word, tag string, e sound.Emphasis, next Next) (string, bool) {
	name := false
	if word == strings.ToUpper(word) {
		if _, gold := d.goldEntry(word); !gold {
			word = strings.ToLower(word)
			name = tag == "NNP"
		}
	}
	value, gold, ok := d.entry(word)
	if ok && (gold || !name) {
		if phonemes, ok := phonemesFor(value, tag, next); ok && (!name || strings.Contains(phonemes, sound.Primary)) {
			return sound.Stress(phonemes, e), true
		}
	}
	return d.spell(word)
}

// spell returns the names of the letters, the last one stressed; false when a letter has no name.
func (d *Dictionary) spell(word string) (string, bool) {
	var b strings.Builder
	for _, r := range word {
		if !unicode.IsLetter(r) {
			continue
		}
		name, gold, _ := d.find(strings.ToUpper(string(r)))
		if !gold {
			return "", false
		}
		b.WriteString(name)
	}
	names := sound.Stress(b.String(), sound.Level)
	if i := strings.LastIndex(names, sound.Secondary); i >= 0 {
		names = names[:i] + sound.Primary + names[i+len(sound.Secondary):]
	}
	return names, names != ""
}

// symbols are the words for signs that are always spoken.
var symbols = map[string]string{"%": "percent", "&": "and", "+": "plus", "@": "at"}
