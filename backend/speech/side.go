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

	// whole is set where the segment must be made without its reader, who may wait for one that is begun after it.
	whole bool
	late  []engines.Sound // of a whole one: what does not fit into Out
}

const (
	// aheadBuffers is how many buffers a segment may make ahead of its turn; one buffer is about a sentence.
	aheadBuffers = 64
	// aheadSegments is how many segments for each worker are held in memory: enough that one long sentence does not keep the
	// other workers waiting.
	aheadSegments = 6
	// lastSegments is how many segments for each worker are begun in the order of their size at the end of a text, as otherwise
	// a long one that is begun last leaves the other workers without work.
	lastSegments = 2
)

// Work is what SideBySide does.
type Work struct {
	Workers int
	Sizes   []int // of the segments, in any unit of time that they take
	Ordered bool  // they are also begun in their order at the end of the text, for somebody who waits for each of them

	Speak func(ctx context.Context, i int, emit func(engines.Sound) error) error
	Take  func(i int, f *Feed) error
}

// SideBySide synthesizes segments, as many at once as there are workers, and calls Take for each in order: Take reads the audio as
// it comes. Speak is called in the order of the segments but for the last ones, and gives its samples away: nobody changes them any
// more. The first error ends all; no goroutine is left when it returns.
func SideBySide(ctx context.Context, w Work) error {
	var work sync.WaitGroup
	defer work.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	feeds, running := make(chan *Feed, aheadSegments*w.Workers), make(chan struct{}, w.Workers)
	begin := func(i int, f *Feed) bool {
		if !send(ctx, running, struct{}{}) {
			return false
		}
		work.Go(func() {
			f.Err = backend.Contain(func() error { return w.Speak(ctx, i, f.emitTo(ctx)) })
			<-running
			f.end(ctx)
		})
		return true
	}
	work.Go(func() {
		defer close(feeds)
		last := w.last()
		late := map[int]*Feed{} // that were not begun
		defer func() {
			for _, f := range late {
				f.Err = backend.ErrCancelled.WithCause(ctx.Err())
				close(f.Out)
			}
		}()
		for i := range w.Sizes {
			f := &Feed{Out: make(chan engines.Sound, aheadBuffers)}
			if slices.Contains(last, i) {
				late[i], f.whole = f, true
			} else if !begin(i, f) {
				return
			}
			if !send(ctx, feeds, f) {
				return
			}
		}
		for _, i := range last {
			if !begin(i, late[i]) {
				return
			}
			delete(late, i)
		}
	})
	for i := range w.Sizes {
		f, ok := <-feeds
		if !ok {
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		if err := w.Take(i, f); err != nil {
			return err
		}
	}
	return nil
}

// last returns the segments that are begun after all others, the largest first. The first segment of a text is none of them, as
// somebody may wait for it.
func (w Work) last() []int {
	if w.Ordered || w.Workers == 1 {
		return nil
	}
	var last []int
	for i := max(1, len(w.Sizes)-lastSegments*w.Workers); i < len(w.Sizes); i++ {
		last = append(last, i)
	}
	slices.SortStableFunc(last, func(a, b int) int { return w.Sizes[b] - w.Sizes[a] })
	return last
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

// emitTo returns a function that sends audio to the reader of the feed.
func (f *Feed) emitTo(ctx context.Context) func(engines.Sound) error {
	return func(s engines.Sound) error {
		if len(f.late) == 0 {
			select {
			case f.Out <- s: // also when ctx has ended, so that a finished segment is stored
				return nil
			default:
			}
		}
		if f.whole {
			f.late = append(f.late, s)
			return nil
		}
		select {
		case f.Out <- s:
			return nil
		case <-ctx.Done():
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
}

// end sends the rest of the audio, and closes the feed.
func (f *Feed) end(ctx context.Context) {
	defer close(f.Out)
	for _, s := range f.late {
		if !send(ctx, f.Out, s) {
			f.Err = backend.ErrCancelled.WithCause(ctx.Err())
			return
		}
	}
}
