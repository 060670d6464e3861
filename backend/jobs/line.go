package jobs

import (
	"context"
	"sync/atomic"

	"github.com/voicewright/voicewright/backend"
)

// Line is a queue with a worker of its own, which runs one job at a time, first in first out.
type Line[J Job] struct {
	queue   *queue[J]
	working atomic.Bool
	moved   func()
}

// Reserve reserves n places, or none. Errors: queue_full; after Close that of the Runner.
func (l *Line[J]) Reserve(n int) error { return l.queue.reserve(n) }

// GiveBack frees n reserved places.
func (l *Line[J]) GiveBack(n int) { l.queue.giveBack(n) }

// Waiting returns the jobs that wait for others, the next one first. There are none while the worker is idle: the next one starts at
// once.
func (l *Line[J]) Waiting() []J {
	if !l.working.Load() {
		return nil
	}
	return l.queue.waiting()
}

// SetBehind makes the jobs for which behind is true wait for all others of the line. It is called before the first job.
func (l *Line[J]) SetBehind(behind func(J) bool) { l.queue.behind = behind }

// Free blocks until no job runs or waits in the line, or the line is closed. Error: cancelled.
func (l *Line[J]) Free(ctx context.Context) error {
	for {
		freed, now := l.queue.whenFree()
		if ctx.Err() != nil {
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		if now {
			return nil
		}
		select {
		case <-freed:
		case <-ctx.Done():
		}
	}
}

// run runs the jobs until the queue is closed.
func (l *Line[J]) run() {
	for j, ok := l.queue.next(); ok; j, ok = l.queue.next() {
		l.working.Store(true)
		l.moved()
		j.handle().run()
		l.working.Store(false)
	}
}
