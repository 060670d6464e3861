// Package run holds what is known of the books that are generated while the program runs.
package run

import (
	"slices"
	"sync"
	"time"
)

// Turns says which book is generated next. It is safe for concurrent use.
type Turns struct {
	mu      sync.Mutex
	asked   []string // books that were requested since the start, in order
	resumed bool     // all others come after them
}

// Ask adds a book that was requested.
func (t *Turns) Ask(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slices.Contains(t.asked, id) {
		t.asked = append(t.asked, id)
	}
}

// Resume adds all books.
func (t *Turns) Resume() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.resumed = true
}

// Next reTurns the next one of books with chapters that are wanted.
func (t *Turns) Next(wanted []string) (id string, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked = slices.DeleteFunc(t.asked, func(id string) bool { return !slices.Contains(wanted, id) })
	switch {
	case len(t.asked) > 0:
		return t.asked[0], true
	case t.resumed:
		return wanted[0], true
	default:
		return "", false
	}
}

// Stopped are the generations that their books ended, until they go on. It is safe for concurrent use.
type Stopped struct {
	mu  sync.Mutex
	ids map[string]bool
}

// Set notes whether a book ended a generation, and returns what was noted before.
func (s *Stopped) Set(id string, stopped bool) (before bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before = s.ids[id]
	if delete(s.ids, id); !stopped {
		return before
	}
	if s.ids == nil {
		s.ids = map[string]bool{}
	}
	s.ids[id] = true
	return before
}

// Times are when books began to be generated. They are safe for concurrent use.
type Times struct {
	mu    sync.Mutex
	begun map[string]progress
}

// progress is how many characters of a book were generated at a time.
type progress struct {
	at   time.Time
	done float64
}

// NewTimes returns the times of no book.
func NewTimes() *Times { return &Times{begun: map[string]progress{}} }

// Forget begins to measure a book anew.
func (r *Times) Forget(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.begun, id)
}

// Left returns how many seconds generating the characters that are left takes at the pace so far, nil where that is unknown.
func (r *Times) Left(id string, now time.Time, generating bool, done, left float64) *float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	begun, ok := r.begun[id]
	switch {
	case !generating:
		delete(r.begun, id)
		return nil
	case !ok || done < begun.done:
		r.begun[id] = progress{now, done}
		return nil
	case done == begun.done:
		return nil
	}
	seconds := now.Sub(begun.at).Seconds() / (done - begun.done) * left
	return &seconds
}
