package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/text"
)

// TestLiteral: what is markup in a text is words in a book.
func TestLiteral(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"He said [pause 1s] and [laughs].":    "He said (pause 1s) and (laughs).",
		"The tag <p> ends <break time='1s'/>": "The tag (p) ends (break time='1s'/)",
		"[[word|/wɜːd/]] and [sic], a < b":    "((word|/wɜːd/)) and [sic], a < b",
		"plain":                               "plain",
	} {
		require.Equal(t, want, text.Literal(s))
		for _, piece := range text.Plan(text.Literal(s), 400) {
			require.NotEmpty(t, piece.Text, "no pause is left in %s", s)
		}
	}
}
