// Package vad finds speech in audio with Silero VAD 6.2, a small neural network that is part of the program (MIT,
// data/LICENSE). The rules that turn its probabilities into stretches of speech are those of silero-vad's Python package.
package vad

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

//go:embed data/silero_vad.onnx
var graph []byte

// Rate is the sample rate of Speech in Hz; LowRate is the other one that the network reads.
const (
	Rate    = engines.TranscriberRate
	LowRate = 8000
)

const (
	windowSamples  = 512 // of one probability at Rate; half of it at LowRate
	contextSamples = 64  // of the window before, which the network reads again
	stateSize      = 2 * 128
)

// signature returns the inputs and outputs of the network.
func signature() onnx.Signature {
	return onnx.Signature{
		Inputs: []onnx.Value{
			{Name: "input", Type: onnx.Float32, Rank: 2}, {Name: "state", Type: onnx.Float32, Rank: 3}, {Name: "sr", Type: onnx.Int64},
		},
		Outputs: []onnx.Value{{Name: "output", Type: onnx.Float32, Rank: 2}, {Name: "stateN", Type: onnx.Float32, Rank: 3}},
	}
}

// Detector finds speech. It is safe for concurrent use; all callers share one session, which is loaded when it is first
// needed and computes on one thread for each caller.
type Detector struct {
	runtime *onnx.Runtime

	mu      sync.Mutex
	session *onnx.Session
	closed  bool
}

var _ engines.SpeechDetector = (*Detector)(nil)

// New returns a detector. Close frees it.
func New(runtime *onnx.Runtime) *Detector { return &Detector{runtime: runtime} }

// Close frees the network. Calls in progress and later ones return backend.ErrCancelled.
func (d *Detector) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	if d.session == nil {
		return nil
	}
	if err := d.session.Close(); err != nil {
		return fmt.Errorf("close the speech detector: %w", err)
	}
	return nil
}

// Speech returns the stretches of speech in mono samples at Rate, by the default Parameters. Errors: runtime_missing,
// backend.ErrCancelled within 200 ms after ctx ends.
func (d *Detector) Speech(ctx context.Context, samples []float32) ([]engines.Span, error) {
	p, err := d.Probabilities(ctx, samples, Rate)
	if err != nil {
		return nil, err
	}
	return Timestamps(p, Rate, len(samples), Defaults()), nil
}

// Probabilities returns the probability of speech, in [0, 1], of each window of 32 ms of mono samples at Rate or LowRate. The
// last window is padded with zeros. Errors are those of Speech.
func (d *Detector) Probabilities(ctx context.Context, samples []float32, rate int) ([]float32, error) {
	s, err := d.Stream(ctx, rate)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	window := s.Window()
	out := make([]float32, 0, (len(samples)+window-1)/window)
	for len(samples) > 0 {
		n := min(window, len(samples))
		p, err := s.Next(ctx, samples[:n])
		if err != nil {
			return nil, err
		}
		out, samples = append(out, p), samples[n:]
	}
	return out, nil
}

// load returns the shared session.
func (d *Detector) load(ctx context.Context) (*onnx.Session, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed:
		return nil, backend.ErrCancelled.WithCause(errors.New("the speech detector is closed"))
	case d.session != nil:
		return d.session, nil
	}
	session, err := d.runtime.OpenData(ctx, "silero_vad.onnx", graph, signature(), 1)
	if err != nil {
		return nil, err
	}
	d.session = session
	return session, nil
}
