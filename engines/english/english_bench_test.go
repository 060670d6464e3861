package english_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/english"
)

const passage = `The quick brown fox jumps over the lazy dog, doesn't it? In 1999 Dr. Smith's friends read 3,500 books and used
state-of-the-art lamps at $20 each. "I live here," she said; the wind had been blowing since morning, and nobody wanted to close
the window. He records music, objects to noise, and walks to the harbour every day. `

func BenchmarkEnglish(b *testing.B) {
	e := english.New(nil)
	text := strings.Repeat(passage, 20)
	words := len(strings.Fields(text))
	_, err := e.Phonemes(b.Context(), text, false)
	require.NoError(b, err)
	for b.Loop() {
		_, err := e.Phonemes(b.Context(), text, false)
		require.NoError(b, err)
	}
	b.ReportMetric(float64(words*b.N)/b.Elapsed().Seconds(), "words/s")
}

// BenchmarkScore prints how many words of the kit sound as the reference says them, and which do not.
func BenchmarkScore(b *testing.B) {
	var words, exact, other int
	var misses []string
	for b.Loop() {
		words, exact, other, misses = score(b)
	}
	b.ReportMetric(100*float64(exact)/float64(words-other), "%exact")
	for _, m := range misses {
		b.Log(m)
	}
}
