package jobs

import "sync/atomic"

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

// run runs the jobs until the queue is closed.
func (l *Line[J]) run() {
	for j, ok := l.queue.next(); ok; j, ok = l.queue.next() {
		l.working.Store(true)
		l.moved()
		j.handle().run()
		l.working.Store(false)
	}
}
