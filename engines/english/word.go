package english

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// onset is what the sound after a word begins with.
type onset int

const (
	pause onset = iota // punctuation, or nothing
	consonant
	vowel
)

// following is what a word needs to know of what comes after it.
type following struct {
	onset onset
	to    bool // the next word is to
}

// inside is the place of a word within a number.
var inside = following{onset: consonant}

// word gives the phonemes of a word with straight apostrophes; none when the dictionary and its endings do not tell.
func (l *lexicon) word(word, tag string, e emphasis, after following) (string, bool) {
	if sound, ok := l.special(word, tag, e, after); ok {
		return sound, true
	}
	lower := strings.ToLower(word)
	if l.better(word, lower, tag) {
		word = lower
	}
	if l.known(word) {
		return l.lookup(word, tag, e, after)
	}
	if stem, ok := strings.CutSuffix(word, "s'"); ok && l.known(stem+"'s") {
		return l.lookup(stem+"'s", tag, e, after)
	}
	if stem, ok := strings.CutSuffix(word, "'"); ok && l.known(stem) {
		return l.lookup(stem, tag, e, after)
	}
	return l.ending(word, tag, e, after)
}

// better reports whether a capitalised word that has no entry should be looked up without its capitals.
func (l *lexicon) better(word, lower, tag string) bool {
	if word == lower || utf8.RuneCountInString(word) < 2 || tag == "NNP" && len(word) <= 7 || !letters(strings.ReplaceAll(word, "'", "")) {
		return false
	}
	if _, _, ok := l.entry(word); ok {
		return false
	}
	if word != strings.ToUpper(word) && word[1:] != strings.ToLower(word[1:]) {
		return false
	}
	if _, _, ok := l.entry(lower); ok {
		return true
	}
	_, ok := l.ending(lower, tag, asIs, following{})
	return ok
}

// lookup gives the phonemes of a known word. A word in capitals is spelled when it is a name, or when nothing else is known.
func (l *lexicon) lookup(word, tag string, e emphasis, after following) (string, bool) {
	name := false
	if word == strings.ToUpper(word) {
		if _, gold := l.gold(word); !gold {
			word = strings.ToLower(word)
			name = tag == "NNP"
		}
	}
	value, gold, ok := l.entry(word)
	if ok && (gold || !name) {
		if sound, ok := reading(value, tag, after); ok && (!name || strings.Contains(sound, primary)) {
			return stressed(sound, e), true
		}
	}
	return l.spell(word)
}

// spell gives the names of the letters, the last one stressed; none when one has no name.
func (l *lexicon) spell(word string) (string, bool) {
	var b strings.Builder
	for _, r := range word {
		if !unicode.IsLetter(r) {
			continue
		}
		name, gold, _ := l.find(strings.ToUpper(string(r)))
		if !gold {
			return "", false
		}
		b.WriteString(name)
	}
	sound := stressed(b.String(), level)
	if i := strings.LastIndex(sound, secondary); i >= 0 {
		sound = sound[:i] + primary + sound[i+len(secondary):]
	}
	return sound, sound != ""
}

// special gives the words that sound by what follows them or by their part of speech.
func (l *lexicon) special(word, tag string, e emphasis, after following) (string, bool) {
	if s := symbol(word); s != "" {
		return l.lookup(s, "", asIs, after)
	}
	if initials(word) {
		return l.spell(word)
	}
	switch word {
	case "a", "A":
		if tag == "DT" {
			return "ɐ", true
		}
		return "ˈA", true
	case "am", "Am", "AM":
		return l.am(word, tag, e, after)
	case "an", "An", "AN":
		if word == "AN" && strings.HasPrefix(tag, "NN") {
			return l.spell(word)
		}
		return "ɐn", true
	case "I":
		return "ˌI", tag == "PRP"
	case "by", "By", "BY":
		return "bˈI", wordClass(tag) == "ADV"
	case "to", "To", "TO":
		return l.to(after), word != "TO" || tag == "TO" || tag == "IN"
	case "in", "In", "IN":
		if after.onset == pause || tag != "IN" {
			return "ˈɪn", word != "IN" || tag != "NNP"
		}
		return "ɪn", true
	case "the", "The", "THE":
		if after.onset == vowel {
			return "ði", word != "THE" || tag == "DT"
		}
		return "ðə", word != "THE" || tag == "DT"
	case "used", "Used", "USED":
		if (tag == "VBD" || tag == "JJ") && after.to {
			return l.lookup("used", "VBD", asIs, inside)
		}
		return l.lookup("used", "", asIs, inside)
	}
	if tag == "IN" && strings.EqualFold(strings.TrimSuffix(word, "."), "vs") {
		return l.lookup("versus", "", asIs, after)
	}
	return "", false
}

// am is the verb, weak in the middle of a clause, or the time before noon.
func (l *lexicon) am(word, tag string, e emphasis, after following) (string, bool) {
	switch {
	case strings.HasPrefix(tag, "NN"):
		return l.spell(word)
	case after.onset == pause || word != "am" || e > asIs:
		sound, ok := l.gold("am")
		return sound, ok
	}
	return "ɐm", true
}

// to is weak before a sound, and by itself sounds as the dictionary has it.
func (l *lexicon) to(after following) string {
	switch after.onset {
	case consonant:
		return "tə"
	case vowel:
		return "tʊ"
	case pause:
	}
	sound, _ := l.gold("to")
	return sound
}

// initials reports whether a word is letters with dots between them, such as U.S.A. or Ph.D.
func initials(word string) bool {
	if !strings.Contains(strings.Trim(word, "."), ".") || !letters(strings.ReplaceAll(word, ".", "")) {
		return false
	}
	for part := range strings.SplitSeq(word, ".") {
		if utf8.RuneCountInString(part) > 2 {
			return false
		}
	}
	return true
}

// symbol gives the word for a sign that is always spoken.
func symbol(s string) string {
	switch s {
	case "%":
		return "percent"
	case "&":
		return "and"
	case "+":
		return "plus"
	case "@":
		return "at"
	}
	return ""
}

// letters reports whether s is letters only, at least one.
func letters(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return s != ""
}
