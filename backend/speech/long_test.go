package speech_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/export"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/scripts"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// A long sound for a test: as float samples it takes longFrames * 4 bytes, 29 MB.
const (
	longRate    = 4000 // Hz
	longSeconds = 1800
	longFrames  = longSeconds * longRate
)

// longBook is a long compressed generation: one that was spoken, with silence behind it.
func longBook(l *lab) backend.Generation {
	l.t.Helper()
	r := l.inChunks()
	r.Format = "flac"
	g := l.speak(r)
	dir := l.t.TempDir()
	wav := filepath.Join(dir, "spoken.wav")
	require.NoError(l.t, l.options.Encoder.Encode(l.t.Context(), g.AudioPath, wav, "wav", nil))
	sound := readWAV(l.t, wav)
	require.NoError(l.t, os.WriteFile(wav, audio.PCM16(audio.WAVHeader(longRate, 1, uint32(2*longFrames)), sound.Samples), 0o600))
	require.NoError(l.t, os.Truncate(wav, int64(44+2*longFrames)))
	require.NoError(l.t, l.options.Encoder.Encode(l.t.Context(), wav, g.AudioPath, "flac", nil))
	g, err := l.db.UpdateGeneration(l.t.Context(), g.ID, func(row *backend.Generation) error {
		row.Duration = longSeconds
		row.Receipt.AudioSHA256 = fileHash(l.t, g.AudioPath)
		return nil
	})
	require.NoError(l.t, err)
	return g
}

// inLittleMemory runs f, which may allocate a part of what the long sound has as float samples.
func inLittleMemory(t *testing.T, name string, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	used := after.TotalAlloc - before.TotalAlloc
	t.Logf("%s allocated %.1f MB in all", name, float64(used)/1e6)
	require.Less(t, used, uint64(longFrames*4/3), name)
}

func TestLongCompressedGeneration(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{SampleRate: longRate}))
	g := longBook(l)
	files := l.files()

	inLittleMemory(t, "peaks", func() {
		peaks, err := l.service.Generations.Peaks(t.Context(), g.ID, 1000)
		require.NoError(t, err)
		require.Len(t, peaks, 1000)
		require.Positive(t, peaks[0].Max)
		require.Zero(t, peaks[999].Max)
	})
	inLittleMemory(t, "export", func() {
		out, err := export.New(export.Options{Store: l.db, Encoder: audio.FindCodecs(), TempDir: l.service.Synthesizer.TempDir()}).Generation(t.Context(), g.ID, "wav", audio.ExportOptions{})
		require.NoError(t, err)
		defer out.Close()
		info, err := os.Stat(out.Path)
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(2*longFrames))
	})
	inLittleMemory(t, "the sound of a take", func() {
		out, err := l.service.Takes.TakeAudio(t.Context(), g.ID, 1, 0)
		require.NoError(t, err)
		defer out.Close()
		require.Len(t, readWAV(t, out.Path).Samples, int((g.Chunks[1].End-g.Chunks[1].Start+2*0.005)*longRate+0.5))
	})
	require.Equal(t, files, l.files(), "nothing is left of what was decoded")

	inLittleMemory(t, "a new take", func() {
		after, err := l.service.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
		require.NoError(t, err)
		require.InDelta(t, longSeconds, after.Duration, 60)
		g = after
	})
	inLittleMemory(t, "the other take again", func() {
		after, err := l.service.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{0: 0})
		require.NoError(t, err)
		require.Equal(t, 0, after.Chunks[0].Take)
	})
}

func TestLongCompressedTurnIsJoined(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{SampleRate: longRate}))
	script, err := l.service.Scripts.Script(t.Context(), scripts.Request{Turns: []generations.Request{l.request("Short.")}})
	require.NoError(t, err)
	g := longBook(l)
	turn := script.Generations[0]
	_, err = l.db.UpdateGeneration(t.Context(), turn, func(row *backend.Generation) error {
		row.AudioPath, row.Format, row.Duration, row.Receipt = g.AudioPath, g.Format, g.Duration, g.Receipt
		return nil
	})
	require.NoError(t, err)
	inLittleMemory(t, "a join", func() {
		joined, err := l.service.Scripts.JoinScript(t.Context(), script.ID)
		require.NoError(t, err)
		require.InDelta(t, longSeconds, joined.Duration, 0.1)
	})
	left, err := os.ReadDir(filepath.Join(l.dir, "unfinished"))
	require.NoError(t, err)
	require.Empty(t, left)
}
