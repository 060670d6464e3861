package vad

import (
	"context"
	"fmt"

	"github.com/voicewright/voicewright/engines/onnx"
)

// Stream is audio that is examined window by window: the network remembers what came before. It is not safe for concurrent
// use.
type Stream struct {
	run    *onnx.Bound
	window int
	input  []float32 // the end of the window before, then the window
	state  []float32
	output []float32 // the probability
	after  []float32 // the state after the window
}

// Stream returns a stream of mono samples at Rate or LowRate. Close frees it. Errors: runtime_missing, backend.ErrCancelled.
func (d *Detector) Stream(ctx context.Context, rate int) (*Stream, error) {
	if rate != Rate && rate != LowRate {
		return nil, fmt.Errorf("detect speech at %d Hz", rate)
	}
	session, err := d.load(ctx)
	if err != nil {
		return nil, err
	}
	window, context := windowSamples*rate/Rate, contextSamples*rate/Rate
	s := &Stream{
		window: window, input: make([]float32, context+window), output: make([]float32, 1),
		state: make([]float32, stateSize), after: make([]float32, stateSize),
	}
	state := []int64{2, 1, stateSize / 2}
	s.run, err = session.Bind(
		[]onnx.Tensor{
			onnx.NewTensor(s.input, 1, int64(len(s.input))), onnx.NewTensor(s.state, state...), onnx.NewTensor([]int64{int64(rate)}),
		},
		[]onnx.Tensor{onnx.NewTensor(s.output, 1, 1), onnx.NewTensor(s.after, state...)})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Close frees the stream; the detector stays open.
func (s *Stream) Close() { s.run.Close() }

// Window returns the number of samples of a window.
func (s *Stream) Window() int { return s.window }

// Next returns the probability that the next window is speech; a shorter one is padded with zeros. Errors: engine_failed,
// backend.ErrCancelled when ctx ends or the detector is closed.
func (s *Stream) Next(ctx context.Context, window []float32) (float32, error) {
	at := len(s.input) - s.window
	copy(s.input, s.input[s.window:]) // the context
	clear(s.input[at+copy(s.input[at:], window):])
	if err := s.run.Run(ctx, "detecting speech"); err != nil {
		return 0, err
	}
	copy(s.state, s.after)
	return s.output[0], nil
}
