package studiotest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// The audio of LongBook: as float samples it takes LongFrames * 4 bytes, 29 MB.
const (
	LongRate    = 4000 // Hz
	LongSeconds = 1800
	LongFrames  = LongSeconds * LongRate
)

// LongBook returns a long compressed generation: one that was spoken, with silence behind it.
func LongBook(l *Lab) backend.Generation {
	l.T.Helper()
	r := l.InChunks()
	r.Format = "flac"
	g := l.Speak(r)
	dir := l.T.TempDir()
	wav := filepath.Join(dir, "spoken.wav")
	require.NoError(l.T, l.Options.Encoder.Encode(l.T.Context(), g.AudioPath, wav, "wav", nil))
	sound := ReadWAV(l.T, wav)
	require.NoError(l.T, os.WriteFile(wav, audio.PCM16(audio.WAVHeader(LongRate, 1, uint32(2*LongFrames)), sound.Samples), 0o600))
	require.NoError(l.T, os.Truncate(wav, int64(44+2*LongFrames)))
	require.NoError(l.T, l.Options.Encoder.Encode(l.T.Context(), wav, g.AudioPath, "flac", nil))
	g, err := l.DB.UpdateGeneration(l.T.Context(), g.ID, func(row *backend.Generation) error {
		row.Duration = LongSeconds
		row.Receipt.AudioSHA256 = FileHash(l.T, g.AudioPath)
		return nil
	})
	require.NoError(l.T, err)
	return g
}

// InLittleMemory runs f, and requires that all that it allocates is less than the audio of LongBook in its file, of 16 bits a sample:
// what a generation needs besides is most of it.
func InLittleMemory(t *testing.T, name string, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	used := after.TotalAlloc - before.TotalAlloc
	t.Logf("%s allocated %.1f MB in all", name, float64(used)/1e6)
	require.Less(t, used, uint64(2*LongFrames), name)
}
