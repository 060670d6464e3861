package speech_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestTakeAudio hears takes without choosing any: nothing of the generation changes, and nothing is left.
func TestTakeAudio(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}))
	g := l.speak(l.inChunks())
	hear := func(n, take int) []float32 {
		t.Helper()
		e, err := l.service.TakeAudio(t.Context(), g.ID, n, take)
		require.NoError(t, err)
		defer e.Close()
		require.Regexp(t, `^\S.* \d-\d\.wav$`, e.Name)
		return readWAV(t, e.Path).Samples
	}
	require.Equal(t, part(t, g, 1), hear(1, 0), "also of a chunk with one take")
	before := part(t, g, 1)
	again, err := l.service.RegenerateChunk(t.Context(), g.ID, 1, nil)
	require.NoError(t, err)
	files := l.files()
	require.Equal(t, part(t, again, 1), hear(1, 1))
	require.Equal(t, before, hear(1, 0))
	require.Equal(t, files, l.files())
	require.Equal(t, again.Receipt.AudioSHA256, l.stored(g.ID).Receipt.AudioSHA256)

	for _, at := range [][2]int{{3, 0}, {1, 2}, {0, 1}, {-1, 0}, {0, -1}} {
		_, err := l.service.TakeAudio(t.Context(), g.ID, at[0], at[1])
		var invalid *backend.ValidationError
		require.ErrorAs(t, err, &invalid, at)
	}
	_, err = l.service.TakeAudio(t.Context(), "nobody", 0, 0)
	requireCode(t, backend.CodeGenerationNotFound, err)
	require.NoError(t, os.Remove(again.AudioPath))
	_, err = l.service.TakeAudio(t.Context(), g.ID, 0, 0)
	requireCode(t, backend.CodeAudioMissing, err)
}
