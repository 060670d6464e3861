package proof_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/samples"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
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

// TestSimilarityOfTheVoice compares voice prints where the model for that is installed: the same tone is the same voice.
func TestSimilarityOfTheVoice(t *testing.T) {
	l, _, c := studiotest.NewWithClones(t)
	c.Recorded = []backend.Sample{{Seconds: 6, LevelLUFS: -21}}
	text := backend.PreviewSentence("en")
	l.Models.Hear = func(context.Context, []float32) (string, error) { return text, nil }
	model := diarizetest.New(t)
	l.Options.Diarizers = model
	l.Start()
	got, err := l.Proof.Similarity(t.Context(), l.Profile.ID, "tiny")
	require.NoError(t, err)
	require.NotNil(t, got.Cosine)
	require.Equal(t, *got.Cosine < samples.OtherPerson, hasWarning(got, backend.CloneOtherPerson))
	require.False(t, hasWarning(got, backend.ClonePitchDiffers), "the voice says more than its pitch")
	model.Missing = true
	got, err = l.Proof.Similarity(t.Context(), l.Profile.ID, "tiny")
	require.NoError(t, err)
	require.Nil(t, got.Cosine)
}

func hasWarning(s backend.Similarity, code backend.SampleIssue) bool {
	return slices.ContainsFunc(s.Warnings, func(w backend.SampleWarning) bool { return w.Code == code })
}
