package speech_test

import (
	"encoding/binary"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines"
)

func TestClonedVoiceSpeaks(t *testing.T) {
	l, m, _ := studiotest.NewWithClones(t)
	g := l.Speak(l.Request("One two. Three four."))
	require.Len(t, m.Heard, 2)
	for _, u := range m.Heard {
		require.Equal(t, "ann/5", u.Reference.Key, "the sample by the rules of the model")
		require.Empty(t, u.Voice)
		require.Equal(t, "en", u.Language)
	}
	require.Equal(t, "clone:"+l.Profile.ID, g.Voice)
	require.Equal(t, "mimic", g.ModelName)
	raw, err := os.ReadFile(g.AudioPath)
	require.NoError(t, err)
	require.Contains(t, string(raw), "synthetic speech made by Voicewright, cloned voice Ann")
	require.InDelta(t, g.Duration, studiotest.ReadWAV(t, g.AudioPath).Duration().Seconds(), 1e-6, "the tags are not heard")
	require.EqualValues(t, len(raw)-8, binary.LittleEndian.Uint32(raw[4:]), "the size of the file")
	again, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
	require.NoError(t, err)
	require.Equal(t, 2, again.Chunks[0].Takes)
	require.Equal(t, "ann/5", m.Heard[len(m.Heard)-1].Reference.Key)
	_, err = l.Generations.Previews.Preview(t.Context(), l.Profile.ID)
	require.NoError(t, err)
	require.Equal(t, "ann/5", m.Heard[len(m.Heard)-1].Reference.Key)
}

func TestClonedVoiceIsRefused(t *testing.T) {
	l, m, c := studiotest.NewWithClones(t)
	fails := func(code backend.Code, change func(*generations.Request)) {
		t.Helper()
		r := l.Request("Hello.")
		change(&r)
		_, err := l.Generations.Submit(t.Context(), r)
		require.Equal(t, code, backend.CodeOf(err), err)
	}
	fails(backend.CodeLanguageNotSupported, func(r *generations.Request) { r.Language = "fr" })
	fails(backend.CodeEngineMismatch, func(r *generations.Request) { r.ModelName = studiotest.Robot })
	fails(backend.CodeModelUnknown, func(r *generations.Request) { r.ModelName = "gone" })
	c.Keys = nil
	fails(backend.CodeEngineMismatch, func(*generations.Request) {})
	_, err := l.Generations.Previews.Preview(t.Context(), l.Profile.ID)
	require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err))
	require.Empty(t, m.Heard)
	list, err := l.DB.Generations(t.Context(), backend.GenerationFilter{})
	require.NoError(t, err)
	require.Zero(t, list.Total, "what cannot be spoken leaves no row")
}

// TestRunawayIsTakenAgain speaks a sentence whose end the model does not find once more, with another seed.
func TestRunawayIsTakenAgain(t *testing.T) {
	l, m, _ := studiotest.NewWithClones(t)
	whole := l.Speak(l.Request("One two. Three four.")).Duration
	m.Heard, m.Runaways = nil, 1
	g := l.Speak(l.Request("One two. Three four."))
	require.Len(t, m.Heard, 3)
	require.NotEqual(t, m.Heard[0].Seed, m.Heard[1].Seed)
	require.InDelta(t, whole, g.Duration, 1e-9, "nothing of the runaway is in the audio")

	m.Heard, m.Runaways = nil, 2
	_, err := l.Generations.Generate(t.Context(), l.Request("One two."))
	require.True(t, engines.IsRunaway(err), err)
	require.Len(t, m.Heard, 2, "one retake")
	require.Equal(t, "Regenerate it, or divide the sentence into shorter ones.", backend.AsError(err).Remedy)
}

// TestStreamedRunaway: the first sentence of a stream is heard while it is spoken, so it is taken again only while nothing was.
func TestStreamedRunaway(t *testing.T) {
	l, m, _ := studiotest.NewWithClones(t)
	m.Runaways, m.Silent = 1, true
	require.NotEmpty(t, l.Streamed(l.Request("One two.")).Samples)
	require.Len(t, m.Heard, 2)
	require.NotEqual(t, m.Heard[0].Seed, m.Heard[1].Seed)

	m.Heard, m.Runaways, m.Silent = nil, 1, false
	_, err := l.Generations.Player.Stream(t.Context(), l.Request("One two."))
	require.True(t, engines.IsRunaway(err), err)
	require.Len(t, m.Heard, 1)
}

// TestLanguageNote: what a model does badly in a language is said before and after it speaks.
func TestLanguageNote(t *testing.T) {
	l, _, c := studiotest.NewWithClones(t)
	m := c.Models.ByName["mimic"]
	m.Languages, m.Notes = []string{"en", "ru"}, map[string]string{"ru": "The stress of words is often wrong."}
	c.Models.ByName["mimic"] = m
	for tag, note := range map[string]string{"en": "", "ru": m.Notes["ru"]} {
		r := l.Request("One two.")
		r.Language = tag
		preview, err := l.Generations.Previews.TextPreview(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, note, preview.Note)
		require.Equal(t, note, l.Speak(r).Receipt.LanguageNote)
	}
}
