package speech

import (
	"context"
	"sync"

	"github.com/voicewright/voicewright/backend"
)

// sound is audio that is being made, for its listeners.
type sound interface {
	format() (rate, channels int)
	// length returns how many frames there are so far.
	length() int64
	// read calls emit with the frames [from, to), block by block.
	read(ctx context.Context, from, to int64, emit func([]float32) error) error
	// follow calls emit with all frames from one on, block by block, and waits for those to come until the writer has ended.
	follow(ctx context.Context, from int64, emit func([]float32) error) error
	// retain adds a reader. It reports false when nothing uses the files any more: they are removed.
	retain() bool
	// release removes the writer or a reader. The last one removes the files.
	release() error
	// end signals readers that nothing more follows.
	end()
}

// growth is how much has been written, for a writer and its readers.
type growth struct {
	mu    sync.Mutex
	size  int64
	grown chan struct{} // closed and replaced when size grew or the writer ended
	ended bool
	users int // writer and readers
}

// begin makes the caller the writer.
func (g *growth) begin() { g.grown, g.users = make(chan struct{}), 1 }

// add says that there is more.
func (g *growth) add(n int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.size += n
	g.wakeReaders()
}

// end signals readers that nothing more follows.
func (g *growth) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ended = true
	g.wakeReaders()
}

func (g *growth) wakeReaders() {
	close(g.grown)
	g.grown = make(chan struct{})
}

func (g *growth) state() (size int64, ended bool, grown <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.size, g.ended, g.grown
}

// retain adds a reader. It reports false when there is neither a writer nor a reader any more.
func (g *growth) retain() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.users == 0 {
		return false
	}
	g.users++
	return true
}

// leave removes the writer or a reader, and reports whether it was the last one.
func (g *growth) leave() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.users--
	return g.users == 0
}

// follow calls read with each part that is written from a place on, until the writer has ended.
func (g *growth) follow(ctx context.Context, at int64, read func(from, to int64) error) error {
	for {
		size, ended, grown := g.state()
		if at >= size {
			if ended {
				return nil
			}
			select {
			case <-grown:
			case <-ctx.Done():
				return backend.ErrCancelled.WithCause(ctx.Err())
			}
			continue
		}
		if err := read(at, size); err != nil {
			return err
		}
		at = size
	}
}
