package tag

import (
	"strings"

	"github.com/voicewright/voicewright/engines/english/internal/words"
)

// kind is what the words around make of a word that can be several.
type kind int

const (
	unclear kind = iota
	noun
	verb
	adjective
)

var (
	beforeVerb     = words.Set("to n't please let let's cannot us them him me")
	relative       = words.Set("who which that")
	conjunctionsOf = words.Set("and or")
)

// kinds are the rules by which kind decides: an article makes a noun, a subject or "to" a verb, an object behind the word a
// verb again. p is the index of the word before the one at i, over adverbs.
var kinds = []struct {
	applies func(s *sentence, i, p int) bool
	kind    kind
}{
	{func(s *sentence, i, p int) bool { return s.at(p) == "to" && s.goal(i, p) }, noun},
	{func(s *sentence, _, p int) bool {
		return s.is(p, words.Modal|words.Pronoun|words.Reflexive) || beforeVerb[s.at(p)]
	}, verb},
	{func(s *sentence, _, p int) bool { return s.at(p) == "not" && s.is(p-1, words.Be) }, adjective},
	{func(s *sentence, _, p int) bool { return s.at(p) == "not" }, verb},
	{func(s *sentence, _, p int) bool { return s.at(p) == "'s" && s.tags[p] == "POS" }, noun},
	{func(s *sentence, _, p int) bool { return s.at(p) == "that" && s.tags[p] == "DT" }, noun},
	{func(s *sentence, i, p int) bool { return s.is(p, words.Have) && s.objectFollows(i) }, verb},
	{func(s *sentence, _, p int) bool { return s.is(p, words.Determiner) || p >= 0 && s.tags[p] == "CD" }, noun},
	{func(s *sentence, _, p int) bool { return s.is(p, words.Be) || s.at(p) == "'s" }, adjective},
	{func(s *sentence, _, p int) bool { return s.is(p, words.Have|words.Preposition) }, noun},
	{func(s *sentence, i, p int) bool { return conjunctionsOf[s.at(p)] && s.objectFollows(i) }, verb},
	{func(s *sentence, _, p int) bool { return conjunctionsOf[s.at(p)] && s.tagged(p-1, "VB") }, verb},
	{func(s *sentence, _, p int) bool { return conjunctionsOf[s.at(p)] && s.tagged(p-1, "NN") }, noun},
	{func(s *sentence, _, p int) bool { return conjunctionsOf[s.at(p)] }, unclear},
	{func(s *sentence, i, p int) bool { return s.at(p) == "" && s.at(i+1) == "of" }, noun},
	{func(s *sentence, i, p int) bool {
		return s.at(p) == "" && (s.objectFollows(i) || s.is(i+1, words.Reflexive))
	}, verb},
	{func(s *sentence, _, p int) bool { return s.at(p) == "" }, unclear},
	{func(s *sentence, i, p int) bool {
		return s.at(p) == "that" && s.is(i+1, words.Be|words.Modal|words.Have)
	}, noun},
	{func(s *sentence, _, p int) bool { return relative[s.at(p)] }, verb},
	{func(s *sentence, i, _ int) bool { return s.objectFollows(i) && s.at(i+1) != "that" }, verb},
	{(*sentence).pluralSubject, verb},
	{func(s *sentence, i, p int) bool { return s.inNounPhrase(p) && !s.content(i+1) }, noun},
	{func(s *sentence, i, _ int) bool { return s.at(i+1) == "of" || s.is(i+1, words.Be) }, noun},
	{(*sentence).afterSingular, noun},
}

// kind returns what the words around make of the word at i.
func (s *sentence) kind(i int) kind {
	p := s.before(i)
	for _, r := range kinds {
		if r.applies(s, i, p) {
			return r.kind
		}
	}
	return unclear
}

// tagged reports whether the tag at i begins with prefix.
func (s *sentence) tagged(i int, prefix string) bool {
	return i >= 0 && strings.HasPrefix(s.tags[i], prefix)
}

// goal reports whether the word at i is what the "to" at to leads to and no infinitive: "from hand to mouth", "to refills".
func (s *sentence) goal(i, to int) bool {
	w := s.lower[i]
	if stem, ok := strings.CutSuffix(w, "s"); ok && !strings.HasSuffix(w, "ss") && s.dictionary.Known(stem) {
		return true
	}
	if to > 0 && s.lower[to-1] == w {
		return true
	}
	return (w == "mouth" || w == "house") && (s.at(i+1) == "" || s.is(i+1, words.Preposition|words.Linking)) && !infinitives[s.at(to-1)]
}

// infinitives are words that an infinitive follows: they want to house the poor.
var infinitives = words.Set(`want wants wanted wanting need needs needed plan plans planned planning try tries tried trying hope hopes hoped
	begin begins began begun start starts started like likes liked love loves loved hate hates hated have has had having 've going go
	used able unable order agree agrees agreed refuse refuses refused decide decides decided intend intends intended mean means meant
	seem seems seemed expect expects expected ready willing supposed allowed forced asked told built designed about help helps helped
	how where what way chance right room space enough continue continues continued prefer prefers promise promised choose chose
	managed failed tend tends attempt attempts attempted not easy hard impossible possible difficult`)

// pluralSubject reports whether the word before i, at p, is a plural that can be the subject of a verb at i, which goes on with
// a preposition or ends the clause: the rivers wind in gorges, the muscles contract.
func (s *sentence) pluralSubject(i, p int) bool {
	next := i + 1
	if !s.is(p, words.PluralLike) || s.is(p, words.Past|words.Linking|words.Conjunction) || modifiers[s.at(p)] || s.capitalised(p) ||
		s.is(i, words.PluralLike) {
		return false
	}
	if qualities[s.lower[i]] || s.adjectival(i) {
		return false
	}
	return s.at(next) == "" || s.at(next) == "to" || s.is(next, words.Preposition|words.VerbParticle|words.Adverb) && s.at(next) != "of"
}

// qualities are adjectives that may stand behind their noun: the people present in the room.
var qualities = words.Set("present separate perfect moderate upset absent live subject")

// afterSingular reports whether a noun in the singular is before i, at p, of which a verb without s cannot be said, and the
// clause goes on as behind a noun: drug use rose.
func (s *sentence) afterSingular(i, p int) bool {
	const behindNoun = words.Be | words.Have | words.Modal | words.Past | words.Preposition
	singular := s.content(p) && (!s.capitalised(p) || p == s.first()) &&
		!s.is(p, words.PluralLike|words.Past|words.Linking|words.Adverb) && s.at(p) != "people"
	return singular && s.dictionary.HasNoun(s.lower[i]) && (s.at(i+1) == "" || s.is(i+1, behindNoun))
}

// modifiers are plurals that stand before a noun: a sales record.
var modifiers = words.Set(`series news sales sports arms systems physics politics economics mathematics athletics customs savings
	earnings parts operations communications species means works headquarters lens times gas business graphics goods genetics`)

// adjectives are words that sound otherwise as an adjective than as a noun, beside those of which the dictionary has both.
var (
	adjectives   = words.Set("close closer content invalid overhead overweight uptown")
	noAdjectives = words.Set("minute read")
)

// adjectival reports whether the word at i sounds otherwise as an adjective than as a noun.
func (s *sentence) adjectival(i int) bool {
	w := s.lower[i]
	return adjectives[w] || !noAdjectives[w] && s.dictionary.HasAdjective(w)
}
