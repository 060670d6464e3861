package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/kitten"
	"github.com/voicewright/voicewright/engines/kokoro"
	"github.com/voicewright/voicewright/engines/piper"
	"github.com/voicewright/voicewright/engines/supertonic"
)

// reader is a driver with text features.
type reader struct{ *driver }

func (reader) TextFeatures(string) engines.TextFeatures {
	return engines.TextFeatures{Phonemes: true, Tags: []string{"<laugh>"}}
}

// readingVoice is a built-in voice with text features.
type readingVoice struct{ *enginetest.Fixture }

func (r readingVoice) Info() engines.Info {
	info := r.Fixture.Info()
	info.Phonemes, info.Tags = true, []string{"<sigh>"}
	return info
}

// TestTextFeaturesOfAModel: they are known before the load.
func TestTextFeaturesOfAModel(t *testing.T) {
	t.Parallel()
	for _, silent := range []bool{true, false} {
		l := newFixture(t, func(l *fixture) {
			l.known("mute", "a")
			l.options.BuiltIn = enginetest.NewFixture(enginetest.FixtureOptions{})
			if !silent {
				l.options.Drivers = []engines.Driver{reader{l.driver}}
				l.options.BuiltIn = readingVoice{enginetest.NewFixture(enginetest.FixtureOptions{})}
			}
		})
		for name, tag := range map[string]string{"mute": "<laugh>", "fixture": "<sigh>"} {
			m, err := l.manager.Model(name)
			require.NoError(t, err)
			require.Equal(t, !silent, m.Phonemes, name)
			if silent {
				require.Empty(t, m.Tags, name)
			} else {
				require.Equal(t, []string{tag}, m.Tags, name)
			}
		}
		for _, s := range l.manager.Status(t.Context()) {
			if s.ModelName == "mute" && silent {
				require.Equal(t, []string{}, s.Expressions)
			} else if s.ModelName == "mute" {
				require.Subset(t, s.Expressions, []string{"laugh", "laughing", "laughter"})
				require.NotContains(t, s.Expressions, "sigh")
			}
		}
	}
}

// TestTextFeatures checks the text features of all drivers.
func TestTextFeatures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		driver engines.TextReader
		want   engines.TextFeatures
	}{
		"kokoro":     {kokoro.NewDriver(nil, nil, nil), engines.TextFeatures{Phonemes: true}},
		"kitten":     {kitten.NewDriver(nil, nil), engines.TextFeatures{Phonemes: true}},
		"piper":      {piper.NewDriver(nil, nil), engines.TextFeatures{Phonemes: true, Digits: true}},
		"supertonic": {supertonic.NewDriver(nil), engines.TextFeatures{Tags: []string{"<laugh>", "<breath>", "<sigh>"}}},
	} {
		require.Equal(t, c.want, c.driver.TextFeatures(""), name)
	}
}
