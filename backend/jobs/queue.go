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

	mu     sync.Mutex
	wake   *sync.Cond
	jobs   []J
	taken  int  // places reserved by requests whose row is being written
	idle   bool // the worker is idle: the next job starts at once and needs no place
	closed bool
}

// newQueue returns an empty queue in which up to limit jobs may wait. things names the jobs in the error of a full queue, such as
// "generations"; stopped is the error of reserve after close.
func newQueue[J comparable](limit int, things string, stopped error) *queue[J] {
	q := &queue[J]{limit: limit, things: things, stopped: stopped}
	q.wake = sync.NewCond(&q.mu)
	return q
}

// reserve reserves n places, or none. Errors: queue_full; after close the one of newQueue.
func (q *queue[J]) reserve(n int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return q.stopped
	}
	free := q.limit
	if q.idle {
		free++
	}
	if len(q.jobs)+q.taken+n > free {
		return backend.E(backend.CodeQueueFull, fmt.Sprintf("%d %s are waiting already.", q.limit, q.things),
			"Wait until some have finished, or cancel some.").With("retry_after", 5)
	}
	q.taken += n
	return nil
}

// giveBack frees n reserved places.
func (q *queue[J]) giveBack(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken -= n
}

// push adds a job in a reserved place. It returns false after close.
func (q *queue[J]) push(j J) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken--
	if q.closed {
		return false
	}
	q.jobs = append(q.jobs, j)
	q.wake.Signal()
	return true
}

// next blocks until there is a job; ok is false after close.
func (q *queue[J]) next() (j J, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == 0 && !q.closed {
		q.idle = true
		q.wake.Wait()
	}
	q.idle = false
	if q.closed {
		return j, false
	}
	j = q.jobs[0]
	q.jobs = slices.Delete(q.jobs, 0, 1)
	return j, true
}

// remove removes a waiting job and reports whether it was waiting.
func (q *queue[J]) remove(j J) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.jobs, j)
	if i < 0 {
		return false
	}
	q.jobs = slices.Delete(q.jobs, i, i+1)
	return true
}

// waiting returns the waiting jobs, the next one first.
func (q *queue[J]) waiting() []J {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.jobs)
}

// close ends the queue and returns the waiting jobs.
func (q *queue[J]) close() []J {
	q.mu.Lock()
	defer q.mu.Unlock()
	left := q.jobs
	q.jobs, q.closed = nil, true
	q.wake.Broadcast()
	return left
}
