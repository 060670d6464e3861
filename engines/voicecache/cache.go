// Package voicecache keeps what an engine computed from a reference, so that a voice is prepared once: in memory for the
// next sentence, and in a file beside the samples of its profile for the next start of the program. It compares keys and
// knows nothing of what it keeps.
package voicecache

import (
	"container/list"
	"context"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// Options say what a cache keeps.
type Options[T any] struct {
	Name    string                  // what a value depends on besides the reference: engine, model, revision
	Entries int                     // values in memory, at least 1
	Encode  func(T) ([]byte, error) // the content of a file
	Decode  func([]byte) (T, error) // must accept any bytes; after an error the value is computed again
}

// Cache holds the prepared voices of one loaded model. Callers share the values and do not change them. It is safe for
// concurrent use.
type Cache[T any] struct {
	options Options[T]

	mu      sync.Mutex
	entries map[string]*list.Element // by Reference.Key; the values are entry[T]
	order   *list.List               // the last used first
	flights map[string]*flight[T]    // by Reference.Key
}

type entry[T any] struct {
	key   string
	value T
}

// flight is a preparation in progress.
type flight[T any] struct {
	callers int // guarded by Cache.mu
	cancel  context.CancelFunc
	done    chan struct{} // closed when value and err are set
	value   T
	err     error
}

// New returns an empty cache.
func New[T any](o Options[T]) *Cache[T] {
	o.Entries = max(o.Entries, 1)
	return &Cache[T]{
		options: o, entries: map[string]*list.Element{}, order: list.New(), flights: map[string]*flight[T]{},
	}
}

// Get returns the value of a reference: from memory, from its file, or from compute, and then the file is written for the next
// time. Callers that ask for the same reference at once share one preparation, which goes on until it ends or the last of
// them has left. A file that is damaged, belongs to something else or cannot be read or written never fails the call: the
// value is computed again. Errors: backend.ErrCancelled as soon as ctx ends; those of Reference.Audio and of compute.
func (c *Cache[T]) Get(
	ctx context.Context, ref *engines.Reference, compute func(ctx context.Context, in audio.Buffer) (T, error),
) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, backend.ErrCancelled.WithCause(err)
	}
	value, f := c.join(ctx, ref, compute)
	if f == nil {
		return value, nil
	}
	select {
	case <-f.done:
		return f.value, f.err
	case <-ctx.Done():
		c.leave(ref.Key, f)
		return none, backend.ErrCancelled.WithCause(ctx.Err())
	}
}

// Forget removes a reference from memory. A preparation in progress still answers its callers, and is not kept.
func (c *Cache[T]) Forget(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.flights, key)
	if e, ok := c.entries[key]; ok {
		c.order.Remove(e)
		delete(c.entries, key)
	}
}

// join returns the value in memory, or else the flight that prepares it.
func (c *Cache[T]) join(
	ctx context.Context, ref *engines.Reference, compute func(context.Context, audio.Buffer) (T, error),
) (T, *flight[T]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var none T
	if e, ok := c.entries[ref.Key]; ok {
		c.order.MoveToFront(e)
		return e.Value.(entry[T]).value, nil
	}
	if f, ok := c.flights[ref.Key]; ok {
		f.callers++
		return none, f
	}
	f := &flight[T]{callers: 1, done: make(chan struct{})}
	ctx, f.cancel = context.WithCancel(context.WithoutCancel(ctx))
	c.flights[ref.Key] = f
	go c.fly(ctx, f, *ref, compute)
	return none, f
}

// leave counts a caller out and cancels the preparation after the last one.
func (c *Cache[T]) leave(key string, f *flight[T]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.callers--; f.callers > 0 {
		return
	}
	f.cancel()
	if c.flights[key] == f {
		delete(c.flights, key)
	}
}

// fly prepares a value and puts it into memory.
func (c *Cache[T]) fly(ctx context.Context, f *flight[T], ref engines.Reference, compute func(context.Context, audio.Buffer) (T, error)) {
	defer f.cancel()
	err := backend.Contain(func() (err error) {
		f.value, err = c.prepare(ctx, f, ref, compute)
		return err
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.err = err; err == nil && c.flights[ref.Key] == f {
		c.keep(ref.Key, f.value)
	}
	if c.flights[ref.Key] == f {
		delete(c.flights, ref.Key)
	}
	close(f.done)
}

// prepare reads the value from its file, or computes it and writes the file unless the reference was forgotten.
func (c *Cache[T]) prepare(
	ctx context.Context, f *flight[T], ref engines.Reference, compute func(context.Context, audio.Buffer) (T, error),
) (T, error) {
	if value, ok := c.read(ref); ok {
		return value, nil
	}
	var none T
	in, err := ref.Audio(ctx)
	if err != nil {
		return none, err
	}
	value, err := compute(ctx, in)
	if err != nil {
		return none, err
	}
	if c.wanted(ref.Key, f) {
		c.write(ref, value)
	}
	return value, nil
}

// wanted reports whether a preparation has callers and was not forgotten.
func (c *Cache[T]) wanted(key string, f *flight[T]) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.flights[key] == f
}

// keep puts a value into memory and removes the ones that were not used for longest.
func (c *Cache[T]) keep(key string, value T) {
	c.entries[key] = c.order.PushFront(entry[T]{key, value})
	for c.order.Len() > c.options.Entries {
		last := c.order.Remove(c.order.Back()).(entry[T])
		delete(c.entries, last.key)
	}
}
