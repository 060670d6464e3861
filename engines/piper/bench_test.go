package piper

import (
	"errors"
	"sort"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	ort "github.com/yalue/onnxruntime_go"

	"github.com/voicewright/voicewright/engines/onnx"
)

// BenchmarkOverhead compares the engine, from ids to levelled samples, with a bare loop over the binding on the same
// graph of the true architecture (noise 0, one thread, the library's default options). Both run in turns, and who
// begins changes; `ratio` is that of the medians, as single runs differ by more than the goal, which is at most 1.03
// (docs/architecture.md, Numbers to hold).
func BenchmarkOverhead(b *testing.B) {
	path := kit(b, "vits", "vits-small.onnx")
	session, err := library(b).Open(b.Context(), path, signature(1), onnx.SessionOptions{Threads: 1})
	require.NoError(b, err)
	defer func() { require.NoError(b, session.Close()) }()
	e := &Engine{graph: &graph{session: session, speakers: 1}}
	bare, err := newBareLoop(path)
	require.NoError(b, err)
	defer func() { require.NoError(b, bare.Destroy()) }()
	ids := make([]int64, 150)
	for i := range ids {
		ids[i] = int64(i%150 + 3)
	}
	given := scales{length: 1}

	var ours, theirs []float64
	engine := func() {
		ours = append(ours, timed(b, func() error { _, err := e.sentence(b.Context(), ids, given, 0); return err }))
	}
	loop := func() { theirs = append(theirs, timed(b, func() error { return bareRun(bare, ids) })) }
	for b.Loop() {
		for range overheadPairs / 2 {
			engine()
			loop()
			loop()
			engine()
		}
	}
	sort.Float64s(ours)
	sort.Float64s(theirs)
	b.ReportMetric(ours[len(ours)/2]/theirs[len(theirs)/2], "ratio")
}

// overheadPairs is how many runs of each are compared in one round.
const overheadPairs = 40

func timed(b *testing.B, work func() error) float64 {
	start := time.Now()
	require.NoError(b, work())
	return time.Since(start).Seconds()
}

func newBareLoop(path string) (*ort.DynamicAdvancedSession, error) {
	options, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer func() { _ = options.Destroy() }()
	if err := options.SetIntraOpNumThreads(1); err != nil {
		return nil, err
	}
	return ort.NewDynamicAdvancedSession(path, []string{"input", "input_lengths", "scales"}, []string{"output"}, options)
}

func bareRun(s *ort.DynamicAdvancedSession, ids []int64) error {
	in, err1 := ort.NewTensor(ort.NewShape(1, int64(len(ids))), ids)
	size, err2 := ort.NewTensor(ort.NewShape(1), []int64{int64(len(ids))})
	given, err3 := ort.NewTensor(ort.NewShape(3), []float32{0, 1, 0})
	if err := errors.Join(err1, err2, err3); err != nil {
		return err
	}
	out := []ort.Value{nil}
	err := s.Run([]ort.Value{in, size, given}, out)
	for _, v := range []ort.Value{in, size, given, out[0]} {
		if v != nil {
			_ = v.Destroy()
		}
	}
	return err
}
