package phonemes

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/engines"
)

// languageFlag matches what espeak-ng puts around words of another language, such as (en) and (de).
var languageFlag = regexp.MustCompile(`\([^)]+\)`)

// Assemble returns the sentences that Piper builds from the phonemes of clauses: without language flags, each clause with its
// terminator and a space after , : and ;, in NFD, one code point for each phoneme. spoken[i] are the phonemes of clauses[i].
// A sentence without phonemes is empty.
func Assemble(clauses []Clause, spoken []string) []engines.Sentence {
	var sentences []engines.Sentence
	var current engines.Sentence
	for i, c := range clauses {
		joined := languageFlag.ReplaceAllString(spoken[i], "") + c.Terminator
		if c.Terminator != "" && strings.Contains(",:;", c.Terminator) {
			joined += " "
		}
		for _, r := range norm.NFD.String(joined) {
			current = append(current, string(r))
		}
		if c.SentenceEnd {
			sentences = append(sentences, current)
			current = nil
		}
	}
	if len(current) > 0 {
		sentences = append(sentences, current)
	}
	return sentences
}
