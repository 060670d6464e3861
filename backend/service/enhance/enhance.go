// Package enhance inserts audio tags, such as [laughs], into a text by rules: what the verbs beside a quotation say, words of
// feeling, laughter, hesitation, and punctuation. Outside English it uses punctuation, laughter and emoji only.
package enhance

import (
	"context"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend/service"
)

// Enhancer implements service.Enhancer. It has no state: the same text and voice return the same result.
type Enhancer struct{}

var _ service.Enhancer = Enhancer{}

// Enhance returns text with tags that fit the voice. The result consists of slices of text and of tags, each followed by one
// space; without those it is text, byte for byte. Text in square brackets stays as it is, and so does everything after a bracket
// that is not closed. Enhancing the result again with the same voice changes nothing. The error is that of ctx.
func (Enhancer) Enhance(ctx context.Context, text string, voice *service.Voice) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	s := styleOf(voice)
	p := readScript(text)
	return insert(text, s.choose(p, s.suggestions(p))), nil
}

// insertion is a tag and the offset in the original text before which it is inserted.
type insertion struct {
	at  int
	tag tag
}

// insert returns text with the tags. at ascends.
func insert(text string, all []insertion) string {
	var b strings.Builder
	done := 0
	for _, i := range all {
		b.WriteString(text[done:i.at])
		b.WriteString("[" + i.tag.String() + "] ")
		done = i.at
	}
	b.WriteString(text[done:])
	return b.String()
}

// suggestion is a tag that would fit before a word of the script, if there is room for it.
type suggestion struct {
	word   int
	tag    tag
	weight int
}

// choose returns the suggestions to use: the strongest first, the earlier of two equal ones, each at its distance from the tags
// chosen before and from those that the text had.
func (s style) choose(p script, suggested []suggestion) []insertion {
	slices.SortStableFunc(suggested, func(a, b suggestion) int { return b.weight - a.weight })
	taken := make([]tagSet, len(p.words)+1) // by word, the tags that are too close to another one
	for _, existing := range p.tags {
		s.block(p, taken, existing.word, existing.tag)
	}
	var chosen []insertion
	for _, c := range suggested {
		at, ok := p.insertionPoint(c.word)
		t := s.fit(c.tag)
		if !ok || t == none || c.weight < s.threshold || taken[c.word].has(t) {
			continue
		}
		s.block(p, taken, c.word, t)
		chosen = append(chosen, insertion{at, t})
	}
	slices.SortFunc(chosen, func(a, b insertion) int { return a.at - b.at })
	return chosen
}

// block marks the words around a tag: near it no other tag fits, and for a while the same tag would only repeat it.
func (s style) block(p script, taken []tagSet, word int, t tag) {
	far := sameTagGaps * s.gap
	for i := word; i >= 0 && p.distance(i, word) < far; i-- {
		taken[i] |= s.blocked(p.distance(i, word), t)
	}
	for i := word; i < len(taken) && p.distance(i, word) < far; i++ {
		taken[i] |= s.blocked(p.distance(i, word), t)
	}
}

// blocked returns the tags that do not fit at a distance from t.
func (s style) blocked(distance int, t tag) tagSet {
	if distance < s.gap {
		return allTags
	}
	return t.set()
}
