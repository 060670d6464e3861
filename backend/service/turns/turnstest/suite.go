package turnstest

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/turns"
)

// Processes are two processes on one store, named a and b.
type Processes struct {
	A, B turns.Store // as each of them sees it
	// Kill does what the store does with a process that is taken for dead.
	Kill func(instance string)
}

// process is one of the processes of a test, with its line at a provider.
type process struct {
	turns.Line
	store turns.Store
	last  int64
}

// Run runs the suite. open returns an empty store, in which both processes live.
func Run(t *testing.T, open func(t *testing.T) Processes) {
	for name, test := range map[string]func(t *testing.T, p Processes, a, b *process){
		"OneOrder": testOneOrder, "OneBound": testOneBound, "Own": testOwn, "Death": testDeath, "Lost": testLost, "Again": testAgain,
		"Providers": testProviders, "GivenToOneThatLeft": testGivenToOneThatLeft, "Many": testMany, "Model": testModel,
		"Cancelled": testCancelled,
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t)
			test(t, p, newProcess("a", p.A, 8), newProcess("b", p.B, 8))
		})
	}
}

func newProcess(instance string, store turns.Store, queue int) *process {
	return &process{Line: turns.Line{Provider: "ProviderA", Instance: instance, Queue: queue}, store: store}
}

// tester is a test, or a check of rapid.
type tester interface {
	require.TestingT
	Context() context.Context
}

// update shows the store the line, and takes over what it answers.
func (p *process) update(t tester) (refused []int64) {
	answer, err := p.store.Exchange(t.Context(), p.Line)
	require.NoError(t, err)
	p.Callers = slices.DeleteFunc(p.Callers, func(c turns.Caller) bool { return slices.Contains(answer.Refused, c.Number) })
	for i, c := range p.Callers {
		p.Callers[i].Known = true
		p.Callers[i].Running = c.Running || slices.Contains(answer.Turns, c.Number)
	}
	return answer.Refused
}

// arrive adds callers, one for each priority, and shows it to the store.
func (p *process) arrive(t tester, priorities ...bool) (refused []int64) {
	for _, priority := range priorities {
		p.last++
		p.Callers = append(p.Callers, turns.Caller{Number: p.last, Priority: priority})
	}
	return p.update(t)
}

// leave removes a caller and shows it to the store.
func (p *process) leave(t tester, number int64) {
	p.Callers = slices.DeleteFunc(p.Callers, func(c turns.Caller) bool { return c.Number == number })
	p.update(t)
}

// running returns the numbers of those that have their turn, as the store says now.
func (p *process) running(t tester) []int64 {
	p.update(t)
	numbers := []int64{}
	for _, c := range p.Callers {
		if c.Running {
			numbers = append(numbers, c.Number)
		}
	}
	return numbers
}

// With turns that belong to no process, the next one goes to the first of all, those with priority before the others.
func testOneOrder(t *testing.T, _ Processes, a, b *process) {
	require.Empty(t, a.arrive(t, false))
	require.Empty(t, b.arrive(t, false))
	require.Equal(t, []int64{1}, a.running(t), "there is one turn for each process")
	require.Equal(t, []int64{1}, b.running(t))
	require.Empty(t, a.arrive(t, false)) // a2
	require.Empty(t, b.arrive(t, false)) // b2
	require.Empty(t, a.arrive(t, true))  // a3
	require.Empty(t, b.arrive(t, true))  // b3
	b.leave(t, 1)
	require.Empty(t, b.running(t))
	require.Equal(t, []int64{1, 3}, a.running(t))
	a.leave(t, 3)
	require.Equal(t, []int64{3}, b.running(t))
	a.leave(t, 1)
	require.Equal(t, []int64{2}, a.running(t))
	b.leave(t, 3)
	require.Equal(t, []int64{2}, b.running(t))
	b.leave(t, 2)
	a.leave(t, 2)
	require.Empty(t, a.Callers)
	require.Empty(t, a.arrive(t, false, true, false))
	require.Equal(t, []int64{4, 5}, a.running(t), "the one with priority and the first; one process may have all turns")
}

// Callers of both processes count; of those that arrive together the last are refused, with priority or without.
func testOneBound(t *testing.T, _ Processes, a, b *process) {
	a.Queue, b.Queue = 2, 2
	require.Empty(t, a.arrive(t, false, false))
	require.Empty(t, a.arrive(t, false))
	require.Equal(t, []int64{2, 3}, sorted(b.arrive(t, false, false, true)), "of the process b one waits")
	require.Equal(t, []int64{4}, a.arrive(t, true))
	a.leave(t, 1) // a3 gets its turn
	require.Equal(t, []int64{2, 3}, a.running(t))
	require.Equal(t, []int64{6}, a.arrive(t, false, false))
	b.leave(t, 1)
	require.Empty(t, b.arrive(t, false))
	a.Queue, b.Queue = 0, 0
	require.Equal(t, []int64{5}, b.arrive(t, true))
}

// A process whose engines speak has one turn of its own; only the bound is common.
func testOwn(t *testing.T, _ Processes, a, b *process) {
	a.Own, b.Own = true, true
	a.Queue, b.Queue = 2, 2
	require.Empty(t, a.arrive(t, false, false, true))
	require.Equal(t, []int64{3}, a.running(t), "the first of those that arrive together has priority")
	require.Empty(t, b.arrive(t, false))
	require.Equal(t, []int64{1}, b.running(t))
	require.Equal(t, []int64{2}, b.arrive(t, true), "those of the process a wait for it")
	b.leave(t, 1)
	require.Empty(t, b.running(t))
	require.Equal(t, []int64{3}, a.running(t), "the turn of the process b is for its own callers")
	a.leave(t, 3)
	require.Equal(t, []int64{1}, a.running(t))
	require.Empty(t, b.arrive(t, false, true))
	require.Equal(t, []int64{4}, b.running(t))
	b.leave(t, 4)
	require.Equal(t, []int64{3}, b.running(t))
}

// What a process that is taken for dead had is free. One that was only away has its calls counted again.
func testDeath(t *testing.T, p Processes, a, b *process) {
	b.Queue = 1
	require.Empty(t, a.arrive(t, false, false, false))
	require.Equal(t, []int64{1}, b.arrive(t, false))
	p.Kill("a")
	require.Empty(t, b.arrive(t, false, false))
	require.Equal(t, []int64{2}, b.running(t), "there is one turn while one process lives")
	b.Queue, a.Callers[2].Waited = 8, time.Minute
	require.Equal(t, []int64{1, 2}, a.running(t), "its calls run, whatever the store thought")
	a.leave(t, 1)
	require.Equal(t, []int64{2}, a.running(t))
	require.Equal(t, []int64{2}, b.running(t), "more than two do not run")
	a.leave(t, 2)
	require.Equal(t, []int64{3}, a.running(t), "who waited longer goes first")
	a.leave(t, 3)
	require.Equal(t, []int64{2, 3}, b.running(t))
}

// Places that the store has lost come back as they were, without a bound, and in the order of their arrival.
func testLost(t *testing.T, p Processes, a, b *process) {
	require.Empty(t, a.arrive(t, false, false))
	require.Empty(t, a.arrive(t, false))
	require.Empty(t, b.arrive(t, false))
	a.Callers[2].Waited, b.Callers[0].Waited = 2*time.Minute, time.Minute
	p.Kill("a")
	p.Kill("b")
	a.Queue, b.Queue = 0, 0
	b.Callers = append(b.Callers, turns.Caller{Number: 2, Known: true, Waited: time.Second})
	require.Equal(t, []int64{1}, b.running(t), "nobody else is known yet")
	require.Equal(t, []int64{1, 2}, a.running(t))
	a.leave(t, 1)
	a.leave(t, 2)
	require.Equal(t, []int64{3}, a.running(t))
	b.leave(t, 1)
	require.Equal(t, []int64{2}, b.running(t))
}

// The same line again changes nothing: a caller whose confirmation was lost is not refused for its own sake.
func testAgain(t *testing.T, p Processes, a, b *process) {
	a.Queue, b.Queue = 1, 1
	require.Empty(t, b.arrive(t, false))
	a.Callers = []turns.Caller{{Number: 1}, {Number: 2}, {Number: 3}}
	for range 3 {
		answer, err := a.store.Exchange(t.Context(), a.Line)
		require.NoError(t, err)
		require.Equal(t, turns.Answer{Turns: []int64{1}, Refused: []int64{3}}, plain(answer))
	}
	require.Equal(t, []int64{2}, b.arrive(t, false))
	a.Callers = nil
	for range 2 {
		answer, err := a.store.Exchange(t.Context(), a.Line)
		require.NoError(t, err)
		require.Equal(t, turns.Answer{}, plain(answer))
	}
}

// The queues of providers are apart.
func testProviders(t *testing.T, p Processes, a, b *process) {
	other := newProcess("a", p.A, 8)
	other.Provider = "ProviderB"
	require.Empty(t, a.arrive(t, false, false, false))
	require.Empty(t, other.arrive(t, false, false, false))
	require.Equal(t, []int64{1, 2}, other.running(t))
	other.leave(t, 1)
	require.Equal(t, []int64{2, 3}, other.running(t))
	require.Equal(t, []int64{1, 2}, a.running(t))
	require.Empty(t, b.running(t))
}

// A turn that was given to a caller in the moment in which it left goes on.
func testGivenToOneThatLeft(t *testing.T, _ Processes, a, b *process) {
	require.Empty(t, b.arrive(t, false, false))
	require.Empty(t, a.arrive(t, false))
	require.Empty(t, b.arrive(t, false))
	b.leave(t, 1)
	a.leave(t, 1)
	require.Equal(t, []int64{2, 3}, b.running(t))
}

// No turn is lost or given twice where both processes ask at the same time.
func testMany(t *testing.T, _ Processes, a, b *process) {
	a.Queue, b.Queue = 100, 100
	require.Empty(t, a.arrive(t, make([]bool, 25)...))
	require.Empty(t, b.arrive(t, make([]bool, 25)...))
	var run, served atomic.Int64
	var both sync.WaitGroup
	for _, p := range []*process{a, b} {
		both.Go(func() {
			for len(p.Callers) > 0 && t.Context().Err() == nil {
				answer, err := p.store.Exchange(t.Context(), p.Line)
				if err != nil {
					t.Error(err)
					return
				}
				for _, number := range answer.Turns {
					if n := run.Add(1); n > 2 {
						t.Errorf("%d calls run", n)
					}
					served.Add(1)
					run.Add(-1)
					p.Callers = slices.DeleteFunc(p.Callers, func(c turns.Caller) bool { return c.Number == number })
				}
			}
			p.update(t)
		})
	}
	both.Wait()
	require.EqualValues(t, 50, served.Load())
	require.Empty(t, a.arrive(t, false, false))
	require.Len(t, a.running(t), 2)
}

func testCancelled(t *testing.T, _ Processes, a, b *process) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a.Callers = []turns.Caller{{Number: 1}}
	_, err := a.store.Exchange(ctx, a.Line)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, b.arrive(t, false, false))
	require.Equal(t, []int64{1, 2}, b.running(t))
}

func sorted(numbers []int64) []int64 {
	slices.Sort(numbers)
	return numbers
}

// plain returns an answer whose empty lists are nil.
func plain(a turns.Answer) turns.Answer {
	return turns.Answer{Turns: append([]int64(nil), a.Turns...), Refused: append([]int64(nil), a.Refused...)}
}
