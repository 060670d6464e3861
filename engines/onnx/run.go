package onnx

import (
	"context"
	"fmt"
	"slices"
	"time"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// grace is how long a cancelled run may take to stop by itself. The library checks for cancellation between two nodes,
// and one node of a large graph can take longer than callers are promised.
const grace = 100 * time.Millisecond

// Run computes the wanted outputs from the inputs, both in the order of the signature. The inputs must not change
// while it runs. The outputs are copies that belong to the caller. stage names the work in errors.
// A graph opened as seeded gets the seed 0.
// Errors: backend.ErrCancelled within 200 ms after ctx ends or Close begins, and for every run after that;
// backend.CodeOutOfMemory, backend.CodeEngineFailed.
func (s *Session) Run(ctx context.Context, stage string, inputs ...Tensor) ([]Tensor, error) {
	return s.RunSeeded(ctx, stage, 0, inputs...)
}

// RunSeeded is Run with the seed of the noise: equal seeds return equal outputs where Reproducible says so. Any number
// is a seed. A graph that draws no noise, or was not opened with Seeded, ignores it.
func (s *Session) RunSeeded(ctx context.Context, stage string, seed int64, inputs ...Tensor) ([]Tensor, error) {
	outputs := make([]Tensor, len(s.want.Outputs))
	if err := s.run(ctx, stage, seed, inputs, outputs); err != nil {
		return nil, err
	}
	return outputs, nil
}

// RunInto is Run that writes the outputs into the memory of the given tensors, which have the shapes that the graph
// returns and share nothing with the inputs. An element of outputs that is the zero Tensor, or has no dimensions, is
// replaced by a copy, as Run returns it. After an error the caller drops the memory of inputs and outputs: a run that did
// not stop in time may still use it.
func (s *Session) RunInto(ctx context.Context, stage string, inputs, outputs []Tensor) error {
	if len(outputs) != len(s.want.Outputs) {
		return engines.Failed(stage, fmt.Errorf("run %s: %d outputs, expected %d", s.name, len(outputs), len(s.want.Outputs)))
	}
	return s.run(ctx, stage, 0, inputs, outputs)
}

// Step is RunInto for one of many runs that take a few milliseconds: on the goroutine of the caller, as another one would take a tenth
// of the time of a run of 100 microseconds. The end of ctx, or Close, ends it between two nodes of the graph: a node that blocks is waited
// for.
func (s *Session) Step(ctx context.Context, stage string, inputs, outputs []Tensor) error {
	u := s.unit.Load()
	if u.place != nil || s.seed {
		return s.RunInto(ctx, stage, inputs, outputs)
	}
	c, err := s.prepare(ctx, u, inputs, outputs)
	if err != nil {
		return err
	}
	defer s.runs.Done()
	defer s.free(c)
	stopped := make(chan struct{})
	release := context.AfterFunc(ctx, func() {
		defer close(stopped)
		_ = c.options.Terminate()
	})
	err = backend.Contain(c.run)
	if !release() {
		<-stopped
	}
	if err == nil {
		return c.results(outputs)
	}
	return s.ended(ctx, stage, err)
}

// prepare returns a run of u that has begun; the caller ends it with s.free and s.runs.Done.
func (s *Session) prepare(ctx context.Context, u *unit, inputs, outputs []Tensor) (*call, error) {
	if err := ctx.Err(); err != nil {
		return nil, backend.ErrCancelled.WithCause(err)
	}
	c, err := s.newCall(u, inputs, outputs)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", s.name, err)
	}
	if !s.begin(c) {
		c.free()
		return nil, s.errClosedSession()
	}
	return c, nil
}

func (s *Session) run(ctx context.Context, stage string, seed int64, inputs, outputs []Tensor) error {
	if s.seed {
		inputs = append(slices.Clip(inputs), NewTensor([]int64{spread(seed)}, 1))
	}
	if u := s.unit.Load(); u.place != nil {
		if again, err := s.runOnGPU(ctx, stage, u, inputs, outputs); !again || err != nil {
			return err
		}
	}
	return s.runOn(ctx, s.unit.Load(), stage, inputs, outputs, func(error) {})
}

// runOn runs u. It calls after with its error when the library has ended the run, which may be later if it was cancelled.
func (s *Session) runOn(ctx context.Context, u *unit, stage string, inputs, outputs []Tensor, after func(error)) error {
	c, err := s.prepare(ctx, u, inputs, outputs)
	if err != nil {
		after(err)
		return err
	}
	var failure error // read after done is closed
	done := make(chan struct{})
	go func() {
		defer close(done)
		failure = s.ended(ctx, stage, backend.Contain(c.run))
	}()
	release := func(err error) {
		defer s.runs.Done()
		defer after(err)
		s.free(c)
	}
	select {
	case <-done:
		if err = failure; err == nil {
			err = c.results(outputs)
		}
		release(err)
		return err
	case <-ctx.Done():
		err = backend.ErrCancelled.WithCause(ctx.Err())
	case <-s.closing:
		err = s.errClosedSession()
	}
	c.stop(done, func() { release(err) })
	return err
}

// ended returns the error of a run that ended with err.
func (s *Session) ended(ctx context.Context, stage string, err error) error {
	switch cause := ctx.Err(); {
	case err == nil:
		return nil
	case cause != nil:
		return backend.ErrCancelled.WithCause(cause)
	case s.closed():
		return s.errClosedSession()
	case outOfMemory(err):
		return errMemoryShort("There was not enough memory for " + stage + ".").WithCause(err)
	}
	return engines.Failed(stage, err)
}

// call is one run with everything that has to be freed after it. Its values keep the memory of the tensors alive.
type call struct {
	unit    *unit
	options *ort.RunOptions
	inputs  []ort.Value
	outputs []ort.Value // nil where the library allocates
}

func (s *Session) newCall(u *unit, inputs, outputs []Tensor) (c *call, err error) {
	values := make([]ort.Value, len(inputs)+len(outputs))
	c = &call{unit: u, inputs: values[:len(inputs)], outputs: values[len(inputs):]}
	defer func() {
		if err != nil {
			c.free()
			c = nil
		}
	}()
	for i, t := range inputs {
		if c.inputs[i], err = t.value(); err != nil {
			return c, fmt.Errorf("input %d: %w", i, err)
		}
	}
	for i, t := range outputs {
		switch {
		case s.want.Outputs[i].Rank == 0: // the binding cannot return a scalar that the library allocated
			t = zero(s.want.Outputs[i].Type)
		case t.data == nil:
			continue
		}
		if c.outputs[i], err = t.value(); err != nil {
			return c, fmt.Errorf("output %d: %w", i, err)
		}
	}
	if c.options, err = ort.NewRunOptions(); err != nil {
		return c, fmt.Errorf("make run options: %w", err)
	}
	return c, nil
}

func (c *call) run() error {
	if c.unit.place == nil {
		return c.unit.session.RunWithOptions(c.inputs, c.outputs, c.options)
	}
	return c.unit.place.provider.Do(func() error { return c.unit.session.RunWithOptions(c.inputs, c.outputs, c.options) })
}

// results stores what the run returned in outputs, unless the library wrote it there.
func (c *call) results(outputs []Tensor) error {
	for i, v := range c.outputs {
		if outputs[i].data != nil && len(outputs[i].shape) > 0 {
			continue // it is there
		}
		t, err := tensorOf(v)
		if err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
		outputs[i] = t
	}
	return nil
}

// stop requests the end of the run and releases it, in the background if the current node takes longer than grace.
func (c *call) stop(done <-chan struct{}, release func()) {
	_ = c.options.Terminate()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-done:
		release()
	case <-timer.C:
		go func() {
			<-done
			_ = backend.Contain(func() error { // nobody waits for it
				release()
				return nil
			})
		}()
	}
}

func (c *call) free() {
	for _, side := range [...][]ort.Value{c.inputs, c.outputs} {
		for _, v := range side {
			if v != nil {
				_ = v.Destroy()
			}
		}
	}
	if c.options != nil {
		_ = c.options.Destroy()
	}
}
