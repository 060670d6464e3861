package onnx

import (
	"context"
	"fmt"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Bound is a small graph that runs again and again on the same memory, which saves a third of the time of a run that takes
// 100 microseconds. It is not safe for concurrent use.
type Bound struct {
	session         *Session
	inputs, outputs []Tensor
	mu              sync.Mutex // held to end the run, to free it and to replace it
	call            *call      // nil after Close
	stopped         bool
}

// Bind returns runs from inputs to outputs, in the order of the signature. Each run reads the present elements of the inputs,
// but those of a scalar are read once, and overwrites the elements of the outputs. Close frees it.
func (s *Session) Bind(inputs, outputs []Tensor) (*Bound, error) {
	c, err := s.newCall(s.unit.Load(), inputs, outputs)
	if err != nil {
		return nil, fmt.Errorf("bind %s: %w", s.name, err)
	}
	return &Bound{session: s, inputs: inputs, outputs: outputs, call: c}, nil
}

// Run computes the outputs. It looks at ctx only before it begins; Stop ends it earlier. stage names the work in errors.
// Errors: backend.ErrCancelled if ctx or the session has ended; backend.CodeOutOfMemory, backend.CodeEngineFailed.
func (b *Bound) Run(ctx context.Context, stage string) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	if !b.session.begin(nil) {
		return b.session.errClosedSession()
	}
	defer b.session.runs.Done()
	if u := b.session.unit.Load(); u.place != nil {
		if again, err := b.runOnGPU(ctx, stage, u); !again || err != nil {
			return err
		}
	}
	if err := b.rebind(); err != nil {
		return b.session.ended(ctx, stage, err)
	}
	return b.session.ended(ctx, stage, b.call.run())
}

// runOnGPU is a run of u, which is on a GPU. again reports that the graph is on the CPU now and the run is to be repeated.
func (b *Bound) runOnGPU(ctx context.Context, stage string, u *unit) (again bool, err error) {
	if err := u.place.wait(ctx, b.session.closing); err != nil {
		return false, err
	}
	defer u.place.leave()
	if !u.place.OnGPU() {
		return true, b.session.moveToCPU()
	}
	err = b.call.run()
	if err == nil && notNumbers(b.outputs) {
		err = errNotNumbers
	}
	b.mu.Lock()
	stopped := b.stopped
	b.mu.Unlock()
	if err == nil || stopped || ctx.Err() != nil {
		return false, b.session.ended(ctx, stage, err)
	}
	u.place.fail(engines.GPURun, err)
	return true, b.session.moveToCPU()
}

// rebind binds the graph anew if it was moved to the CPU since.
func (b *Bound) rebind() error {
	u := b.session.unit.Load()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.call.unit == u {
		return nil
	}
	c, err := b.session.newCall(u, b.inputs, b.outputs)
	if err != nil {
		return fmt.Errorf("bind %s: %w", b.session.name, err)
	}
	if b.stopped {
		_ = c.options.Terminate()
	}
	b.call.free()
	b.call = c
	return nil
}

// Stop ends the run in progress between two nodes of the graph, and all later ones. Callers use it when the context of
// Run ends, from any goroutine.
func (b *Bound) Stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stopped = true
	if b.call != nil {
		_ = b.call.options.Terminate()
	}
}

// Close frees what Bind made; the session stays open. Further calls do nothing.
func (b *Bound) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.call != nil {
		b.call.free()
		b.call = nil
	}
}
