//go:build whisper

package whisper

import (
	"context"
	"errors"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/whisper/internal/cpp"
)

// maxGrowth is how much the resident memory may grow from one run to a later one, in bytes.
const maxGrowth = 5 << 20

func TestRunsLeaveNothingBehind(t *testing.T) { checkLeaks(t, 20, 60) }

// checkLeaks compares memory after two numbers of runs, which end in all ways there are.
func checkLeaks(t *testing.T, first, last int) {
	t.Helper()
	before := cpp.Live()
	e := openModel(t, "ggml-english-only.en.bin")
	var memory int64
	for n := 1; n <= last; n++ {
		runs[n%len(runs)](t, e)
		if n != first && n != last {
			continue
		}
		_, segments := transcribe(t, e, second, engines.TranscribeOptions{Words: true}) // after the last abandoned run
		require.NotEmpty(t, segments)
		require.Equal(t, before+1, cpp.Live(), "runs or handles that are not freed")
		debug.FreeOSMemory()
		if n == first {
			memory = enginetest.Resident(t)
		}
	}
	grown := enginetest.Resident(t) - memory
	t.Logf("resident memory: %.1f MB after run %d, %+.2f MB at run %d", float64(memory)/1e6, first, float64(grown)/1e6, last)
	require.Less(t, grown, int64(maxGrowth))
	require.NoError(t, e.Close())
	require.Equal(t, before, cpp.Live(), "models or runs that are not freed")
}

// runs are the ways in which a run ends.
var runs = []func(t *testing.T, e *Engine){
	func(t *testing.T, e *Engine) {
		transcribe(t, e, second, engines.TranscribeOptions{Words: true, Prompt: "Hello."})
	},
	func(t *testing.T, e *Engine) {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := e.Transcribe(ctx, second, engines.TranscribeOptions{Progress: func(float64) { cancel() }}, ignore)
		require.ErrorIs(t, err, backend.ErrCancelled)
	},
	func(t *testing.T, e *Engine) {
		refused := errors.New("refused")
		_, err := e.Transcribe(t.Context(), second, engines.TranscribeOptions{}, func(backend.Segment) error { return refused })
		require.ErrorIs(t, err, refused)
	},
	func(t *testing.T, e *Engine) {
		_, err := e.Transcribe(t.Context(), second, engines.TranscribeOptions{}, func(backend.Segment) error { panic("emit") })
		backendtest.RequireCode(t, backend.CodeEngineFailed, err)
	},
	func(t *testing.T, e *Engine) { // in a callback of the library
		_, err := e.model.Run(second, cpp.RunOptions{Language: "en", Threads: 1}, cpp.Events{
			Stopped: func() bool { panic("stopped") }, Progress: func([]cpp.Segment, float64) {},
		})
		require.ErrorContains(t, err, "panic")
	},
	func(t *testing.T, e *Engine) {
		_, err := e.Transcribe(t.Context(), second, engines.TranscribeOptions{Language: "xx"}, ignore)
		backendtest.RequireCode(t, backend.CodeLanguageNotSupported, err)
	},
}
