package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzParseDialogue: a file is refused, or each of its turns has a voice and words.
func FuzzParseDialogue(f *testing.F) {
	for _, seed := range []string{
		"Ann: Hello.\nmore\n\nBen: [laughs] Hi: you.", "\ufeffann:x", "Ann:", "hello", "", "{", `{"turns":[{"voice":"Ann","text":"x"},{"voice":"y","text":"z"}]}`,
		`{"turns":null}`, "\xff", "Ben : x", "a b: c\nAnn: d",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		turns, err := parseDialogue(raw, []string{"Ann=a", "Ben=b"})
		if err != nil {
			return
		}
		require.NotEmpty(t, turns)
		for _, turn := range turns {
			require.NotEmpty(t, turn.Voice)
			require.NotEmpty(t, turn.Text)
		}
	})
}
