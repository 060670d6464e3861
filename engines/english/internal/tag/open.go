package tag

import (
	"strings"

	"github.com/voicewright/voicewright/engines/english/internal/dictionary"
	"github.com/voicewright/voicewright/engines/english/internal/words"
)

// openWords are the words of open classes that have rules of their own. An empty tag leaves a word to the general rules.
var openWords = map[string]func(s *sentence, i int) string{
	"read": presentOrPastTag, "reread": presentOrPastTag, "wound": presentOrPastTag,
	"live": liveTag, "lives": thirdPersonTag, "uses": thirdPersonTag,
	"learned": learnedTag, "close": closeTag, "minute": minuteTag,
	"content": contentTag, "augmented": participleTag, "crooked": participleTag,
	"dogged": participleTag, "jagged": participleTag, "moped": participleTag,
	"ragged": participleTag, "winds": thirdPersonTag, "lead": leadTag, "bow": bowTag,
}

// openTag tags a word of an open class by what is before and after it.
func openTag(s *sentence, i int) string {
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
		return nounTag(s, i)
	case unclear:
	}
	return unclearTag(s, i)
}

// unclearTag returns the tag of a word of which the words around make nothing: an adjective at the beginning, or a name.
func unclearTag(s *sentence, i int) string {
	switch {
	case s.at(i-1) == "" && s.content(i+1) && s.adjectival(i):
		return "JJ"
	case i > 0 && s.at(i-1) != "" && !s.shouted && s.capitalised(i):
		return "NNP"
	}
	return ""
}

// nounTag returns the tag of a word in the place of a noun.
func nounTag(s *sentence, i int) string {
	switch {
	case i > 0 && s.capitalised(i):
		return "NNP"
	case s.content(i+1) && s.adjectival(i) && !s.is(i+1, words.Past):
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

// ways are what winds through a country.
var ways = words.Set("road river path trail track lane stream street stairs staircase procession creek valley highway " +
	"route line alley corridor")

// thirdPersonTag tags lives, uses and winds where they are verbs: behind a name, or an adverb and before a preposition.
func thirdPersonTag(s *sentence, i int) string {
	place := s.is(i+1, words.Preposition|words.VerbParticle)
	if s.lower[i] == "winds" {
		if ways[s.at(s.before(i))] && (place || s.is(i+1, words.Determiner)) {
			return "VBZ"
		}
		return ""
	}
	name := s.capitalised(i-1) && !s.is(i-1, words.Determiner) && (i > 1 || place)
	if name || s.is(i-1, words.Adverb) && place {
		return "VBZ"
	}
	return ""
}

func learnedTag(s *sentence, i int) string {
	if s.is(i-1, words.Determiner) {
		return ""
	}
	return "VBD"
}

// minutely are things that are called minute, which sounds otherwise than the minutes of an hour.
var minutely = words.Set(`detail details particle particles amount amounts quantity quantities trace traces difference differences
	change changes creature creatures examination inspection scrutiny hole holes portion portions fraction fractions`)

func minuteTag(s *sentence, i int) string {
	if s.at(i-1) == "a" && s.content(i+1) && s.kind(i) == noun || minutely[s.at(i+1)] {
		return "JJ"
	}
	return ""
}

// closeTag tags "a close race" and "keep them close to you"; the end that something draws to is left to the general rules.
func closeTag(s *sentence, i int) string {
	next := s.at(i + 1)
	near := false
	switch s.kind(i) {
	case noun:
		near = s.nearNoun(i)
	case verb:
		near = s.is(i-1, words.Object) && (next == "to" || next == "by" || next == "together" || next == "behind")
	case unclear, adjective:
	}
	if near {
		return "JJ"
	}
	return ""
}

// nearNoun reports whether a close that may be a noun is near and not an end.
func (s *sentence) nearNoun(i int) bool {
	before, next := s.at(i-1), s.at(i+1)
	if before == "a" || before == "the" { // a close race, the close was good
		return s.content(i+1) && !s.is(i+1, words.Past) || next == "one" || s.is(i+1, words.Coordinating) || next == "to"
	}
	return next != "of"
}

var (
	// contented are beings and what they show, before which content is the feeling and not the matter: a content man.
	contented = words.Set(`man men woman women child children person people boy girl baby wife husband mother father dog cat smile sigh look
		face heart mind life soul silence old young little`)
	// degree are the adverbs before the feeling.
	degree = words.Set("very quite perfectly perfect more most so too not less well")
)

// contentTag tags content: the feeling after a form of be and before with, else what is in something.
func contentTag(s *sentence, i int) string {
	next := s.at(i + 1)
	matter := s.content(i+1) && !contented[next] && !s.is(i+1, words.Past) && !strings.HasSuffix(next, "ing")
	switch kind := s.kind(i); {
	case kind == verb:
		return ""
	case s.ofHeart(i), contented[next], degree[s.at(i-1)] && s.at(i-1) != "more", next == "with":
		return "JJ"
	case kind == adjective && !matter:
		return "JJ"
	case kind == unclear && !matter && s.at(i-1) == "" && next != "" && !s.is(i+1, words.Be|words.Modal|words.Have|words.Past):
		return ""
	}
	return "NN"
}

// ofHeart reports whether a word follows heart's or hearts'.
func (s *sentence) ofHeart(i int) bool {
	return s.at(i-1) == "'s" && (s.at(i-2) == "heart" || s.at(i-2) == "hearts")
}

// participleTag tags words such as augmented, which sound otherwise as parts of a verb than before a noun: they had augmented it.
func participleTag(s *sentence, i int) string {
	p := s.before(i)
	switch {
	case s.is(p, words.Have) && !s.content(i+1), s.is(p, words.Be) && s.at(i+1) == "by":
		return "VBN"
	case s.is(p, words.Be) && s.lower[i] == "augmented" && !s.content(i+1):
		return "VBN"
	case s.capitalised(p) && s.at(p) != "the" && s.objectFollows(i):
		return "VBD"
	}
	return ""
}

var (
	// leaden are what is made of lead or has it in it; metals stand beside it, and leadIn is where it is found.
	leaden = words.Set(`pipe pipes paint paints poisoning acid bullet bullets shot pencil pencils weight weights glass crystal oxide exposure
		contamination sheet sheets solder ore mine mines roof based battery batteries compounds sinker ingots`)
	metals = words.Set("zinc copper tin iron silver gold mercury cadmium arsenic steel nickel aluminum aluminium")
	leadIn = words.Set("paint water pipes blood gasoline petrol soil toys dust pencils")
	ofLead = words.Set("made tons pounds lump piece pieces sheet sheets levels amount traces ounce weight ton pound full bars bar")
)

// leadTag tags the metal.
func leadTag(s *sentence, i int) string {
	joined := func(step int) bool {
		next := s.at(i + step)
		return metals[next] || (next == "and" || next == "or") && metals[s.at(i+2*step)]
	}
	found := s.at(i+1) == "in" && (leadIn[s.at(i+2)] || leadIn[s.at(i+3)])
	if kind := s.kind(i); kind != verb && (leaden[s.at(i+1)] || joined(1) || joined(-1) || found || s.at(i-1) == "of" && ofLead[s.at(i-2)]) {
		return dictionary.Metal
	}
	return ""
}

// bowTag tags the bow of a ship and that of an actor, which sound as the verb does.
func bowTag(s *sentence, i int) string {
	ship := s.at(i+1) == "of" && ships[s.at(i+2)] || s.at(i+1) == "of" && ships[s.at(i+3)] || ships[s.at(i-1)]
	taken := s.at(i-1) == "a" && taking[s.at(i-2)]
	if ship || taken {
		return "VB"
	}
	return ""
}

var (
	ships  = words.Set("ship boat vessel yacht canoe ferry ship's boat's vessel's")
	taking = words.Set("take takes took taking taken")
)

var (
	liveThings = words.Set(`music show shows concert concerts broadcast stream streaming event events audience performance
		performances album tv television video coverage version wire recording band`)
	beforeLive = words.Set(`go went going goes gone 's broadcast performed perform performing streamed streaming recorded played playing sang
		aired shown reported`)
)

// liveTag tags the verb, and the adjective of "live music".
func liveTag(s *sentence, i int) string {
	p := s.before(i)
	if liveThings[s.at(i+1)] || s.at(i-1) == "" && s.at(i+1) == "from" || beforeLive[s.at(p)] || s.is(p, words.Be) ||
		s.is(p, words.Determiner) && s.content(i+1) {
		return "JJ"
	}
	return "VB"
}

var (
	// whenUsed may stand between a form of be, or a thing, and used.
	whenUsed = words.Set("later first today commonly widely originally primarily mainly typically currently now")
	// means are things that something is done with.
	means = words.Set(`method methods technique techniques tool tools process processes material materials substance chemical chemicals term
		terms word phrase money funds data software equipment instrument instruments device devices ingredient ingredients
		formula criteria approach approaches`)
	becoming = words.Set("get gets got getting gotten become becomes became grow grows grew grown becoming")
	notDoing = words.Set("thing king spring string morning evening nothing bring sing ring wing cling fling swing sting")
)

// usedTag tags "used to read" and "I am used to it", which sound otherwise than "it is used to cut".
func usedTag(s *sentence, i int) string {
	p := s.before(i)
	late := false
	for ; whenUsed[s.at(p)]; p-- {
		late = true
	}
	switch {
	case becoming[s.at(p)] || s.is(p, words.Be) && s.accustomed(i):
		return "JJ"
	case !s.is(p, words.Be):
		if s.at(i+1) == "to" && (means[s.at(p)] || late && s.content(p)) {
			return "VBN"
		}
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

// accustomed reports whether a thing or a doing follows "used to" at i, and no infinitive: used to it, used to waiting.
func (s *sentence) accustomed(i int) bool {
	w := s.at(i + 2)
	doing := len(w) > 4 && strings.HasSuffix(w, "ing") && !notDoing[w]
	return s.at(i+1) == "to" && (doing || s.is(i+2, words.Determiner|words.Object|words.Reflexive))
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

// presentOrPastTag tags read and wound: the present, the past, or the noun.
func presentOrPastTag(s *sentence, i int) string {
	p := s.before(i)
	if s.at(p) == "not" {
		p = s.before(p)
	}
	if s.is(p, words.Coordinating) {
		return likeVerbBefore(s, i, p)
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
func likeVerbBefore(s *sentence, i, and int) string {
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
