package generations

import (
	"context"
	"sync"

	"github.com/voicewright/voicewright/backend"
)

// locks are locks by name, such as a generation whose file is being replaced. The zero value is ready.
type locks struct {
	mu   sync.Mutex
	held map[string]chan struct{} // closed when the holder is done
}

// lock blocks until it holds name. The caller calls unlock once. Error: cancelled.
func (l *locks) lock(ctx context.Context, name string) (unlock func(), err error) {
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

// Lock blocks until the caller alone may replace or remove the files of a generation or script. The caller calls unlock once.
// Error: cancelled.
func (a *Archive) Lock(ctx context.Context, id string) (unlock func(), err error) {
	return a.files.lock(ctx, id)
}

// Begin registers work outside the lines, so that Close waits for it and can cancel it. The caller calls end.
// Error: interrupted after Close.
func (s *Service) Begin(ctx context.Context) (_ context.Context, end func(), err error) {
	return s.jobs.Begin(ctx)
}
