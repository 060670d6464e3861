// Package tag finds the parts of speech that decide how a word sounds, by the words around it. It is no general tagger: a word
// whose sound does not depend on its part of speech often gets none.
package tag

import (
	"strings"

	"github.com/voicewright/voicewright/engines/english/internal/dictionary"
	"github.com/voicewright/voicewright/engines/english/internal/token"
	"github.com/voicewright/voicewright/engines/english/internal/words"
)

// Tags returns the part of speech of each token (Penn Treebank, as spaCy writes it), empty where it is unknown. Tokens that
// have a tag keep it.
func Tags(d *dictionary.Dictionary, tokens []token.Token) []string {
	tags := make([]string, len(tokens))
	for i, t := range tokens {
		tags[i] = t.Tag
	}
	for start := 0; start < len(tokens); {
		stop := start
		for stop < len(tokens) && tokens[stop].Tag != "." {
			stop++
		}
		s := newSentence(d, tokens[start:stop], tags[start:stop])
		for i, t := range s.tokens {
			if (t.Tag == "" || t.Tag == "POS") && !t.IPA {
				s.tags[i] = tagOf(s, i)
			}
		}
		start = stop + 1
	}
	return tags
}

// rule is one line of a table of rules, of which the first that applies decides.
type rule struct {
	applies func(s *sentence, i int) bool
	tag     string
}

// decide returns the tag of the first rule that applies to the word at i, else otherwise.
func decide(rules []rule, s *sentence, i int, otherwise string) string {
	for _, r := range rules {
		if r.applies(s, i) {
			return r.tag
		}
	}
	return otherwise
}

// closed are the words that have rules of their own.
var closed = map[string]func(s *sentence, i int) string{
	"a": articleTag, "that": thatTag, "i": firstPersonTag, "'s": cliticTag, "am": amTag,
	"used": usedTag, "by": particleTag, "in": particleTag, "to": always("TO"), "vs": always("IN"),
	"an": always("DT"), "the": always("DT"), "these": always("DT"), "those": always("DT"), "every": always("DT"),
	"each": always("DT"), "some": always("DT"), "any": always("DT"), "no": always("DT"),
	"of": always("IN"), "on": always("IN"), "at": always("IN"), "for": always("IN"), "with": always("IN"), "from": always("IN"),
	"hundred": powerTag, "thousand": powerTag, "million": powerTag, "billion": powerTag,
	"trillion": powerTag,
}

func always(tag string) func(*sentence, int) string {
	return func(*sentence, int) string { return tag }
}

// tagOf returns the tag of the word at i.
func tagOf(s *sentence, i int) string {
	if rules, ok := closed[s.lower[i]]; ok {
		return rules(s, i)
	}
	if s.is(i, words.Modal) {
		return "MD"
	}
	text := s.tokens[i].Text
	if len(text) > 1 && token.Letters(text) && text == strings.ToUpper(text) && text != strings.ToLower(text) {
		return capitalsTag(s, i)
	}
	return openTag(s, i)
}

// firstPersonTag tags "I": the pronoun, the number of a king, or a letter.
func firstPersonTag(s *sentence, i int) string {
	if s.tokens[i].Text == "I" && s.tokens[i].Space && s.at(i+1) == "" && s.capitalised(i-1) && i > 1 {
		return "CD"
	}
	if s.singleLetter(i+1) || s.singleLetter(i-1) && (s.singleLetter(i-2) || s.text(i-1) == "A") {
		return "NNP"
	}
	return "PRP"
}

var beforeIs = words.Set("that there here what who")

// cliticTag tags 's: a short form of "is", or the possessive.
func cliticTag(s *sentence, i int) string {
	if s.is(i-1, words.Pronoun) || beforeIs[s.at(i-1)] {
		return "VBZ"
	}
	return "POS"
}

// amTag tags the verb, and the time before noon.
func amTag(s *sentence, i int) string {
	switch {
	case i > 0 && s.tags[i-1] == "CD":
		return "NN"
	case s.tokens[i].Text == "AM" && !s.shouted && s.at(i-1) != "i" && s.at(i+1) != "i":
		return "NN"
	}
	return "VBP"
}

// powerTag tags hundred, thousand and so on.
func powerTag(s *sentence, i int) string {
	if i > 0 && s.tags[i-1] == "CD" {
		return "CD"
	}
	return "NN"
}

var (
	// afterAdverb are the words behind "in" and "by" that show that those belong to a verb; afterIn those that show it of
	// "in" alone.
	afterAdverb = words.Set("but again along before after without because until if since")
	afterIn     = words.Set("with to by for from on through towards toward upon here while when")
)

// particleTag tags "in" and "by": an adverb in "come in and sit", where it belongs to the verb, a preposition in "in town".
func particleTag(s *sentence, i int) string {
	next := s.at(i + 1)
	adverb := false
	switch {
	case s.tokens[i].Text == "IN" && !s.shouted:
		adverb = true
	case s.lower[i] == "by" && s.at(i-1) == "and" && s.at(i-2) == "by":
		adverb = true
	case next == "and" || next == "or":
		adverb = s.at(i+2) != "out" && !s.is(i+2, words.Preposition)
	case afterIn[next]:
		adverb = s.lower[i] == "in"
	case afterAdverb[next]:
		adverb = true
	default:
		adverb = strings.HasSuffix(next, "ly") && s.at(i+2) == ""
	}
	if adverb {
		return "RB"
	}
	return "IN"
}
