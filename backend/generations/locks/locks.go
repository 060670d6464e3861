// Package locks has locks by name.
package locks

import (
	"context"
	"sync"

	"github.com/voicewright/voicewright/backend"
)

// Locks are locks by name, such as a generation whose file is being replaced. The zero value is ready.
type Locks struct {
	mu   sync.Mutex
	held map[string]chan struct{} // closed when the holder is done
}

// Lock blocks until it holds name. The caller calls unlock once. Error: cancelled.
func (l *Locks) Lock(ctx context.Context, name string) (unlock func(), err error) {
	for {
		l.mu.Lock()
		busy, ok := l.held[name]
		if !ok {
			if l.held == nil {
				l.held = map[string]chan struct{}{}
			}
			mine := make(chan struct{})
			l.held[name] = mine
			l.mu.Unlock()
			return func() {
				l.mu.Lock()
				delete(l.held, name)
				l.mu.Unlock()
				close(mine)
			}, nil
		}
		l.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
}
