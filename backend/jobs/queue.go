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
	freed  chan struct{} // closed when the worker is idle and no job waits; nil while nobody asks
	behind func(J) bool  // the jobs that wait for all others; nil = none
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
	at := len(q.jobs)
	if q.behind != nil && !q.behind(j) {
		if first := slices.IndexFunc(q.jobs, q.behind); first >= 0 {
			at = first
		}
	}
	q.jobs = slices.Insert(q.jobs, at, j)
	q.wake.Signal()
	return true
}

// whenFree returns a channel that is closed when the worker is idle and no job waits, or the queue is closed, and whether that is so now.
func (q *queue[J]) whenFree() (freed <-chan struct{}, now bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || q.idle && len(q.jobs) == 0 {
		return nil, true
	}
	if q.freed == nil {
		q.freed = make(chan struct{})
	}
	return q.freed, false
}

// free wakes those who wait for whenFree. The caller holds the lock.
func (q *queue[J]) free() {
	if q.freed != nil {
		close(q.freed)
		q.freed = nil
	}
}

// next blocks until there is a job; ok is false after close.
func (q *queue[J]) next() (j J, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == 0 && !q.closed {
		q.idle = true
		q.free()
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
	q.free()
	q.wake.Broadcast()
	return left
}
