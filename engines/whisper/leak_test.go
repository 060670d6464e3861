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
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/whisper/internal/cpp"
)

// maxGrowth is how much the resident memory may grow from one run to a later one, in bytes.
const maxGrowth = 5 << 20

func TestRunsLeaveNothingBehind(t *testing.T) { checkLeaks(t, 6, 24) }

// windows is how often the growth is measured at most: the heap may take new pages once, a leak takes them every time.
const windows = 3

// checkLeaks compares memory after two numbers of runs, which end in all ways there are.
func checkLeaks(t *testing.T, first, last int) {
	t.Helper()
	before := cpp.Live()
	e := openModel(t, "ggml-english-only.en.bin")
	n := 0
	memoryAfter := func(run int) int64 {
		for ; n < run; n++ {
			runs[n%len(runs)](t, e)
		}
		_, segments := transcribe(t, e, second, engines.TranscribeOptions{Words: true}) // after the last abandoned run
		require.NotEmpty(t, segments)
		require.Equal(t, before+1, cpp.Live(), "runs or handles that are not freed")
		debug.FreeOSMemory()
		onnx.Trim() // what the C library keeps of freed memory
		return enginetest.Resident(t)
	}
	memory, grown := memoryAfter(first), int64(0)
	for window := range windows {
		now := memoryAfter(last + window*(last-first))
		memory, grown = now, now-memory
		t.Logf("resident memory: %.1f MB after run %d, grown by %+.2f MB", float64(now)/1e6, n, float64(grown)/1e6)
		if grown < maxGrowth {
			break
		}
	}
	require.Less(t, grown, int64(maxGrowth), "bytes by which the memory grows again and again")
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
