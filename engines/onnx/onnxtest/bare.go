package onnxtest

import (
	"sort"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	ort "github.com/yalue/onnxruntime_go"
)

// NewBareSession opens a graph with the binding alone, on one thread and with the library's default options. The caller
// destroys it.
func NewBareSession(b *testing.B, path string, inputs, outputs []string) *ort.DynamicAdvancedSession {
	b.Helper()
	options, err := ort.NewSessionOptions()
	require.NoError(b, err)
	defer func() { _ = options.Destroy() }()
	require.NoError(b, options.SetIntraOpNumThreads(1))
	s, err := ort.NewDynamicAdvancedSession(path, inputs, outputs, options)
	require.NoError(b, err)
	return s
}

// RunBare runs a graph with the binding alone and frees the values.
func RunBare(s *ort.DynamicAdvancedSession, inputs []ort.Value, outputs int) error {
	out := make([]ort.Value, outputs)
	err := s.Run(inputs, out)
	for _, v := range append(inputs, out...) {
		if v != nil {
			_ = v.Destroy()
		}
	}
	return err
}

// Pairs holds the times of an engine and of a bare loop that ran in turns.
type Pairs struct{ engine, bare []float64 }

// Add runs each of both n times; which of them begins changes, so that neither gains from the other's caches.
func (p *Pairs) Add(b *testing.B, n int, engine, bare func() error) {
	b.Helper()
	for range n / 2 {
		p.engine = append(p.engine, seconds(b, engine))
		p.bare = append(p.bare, seconds(b, bare), seconds(b, bare))
		p.engine = append(p.engine, seconds(b, engine))
	}
}

// Medians returns the median times in seconds.
func (p *Pairs) Medians() (engine, bare float64) { return Median(p.engine), Median(p.bare) }

// Median returns the middle one of the values, which it sorts.
func Median(values []float64) float64 {
	sort.Float64s(values)
	return values[len(values)/2]
}

func seconds(b *testing.B, work func() error) float64 {
	b.Helper()
	start := time.Now()
	require.NoError(b, work())
	return time.Since(start).Seconds()
}
