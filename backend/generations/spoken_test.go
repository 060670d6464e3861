package generations_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
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
	s, err := l.Generations.Previews.TextPreview(t.Context(), l.Request(written))
	require.NoError(t, err)
	require.Equal(t, "Well it is fast.", s.Spoken)
	require.Equal(t, []string{"[laughs]", "[[fast|/fˈæst/]]"}, s.Dropped)
	_, err = l.Generations.Previews.TextPreview(t.Context(), l.Request("[laughs]"))
	backendtest.RequireCode(t, backend.CodeNothingToSpeak, err)

	l = studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), reads(true, "<laugh>"))
	s, err = l.Generations.Previews.TextPreview(t.Context(), l.Request(written))
	require.NoError(t, err)
	require.Equal(t, "Well <laugh> it is [[fˈæst]].", s.Spoken)
	require.Empty(t, s.Dropped)
}

// TestTextPreviewOfALongText returns the phonemes of its beginning.
func TestTextPreviewOfALongText(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	sentence := "A " + strings.Repeat("x", 97) + "." // 100 characters
	s, err := l.Generations.Previews.TextPreview(t.Context(), l.Request(strings.TrimSpace(strings.Repeat(sentence+" ", 80))))
	require.NoError(t, err)
	require.Len(t, s.Sentences, 80)
	require.Equal(t, 50, strings.Count(s.Phonemes, sentence), "whole sentences of 5,000 characters")
	require.Equal(t, 50, strings.Count(s.Phonemes, studiotest.BuiltIn+" en: "), "asked for one by one")
}

// TestDictionary speaks words as the user wrote them down, and says so in the receipt.
func TestDictionary(t *testing.T) {
	var heard []string
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	l := studiotest.New(t, studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		heard = append(heard, u.Text)
		return f.Speak(ctx, u, emit)
	}})
	l.Words = []backend.Pronunciation{{Word: "nginx", Respelling: "engine ex"}, {Word: "sql", Respelling: "sequel"}}
	r := l.Request("I like nginx and SQL. [laugh]")
	r.Pronunciations = map[string]string{"SQL": "ess cue ell"}
	g := l.Speak(r)
	require.Equal(t, []string{"I like engine ex and ess cue ell."}, heard)
	require.Equal(t, heard[0], g.Receipt.SpokenText)
	require.Equal(t, map[string]string{"nginx": "engine ex", "SQL": "ess cue ell"}, g.Receipt.Pronounced)
	require.Equal(t, []string{"[laugh]"}, g.Receipt.DroppedTags)
	require.Equal(t, "I like nginx and SQL. [laugh]", g.Chunks[0].Text, "the text stays as it was written")
	require.Equal(t, filepath.Dir(g.AudioPath), filepath.Dir(l.Files()[0]))
}

func TestTextPreview(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), reads(true))
	l.Words = []backend.Pronunciation{{Word: "nginx", Respelling: "engine ex"}}
	r := l.Request("We use nginx. [pause 2s] [sigh] It is [[fast|/fˈæst/]].")
	s, err := l.Generations.Previews.TextPreview(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, "We use engine ex. It is [[fˈæst]].", s.Spoken)
	require.Len(t, s.Chunks, 2)
	require.Equal(t, "We use nginx.", s.Chunks[0])
	require.Contains(t, s.Sentences, "We use nginx.")
	require.Equal(t, []string{"[sigh]"}, s.Dropped)
	require.Equal(t, studiotest.BuiltIn+" en: We use engine ex. "+studiotest.BuiltIn+" en: It is [[fˈæst]].", s.Phonemes)
	require.InDelta(t, 2+34/14.5, s.Seconds, 0.1)
	r.Speed = new(2.0)
	faster, err := l.Generations.Previews.TextPreview(t.Context(), r)
	require.NoError(t, err)
	require.Less(t, faster.Seconds, s.Seconds)
	_, err = l.Generations.Previews.TextPreview(t.Context(), generations.Request{Text: "Hello."})
	require.NoError(t, err, "no profile means the default voice")
	_, err = l.Generations.Previews.TextPreview(t.Context(), l.Request("..."))
	backendtest.RequireCode(t, backend.CodeNothingToSpeak, err)
	list, err := l.DB.Generations(t.Context(), backend.GenerationFilter{})
	require.NoError(t, err)
	require.Zero(t, list.Total)
}
