package jobs

import (
	"fmt"
	"slices"
	"sync"

	"github.com/voicewright/voicewright/backend"
)

// queue holds the jobs that wait for one worker, first in first out. It is safe for concurrent use.
type queue[J comparable] struct {
	limit   int
	things  string
	stopped error

	mu      sync.Mutex
	wake    *sync.Cond
	waiting []J
	taken   int  // places reserved by requests whose row is being written
	idle    bool // the worker is idle: the next job starts at once and needs no place
	closed  bool
}

// newQueue returns an empty queue in which up to limit jobs may wait. things names the jobs in the error of a full queue, such as
// "generations"; stopped is the error of Reserve after Close.
func newQueue[J comparable](limit int, things string, stopped error) *queue[J] {
	q := &queue[J]{limit: limit, things: things, stopped: stopped}
	q.wake = sync.NewCond(&q.mu)
	return q
}

// Reserve reserves n places, or none. Errors: queue_full; after Close the one of newQueue.
func (q *queue[J]) Reserve(n int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return q.stopped
	}
	free := q.limit
	if q.idle {
		free++
	}
	if len(q.waiting)+q.taken+n > free {
		return backend.E(backend.CodeQueueFull, fmt.Sprintf("%d %s are waiting already.", q.limit, q.things),
			"Wait until some have finished, or cancel some.").With("retry_after", 5)
	}
	q.taken += n
	return nil
}

// GiveBack frees n reserved places.
func (q *queue[J]) GiveBack(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken -= n
}

// Push adds a job in a reserved place. It returns false after Close.
func (q *queue[J]) Push(j J) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken--
	if q.closed {
		return false
	}
	q.waiting = append(q.waiting, j)
	q.wake.Signal()
	return true
}

// Next blocks until there is a job; ok is false after Close.
func (q *queue[J]) Next() (j J, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && !q.closed {
		q.idle = true
		q.wake.Wait()
	}
	q.idle = false
	if q.closed {
		return j, false
	}
	j = q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1)
	return j, true
}

// Remove removes a waiting job and reports whether it was waiting.
func (q *queue[J]) Remove(j J) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.waiting, j)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	return true
}

// Waiting returns the waiting jobs, the next one first.
func (q *queue[J]) Waiting() []J {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.waiting)
}

// Close ends the queue and returns the waiting jobs.
func (q *queue[J]) Close() []J {
	q.mu.Lock()
	defer q.mu.Unlock()
	left := q.waiting
	q.waiting, q.closed = nil, true
	q.wake.Broadcast()
	return left
}
