package piper

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	ort "github.com/yalue/onnxruntime_go"

	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// benchGraph is the voice that the benchmarks run: VOICEWRIGHT_GRAPH, for one of true size, else the small one.
func benchGraph(b *testing.B) string {
	b.Helper()
	if path := os.Getenv("VOICEWRIGHT_GRAPH"); path != "" {
		return path
	}
	return kit(b, "vits", "vits-small.onnx")
}

// benchIDs are a sentence of the given length.
func benchIDs(n int) []int64 {
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = int64(i%150 + 3)
	}
	return ids
}

// benchEngine is the engine as the driver opens it, from ids to levelled samples.
func benchEngine(b *testing.B, path string, threads int) *Engine {
	b.Helper()
	model, err := onnx.Inspect(path)
	require.NoError(b, err)
	frames, hidden := timing(model)
	o := onnx.SessionOptions{Threads: threads, Seeded: true}
	if hidden {
		o.Expose = []string{frames}
	}
	session, err := library(b).Open(b.Context(), path, signature(1, frames), o)
	require.NoError(b, err)
	return &Engine{graph: &graph{session: session, speakers: 1, hop: defaultHop, timed: frames != ""}}
}

// BenchmarkOverhead compares the engine, from ids to levelled samples, with a bare loop over the binding on the same
// graph (noise 0, one thread, the library's default options). Both run in turns, and the one that begins alternates;
// `ratio` is that of the medians, as single runs differ by more than the goal, which is at most 1.03
// (docs/benchmarks.md). `extra-MiB` is how much more the process grows by the engine than by the
// bare loop, weights and runs included.
func BenchmarkOverhead(b *testing.B) {
	path, ids, given := benchGraph(b), benchIDs(150), scales{length: 1}
	rounds := overheadPairs
	if os.Getenv("VOICEWRIGHT_GRAPH") != "" { // a run takes a second, of which what else the machine does is a small part
		rounds = 6
	}
	require.NoError(b, library(b).Init())
	var pairs onnxtest.Pairs
	var ourMemory, theirMemory []float64
	for b.Loop() {
		bareMemory(b, path, ids) // the first one also fills what the library keeps
		theirMemory = append(theirMemory, bareMemory(b, path, ids))
		ourMemory = append(ourMemory, engineMemory(b, path, ids))
		e := benchEngine(b, path, 1)
		bare := newBareSession(b, path)
		engine := func() error { _, _, err := e.sentence(b.Context(), ids, given, 0); return err }
		pairs.Add(b, rounds, engine, func() error { return bareRun(bare, ids) })
		require.NoError(b, e.Close())
		require.NoError(b, bare.Destroy())
	}
	ours, theirs := pairs.Medians()
	b.ReportMetric(ours/theirs, "ratio")
	b.ReportMetric(onnxtest.Median(ourMemory)-onnxtest.Median(theirMemory), "extra-MiB")
}

// engineMemory is what the process grows by when the engine opens and speaks, in MiB.
func engineMemory(b *testing.B, path string, ids []int64) float64 {
	b.Helper()
	before := residentMiB(b)
	e := benchEngine(b, path, 1)
	for range 3 {
		_, _, err := e.sentence(b.Context(), ids, scales{length: 1}, 0)
		require.NoError(b, err)
	}
	grown := residentMiB(b) - before
	require.NoError(b, e.Close())
	return grown
}

func bareMemory(b *testing.B, path string, ids []int64) float64 {
	b.Helper()
	before := residentMiB(b)
	bare := newBareSession(b, path)
	for range 3 {
		require.NoError(b, bareRun(bare, ids))
	}
	grown := residentMiB(b) - before
	require.NoError(b, bare.Destroy())
	onnx.Trim()
	return grown
}

// residentMiB is the memory of this process after a collection, 0 where the system has no /proc.
func residentMiB(b *testing.B) float64 {
	b.Helper()
	debug.FreeOSMemory()
	return float64(enginetest.Resident(b)) / (1 << 20)
}

// BenchmarkThreads speaks six sentences with one and two threads for each run, and with two runs of one thread side by
// side; the metric is seconds for all of them.
func BenchmarkThreads(b *testing.B) {
	path, ids := benchGraph(b), benchIDs(150)
	const sentences = 6
	for _, tt := range []struct{ threads, callers int }{{1, 1}, {2, 1}, {1, 2}, {2, 2}} {
		b.Run(fmt.Sprintf("threads=%d/callers=%d", tt.threads, tt.callers), func(b *testing.B) {
			e := benchEngine(b, path, tt.threads)
			defer func() { require.NoError(b, e.Close()) }()
			for b.Loop() {
				var group sync.WaitGroup
				for range tt.callers {
					group.Go(func() {
						for range sentences / tt.callers {
							if _, _, err := e.sentence(b.Context(), ids, scales{length: 1}, 0); err != nil {
								b.Error(err)
							}
						}
					})
				}
				group.Wait()
			}
		})
	}
}

// overheadPairs is how many runs of each are compared in one round.
const overheadPairs = 40

func newBareSession(b *testing.B, path string) *ort.DynamicAdvancedSession {
	b.Helper()
	return onnxtest.NewBareSession(b, path, []string{"input", "input_lengths", "scales"}, []string{"output"})
}

func bareRun(s *ort.DynamicAdvancedSession, ids []int64) error {
	in, err1 := ort.NewTensor(ort.NewShape(1, int64(len(ids))), ids)
	size, err2 := ort.NewTensor(ort.NewShape(1), []int64{int64(len(ids))})
	given, err3 := ort.NewTensor(ort.NewShape(3), []float32{0, 1, 0})
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	return onnxtest.RunBare(s, []ort.Value{in, size, given}, 1)
}
