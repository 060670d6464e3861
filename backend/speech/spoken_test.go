package speech_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// reads makes the built-in voice one that reads more than words.
func reads(phonemes bool, tags ...string) func(*studiotest.Lab) {
	return func(l *studiotest.Lab) {
		m := l.Models.ByName[studiotest.BuiltIn]
		m.Phonemes, m.Tags = phonemes, tags
		l.Models.ByName[studiotest.BuiltIn] = m
	}
}

// TestTextPreviewOfTheVoice shows what the engine of the voice will get.
func TestTextPreviewOfTheVoice(t *testing.T) {
	const written = "Well [laughs] it is [[fast|/fˈæst/]]."
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	s, err := l.Generations.TextPreview(t.Context(), l.Request(written))
	require.NoError(t, err)
	require.Equal(t, "Well it is fast.", s.Spoken)
	require.Equal(t, []string{"[laughs]", "[[fast|/fˈæst/]]"}, s.Dropped)
	_, err = l.Generations.TextPreview(t.Context(), l.Request("[laughs]"))
	backendtest.RequireCode(t, backend.CodeNothingToSpeak, err)

	l = studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), reads(true, "<laugh>"))
	s, err = l.Generations.TextPreview(t.Context(), l.Request(written))
	require.NoError(t, err)
	require.Equal(t, "Well <laugh> it is [[fˈæst]].", s.Spoken)
	require.Empty(t, s.Dropped)
}

// TestTextPreviewOfALongText returns the phonemes of its beginning.
func TestTextPreviewOfALongText(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	sentence := "A " + strings.Repeat("x", 97) + "." // 100 characters
	s, err := l.Generations.TextPreview(t.Context(), l.Request(strings.TrimSpace(strings.Repeat(sentence+" ", 80))))
	require.NoError(t, err)
	require.Len(t, s.Sentences, 80)
	require.Equal(t, 50, strings.Count(s.Phonemes, sentence), "whole sentences of 5,000 characters")
	require.Equal(t, 50, strings.Count(s.Phonemes, studiotest.BuiltIn+" en: "), "asked for one by one")
}
