package speech_test

import (
	"context"
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
	_, err = l.Generations.Preview(t.Context(), l.Profile.ID)
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
	_, err := l.Generations.Preview(t.Context(), l.Profile.ID)
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
	_, err := l.Generations.Stream(t.Context(), l.Request("One two."))
	require.True(t, engines.IsRunaway(err), err)
	require.Len(t, m.Heard, 1)
}

// TestSimilarity hears the preview sentence and compares it with the sample.
func TestSimilarity(t *testing.T) {
	l, m, c := studiotest.NewWithClones(t)
	c.Recorded = []backend.Sample{{Seconds: 6, LevelLUFS: -21, Transcript: "One two three four five six."}, {Seconds: 9, LevelLUFS: -3}}
	_, err := l.Proof.Similarity(t.Context(), l.Profile.ID, "")
	require.Equal(t, backend.CodeModelNotDownloaded, backend.CodeOf(err))
	require.Empty(t, m.Heard)
	text := backend.PreviewSentence("en")
	l.Models.Hear = func(context.Context, []float32) (string, error) { return text, nil }
	got, err := l.Proof.Similarity(t.Context(), l.Profile.ID, "tiny")
	require.NoError(t, err)
	require.Equal(t, "ann/5", m.Heard[0].Reference.Key)
	require.Equal(t, text, got.Text)
	require.Equal(t, text, got.Heard)
	require.Zero(t, got.WER)
	require.Equal(t, "tiny", got.ModelName)
	require.InDelta(t, -21, *got.SampleLevelLUFS, 0, "of the first sample, as the others are matched to it")
	require.InDelta(t, 60, *got.SampleWordsPerMinute, 1e-9)
	require.InDelta(t, 400, *got.SamplePitchHz, 8)
	require.Greater(t, *got.WordsPerMinute, 0.0)
	require.Less(t, *got.LevelLUFS, 0.0)

	l.Models.Hear = func(context.Context, []float32) (string, error) { return "nothing of it", nil }
	l.Verify.Limit = 0.15
	c.Recorded[0].Transcript = ""
	got, err = l.Proof.Similarity(t.Context(), l.Profile.ID, "")
	require.NoError(t, err)
	require.Equal(t, 1.0, got.WER)
	require.Equal(t, backend.CloneNotUnderstood, got.Warnings[0].Code)
	require.Nil(t, got.SampleWordsPerMinute, "no transcript, no pace")

	c.Recorded = nil
	_, err = l.Proof.Similarity(t.Context(), l.Profile.ID, "")
	require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err), "the last sample was deleted meanwhile")

	other, err := l.DB.Create(t.Context(), backend.Profile{Name: "Robot", Language: "en", VoiceType: backend.VoiceDefault})
	require.NoError(t, err)
	_, err = l.Proof.Similarity(t.Context(), other.ID, "")
	require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err))
	_, err = l.Proof.Similarity(t.Context(), "nobody", "")
	require.Equal(t, backend.CodeProfileNotFound, backend.CodeOf(err))
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
		preview, err := l.Generations.TextPreview(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, note, preview.Note)
		require.Equal(t, note, l.Speak(r).Receipt.LanguageNote)
	}
}
