package speech

import (
	"context"
	"sync"

	"github.com/voicewright/voicewright/backend"
)

// Sound is audio that is being made, for its listeners.
type Sound interface {
	Format() (rate, channels int)
	// length returns how many frames there are so far.
	Length() int64
	// read calls emit with the frames [from, to), block by block.
	Read(ctx context.Context, from, to int64, emit func([]float32) error) error
	// follow calls emit with all frames from one on, block by block, and waits for those to come until the writer has ended.
	Follow(ctx context.Context, from int64, emit func([]float32) error) error
	// retain adds a reader. It reports false when nothing uses the files any more: they are removed.
	Retain() bool
	// release removes the writer or a reader. The last one removes the files.
	Release() error
	// end signals readers that nothing more follows.
	End()
}

// Growth is how much has been written, for a writer and its readers.
type Growth struct {
	Mu    sync.Mutex
	size  int64
	grown chan struct{} // closed and replaced when size grew or the writer ended
	ended bool
	users int // writer and readers
}

// Begin makes the caller the writer.
func (g *Growth) Begin() { g.grown, g.users = make(chan struct{}), 1 }

// Add says that there is more.
func (g *Growth) Add(n int64) {
	g.Mu.Lock()
	defer g.Mu.Unlock()
	g.size += n
	g.wakeReaders()
}

// End signals readers that nothing more follows.
func (g *Growth) End() {
	g.Mu.Lock()
	defer g.Mu.Unlock()
	g.ended = true
	g.wakeReaders()
}

func (g *Growth) wakeReaders() {
	close(g.grown)
	g.grown = make(chan struct{})
}

// State returns how much there is, whether nothing more follows, and what is closed when that changes.
func (g *Growth) State() (size int64, ended bool, grown <-chan struct{}) {
	g.Mu.Lock()
	defer g.Mu.Unlock()
	return g.size, g.ended, g.grown
}

// Retain adds a reader. It reports false when there is neither a writer nor a reader any more.
func (g *Growth) Retain() bool {
	g.Mu.Lock()
	defer g.Mu.Unlock()
	if g.users == 0 {
		return false
	}
	g.users++
	return true
}

// Leave removes the writer or a reader, and reports whether it was the last one.
func (g *Growth) Leave() bool {
	g.Mu.Lock()
	defer g.Mu.Unlock()
	g.users--
	return g.users == 0
}

// Follow calls read with each part that is written from a place on, until the writer has ended.
func (g *Growth) Follow(ctx context.Context, at int64, read func(from, to int64) error) error {
	for {
		size, ended, grown := g.State()
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
