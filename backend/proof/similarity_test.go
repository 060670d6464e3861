package proof_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
)

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
