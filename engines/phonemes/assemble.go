package phonemes

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/engines"
)

// languageFlag is what espeak-ng puts around words of another language, such as (en) and (de).
var languageFlag = regexp.MustCompile(`\([^)]+\)`)

// Assemble joins the raw phonemes of each clause to sentences as Piper does: language flags out, the terminator behind,
// a space after , : and ;, then NFD, one code point for each phoneme. spoken[i] belongs to clauses[i]. A sentence may be
// empty; it has nothing to speak.
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
