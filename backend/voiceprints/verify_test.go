package voiceprints

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
)

// write writes a stretch of the recording of the toy voices as a WAV file.
func write(t *testing.T, path string, from, to float64) {
	t.Helper()
	sound := diarizetest.Tones(t, from, to)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	pcm := audio.PCM16(audio.WAVHeader(engines.TranscriberRate, 1, uint32(2*len(sound))), sound)
	require.NoError(t, os.WriteFile(path, pcm, 0o600))
}

func TestToyVoicesAreToldApart(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "Anna", "1.wav"), 0.5, 4)
	write(t, filepath.Join(dir, "Anna", "2.wav"), 11, 13)
	write(t, filepath.Join(dir, "Ben", "1.wav"), 4.4, 7)
	write(t, filepath.Join(dir, "Ben", "2.wav"), 29, 31)
	write(t, filepath.Join(dir, "Carl", "1.wav"), 17, 20)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "Carl", "notes.txt"), []byte("no audio"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "Carl", ".hidden"), []byte("no audio"), 0o600))
	model := diarizetest.New(t)
	s := New(Options{Diarizers: model, Codecs: audio.FindCodecs()})
	got, err := s.Verify(t.Context(), dir)
	require.NoError(t, err)
	require.Equal(t, "speakers", got.ModelName)
	require.Equal(t, 3, got.People)
	require.Equal(t, 5, got.Recordings)
	require.Equal(t, []string{filepath.Join("Carl", "notes.txt")}, got.Skipped)
	require.Equal(t, 2, got.Same.Pairs)
	require.Equal(t, 8, got.Different.Pairs)
	require.Greater(t, got.Same.Min, 0.9)
	require.Less(t, got.Different.Max, 0.3)
	require.Zero(t, got.EqualErrorRate)
	require.Zero(t, got.SameBelow+got.DifferentAbove)

	model.Missing = true
	_, err = s.Verify(t.Context(), dir)
	require.Equal(t, backend.CodeModelNotDownloaded, backend.CodeOf(err))
}

func TestFoldersWithoutPairs(t *testing.T) {
	s := New(Options{Diarizers: diarizetest.New(t), Codecs: audio.FindCodecs()})
	var invalid *backend.ValidationError
	dir := t.TempDir()
	for _, path := range []string{filepath.Join(dir, "nowhere"), dir} {
		_, err := s.Verify(t.Context(), path)
		require.ErrorAs(t, err, &invalid)
	}
	write(t, filepath.Join(dir, "Anna", "1.wav"), 0.5, 4)
	write(t, filepath.Join(dir, "Ben", "1.wav"), 4.4, 7)
	_, err := s.Verify(t.Context(), dir)
	require.ErrorAs(t, err, &invalid)
	require.Contains(t, invalid.Error(), "two recordings of one of them")
}

func TestErrorsOfOverlappingCosines(t *testing.T) {
	c := backend.VoiceCheck{Limit: 0.3}
	measure(&c, []float64{0.8, 0.2, 0.6, 0.7}, []float64{0.1, 0.5, 0, -0.1, 0.3})
	require.Equal(t, backend.CosineFigures{Pairs: 4, Mean: 0.575, Min: 0.2, Max: 0.8}, c.Same)
	require.Equal(t, 1, c.SameBelow)
	require.Equal(t, 2, c.DifferentAbove, "at the limit is above it")
	require.InDelta(t, 0.225, c.EqualErrorRate, 1e-9, "a quarter of one kind, a fifth of the other")
	require.InDelta(t, 0.5, c.EqualErrorCosine, 1e-9)
}
