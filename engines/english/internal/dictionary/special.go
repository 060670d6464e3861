package dictionary

import (
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/engines/english/internal/sound"
	"github.com/voicewright/voicewright/engines/english/internal/token"
)

// occurrence is a word as it occurs in a text.
type occurrence struct {
	word, tag string
	emphasis  sound.Emphasis
	next      Next
}

// Metal is the tag of lead where it is the metal, which sounds as led does.
const Metal = "NN metal"

// specialWords are the words whose sound depends on what follows them or on their part of speech, with the functions that
// return their phonemes. A function that returns false leaves the word to the dictionary.
var specialWords = map[string]func(*Dictionary, occurrence) (string, bool){
	"a": (*Dictionary).article, "A": (*Dictionary).article,
	"an": (*Dictionary).an, "An": (*Dictionary).an, "AN": (*Dictionary).an,
	"am": (*Dictionary).am, "Am": (*Dictionary).am, "AM": (*Dictionary).am,
	"I":  (*Dictionary).i,
	"by": (*Dictionary).by, "By": (*Dictionary).by, "BY": (*Dictionary).by,
	"to": (*Dictionary).to, "To": (*Dictionary).to, "TO": (*Dictionary).to,
	"in": (*Dictionary).in, "In": (*Dictionary).in, "IN": (*Dictionary).in,
	"the": (*Dictionary).the, "The": (*Dictionary).the, "THE": (*Dictionary).the,
	"used": (*Dictionary).used, "Used": (*Dictionary).used, "USED": (*Dictionary).used,
}

// special returns the phonemes of signs, initials and special words; false for all others.
func (d *Dictionary) special(word, tag string, e sound.Emphasis, next Next) (string, bool) {
	if tag == Metal {
		return d.lookup("led", "", e, next)
	}
	if pronounce, ok := specialWords[word]; ok {
		return pronounce(d, occurrence{word, tag, e, next})
	}
	if name := symbols[word]; name != "" {
		return d.lookup(name, "", sound.AsIs, next)
	}
	if initials(word) {
		return d.spell(word)
	}
	if tag == "IN" && strings.EqualFold(strings.TrimSuffix(word, "."), "vs") {
		return d.lookup("versus", "", sound.AsIs, next)
	}
	return "", false
}

// article is "a", weak as an article and the name of the letter elsewhere.
func (d *Dictionary) article(o occurrence) (string, bool) {
	if o.tag == "DT" {
		return "ɐ", true
	}
	return "ˈA", true
}

func (d *Dictionary) an(o occurrence) (string, bool) {
	if o.word == "AN" && strings.HasPrefix(o.tag, "NN") {
		return d.spell(o.word)
	}
	return "ɐn", true
}

// am is the verb, weak within a clause, or the time before noon.
func (d *Dictionary) am(o occurrence) (string, bool) {
	switch {
	case strings.HasPrefix(o.tag, "NN"):
		return d.spell(o.word)
	case o.next.Onset == Pause || o.word != "am" || o.emphasis > sound.AsIs:
		return d.goldEntry("am")
	}
	return "ɐm", true
}

func (d *Dictionary) i(o occurrence) (string, bool) { return "ˌI", o.tag == "PRP" }

func (d *Dictionary) by(o occurrence) (string, bool) { return "bˈI", wordClass(o.tag) == "ADV" }

// to is weak before a sound; alone it sounds as the dictionary has it.
func (d *Dictionary) to(o occurrence) (string, bool) {
	ok := o.word != "TO" || o.tag == "TO" || o.tag == "IN"
	switch o.next.Onset {
	case Consonant:
		return "tə", ok
	case Vowel:
		return "tʊ", ok
	case Pause:
	}
	phonemes, _ := d.goldEntry("to")
	return phonemes, ok
}

// in is weak as a preposition within a clause.
func (d *Dictionary) in(o occurrence) (string, bool) {
	if o.next.Onset == Pause || o.tag != "IN" {
		return "ˈɪn", o.word != "IN" || o.tag != "NNP"
	}
	return "ɪn", true
}

func (d *Dictionary) the(o occurrence) (string, bool) {
	ok := o.word != "THE" || o.tag == "DT"
	if o.next.Onset == Vowel {
		return "ði", ok
	}
	return "ðə", ok
}

// used sounds otherwise in "used to sing" than in "used a pen".
func (d *Dictionary) used(o occurrence) (string, bool) {
	if (o.tag == "VBD" || o.tag == "JJ") && o.next.To {
		return d.lookup("used", "VBD", sound.AsIs, inNumber)
	}
	return d.lookup("used", "", sound.AsIs, inNumber)
}

// initials reports whether a word is letters with dots between them, such as U.S.A. or Ph.D.
func initials(word string) bool {
	if !strings.Contains(strings.Trim(word, "."), ".") || !token.Letters(strings.ReplaceAll(word, ".", "")) {
		return false
	}
	for letters := range strings.SplitSeq(word, ".") {
		if utf8.RuneCountInString(letters) > 2 {
			return false
		}
	}
	return true
}
