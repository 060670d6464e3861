package enhance

import (
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend/text"
)

// wordAt returns the index of the first word that starts at an offset or after it.
func (p script) wordAt(offset int) int {
	return sort.Search(len(p.words), func(i int) bool { return p.words[i].start >= offset })
}

// suggestions returns the tags that the script suggests.
func (s style) suggestions(p script) []suggestion {
	var all []suggestion
	quoted := quotations(p.text)
	if s.english {
		for _, q := range quoted {
			if t := p.attribution(q); t != none {
				all = append(all, suggestion{p.wordAt(q.start), t, said})
			}
		}
	}
	all = slices.DeleteFunc(all, func(c suggestion) bool { return c.word >= len(p.words) })
	at, next := 0, 0
	for _, sentence := range text.Sentences(p.text) {
		end := at + len(sentence)
		for at < end {
			for next < len(quoted) && quoted[next].end <= at {
				next++
			}
			part, spoken := span{at, end}, len(quoted) == 0
			switch {
			case next < len(quoted) && at < quoted[next].start:
				part.end = min(end, quoted[next].start)
			case next < len(quoted):
				part.end, spoken = min(end, quoted[next].end), true
			}
			all = append(all, s.mood(p, part, spoken)...)
			at = part.end
		}
	}
	return all
}

// mood returns what a sentence, or its part inside or outside a quotation, suggests. What is told beside quotations is the
// narrator's and has pauses only.
func (s style) mood(p script, part span, spoken bool) []suggestion {
	first := p.wordAt(part.start)
	words := p.words[first:p.wordAt(part.end)]
	if len(words) == 0 {
		return nil
	}
	all := s.pauses(p, first, words, part.end)
	if !spoken {
		return all
	}
	all = append(all, s.sounds(first, words)...)
	e := evidence{}
	e.punctuation(p.text[part.start:part.end], p.distance(first, first+len(words)) > shortSentence, s.english)
	e.faces(p.text[part.start:part.end])
	if s.english {
		e.phrases(words)
		e.feelings(words)
	}
	if t, weight := e.strongest(); weight > 0 {
		all = append(all, suggestion{first, t, min(weight, phrase)})
	}
	return all
}

// sounds returns the sounds of the voice that are written out.
func (s style) sounds(first int, words []word) []suggestion {
	var all []suggestion
	for i, w := range words {
		t := none
		if s.english {
			t = findPhrase(soundPhrases, words[i:])
		}
		if isLaughter(w.lower) || w.lower == "ha" && i+1 < len(words) && words[i+1].lower == "ha" {
			t = laughs
		}
		if t != none {
			all = append(all, suggestion{first + i, t, sound})
		}
	}
	return all
}

// pauses returns a pause after an ellipsis within a sentence, unless the sentence hesitates from its start.
func (s style) pauses(p script, first int, words []word, end int) []suggestion {
	if s.english && !s.narrates && findPhrase(hesitations, words) != none && hasEllipsis(p.text[words[0].start:end]) {
		return []suggestion{{first, hesitates, phrase}}
	}
	weight := trailing
	if s.narrates {
		weight = marks // a narrator's moods are fewer, and leave room
	}
	for i := 1; i < len(words); i++ {
		if hasEllipsis(p.text[words[i-1].end:words[i].start]) {
			return []suggestion{{first + i, pause, weight}}
		}
	}
	return nil
}

func hasEllipsis(s string) bool { return strings.Contains(s, "...") || strings.Contains(s, "…") }

// evidence is the weight of each mood.
type evidence map[tag]int

// strongest returns the mood with the most weight, the first by name of equal ones.
func (e evidence) strongest() (tag, int) {
	best := none
	for t := range tag(len(names)) {
		if e[t] > e[best] {
			best = t
		}
	}
	return best, e[best]
}

// shortSentence is the length in half words up to which one mark says nothing: Stop! Who?
const shortSentence = 2 * 2

// punctuation adds what marks at the end and capitals say.
func (e evidence) punctuation(sentence string, long, english bool) {
	end := strings.TrimRightFunc(sentence, func(r rune) bool { return !strings.ContainsRune(endMarks, r) && !isWordRune(r) })
	end = end[len(strings.TrimRight(end, endMarks)):]
	ask, call := countOf(end, "?？؟⁉⁈"), countOf(end, "!！⁉⁈")+2*countOf(end, "‼")
	switch {
	case ask > 0 && call > 0:
		e[surprised] += marks
	case call > 1:
		e[excited] += marks
	case call == 1 && long:
		e[excited] += mark
	case ask > 0 && long && (!english || isQuestion(sentence)):
		e[curious] += mark
	}
	if call > 0 && capitals(sentence, english) {
		e[shouts] += shouting + e[excited]
	}
}

const endMarks = "!?！？؟‼⁉⁈"

// isQuestion reports whether a sentence begins with a word of a question; others ask for a yes more often than they are curious.
func isQuestion(sentence string) bool {
	words := readWords(sentence)
	return len(words) > 0 && questionWords[words[0].lower]
}

func countOf(s, chars string) int {
	n := 0
	for _, r := range s {
		if strings.ContainsRune(chars, r) {
			n++
		}
	}
	return n
}

// capitals reports whether part of a sentence, but not all of a longer one, is written in capitals.
func capitals(sentence string, english bool) bool {
	upper, run, longest, all := 0, 0, 0, 0
	for w := range strings.FieldsFuncSeq(sentence, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' }) {
		all++
		if len(w) < 2 || w != strings.ToUpper(w) || w == strings.ToLower(w) {
			run = 0
			continue
		}
		run++
		upper++
		longest = max(longest, run)
		if english && shouted[strings.ToLower(w)] {
			longest = max(longest, 2)
		}
	}
	return longest > 1 && (all < 8 || upper < all)
}

// faces adds the emoji of a sentence.
func (e evidence) faces(sentence string) {
	for _, r := range sentence {
		if t := faces[r]; t != none {
			e[t] += phrase
			return
		}
	}
}

// phrases adds the phrases that say a mood by themselves.
func (e evidence) phrases(words []word) {
	for i := range words {
		if t := findPhrase(moodPhrases, words[i:]); t != none {
			e[t] += phrase
		}
	}
}

// feelings adds the words of feeling, unless they are negated or said of somebody else. An exclamation strengthens a feeling, and
// a sad one is not excited.
func (e evidence) feelings(words []word) {
	own := !slices.ContainsFunc(words, func(w word) bool { return third[w.lower] }) ||
		slices.ContainsFunc(words, func(w word) bool { return firstAndSecond[w.lower] })
	for i, w := range words {
		negated := slices.ContainsFunc(words[max(0, i-negationReach):i], func(w word) bool { return negations[w.lower] })
		if t := feelings[w.lower]; t != none && own && !negated {
			e[t] += feeling
		}
	}
	if e[angry] > 0 || e[sad] > 0 || e[nervous] > 0 {
		for _, t := range []tag{angry, sad, nervous} {
			if e[t] > 0 {
				e[t] += e[excited]
			}
		}
		delete(e, excited)
	}
}
