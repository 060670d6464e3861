package english

import (
	"strings"

	textenglish "github.com/voicewright/voicewright/backend/text/english"
)

// capitals tags a word in capitals: as a name where it stands for letters or the dictionary does not have it, else as the word
// that it is when it is not said loudly.
func (c *clause) capitals(i int) string {
	w := c.lower[i]
	loud := c.loud && c.at(i-1) != "the"
	switch {
	case !c.word(w):
		return "NNP"
	case !loud && textenglish.Letters(c.at(i-2), c.at(i-1), c.tokens[i].text, c.at(i+1)):
		return "NNP"
	}
	tag := c.open(i)
	switch {
	case !strings.HasPrefix(tag, "NN"):
		return tag
	case c.spelled(i):
		return ""
	}
	return "NN"
}

// word reports whether the dictionary has a word in small letters, or the stem that it comes from.
func (c *clause) word(w string) bool {
	if _, _, ok := c.lexicon.entry(w); ok {
		return true
	}
	_, ok := c.lexicon.ending(w, "", asIs, following{})
	return ok
}

// spelled reports whether the dictionary spells the word at i, as it stands, where it is a noun: ACT, LED, SAT.
func (c *clause) spelled(i int) bool {
	value, _ := c.lexicon.gold(c.tokens[i].text)
	return strings.Contains(value+" ", "NOUN= ")
}
