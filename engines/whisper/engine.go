//go:build whisper

package whisper

import (
	"context"
	"errors"
	"math"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/whisper/internal/cpp"
)

// minSamples is the length of the shortest audio that the library transcribes, 100 ms.
const minSamples = engines.TranscriberRate / 10

// Engine transcribes with one loaded model, one run after another.
//
// The library looks only between its steps whether a run is to end, and a step can take seconds. So a run that is cancelled is
// abandoned: Transcribe returns at once, and the run ends by itself. Until then no other run begins, and Close waits.
type Engine struct {
	model model
	info  engines.Info

	mu      sync.Mutex
	running *run          // nil: none
	changed chan struct{} // closed and replaced when running or its state changes
	closed  bool
}

var _ engines.Transcriber = (*Engine)(nil)

// model is a *cpp.Model, or in tests one that runs as long as the test wants.
type model interface {
	Run(samples []float32, o cpp.RunOptions, events cpp.Events) (language string, err error)
	Multilingual() bool
	Close()
}

func newEngine(model model, info engines.Info) *Engine {
	return &Engine{model: model, info: info, changed: make(chan struct{})}
}

// Info returns what the model can do and how it runs.
func (e *Engine) Info() engines.Info { return e.info.Clone() }

// Transcribe implements engines.Transcriber. The text of a segment has the white space that precedes it in the whole text.
func (e *Engine) Transcribe(
	ctx context.Context, samples []float32, o engines.TranscribeOptions, emit func(backend.Segment) error,
) (string, error) {
	options, err := e.options(o)
	if err != nil {
		return "", err
	}
	if len(samples) < minSamples {
		return o.Language, nil
	}
	if !finite(samples) {
		return "", engines.Failed("transcribe", errors.New("whisper: the audio has samples that are no numbers"))
	}
	r := newRun(options, samples)
	if err := e.begin(ctx, r, o.Waiting); err != nil {
		return "", err
	}
	go func() {
		defer e.end()
		r.work(e.model)
	}()
	language, err := r.follow(ctx, o.Progress, emit)
	if err != nil {
		e.abandon(r)
		return "", err
	}
	return tag(language), nil
}

// options returns the options of a run. Error: backend.CodeLanguageNotSupported.
func (e *Engine) options(o engines.TranscribeOptions) (cpp.RunOptions, error) {
	english := !e.model.Multilingual()
	if english && o.Translate {
		return cpp.RunOptions{}, backend.E(backend.CodeLanguageNotSupported, "An English-only model cannot translate.",
			"Choose a model for all languages.")
	}
	code, err := code(o.Language, e.info.Languages)
	if err != nil {
		return cpp.RunOptions{}, err
	}
	if code == "" && english {
		code = "en" // detection would return any language
	}
	return cpp.RunOptions{
		Language: code, Prompt: shortened(o.Prompt), Threads: e.info.Threads, Translate: o.Translate, TokenTimes: o.Words,
	}, nil
}

// begin waits until no other run is going on, and makes r the running one. Error: backend.CodeCancelled.
func (e *Engine) begin(ctx context.Context, r *run, waiting func()) error {
	for {
		e.mu.Lock()
		closed, free, changed := e.closed, e.running == nil, e.changed
		abandoned := !free && e.running.stopped.Load()
		if err := ctx.Err(); err != nil || closed {
			e.mu.Unlock()
			return errCancelled(err)
		}
		if free {
			e.running = r
		}
		e.mu.Unlock()
		if free {
			return nil
		}
		if abandoned && waiting != nil {
			waiting()
			waiting = nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// errCancelled returns the error of work that was cancelled, or ended by Close if cause is nil.
func errCancelled(cause error) error {
	if cause == nil {
		cause = errClosed
	}
	return backend.ErrCancelled.WithCause(cause)
}

var errClosed = errors.New("whisper: the model is closed")

// end makes way for the next run.
func (e *Engine) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.running = nil
	e.change()
}

// abandon lets go of a run, which ends at the next step of the library.
func (e *Engine) abandon(r *run) {
	r.stopped.Store(true)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.change()
}

// change wakes those who wait. The caller holds e.mu.
func (e *Engine) change() {
	close(e.changed)
	e.changed = make(chan struct{})
}

// Close cancels the current run, waits for its end and frees the model.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	e.change()
	for e.running != nil {
		e.running.cancel()
		changed := e.changed
		e.mu.Unlock()
		<-changed
		e.mu.Lock()
	}
	e.model.Close()
	return nil
}

// finite reports whether all samples are numbers.
func finite(samples []float32) bool {
	for _, s := range samples {
		if math.IsNaN(float64(s)) || math.IsInf(float64(s), 0) {
			return false
		}
	}
	return true
}
