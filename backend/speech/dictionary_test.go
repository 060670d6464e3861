package speech_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestWordsGoByTheVoicesCountry speaks a word of en-US with the American voice alone, also where the request names no
// country, and a change of the dictionary counts at once.
func TestWordsGoByTheVoicesCountry(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	l.Words = []backend.Pronunciation{{Word: "route", Respelling: "rowt", Language: "en-US"}}
	said := func(voice, language string) string {
		r := generations.Request{Text: "A route."}
		r.Voice, r.Language = voice, language
		s, err := l.Generations.Previews.TextPreview(t.Context(), r)
		require.NoError(t, err)
		return s.Spoken
	}
	require.Equal(t, "A rowt.", said("", ""))
	require.Equal(t, "A rowt.", said("", "en"))
	require.Equal(t, "A rowt.", said(studiotest.BuiltIn+":en-us", ""))
	require.Equal(t, "A route.", said(studiotest.Robot+":0", ""))
	l.Words = append([]backend.Pronunciation{{Word: "route", Respelling: "root", Language: "en-GB"}}, l.Words...)
	require.Equal(t, "A root.", said(studiotest.Robot+":0", ""))
	require.Equal(t, "A rowt.", said("", "en"))
	l.Words = nil
	require.Equal(t, "A route.", said("", "en"))
}
