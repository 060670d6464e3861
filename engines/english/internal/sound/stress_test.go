package sound_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/english/internal/sound"
)

func TestStress(t *testing.T) {
	for _, c := range []struct {
		phonemes string
		emphasis sound.Emphasis
		want     string
	}{
		{"həlˈO", sound.AsIs, "həlˈO"},
		{"həlˈO", sound.Mute, "həlO"},
		{"ˌɪntəɹnˈæʃᵊnᵊl", sound.Reduce, "ɪntəɹnˌæʃᵊnᵊl"},
		{"ɪn", sound.Reduce, "ɪn"},
		{"ɪn", sound.Level, "ˌɪn"},
		{"həlˈO", sound.Level, "həlˌO"},
		{"ðæt", sound.Mild, "ðˌæt"},
		{"ðˌæt", sound.Mild, "ðˌæt"},
		{"ðæt", sound.Strong, "ðˈæt"},
		{"ðˌæt", sound.Strong, "ðˈæt"},
		{"həlˈO", sound.Strong, "həlˈO"},
		{"s", sound.Strong, "s"},
	} {
		require.Equal(t, c.want, sound.Stress(c.phonemes, c.emphasis), "%s %d", c.phonemes, c.emphasis)
	}
}

func TestStressVowels(t *testing.T) {
	for phonemes, want := range map[string]string{
		"həˈlO":    "həlˈO",
		"ˈstɹɛŋθ":  "stɹˈɛŋθ",
		"ˈs ˌtɛst": "ˈs tˌɛst",
		"":         "",
	} {
		require.Equal(t, want, sound.StressVowels(phonemes), phonemes)
	}
}
