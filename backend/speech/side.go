package speech

import (
	"context"
	"slices"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// sound is what a chunk emits: samples, and the words in them with times from their start.
type sound struct {
	audio.Buffer
	words []backend.Word
}

// feed is a chunk that is spoken, perhaps ahead of its turn. err is read after out is closed.
type feed struct {
	out chan sound
	err error
}

// aheadBuffers is how many buffers a chunk may make ahead of its turn; one buffer is about a sentence.
const aheadBuffers = 64

// sideBySide speaks n chunks, width at once, and hands each over in its turn: take reads the chunk's sound as it comes.
// speak is called in the order of the chunks. The first error ends all; nothing runs any more when it returns. At most
// 2 x width chunks are held in memory.
func sideBySide(
	ctx context.Context, n, width int,
	speak func(ctx context.Context, i int, emit func(sound) error) error,
	take func(i int, f *feed) error,
) error {
	feeds := make([]*feed, n)
	for i := range feeds {
		feeds[i] = &feed{out: make(chan sound, aheadBuffers)}
	}
	var work sync.WaitGroup
	defer work.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ahead, running := make(chan struct{}, 2*width), make(chan struct{}, width)
	work.Go(func() {
		for i, f := range feeds {
			if !enter(ctx, ahead) || !enter(ctx, running) {
				f.err = backend.ErrCancelled.Because(ctx.Err())
				close(f.out)
				continue
			}
			work.Go(func() {
				f.err = backend.Contain(func() error { return speak(ctx, i, f.emitTo(ctx)) })
				close(f.out)
				<-running
			})
		}
	})
	for i, f := range feeds {
		if err := take(i, f); err != nil {
			return err
		}
		<-ahead
	}
	return nil
}

func enter(ctx context.Context, places chan<- struct{}) bool {
	if ctx.Err() != nil {
		return false
	}
	select {
	case places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// emitTo copies the samples, which belong to the engine.
func (f *feed) emitTo(ctx context.Context) func(sound) error {
	return func(s sound) error {
		s.Samples = slices.Clone(s.Samples)
		select {
		case f.out <- s:
			return nil
		case <-ctx.Done():
			return backend.ErrCancelled.Because(ctx.Err())
		}
	}
}
