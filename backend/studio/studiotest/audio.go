package studiotest

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// ReadWAV returns the samples of a WAV file.
func ReadWAV(t *testing.T, path string) audio.Buffer {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	b, err := audio.ReadWAV(f)
	require.NoError(t, err)
	return b
}

// Sound returns mono samples at 24 kHz, as the engines of tests speak.
func Sound(samples []float32) audio.Buffer {
	return audio.Buffer{Samples: samples, Rate: 24000, Channels: 1}
}

// Part returns the samples of chunk n of a generation that is a WAV file.
func Part(t *testing.T, g backend.Generation, n int) []float32 {
	t.Helper()
	c := g.Chunks[n]
	at := func(s float64) int { return int(math.Round(s * float64(g.SampleRate))) }
	return ReadWAV(t, g.AudioPath).Samples[at(c.Start):at(c.End)]
}

// SamplesByText returns the samples of each chunk by the text of the chunk.
func SamplesByText(t *testing.T, g backend.Generation) map[string][]float32 {
	out := map[string][]float32{}
	for i, c := range g.Chunks {
		out[c.Text] = Part(t, g, i)
	}
	return out
}

// PCM returns the bytes of a WAV file behind its header.
func PCM(t *testing.T, g backend.Generation) []byte {
	t.Helper()
	file, err := os.ReadFile(g.AudioPath)
	require.NoError(t, err)
	return file[44:]
}

// FileHash returns the SHA-256 of a file in hex.
func FileHash(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Loudness returns the integrated loudness of audio in LUFS and its true peak in dBTP.
func Loudness(t *testing.T, b audio.Buffer) (lufs, peak float64) {
	t.Helper()
	m := audio.NewMeter(b.Rate, b.Channels)
	m.Write(b.Samples)
	lufs, ok := m.Integrated()
	require.True(t, ok)
	return lufs, 20 * math.Log10(m.TruePeak())
}

// RequireLevel requires that a file has -16 LUFS, within tolerance, and a true peak of at most -1 dBTP.
func RequireLevel(t *testing.T, path string, tolerance float64) {
	t.Helper()
	lufs, peak := Loudness(t, ReadWAV(t, path))
	require.InDelta(t, -16, lufs, tolerance)
	require.LessOrEqual(t, peak, -1+0.01)
}
