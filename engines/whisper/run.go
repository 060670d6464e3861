//go:build whisper

package whisper

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/whisper/internal/cpp"
)

// run is one call of the library. work makes it, on its own goroutine; follow passes on what it finds, on the caller's.
type run struct {
	options cpp.RunOptions
	samples []float32

	stopped atomic.Bool   // it is to end
	closing chan struct{} // closed when the engine is closed
	news    chan struct{} // there is something in found, or done changed
	ended   chan struct{} // closed when language and err are set

	mu       sync.Mutex
	segments []cpp.Segment
	done     float64

	language string
	err      error

	emitted int // segments
	closes  sync.Once
}

func newRun(o cpp.RunOptions, samples []float32) *run {
	return &run{
		options: o, samples: samples,
		closing: make(chan struct{}), news: make(chan struct{}, 1), ended: make(chan struct{}),
	}
}

// work calls the library, and returns when it is done or noticed that the run is stopped.
func (r *run) work(model model) {
	defer close(r.ended)
	r.err = engines.Contain("transcribe", func() (err error) {
		r.language, err = model.Run(r.samples, r.options, cpp.Events{Stopped: r.stopped.Load, Progress: r.add})
		return err
	})
}

// add stores news of the library; it does not wait for the caller.
func (r *run) add(segments []cpp.Segment, done float64) {
	r.mu.Lock()
	r.segments = append(r.segments, segments...)
	r.done = done
	r.mu.Unlock()
	select {
	case r.news <- struct{}{}:
	default:
	}
}

// take returns what was added since the last call.
func (r *run) take() ([]cpp.Segment, float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	segments := r.segments
	r.segments = nil
	return segments, r.done
}

// cancel makes follow return, and the run end soon.
func (r *run) cancel() {
	r.stopped.Store(true)
	r.closes.Do(func() { close(r.closing) })
}

// follow passes on segments and progress until the run ends. When ctx ends or emit fails, it returns without waiting for the run.
func (r *run) follow(ctx context.Context, progress func(float64), emit func(backend.Segment) error) (string, error) {
	for {
		ended := false
		select {
		case <-ctx.Done():
			return "", errCancelled(ctx.Err())
		case <-r.closing:
			return "", errCancelled(nil)
		case <-r.news:
		case <-r.ended:
			ended = true
		}
		if err := r.pass(ctx, progress, emit); err != nil {
			return "", err
		}
		if ended {
			return r.result()
		}
	}
}

// pass calls emit and progress with what is new.
func (r *run) pass(ctx context.Context, progress func(float64), emit func(backend.Segment) error) error {
	segments, done := r.take()
	return engines.Contain("emit", func() error {
		for _, s := range segments {
			if err := ctx.Err(); err != nil {
				return errCancelled(err)
			}
			segment := r.segment(s)
			if segment.End <= segment.Start {
				continue // beyond the end of the audio
			}
			r.emitted++
			if err := emit(segment); err != nil {
				return err
			}
		}
		if progress != nil {
			progress(done)
		}
		return nil
	})
}

// result returns the language and the error of a run that ended.
func (r *run) result() (string, error) {
	switch {
	case r.err == nil:
		return r.language, nil
	case errors.Is(r.err, cpp.ErrStopped):
		return "", errCancelled(nil)
	case errors.Is(r.err, cpp.ErrOutOfMemory):
		return "", errMemoryShort("There is not enough memory to transcribe with this model.", r.err)
	case backend.CodeOf(r.err) != backend.CodeInternal:
		return "", r.err
	default:
		return "", engines.Failed("transcribe", r.err)
	}
}
