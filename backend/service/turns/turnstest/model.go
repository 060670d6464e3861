package turnstest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// model is what a queue of two processes has to be: two turns, and callers that wait in one order.
type model struct {
	queue          int
	running        map[seat]bool
	first, waiting []seat
}

// seat is a caller of a process.
type seat struct {
	process int
	number  int64
}

func (m *model) arrive(s seat, priority bool) (refused bool) {
	switch {
	case len(m.running) < 2:
		m.running[s] = true
	case len(m.first)+len(m.waiting) >= m.queue:
		return true
	case priority:
		m.first = append(m.first, s)
	default:
		m.waiting = append(m.waiting, s)
	}
	return false
}

func (m *model) leave(s seat) {
	m.remove(s)
	if all := slices.Concat(m.first, m.waiting); len(all) > 0 && len(m.running) < 2 {
		m.remove(all[0])
		m.running[all[0]] = true
	}
}

func (m *model) remove(s seat) {
	is := func(o seat) bool { return o == s }
	delete(m.running, s)
	m.first, m.waiting = slices.DeleteFunc(m.first, is), slices.DeleteFunc(m.waiting, is)
}

// Whatever arrives and leaves, turns go to who is first, and none is left over while somebody waits.
func testModel(t *testing.T, p Processes, _, _ *process) {
	rapid.Check(t, func(t *rapid.T) {
		p.Kill("a")
		p.Kill("b")
		queue := rapid.IntRange(0, 4).Draw(t, "queue")
		m := &model{queue: queue, running: map[seat]bool{}}
		both := []*process{newProcess("a", p.A, queue), newProcess("b", p.B, queue)}
		m.live(t, both)
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			i := rapid.IntRange(0, 1).Draw(t, "process")
			one := both[i]
			if len(one.Callers) > 0 && rapid.Bool().Draw(t, "leaves") {
				c := rapid.SampledFrom(one.Callers).Draw(t, "caller")
				one.leave(t, c.Number)
				m.leave(seat{i, c.Number})
			} else {
				priority := rapid.Bool().Draw(t, "priority")
				refused := len(one.arrive(t, priority)) > 0
				require.Equal(t, m.arrive(seat{i, one.last}, priority), refused)
			}
			m.check(t, both)
		}
	})
}

// live makes both processes known to the store.
func (m *model) live(t tester, both []*process) {
	for _, p := range both {
		p.arrive(t, false)
	}
	for _, p := range both {
		p.leave(t, p.last)
	}
}

func (m *model) check(t tester, both []*process) {
	running := map[seat]bool{}
	for i, p := range both {
		for _, number := range p.running(t) {
			running[seat{i, number}] = true
		}
	}
	require.Equal(t, m.running, running)
}
