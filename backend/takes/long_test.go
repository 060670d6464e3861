package takes_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/export"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestLongCompressedGeneration(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{SampleRate: studiotest.LongRate}))
	g := studiotest.LongBook(l)
	files := l.Files()

	studiotest.InLittleMemory(t, "peaks", func() {
		peaks, err := l.Generations.Archive.Peaks(t.Context(), g.ID, 1000)
		require.NoError(t, err)
		require.Len(t, peaks, 1000)
		require.Positive(t, peaks[0].Max)
		require.Zero(t, peaks[999].Max)
	})
	studiotest.InLittleMemory(t, "export", func() {
		out, err := export.New(export.Options{Store: l.DB, Encoder: audio.FindCodecs(), TempDir: l.Synthesizer.TempDir()}).Generation(t.Context(), g.ID, "wav", audio.ExportOptions{})
		require.NoError(t, err)
		defer out.Close()
		info, err := os.Stat(out.Path)
		require.NoError(t, err)
		require.Greater(t, info.Size(), int64(2*studiotest.LongFrames))
	})
	studiotest.InLittleMemory(t, "the sound of a take", func() {
		out, err := l.Takes.TakeAudio(t.Context(), g.ID, 1, 0)
		require.NoError(t, err)
		defer out.Close()
		require.Len(t, studiotest.ReadWAV(t, out.Path).Samples, int((g.Chunks[1].End-g.Chunks[1].Start+2*0.005)*studiotest.LongRate+0.5))
	})
	require.Equal(t, files, l.Files(), "nothing is left of what was decoded")

	studiotest.InLittleMemory(t, "a new take", func() {
		after, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
		require.NoError(t, err)
		require.InDelta(t, studiotest.LongSeconds, after.Duration, 60)
		g = after
	})
	studiotest.InLittleMemory(t, "the other take again", func() {
		after, err := l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{0: 0})
		require.NoError(t, err)
		require.Equal(t, 0, after.Chunks[0].Take)
	})
}
