package kokoro

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
	ort "github.com/yalue/onnxruntime_go"
)

// benchGraph is the graph that is measured, how many words it speaks at once and how often: the one that
// VOICEWRIGHT_KOKORO_GRAPH names (such as one of the true size with random weights, which takes seconds for a few words),
// else the kit's small one.
func benchGraph(b *testing.B) (path string, words, rounds int) {
	if path := os.Getenv("VOICEWRIGHT_KOKORO_GRAPH"); path != "" {
		return path, 8, 2
	}
	return kit(b, "repo", graphDir, mainGraph), 96, 10
}

// BenchmarkOverhead compares the engine, from phonemes to trimmed samples, with a bare loop over the binding on the
// same graph (one thread, the library's default options). Both run in turns, and the one that begins alternates.
// `ratio` is that of the medians, which the goal holds to 1.03 for a graph of the true size (docs/benchmarks.md);
// `ms/over` is their difference for one batch, of 500 phonemes for the small graph, which hardly depends on the graph; `B/over` is what the engine allocates beyond the loop.
func BenchmarkOverhead(b *testing.B) {
	dir := folder(b, "repo")
	path, words, rounds := benchGraph(b)
	e := openAt(b, driver(b), dir)
	g, err := open(b.Context(), library(b), path, onnx.SessionOptions{Threads: 1, Seeded: true})
	require.NoError(b, err)
	defer func() { require.NoError(b, g.session.Close()) }()
	e.graph = g
	s := exportOf(e.graph.session.Model()).signature
	bare := onnxtest.NewBareSession(b, path, []string{s.Inputs[0].Name, s.Inputs[1].Name, s.Inputs[2].Name}, []string{s.Outputs[0].Name})
	defer func() { require.NoError(b, bare.Destroy()) }()
	batch := split(strings.Repeat("ðə kwˈɪk bɹˈWn fˈɑks ", words/4))[0]
	rows, err := e.voices[0].styles()
	require.NoError(b, err)
	p := plan{batches: []string{batch}, parts: []part{{rows: rows, share: 1}}, speed: 1}
	ids, symbols := e.symbols.ids(batch)
	row := style(p.parts, len(symbols))

	var pairs onnxtest.Pairs
	engine := func() error {
		_, _, err := e.batch(b.Context(), p, batch, 0, 0)
		return err
	}
	loop := func() error { return bareRun(bare, ids, row) }
	pairs.Add(b, 2, engine, loop)
	ourBytes, theirBytes := allocated(func() { require.NoError(b, engine()) }), allocated(func() { require.NoError(b, loop()) })
	for b.Loop() {
		pairs.Add(b, 2*rounds, engine, loop)
	}
	our, their := pairs.Medians()
	b.ReportMetric(our/their, "ratio")
	b.ReportMetric((our-their)*1000, "ms/over")
	b.ReportMetric(float64(ourBytes)-float64(theirBytes), "B/over")
}

// allocated returns the bytes that work takes from the heap.
func allocated(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func bareRun(s *ort.DynamicAdvancedSession, ids []int64, row []float32) error {
	in, err1 := ort.NewTensor(ort.NewShape(1, int64(len(ids))), ids)
	style, err2 := ort.NewTensor(ort.NewShape(1, styleWidth), row)
	speed, err3 := ort.NewTensor(ort.NewShape(1), []float32{1})
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	return onnxtest.RunBare(s, []ort.Value{in, style, speed}, 1)
}
