package onnxtest

import (
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/voicewright/voicewright/engines/onnx/gpu"
)

// GPU is a provider for tests: the CPU under the name of a GPU. It is safe for concurrent use.
type GPU struct {
	Lacking bool              // the library has no code for it
	Broken  error             // its part of the library cannot be loaded
	Fails   func(n int) error // the error in place of the n-th load or run, from 1; nil: none fails

	mu     sync.Mutex
	done   int
	atOnce int
	peak   int
	memory int64
}

var _ gpu.Provider = (*GPU)(nil)

// Use implements gpu.Provider.
func (g *GPU) Use(_ *ort.SessionOptions, _ int, memory int64) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.memory = memory
	if g.Lacking {
		return gpu.ErrMissing
	}
	return g.Broken
}

// Do implements gpu.Provider.
func (g *GPU) Do(work func() error) error {
	g.mu.Lock()
	g.done++
	g.atOnce++
	g.peak = max(g.peak, g.atOnce)
	var err error
	if g.Fails != nil {
		err = g.Fails(g.done)
	}
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.atOnce--
	}()
	if err != nil {
		return err
	}
	return work()
}

// Present implements gpu.Provider.
func (g *GPU) Present(string) bool { return !g.Lacking }

// Missing implements gpu.Provider.
func (g *GPU) Missing(string) error { return nil }

// Done returns how many graphs were loaded and run, failures included, and how many of these at once.
func (g *GPU) Done() (all, atOnce int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.done, g.peak
}

// Memory returns the limit of the last session.
func (g *GPU) Memory() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.memory
}
