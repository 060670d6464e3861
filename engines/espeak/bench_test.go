package espeak_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/espeak"
)

const benchText = "The quick brown fox jumps over the lazy dog, and then it sleeps."

// BenchmarkCommand is the bare command, to compare BenchmarkSpeak with.
func BenchmarkCommand(b *testing.B) {
	for b.Loop() {
		cmd := exec.CommandContext(b.Context(), "espeak-ng", "-b", "1", "-v", "en-us", "--stdin", "--stdout")
		cmd.Stdin = strings.NewReader(benchText)
		_, err := cmd.Output()
		require.NoError(b, err)
	}
}

func BenchmarkSpeak(b *testing.B) {
	e := espeak.New()
	_, err := collect(b.Context(), e, engines.Utterance{Text: benchText, Voice: "en-us"})
	require.NoError(b, err)
	for b.Loop() {
		_, err := collect(b.Context(), e, engines.Utterance{Text: benchText, Voice: "en-us"})
		require.NoError(b, err)
	}
}

func BenchmarkPhonemize(b *testing.B) {
	p := newPhonemizer(b)
	_, err := p.Phonemize(b.Context(), benchText, "en-us")
	require.NoError(b, err)
	for b.Loop() {
		_, err := p.Phonemize(b.Context(), benchText, "en-us")
		require.NoError(b, err)
	}
}
