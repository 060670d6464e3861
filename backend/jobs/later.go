package jobs

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// retryInterval is how often what could not be stored is tried again.
const retryInterval = 5 * time.Second

// Later keeps what could not be stored, for example on a full disk, and tries again until it can be stored or the program closes.
type Later[K comparable, V any] struct {
	begin   func() (ctx context.Context, end func(), err error)
	things  string
	log     *slog.Logger
	store   func(ctx context.Context, key K, value V) (done bool)
	writeMu sync.Mutex // held while values are stored, so that none is stored twice

	mu      sync.Mutex
	pending map[K]*V
	trying  bool // a goroutine tries again
}

// NewLater returns an empty Later that belongs to a Runner, whose Close ends its goroutine. store stores a value; done is false where it
// is to be tried again.
func NewLater[K comparable, V any, J Job](r *Runner[J], store func(ctx context.Context, key K, value V) (done bool)) *Later[K, V] {
	begin := func() (context.Context, func(), error) { return r.Begin(r.closing) }
	return &Later[K, V]{begin: begin, things: r.o.Things, log: r.o.Log, store: store, pending: map[K]*V{}}
}

// Add keeps a value, in place of an earlier one with the same key. After Close nothing is tried again but by Flush.
func (l *Later[K, V]) Add(key K, value V) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending[key] = &value
	if l.trying {
		return
	}
	ctx, end, err := l.begin()
	if err != nil {
		return
	}
	l.trying = true
	go func() {
		defer end()
		l.retry(ctx)
	}()
}

// Drop forgets the value of a key, which another one has replaced in the store.
func (l *Later[K, V]) Drop(key K) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.pending, key)
}

// Of returns the value that is kept for a key.
func (l *Later[K, V]) Of(key K) (value V, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if kept := l.pending[key]; kept != nil {
		return *kept, true
	}
	return value, false
}

// Flush tries to store everything now.
func (l *Later[K, V]) Flush(ctx context.Context) {
	l.writeMu.Lock()
	defer l.writeMu.Unlock()
	l.mu.Lock()
	pending := maps.Clone(l.pending)
	l.mu.Unlock()
	for key, value := range pending {
		l.mu.Lock()
		replaced := l.pending[key] != value
		l.mu.Unlock()
		if replaced { // or dropped
			continue
		}
		done := false
		backend.Protect(l.log, "the ends of "+l.things, func() { done = l.store(ctx, key, *value) })
		if !done {
			continue
		}
		l.mu.Lock()
		if l.pending[key] == value { // else another one came meanwhile
			delete(l.pending, key)
		}
		l.mu.Unlock()
	}
}

// retry tries again until nothing is left or ctx ends.
func (l *Later[K, V]) retry(ctx context.Context) {
	tick := time.NewTicker(retryInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		l.Flush(ctx)
		l.mu.Lock()
		l.trying = len(l.pending) > 0
		trying := l.trying
		l.mu.Unlock()
		if !trying {
			return
		}
	}
}
