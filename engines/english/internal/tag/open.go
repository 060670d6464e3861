package tag

import (
	"strings"

	"github.com/voicewright/voicewright/engines/english/internal/words"
)

// openWords are the words of open classes that have rules of their own. An empty tag leaves a word to the general rules.
var openWords = map[string]func(s *sentence, i int) string{
	"read": (*sentence).presentOrPast, "reread": (*sentence).presentOrPast, "wound": (*sentence).presentOrPast,
	"live": (*sentence).live, "lives": (*sentence).thirdPerson, "uses": (*sentence).thirdPerson,
	"learned": (*sentence).learned, "close": (*sentence).close, "minute": (*sentence).minute,
}

// open tags a word of an open class by what is before and after it.
func (s *sentence) open(i int) string {
	if rules, ok := openWords[s.lower[i]]; ok {
		if tag := rules(s, i); tag != "" {
			return tag
		}
	}
	if s.unlistedPast(i) {
		return "VBD"
	}
	switch s.kind(i) {
	case verb:
		return "VB"
	case adjective:
		if s.is(i+1, words.Past) {
			return "RB"
		}
		return "JJ"
	case noun:
		return s.nounTag(i)
	case unclear:
	}
	return s.unclearTag(i)
}

// unclearTag returns the tag of a word of which the words around make nothing: an adjective at the beginning, or a name.
func (s *sentence) unclearTag(i int) string {
	switch {
	case s.at(i-1) == "" && s.content(i+1) && s.adjectival(i):
		return "JJ"
	case i > 0 && s.at(i-1) != "" && !s.shouted && s.capitalised(i):
		return "NNP"
	}
	return ""
}

// nounTag returns the tag of a word in the place of a noun.
func (s *sentence) nounTag(i int) string {
	switch {
	case i > 0 && s.capitalised(i):
		return "NNP"
	case s.content(i+1) && s.adjectival(i):
		return "JJ"
	case strings.HasSuffix(s.lower[i], "s"):
		return "NNS"
	}
	return "NN"
}

// unlistedPast reports whether a word is the past of a verb that the dictionary has only without its ending.
func (s *sentence) unlistedPast(i int) bool {
	return strings.HasSuffix(s.lower[i], "ed") && !s.dictionary.Lists(s.lower[i])
}

// thirdPerson tags lives and uses where they are verbs: behind a name, or an adverb and before a preposition.
func (s *sentence) thirdPerson(i int) string {
	place := s.is(i+1, words.Preposition)
	name := s.capitalised(i-1) && !s.is(i-1, words.Determiner) && (i > 1 || place)
	if name || s.is(i-1, words.Adverb) && place {
		return "VBZ"
	}
	return ""
}

func (s *sentence) learned(i int) string {
	if s.is(i-1, words.Determiner) {
		return ""
	}
	return "VBD"
}

func (s *sentence) minute(i int) string {
	if s.at(i-1) == "a" && s.content(i+1) && s.kind(i) == noun {
		return "JJ"
	}
	return ""
}

// close tags "a close race" and "keep them close to you"; the end that something draws to is left to the general rules.
func (s *sentence) close(i int) string {
	before, next := s.at(i-1), s.at(i+1)
	near := false
	switch s.kind(i) {
	case noun:
		near = next != "of" && (next != "" || before != "a" && before != "the")
	case verb:
		near = s.is(i-1, words.Object) && (next == "to" || next == "by" || next == "together" || next == "behind")
	case unclear, adjective:
	}
	if near {
		return "JJ"
	}
	return ""
}

var (
	liveThings = words.Set(`music show shows concert concerts broadcast stream streaming event events audience performance
		performances album tv television video coverage version wire recording band`)
	beforeLive = words.Set("go went going goes 's")
)

// live tags the verb, and the adjective of "live music".
func (s *sentence) live(i int) string {
	p := s.before(i)
	if liveThings[s.at(i+1)] || beforeLive[s.at(p)] || s.is(p, words.Be) || s.is(p, words.Determiner) && s.content(i+1) {
		return "JJ"
	}
	return "VB"
}

// used tags "used to read" and "I am used to it", which sound otherwise than "it is used to cut".
func (s *sentence) used(i int) string {
	p := s.before(i)
	if !s.is(p, words.Be) {
		return "VBD"
	}
	switch s.at(p - 1) {
	case "i", "you", "we", "he", "she", "who":
		return "JJ"
	}
	if w := s.at(p); w == "'m" || w == "'re" {
		return "JJ"
	}
	return "VBN"
}

var (
	beforeInfinitive = words.Set("to 'll n't please")
	singular         = words.Set("he she it who")
	plural           = words.Set("i we they")
)

// tenses are the rules by which the present of read and wound differs from their past; p is the word before, over adverbs.
var tenses = []struct {
	applies func(s *sentence, i, p int) bool
	tag     string
}{
	{func(s *sentence, _, p int) bool {
		return s.is(p, words.Have|words.Be) || s.at(p) == "'s" && s.tags[p] == "VBZ"
	}, "VBN"},
	{func(s *sentence, _, p int) bool {
		return s.is(p, words.Modal) || s.at(p) == "let" || beforeInfinitive[s.at(p)]
	}, "VB"},
	{func(s *sentence, _, p int) bool { return singular[s.at(p)] }, "VBD"},
	{func(s *sentence, i, p int) bool { return plural[s.at(p)] && s.habitual(i) }, "VB"},
	{func(s *sentence, _, p int) bool { return plural[s.at(p)] }, "VBD"},
	{func(s *sentence, _, p int) bool {
		return s.at(p) == "you" || s.at(p) == "" || s.is(p, words.Determiner|words.Preposition)
	}, "NN"},
	{func(s *sentence, _, p int) bool { return s.is(p, words.Reflexive) }, "VBD"},
	{func(s *sentence, i, p int) bool { return s.capitalised(p) || s.objectFollows(i) }, "VBD"},
}

// presentOrPast tags read and wound: the present, the past, or the noun.
func (s *sentence) presentOrPast(i int) string {
	p := s.before(i)
	if s.at(p) == "not" {
		p = s.before(p)
	}
	if s.is(p, words.Coordinating) {
		return s.likeVerbBefore(i, p)
	}
	for _, r := range tenses {
		if r.applies(s, i, p) {
			return r.tag
		}
	}
	return "NN"
}

// verbForms are the rules by which a verb behind "and" has the form of the verb before it.
var verbForms = []rule{
	{func(s *sentence, j int) bool { return s.is(j, words.Have|words.Be) }, "VBN"},
	{func(s *sentence, j int) bool { return s.is(j, words.Modal) || beforeInfinitive[s.lower[j]] }, "VB"},
	{func(s *sentence, j int) bool { return s.is(j, words.Past) || s.tagged(j, "VBD") }, "VBD"},
}

// likeVerbBefore returns the form of the verb at i behind the conjunction at and: that of the verb before it.
func (s *sentence) likeVerbBefore(i, and int) string {
	for j := and - 1; j >= 0; j-- {
		if tag := decide(verbForms, s, j, ""); tag != "" {
			return tag
		}
		if s.tagged(j, "VB") {
			return s.tags[j]
		}
	}
	switch {
	case and <= s.first() || s.at(and-1) == "":
		return "VBD"
	case s.kind(i) == noun:
		return "NN"
	}
	return "VB"
}

// habitual reports whether the part of the sentence around i, up to the next marks, has a word for what happens often.
func (s *sentence) habitual(i int) bool {
	const far = 30
	start, stop := i, i
	for i-start < far && s.at(start-1) != "" {
		start--
	}
	for stop-i < far && s.at(stop) != "" {
		stop++
	}
	for _, c := range s.classes[start:stop] {
		if c&words.Habitual != 0 {
			return true
		}
	}
	return false
}
