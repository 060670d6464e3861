package speech

import (
	"fmt"
	"slices"
	"sync"

	"github.com/voicewright/voicewright/backend"
)

// queue holds the jobs that wait for one device, first in first out.
type queue struct {
	limit int

	mu      sync.Mutex
	wake    *sync.Cond
	waiting []*job
	taken   int  // places reserved by requests whose row is being written
	idle    bool // the worker is idle: the next job starts at once and needs no place
	closed  bool
}

func newQueue(limit int) *queue {
	q := &queue{limit: limit}
	q.wake = sync.NewCond(&q.mu)
	return q
}

// reserve reserves n places, or none. Errors: queue_full; interrupted after close.
func (q *queue) reserve(n int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return errStopped
	}
	free := q.limit
	if q.idle {
		free++
	}
	if len(q.waiting)+q.taken+n > free {
		return backend.E(backend.CodeQueueFull, fmt.Sprintf("%d generations are waiting already.", q.limit),
			"Wait until some have finished, or cancel some.").With("retry_after", 5)
	}
	q.taken += n
	return nil
}

// giveBack frees n reserved places.
func (q *queue) giveBack(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken -= n
}

// push adds a job in a reserved place. It returns false after close.
func (q *queue) push(j *job) bool {
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

// next blocks until there is a job; it returns nil after close.
func (q *queue) next() *job {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 && !q.closed {
		q.idle = true
		q.wake.Wait()
	}
	q.idle = false
	if q.closed {
		return nil
	}
	j := q.waiting[0]
	q.waiting = slices.Delete(q.waiting, 0, 1)
	return j
}

// remove removes a waiting job and reports whether it was waiting.
func (q *queue) remove(j *job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.waiting, j)
	if i < 0 {
		return false
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	return true
}

// close ends the queue and returns the waiting jobs.
func (q *queue) close() []*job {
	q.mu.Lock()
	defer q.mu.Unlock()
	left := q.waiting
	q.waiting, q.closed = nil, true
	q.wake.Broadcast()
	return left
}
