package speech

import (
	"context"
	"slices"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Feed is a segment in synthesis, perhaps ahead of its turn. err is read after out is closed.
type Feed struct {
	Out chan engines.Sound
	Err error
}

const (
	// aheadBuffers is how many buffers a segment may make ahead of its turn; one buffer is about a sentence.
	aheadBuffers = 64
	// aheadSegments is how many segments for each worker are held in memory: enough that one long sentence does not keep the
	// other workers waiting.
	aheadSegments = 4
)

// SideBySide synthesizes n segments, as many at once as there are workers, and calls take for each in order: take reads the
// audio as it comes. speak is called in the order of the segments. The first error ends all; no goroutine is left when it
// returns.
func SideBySide(
	ctx context.Context, n, workers int,
	speak func(ctx context.Context, i int, emit func(engines.Sound) error) error,
	take func(i int, f *Feed) error,
) error {
	var work sync.WaitGroup
	defer work.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	feeds, running := make(chan *Feed, aheadSegments*workers), make(chan struct{}, workers)
	work.Go(func() {
		defer close(feeds)
		for i := range n {
			f := &Feed{Out: make(chan engines.Sound, aheadBuffers)}
			if !send(ctx, running, struct{}{}) || !send(ctx, feeds, f) {
				return
			}
			work.Go(func() {
				f.Err = backend.Contain(func() error { return speak(ctx, i, f.emitTo(ctx)) })
				close(f.Out)
				<-running
			})
		}
	})
	for i := range n {
		f, ok := <-feeds
		if !ok {
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		if err := take(i, f); err != nil {
			return err
		}
	}
	return nil
}

// send sends a value, and returns false if ctx ends first.
func send[T any](ctx context.Context, to chan<- T, value T) bool {
	if ctx.Err() != nil {
		return false
	}
	select {
	case to <- value:
		return true
	case <-ctx.Done():
		return false
	}
}

// emitTo copies the samples, which belong to the engine.
func (f *Feed) emitTo(ctx context.Context) func(engines.Sound) error {
	return func(s engines.Sound) error {
		s.Samples = slices.Clone(s.Samples)
		select {
		case f.Out <- s: // also when ctx has ended, so that a finished segment is stored
			return nil
		default:
		}
		select {
		case f.Out <- s:
			return nil
		case <-ctx.Done():
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
}
