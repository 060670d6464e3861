package takes_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestTakeAudio hears takes without choosing any: nothing of the generation changes, and nothing is left.
func TestTakeAudio(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	g := l.Speak(l.InChunks())
	hear := func(n, take int) []float32 {
		t.Helper()
		e, err := l.Takes.TakeAudio(t.Context(), g.ID, n, take)
		require.NoError(t, err)
		defer e.Close()
		require.Regexp(t, `^\S.* \d-\d\.wav$`, e.Name)
		return studiotest.ReadWAV(t, e.Path).Samples
	}
	require.Equal(t, withEdges(t, g, 1), hear(1, 0), "also of a chunk with one take")
	before := withEdges(t, g, 1)
	again, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 1, nil, true)
	require.NoError(t, err)
	files := l.Files()
	require.Equal(t, withEdges(t, again, 1), hear(1, 1))
	require.Equal(t, before, hear(1, 0))
	require.Equal(t, files, l.Files())
	require.Equal(t, again.Receipt.AudioSHA256, l.Stored(g.ID).Receipt.AudioSHA256)

	for _, at := range [][2]int{{3, 0}, {1, 2}, {0, 1}, {-1, 0}, {0, -1}} {
		_, err := l.Takes.TakeAudio(t.Context(), g.ID, at[0], at[1])
		var invalid *backend.ValidationError
		require.ErrorAs(t, err, &invalid, at)
	}
	_, err = l.Takes.TakeAudio(t.Context(), "nobody", 0, 0)
	backendtest.RequireCode(t, backend.CodeGenerationNotFound, err)
	require.NoError(t, os.Remove(again.AudioPath))
	_, err = l.Takes.TakeAudio(t.Context(), g.ID, 0, 0)
	backendtest.RequireCode(t, backend.CodeAudioMissing, err)
}

// withEdges returns the samples of a chunk in the middle with the 5 ms before and after it that belong to its takes.
func withEdges(t *testing.T, g backend.Generation, n int) []float32 {
	t.Helper()
	return widened(g, n, studiotest.ReadWAV(t, g.AudioPath).Samples)
}

func widened(g backend.Generation, n int, samples []float32) []float32 {
	at := func(s float64) int { return int(math.Round(s * float64(g.SampleRate))) }
	return samples[at(g.Chunks[n].Start)-at(0.005) : at(g.Chunks[n].End)+at(0.005)]
}

// TestTakeAudioOfACompressedOne leaves nothing behind either, before there is a second take and after.
func TestTakeAudioOfACompressedOne(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	r := l.InChunks()
	r.Format = "mp3"
	g := l.Speak(r)
	hear := func(n, take int) int {
		t.Helper()
		before := l.Files()
		e, err := l.Takes.TakeAudio(t.Context(), g.ID, n, take)
		require.NoError(t, err)
		length := len(studiotest.ReadWAV(t, e.Path).Samples)
		e.Close()
		require.Equal(t, before, l.Files())
		return length
	}
	length := func(g backend.Generation) int {
		return len(widened(g, 1, make([]float32, int(g.Duration*float64(g.SampleRate))+1)))
	}
	require.Equal(t, length(g), hear(1, 0))
	require.NoDirExists(t, filepath.Join(l.Dir, "takes", g.ID))
	again, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 1, nil, true)
	require.NoError(t, err)
	require.Equal(t, length(again), hear(1, 1))
	require.Equal(t, length(g), hear(1, 0))
}

// TestTakesShowWhatIsHeard compares the list of takes with their audio, and finds no audio where only seeds are stored.
func TestTakesShowWhatIsHeard(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	g := l.Speak(l.InChunks())
	one, err := l.Takes.List(t.Context(), g.ID, 1, 50)
	require.NoError(t, err)
	require.Len(t, one, 1, "also of a chunk with one take")
	_, err = l.Takes.RegenerateChunk(t.Context(), g.ID, 1, new(int64(7)), false)
	require.NoError(t, err)
	files := l.Files()
	takes, err := l.Takes.List(t.Context(), g.ID, 1, 50)
	require.NoError(t, err)
	require.Equal(t, files, l.Files(), "nothing is left")
	require.Len(t, takes, 2)
	require.Equal(t, one[0], takes[0])
	require.EqualValues(t, 7, takes[1].Seed)
	for i, take := range takes {
		e, err := l.Takes.TakeAudio(t.Context(), g.ID, 1, i)
		require.NoError(t, err)
		heard := studiotest.ReadWAV(t, e.Path)
		e.Close()
		require.InDelta(t, float64(heard.Frames())/float64(heard.Rate), take.Duration, 1e-9)
		require.Equal(t, heard.Peaks(50), take.Peaks)
	}
	_, err = l.Takes.List(t.Context(), g.ID, 3, 50)
	var invalid *backend.ValidationError
	require.ErrorAs(t, err, &invalid)
	_, err = l.Takes.List(t.Context(), "nobody", 0, 50)
	backendtest.RequireCode(t, backend.CodeGenerationNotFound, err)
	require.NoError(t, os.Remove(g.AudioPath))
	_, err = l.Takes.List(t.Context(), g.ID, 0, 50)
	backendtest.RequireCode(t, backend.CodeAudioMissing, err)
}

func TestTakesOfChunksThatOverlap(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	r := l.InChunks()
	r.CrossfadeMS = new(100)
	g := l.Speak(r)
	_, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 1, nil, false)
	require.NoError(t, err)
	takes, err := l.Takes.List(t.Context(), g.ID, 1, 50)
	require.NoError(t, err)
	require.Len(t, takes, 2)
	require.Positive(t, takes[0].Duration, "the chosen one")
	require.Len(t, takes[0].Peaks, 50)
	require.Zero(t, takes[1].Duration, "it is spoken when it is chosen")
	require.Empty(t, takes[1].Peaks)
}
