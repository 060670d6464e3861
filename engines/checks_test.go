package engines_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

func TestPace(t *testing.T) {
	info := engines.Info{Engine: "supertonic", MinSpeed: 0.7 / 1.05, MaxSpeed: 2 / 1.05}
	for speed, want := range map[float64]float64{0: 1, 1: 1, 0.7 / 1.05: 0.7 / 1.05, 2 / 1.05: 2 / 1.05} {
		got, err := info.Pace(speed)
		require.NoError(t, err)
		require.InDelta(t, want, got, 0)
	}
	for _, speed := range []float64{-1, 0.6, 2, math.NaN(), math.Inf(1)} {
		_, err := info.Pace(speed)
		require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err), "speed %g", speed)
		require.Equal(t, "Choose a speed from 0.667 to 1.9.", backend.AsError(err).Remedy)
		require.Contains(t, backend.AsError(err).Detail, "supertonic")
	}
}

func TestNoVoice(t *testing.T) {
	voices := make([]engines.Voice, 9)
	for i := range voices {
		voices[i].ID = string(rune('a' + i))
	}
	err := engines.NoVoice("Piper", "x", voices)
	require.Equal(t, backend.CodeNotFound, err.Code)
	require.Equal(t, `The model Piper has no voice "x".`, err.Detail)
	require.Equal(t, "Choose one of its voices: a, b, c, d, e, f, g, h, ....", err.Remedy)
	require.Equal(t, "x", err.Params["voice"])
}

func TestSameLanguage(t *testing.T) {
	for _, pair := range [][2]string{{"en", "EN-us"}, {"en_GB", "en-US"}, {"nb-NO", "no"}, {"", ""}} {
		require.True(t, engines.SameLanguage(pair[0], pair[1]), pair)
	}
	for _, pair := range [][2]string{{"en", "de"}, {"en", ""}, {"e", "en"}} {
		require.False(t, engines.SameLanguage(pair[0], pair[1]), pair)
	}
}

func TestModelThatOnlyClonesHasNoVoice(t *testing.T) {
	m := engines.Model{Name: "parrot", Clones: &engines.CloneRules{}}
	for _, id := range []string{"", "x"} {
		_, err := m.Find(id)
		require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err))
		require.Equal(t, "parrot speaks with the voice of a sample, and there is none.", backend.AsError(err).Detail)
	}
}

func TestTranscriptionModelHasNoVoice(t *testing.T) {
	m := engines.Model{Name: "whisper-base", DisplayName: "Whisper base", Abilities: engines.Abilities{Transcribes: true}}
	for _, id := range []string{"", "x"} {
		_, err := m.Find(id)
		require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err))
		require.Contains(t, backend.AsError(err).Detail, "Whisper base does not speak")
	}
}
