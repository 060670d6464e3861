package words_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/english/internal/words"
)

func TestClassOf(t *testing.T) {
	for word, want := range map[string]words.Class{
		"":          0,
		"dog":       0,
		"dogs":      words.PluralLike,
		"glass":     0,
		"into":      words.Preposition,
		"her":       words.Determiner | words.TopDeterminer,
		"himself":   words.Reflexive,
		"quickly":   words.Adverb | words.Linking,
		"family":    0,
		"walked":    words.Past,
		"indeed":    0,
		"knew":      words.Past | words.Reporting | words.ReportingThing,
		"children":  words.PluralLike,
		"or":        words.Conjunction | words.Coordinating | words.Linking,
		"morning":   words.Time,
		"sometimes": words.Adverb | words.Habitual | words.Linking | words.PluralLike,
	} {
		require.Equal(t, want, words.ClassOf(word), word)
	}
}
