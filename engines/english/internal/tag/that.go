package tag

import (
	"strings"

	"github.com/voicewright/voicewright/engines/english/internal/words"
)

var (
	beforePointing = words.Set("like than to")
	afterPointing  = words.Set("which who of very")
	pluralVerbs    = words.Set("are were have")
	doing          = words.Set("do does did")
	acting         = words.Set("do does did doing done")
	afterObject    = words.Set("to as by with for from into")
	indefinite     = words.Set("something anything everything nothing someone anyone everyone one else")
	// degrees are the words that "that" measures: "not that much".
	degrees = words.Set("much many long far bad")
	// thirdPerson are the verbs that "that" is the subject of at the beginning of a clause.
	thirdPerson = words.Set(`means seems looks sounds makes gives brings leaves helps explains takes goes comes says shows gets happens
		works depends includes suggests`)
)

// thatRules distinguish the demonstrative, which is stressed (DT), from the conjunction and the relative pronoun, which are
// weak (IN), for a "that" before a word.
var thatRules = []rule{
	{func(s *sentence, i int) bool { return s.at(i-1) == "that" }, "DT"},
	{func(s *sentence, i int) bool { return s.at(i+1) == "that" }, "IN"},
	{func(s *sentence, i int) bool { return s.at(i-1) == "in" && s.is(i+1, words.Subject|words.ArticleLike) }, "IN"},
	{func(s *sentence, i int) bool { return s.at(i-1) == "about" && s.is(i+1, words.ArticleLike) }, "IN"},
	{func(s *sentence, i int) bool { return s.is(i-1, words.Preposition) || beforePointing[s.at(i-1)] }, "DT"},
	{func(s *sentence, i int) bool { return afterPointing[s.at(i+1)] }, "DT"},
	{func(s *sentence, i int) bool { return thirdPerson[s.at(i+1)] && s.startsClause(i) }, "DT"},
	{(*sentence).thatBeforePlural, "IN"},
	{func(s *sentence, i int) bool { return pluralVerbs[s.at(i+1)] }, "IN"},
	{func(s *sentence, i int) bool { return s.question(i-1) || s.is(i-1, words.Modal) && s.is(i+1, words.Be) }, "DT"},
	{func(s *sentence, i int) bool { return s.is(i+1, words.Subject|words.TopDeterminer) && doing[s.at(i-1)] }, "DT"},
	{func(s *sentence, i int) bool { return s.is(i+1, words.Subject|words.TopDeterminer) }, "IN"},
	{func(s *sentence, i int) bool { return s.is(i+1, words.Past) && i > s.first() }, "IN"},
	{func(s *sentence, i int) bool { return degrees[s.at(i+1)] && !s.content(i+2) }, "RB"},
	{func(s *sentence, i int) bool { return acting[s.at(i-1)] && s.is(i+1, words.Adverb|words.Preposition) }, "DT"},
	{func(s *sentence, i int) bool { return s.at(i+1) == "too" || s.at(i+1) == "again" }, "DT"},
	{func(s *sentence, i int) bool {
		return afterObject[s.at(i+1)] && !s.is(i-1, words.Reporting) && s.isVerb(i-1)
	}, "DT"},
}

// startsClause reports whether nothing but "and", "but", "or" or "so" is before the word at i in its clause.
func (s *sentence) startsClause(i int) bool {
	if s.is(i-1, words.Coordinating) || s.at(i-1) == "so" {
		i--
	}
	return s.at(i-1) == ""
}

// thatTag tags "that".
func thatTag(s *sentence, i int) string {
	if s.at(i+1) == "" {
		return thatBeforeMarkTag(s, i)
	}
	if tag := decide(thatRules, s, i, ""); tag != "" {
		return tag
	}
	switch {
	case s.is(i+1, words.Be|words.Modal|words.Have) || s.at(i+1) == "'s":
		return decide(thatBeforeVerb, s, i, "IN")
	case s.is(i+1, words.Linking|words.Preposition):
		return "IN"
	case s.at(i+1) == "one" && (s.at(i+2) == "of" || s.verbWithin(i+2, 1)):
		return "IN"
	}
	return decide(thatBeforeNoun, s, i, "IN")
}

// thatBeforePlural reports whether a plural or a verb follows, which a demonstrative "that" never precedes.
func (s *sentence) thatBeforePlural(i int) bool {
	return s.is(i+1, words.PluralLike) && (s.at(i-1) != "" || i > s.first()) &&
		(!s.is(i-1, words.Conjunction) || s.is(i-1, words.Coordinating) || s.at(i-1) == "as")
}

// thatBeforeMarkTag tags a "that" with a mark behind it: "I know that." but "I know that, when he comes, he stays."
func thatBeforeMarkTag(s *sentence, i int) string {
	if i+1 == len(s.tokens) {
		return "DT"
	}
	thinks := s.is(i-1, words.Reporting) && !s.is(i-1, words.ReportingThing)
	weak := false
	switch mark := s.tags[i+1]; {
	case opening[mark]:
		weak = s.is(i-1, words.Reporting|words.Past)
	case mark == ":":
		weak = thinks
	case mark == ",":
		weak = s.clauseAfterComma(i, thinks)
	}
	if weak {
		return "IN"
	}
	return "DT"
}

// clauseAfterComma reports whether the comma behind "that" begins an insertion, after which its clause goes on. thinks is set
// when the word before is one of saying or thinking.
func (s *sentence) clauseAfterComma(i int, thinks bool) bool {
	before, next := s.at(i-1), s.at(i+2)
	switch {
	case next == "" || next == "too" || s.is(i+2, words.Coordinating):
		return false
	case before == "all" || before == "to" || s.is(i-1, words.Preposition|words.Conjunction|words.Adverb):
		return false
	case before == "" && (i == 0 || s.tags[i-1] != ","):
		return false
	}
	return s.is(i+2, words.Preposition|words.Conjunction|words.Past) || next == "however" || strings.HasSuffix(next, "ing") ||
		thinks && s.is(i+2, words.Adverb)
}

var (
	questionVerbs = words.Set("is was isn wasn")
	questionWords = words.Set("what who how where why")
)

// question reports whether the word at i is the verb at the head of a question: "Is that ...", "What was that ...".
func (s *sentence) question(i int) bool {
	negated := s.at(i) == "n't" || s.at(i) == "not"
	if negated {
		i--
	}
	if !questionVerbs[s.at(i)] {
		return false
	}
	if s.at(i-1) == "" {
		return negated || i == 0 || s.tags[i-1] != ","
	}
	return questionWords[s.at(i-1)] || s.is(i-1, words.Coordinating)
}

// thatBeforeVerb are the rules for "that is", "that would": a subject of its own, or one that goes on with the noun before it.
var thatBeforeVerb = []rule{
	{func(s *sentence, i int) bool { return s.at(i-1) == "" }, "DT"},
	{func(s *sentence, i int) bool { return indefinite[s.at(i-1)] || s.inNounPhrase(i-1) }, "IN"},
	{func(s *sentence, i int) bool { return s.is(i-1, words.Conjunction|words.Reporting|words.Adverb) }, "DT"},
	{func(s *sentence, i int) bool { return s.at(i-1) == "so" || s.at(i-1) == "not" || s.at(i+1) == "'s" }, "DT"},
}

// thatBeforeNoun are the rules for "that man", which points at one, and "that men", which begins a clause.
var thatBeforeNoun = []rule{
	{func(s *sentence, i int) bool { return s.capitalised(i+1) && s.at(i-1) == "" && i > s.first() }, "IN"},
	{func(s *sentence, i int) bool { return s.capitalised(i+1) && s.is(i-1, words.VerbParticle) }, "IN"},
	{func(s *sentence, i int) bool { return s.afterWas(i) && (s.at(i+2) == "" || s.is(i+1, words.Time)) }, "DT"},
	{(*sentence).afterWas, "IN"},
	{func(s *sentence, i int) bool {
		return i+2 >= len(s.tokens) && !s.is(i-1, words.PluralLike) && !s.capitalised(i+1)
	}, "DT"},
	{func(s *sentence, i int) bool { return s.is(i+1, words.Time) || s.at(i-1) == "" || doing[s.at(i-1)] }, "DT"},
	{func(s *sentence, i int) bool { return s.is(i-1, words.Conjunction|words.VerbParticle) }, "DT"},
	{func(s *sentence, i int) bool { return s.at(i-1) == "all" || s.at(i-1) == "not" }, "DT"},
	{func(s *sentence, i int) bool { return s.at(i-1) == "so" || s.at(i-1) == "such" }, "IN"},
	{func(s *sentence, i int) bool {
		return s.is(i-1, words.ReportingThing) && !s.capitalised(i+1) && !s.verbWithin(i+2, 3)
	}, "DT"},
	{func(s *sentence, i int) bool { return s.is(i-1, words.Reporting) }, "IN"},
	{func(s *sentence, i int) bool {
		return s.is(i-1, words.Object|words.Reflexive) && (s.is(i-2, words.Reporting) || s.capitalised(i+1))
	}, "IN"},
	{func(s *sentence, i int) bool { return s.is(i-1, words.Object|words.Reflexive) }, "DT"},
	{func(s *sentence, i int) bool { return s.isVerb(i - 1) }, "DT"},
}

func (s *sentence) afterWas(i int) bool { return s.at(i-1) == "is" || s.at(i-1) == "was" }

var beforeBareVerb = words.Set("to n't please let")

// isVerb reports whether the word at i is a verb, by its ending or what is before it.
func (s *sentence) isVerb(i int) bool {
	p := s.before(i)
	switch {
	case s.is(i, words.Past) || s.at(i) == "read":
		return true
	case s.is(p, words.Subject|words.Modal|words.Have) || beforeBareVerb[s.at(p)]:
		return true
	case s.is(p, words.Determiner) || s.inNounPhrase(p):
		return false
	case strings.HasSuffix(s.at(i), "ing"):
		return true
	}
	return s.at(p) == "" && i == s.first()
}
