package tag

import (
	"strings"

	"github.com/voicewright/voicewright/engines/english/internal/dictionary"
	"github.com/voicewright/voicewright/engines/english/internal/token"
	"github.com/voicewright/voicewright/engines/english/internal/words"
)

// sentence is a sentence while it is tagged, from left to right.
type sentence struct {
	dictionary *dictionary.Dictionary
	tokens     []token.Token
	tags       []string      // known so far
	lower      []string      // the words in small letters; marks are empty
	classes    []words.Class // of lower
	shouted    bool          // mostly in capitals
}

func newSentence(d *dictionary.Dictionary, tokens []token.Token, tags []string) *sentence {
	s := &sentence{
		dictionary: d, tokens: tokens, tags: tags,
		lower: make([]string, len(tokens)), classes: make([]words.Class, len(tokens)),
	}
	capitals, all := 0, 0
	for i, t := range tokens {
		if !borders[t.Tag] {
			s.lower[i] = strings.ToLower(token.Straight(t.Text))
			s.classes[i] = words.ClassOf(s.lower[i])
		}
		if len(t.Text) > 1 && token.Letters(t.Text) {
			all++
			if t.Text == strings.ToUpper(t.Text) {
				capitals++
			}
		}
	}
	s.shouted = all > 1 && capitals*10 >= all*6
	return s
}

// borders are the tags of punctuation that divides the words on its sides.
var borders = map[string]bool{",": true, ":": true, "``": true, "''": true, "-LRB-": true, "-RRB-": true}

// at returns the word at i in small letters; marks and places outside the sentence are empty.
func (s *sentence) at(i int) string {
	if i < 0 || i >= len(s.lower) {
		return ""
	}
	return s.lower[i]
}

// is reports whether the word at i is of one of the classes.
func (s *sentence) is(i int, classes words.Class) bool {
	return i >= 0 && i < len(s.classes) && s.classes[i]&classes != 0
}

// text returns the token at i as it is written, empty outside the sentence.
func (s *sentence) text(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return s.tokens[i].Text
}

func (s *sentence) capitalised(i int) bool { return token.Capitalised(s.text(i)) }

// before returns the index of the word before i, over adverbs.
func (s *sentence) before(i int) int {
	const maxAdverbs = 4
	first := i - 1
	for i = first; i > first-maxAdverbs && s.is(i, words.Adverb); i-- {
	}
	return i
}

// first returns the index of the first word.
func (s *sentence) first() int {
	for i, w := range s.lower {
		if w != "" {
			return i
		}
	}
	return 0
}

// content reports whether the word at i is a noun or the like: no small word and no mark.
func (s *sentence) content(i int) bool {
	const small = words.Determiner | words.Preposition | words.Object | words.Pronoun | words.Modal | words.Be | words.Have | words.Linking
	w := s.at(i)
	return w != "" && !s.is(i, small) && token.Readable(w)
}

// objectFollows reports whether an object follows the word at i.
func (s *sentence) objectFollows(i int) bool { return s.is(i+1, words.Determiner|words.Object) }

// verbWithin reports whether one of the n words from i on is a form of be, have or a modal verb.
func (s *sentence) verbWithin(i, n int) bool {
	for ; n > 0 && s.at(i) != ""; i, n = i+1, n-1 {
		if s.is(i, words.Be|words.Modal|words.Have) || s.at(i) == "'s" {
			return true
		}
	}
	return false
}

// inNounPhrase reports whether a determiner is at i or before it, with at most two words between, so that what follows i is
// the end of a noun phrase.
func (s *sentence) inNounPhrase(i int) bool {
	for n := 0; n < 3 && i >= 0; n++ {
		if s.is(i, words.Determiner) {
			return true
		}
		if !s.content(i) {
			return false
		}
		i--
	}
	return false
}
