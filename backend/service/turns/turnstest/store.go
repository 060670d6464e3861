// Package turnstest has a store of turns in memory, for tests of queues that processes share, and the suite that stores of turns pass.
package turnstest

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend/service/turns"
)

// Store keeps lines in memory.
type Store struct {
	mu    sync.Mutex
	alive map[string]bool
	rows  []*row
	last  int64
	err   error
}

// row is a caller of a process.
type row struct {
	provider, instance string
	caller             turns.Caller
	at                 time.Time
	id                 int64
	turn               bool
}

var _ turns.Store = (*Store)(nil)

// New returns a store in which processes live.
func New(instances ...string) *Store {
	s := &Store{alive: map[string]bool{}}
	for _, id := range instances {
		s.alive[id] = true
	}
	return s
}

// Kill does what the store does with a process that is taken for dead.
func (s *Store) Kill(instance string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.alive, instance)
	s.remove(func(r *row) bool { return r.instance == instance })
}

// Forget loses all lines.
func (s *Store) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows = nil
}

// Fail makes Exchange return an error, until that is nil.
func (s *Store) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

// Count returns how many callers wait, of all processes, and how many have their turn.
func (s *Store) Count(provider string) (waiting, turns int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	turns = s.count(func(r *row) bool { return r.provider == provider && r.turn })
	return s.count(func(r *row) bool { return r.provider == provider }) - turns, turns
}

// Exchange implements turns.Store.
func (s *Store) Exchange(ctx context.Context, l turns.Line) (turns.Answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := cmp.Or(ctx.Err(), s.err); err != nil {
		return turns.Answer{}, err
	}
	mine := func(r *row) bool { return r.provider == l.Provider && r.instance == l.Instance }
	s.remove(func(r *row) bool {
		return mine(r) && !slices.ContainsFunc(l.Callers, func(c turns.Caller) bool { return c.Number == r.caller.Number })
	})
	for _, c := range l.Callers {
		s.alive[l.Instance] = true
		s.add(l, c)
	}
	s.giveTurns(l)
	var a turns.Answer
	for _, r := range s.rows {
		if mine(r) && r.turn {
			a.Turns = append(a.Turns, r.caller.Number)
		}
	}
	a.Refused = s.refuse(l)
	return a, nil
}

// add adds a caller that has no row.
func (s *Store) add(l turns.Line, c turns.Caller) {
	i := slices.IndexFunc(s.rows, func(r *row) bool {
		return r.provider == l.Provider && r.instance == l.Instance && r.caller.Number == c.Number
	})
	if i >= 0 {
		s.rows[i].caller = c
		s.rows[i].turn = s.rows[i].turn || c.Running
		return
	}
	s.last++
	r := &row{provider: l.Provider, instance: l.Instance, caller: c, at: time.Now(), id: s.last, turn: c.Running}
	if c.Known {
		r.at = r.at.Add(-c.Waited)
	}
	s.rows = append(s.rows, r)
}

// giveTurns marks the callers that get the turns which are free.
func (s *Store) giveTurns(l turns.Line) {
	among := func(r *row) bool { return r.provider == l.Provider && (!l.Own || r.instance == l.Instance) }
	free := len(s.alive)
	if l.Own {
		free = 1
	}
	free -= s.count(func(r *row) bool { return among(r) && r.turn })
	slices.SortFunc(s.rows, func(a, b *row) int {
		if a.caller.Priority != b.caller.Priority {
			return map[bool]int{true: -1, false: 1}[a.caller.Priority]
		}
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id))
	})
	for _, r := range s.rows {
		if free > 0 && among(r) && !r.turn {
			r.turn = true
			free--
		}
	}
}

// refuse removes the last of the new callers of a line, as long as too many wait, and returns their numbers.
func (s *Store) refuse(l turns.Line) (refused []int64) {
	over := s.count(func(r *row) bool { return r.provider == l.Provider && !r.turn }) - l.Queue
	for _, c := range slices.Backward(l.Callers) {
		fresh := func(r *row) bool {
			return r.provider == l.Provider && r.instance == l.Instance && r.caller.Number == c.Number && !r.turn && !c.Known
		}
		if over > 0 && s.count(fresh) > 0 {
			s.remove(fresh)
			refused = append(refused, c.Number)
			over--
		}
	}
	return refused
}

func (s *Store) remove(which func(*row) bool) { s.rows = slices.DeleteFunc(s.rows, which) }

func (s *Store) count(those func(*row) bool) (n int) {
	for _, r := range s.rows {
		if those(r) {
			n++
		}
	}
	return n
}
