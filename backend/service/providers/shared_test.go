package providers_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers"
	"github.com/voicewright/voicewright/backend/service/turns"
	"github.com/voicewright/voicewright/backend/service/turns/turnstest"
)

// process is a lane of a process that shares its queue.
type process struct {
	*bench
	name string
}

// newProcess returns a process until the test ends.
func newProcess(t *testing.T, name string, store turns.Store, o providers.LaneOptions) *process {
	o.Provider = service.ProviderB
	o.Shared = &providers.Shared{Turns: store, Instance: name, Own: o.Shared != nil, Log: slog.New(slog.DiscardHandler)}
	p := &process{newBenchOf(o), name}
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return p
}

// own are the options of a lane whose engines speak.
func own(queue int) providers.LaneOptions {
	return providers.LaneOptions{Queue: queue, Shared: &providers.Shared{}}
}

// inBubble runs a test of two processes on a store.
func inBubble(t *testing.T, o providers.LaneOptions, test func(t *testing.T, store *turnstest.Store, a, b *process)) {
	synctest.Test(t, func(t *testing.T) {
		store := turnstest.New("a", "b")
		test(t, store, newProcess(t, "a", store, o), newProcess(t, "b", store, o))
	})
}

// end ends the call that runs, and waits until all processes know.
func (p *process) end(t *testing.T, done chan error) {
	t.Helper()
	p.results <- nil
	require.NoError(t, <-done)
	awaitPolls()
}

// awaitPolls waits longer than the time between two polls.
func awaitPolls() {
	time.Sleep(100 * time.Millisecond)
	synctest.Wait()
}

func requireCount(t *testing.T, store *turnstest.Store, waiting, running int) {
	t.Helper()
	w, r := store.Count(string(service.ProviderB))
	require.Equal(t, []int{waiting, running}, []int{w, r}, "callers that wait, and turns")
}

func TestSharedTurnsGoToTheFirstOfAllProcesses(t *testing.T) {
	inBubble(t, providers.LaneOptions{Queue: 8}, func(t *testing.T, store *turnstest.Store, a, b *process) {
		start := time.Now()
		a1, b1 := a.call(t.Context(), "a1", false), b.call(t.Context(), "b1", false)
		a2, b2 := a.call(t.Context(), "a2", false), b.call(t.Context(), "b2", false)
		b3, a3 := b.call(t.Context(), "b3", true), a.call(t.Context(), "a3", true)
		require.Zero(t, time.Since(start))
		require.Equal(t, []string{"a1"}, a.spoken, "a free turn needs no poll")
		require.Equal(t, []string{"b1"}, b.spoken)
		requireCount(t, store, 4, 2)
		require.Equal(t, providers.LaneState{Waiting: 2, Running: true, Breaker: "closed"}, a.State(), "of this process")

		a.end(t, a1) // its turn goes to the other process
		require.Equal(t, []string{"b1", "b3"}, b.spoken)
		require.Equal(t, providers.LaneState{Waiting: 2, Breaker: "closed"}, a.State())
		for _, spoken := range [][]string{{"a1", "a3"}, {"a1", "a3", "a2"}} {
			b.results <- nil
			awaitPolls()
			require.Equal(t, spoken, a.spoken)
		}
		a.results <- nil
		a.results <- nil
		awaitPolls()
		require.NoError(t, errors.Join(<-b1, <-b3, <-a2, <-a3))
		require.Equal(t, []string{"b1", "b3", "b2"}, b.spoken)
		b.end(t, b2)
		requireCount(t, store, 0, 0)
		require.Equal(t, providers.LaneState{Breaker: "closed"}, b.State())
	})
}

func TestSharedTurnsOfAProcessStayWithIt(t *testing.T) {
	inBubble(t, own(8), func(t *testing.T, store *turnstest.Store, a, b *process) {
		a1, a2, a3 := a.call(t.Context(), "a1", false), a.call(t.Context(), "a2", false), a.call(t.Context(), "a3", true)
		b1 := b.call(t.Context(), "b1", false)
		requireCount(t, store, 2, 2)
		b.end(t, b1)
		require.Equal(t, []string{"a1"}, a.spoken, "the engines of the process b can't speak for a")
		start := time.Now()
		a.results <- nil
		a.results <- nil
		a.results <- nil
		require.NoError(t, errors.Join(<-a1, <-a2, <-a3))
		require.Zero(t, time.Since(start), "a turn of the same process needs no poll")
		require.Equal(t, []string{"a1", "a3", "a2"}, a.spoken)
		synctest.Wait()
		requireCount(t, store, 0, 0)
	})
}

func TestSharedBound(t *testing.T) {
	for name, o := range map[string]providers.LaneOptions{"all": {Queue: 2}, "own": own(2)} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, o, func(t *testing.T, store *turnstest.Store, a, b *process) {
				a1, b1 := a.call(t.Context(), "a1", false), b.call(t.Context(), "b1", false)
				a2, b2 := a.call(t.Context(), "a2", false), b.call(t.Context(), "b2", false)
				for _, p := range []*process{a, b} {
					_, err := p.Speak(t.Context(), speech("one too many", true))
					requireBusy(t, err, service.CodeServerBusy, 5*time.Second)
				}
				requireCount(t, store, 2, 2)
				a.end(t, a1)
				a3 := a.call(t.Context(), "a3", false)
				_, err := b.Speak(t.Context(), speech("one too many", true))
				requireBusy(t, err, service.CodeServerBusy, 5*time.Second)
				for range 2 {
					b.end(t, b1)
					b1 = b2
				}
				a.end(t, a2)
				a.end(t, a3)
			})
		})
	}
}

func TestSharedQueueTimeout(t *testing.T) {
	inBubble(t, own(1), func(t *testing.T, store *turnstest.Store, a, _ *process) {
		o := providers.LaneOptions{Queue: 1, Shared: &providers.Shared{}, Timeout: time.Minute}
		c := newProcess(t, "c", store, o)
		c1 := c.call(t.Context(), "c1", false)
		start := time.Now()
		_, err := c.Speak(t.Context(), speech("c2", false))
		requireBusy(t, err, service.CodeServerBusy, 5*time.Second)
		require.Equal(t, 30*time.Second, time.Since(start))
		a1, a2 := a.call(t.Context(), "a1", false), a.call(t.Context(), "a2", false)
		a.end(t, a1) // the place of c2 is free
		a.end(t, a2)
		c.end(t, c1)
	})
}

func TestSharedCallerThatLeaves(t *testing.T) {
	inBubble(t, own(1), func(t *testing.T, store *turnstest.Store, a, b *process) {
		a1 := a.call(t.Context(), "a1", false)
		ctx, cancel := context.WithCancel(t.Context())
		a2 := a.call(ctx, "a2", false)
		requireCount(t, store, 1, 1)
		start := time.Now()
		cancel()
		require.ErrorIs(t, <-a2, context.Canceled)
		synctest.Wait()
		require.Zero(t, time.Since(start))
		requireCount(t, store, 0, 1)
		b1, b2 := b.call(t.Context(), "b1", false), b.call(t.Context(), "b2", false)
		a.end(t, a1)
		b.end(t, b1)
		b.end(t, b2)
	})
}

// A turn that comes in the moment in which its caller leaves goes to the next one, in whatever process.
func TestSharedTurnOfACallerThatLeaves(t *testing.T) {
	inBubble(t, providers.LaneOptions{Queue: 8}, func(t *testing.T, store *turnstest.Store, a, b *process) {
		for range 100 {
			ctx, cancel := context.WithCancel(t.Context())
			a1, a2 := a.call(t.Context(), "runs", false), a.call(t.Context(), "runs", false)
			b1 := b.call(ctx, "leaves", false)
			b2 := b.call(t.Context(), "waits", false)
			a.before = cancel // in the goroutine that then hands its turn on
			a.results <- nil
			require.ErrorIs(t, <-b1, context.Canceled)
			a.before = func() {}
			b.end(t, b2)
			a.results <- nil
			require.NoError(t, errors.Join(<-a1, <-a2))
			synctest.Wait()
			requireCount(t, store, 0, 0)
		}
	})
}

// While the store is away, who waits is answered, and calls that run go on. Their turns are free once it is back, whatever it lost.
func TestSharedStoreThatIsAway(t *testing.T) {
	inBubble(t, providers.LaneOptions{Queue: 8, Timeout: time.Hour}, func(t *testing.T, store *turnstest.Store, a, b *process) {
		a1, a2, b1 := a.call(t.Context(), "a1", false), a.call(t.Context(), "a2", false), b.call(t.Context(), "b1", false)
		store.Fail(fmt.Errorf("away: %w", service.ErrStoreBusy))
		requireStoreBusy(t, <-b1)
		_, err := b.Speak(t.Context(), speech("b2", true))
		requireStoreBusy(t, err)
		a.results <- nil
		require.NoError(t, <-a1)
		time.Sleep(time.Minute)
		requireCount(t, store, 1, 2) // as it was

		store.Fail(nil)
		store.Forget()
		time.Sleep(2 * time.Second)
		synctest.Wait()
		requireCount(t, store, 0, 1) // what runs
		b3, b4 := b.call(t.Context(), "b3", false), b.call(t.Context(), "b4", false)
		requireCount(t, store, 1, 2)
		a.end(t, a2)
		requireCount(t, store, 0, 2)
		b.end(t, b3)
		b.end(t, b4)
		requireCount(t, store, 0, 0)
	})
}

// A place that the store has lost is taken again: who has waited is not refused for those that came later.
func TestSharedPlaceThatTheStoreLost(t *testing.T) {
	inBubble(t, own(1), func(t *testing.T, store *turnstest.Store, a, b *process) {
		a1, a2 := a.call(t.Context(), "a1", false), a.call(t.Context(), "a2", false)
		store.Forget()
		b1, b2 := b.call(t.Context(), "b1", false), b.call(t.Context(), "b2", false)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		requireCount(t, store, 2, 2)
		for p, calls := range map[*process][]chan error{a: {a1, a2}, b: {b1, b2}} {
			for _, done := range calls {
				p.end(t, done)
			}
		}
	})
}

func requireStoreBusy(t *testing.T, err error) {
	t.Helper()
	requireBusy(t, err, "", 2*time.Second)
	require.ErrorContains(t, err, "Nothing was charged")
}

// faulty is a store whose answers fail after it has done what it was asked.
type faulty struct {
	turns.Store
	fail func() error
}

func (f *faulty) Exchange(ctx context.Context, l turns.Line) (turns.Answer, error) {
	answer, err := f.Store.Exchange(ctx, l)
	if failure := f.fail(); failure != nil {
		return turns.Answer{}, failure
	}
	return answer, err
}

// A lost answer is asked for again: nobody is answered that the store is busy, no place is taken twice, and no turn is kept.
func TestSharedStoreWhoseAnswersAreLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := turnstest.New("a")
		n := 0
		a := newProcess(t, "a", &faulty{store, func() error {
			n++
			if n%2 == 1 {
				return errors.New("connection lost")
			}
			return nil
		}}, own(2))
		calls := []chan error{a.call(t.Context(), "0", false), a.call(t.Context(), "1", false), a.call(t.Context(), "2", false)}
		requireCount(t, store, 2, 1)
		for _, done := range calls {
			a.end(t, done)
		}
		requireCount(t, store, 0, 0)
	})
}

func TestSharedStoreThatPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := turnstest.New("a")
		broken := true
		a := newProcess(t, "a", &faulty{store, func() error {
			if broken {
				panic("oops")
			}
			return nil
		}}, own(2))
		_, err := a.Speak(t.Context(), speech("1", false))
		requireStoreBusy(t, err)
		broken = false
		a.end(t, a.call(t.Context(), "2", false))
		requireCount(t, store, 0, 0)
	})
}

func TestSharedTurnsOfADeadProcess(t *testing.T) {
	inBubble(t, providers.LaneOptions{Queue: 8}, func(t *testing.T, store *turnstest.Store, a, b *process) {
		require.NoError(t, a.Close()) // it says nothing anymore
		line := turns.Line{Provider: "ProviderB", Instance: "a", Queue: 8}
		for number := range int64(3) {
			line.Callers = append(line.Callers, turns.Caller{Number: number})
		}
		_, err := store.Exchange(t.Context(), line)
		require.NoError(t, err)
		b1 := b.call(t.Context(), "b1", false)
		time.Sleep(10 * time.Second)
		require.Empty(t, b.spoken)
		store.Kill("a")
		awaitPolls()
		require.Equal(t, []string{"b1"}, b.spoken)
		b.end(t, b1)
	})
}

func TestSharedBreakerIsOfOneProcess(t *testing.T) {
	inBubble(t, providers.LaneOptions{Queue: 8}, func(t *testing.T, store *turnstest.Store, a, b *process) {
		for range 4 {
			a.fail(t, errBroken)
		}
		a1, b1 := a.call(t.Context(), "a1", false), b.call(t.Context(), "b1", false)
		a2, b2 := a.call(t.Context(), "a2", false), b.call(t.Context(), "b2", false)
		a.results <- errBroken
		require.ErrorIs(t, <-a1, errBroken)
		requireBusy(t, <-a2, service.CodeProviderBusy, 15*time.Second)
		_, err := a.Speak(t.Context(), speech("a3", true))
		requireBusy(t, err, service.CodeProviderBusy, 15*time.Second)
		b.end(t, b1)
		b.end(t, b2)
		requireCount(t, store, 0, 0)

		time.Sleep(15 * time.Second)
		a4, a5 := a.call(t.Context(), "a4", false), a.call(t.Context(), "a5", false)
		require.Equal(t, providers.LaneState{Waiting: 1, Running: true, Breaker: "half-open"}, a.State(), "one is let through")
		a.end(t, a4)
		a.end(t, a5)
		require.Equal(t, "closed", a.State().Breaker)
	})
}

// A provider that does not return keeps its turn.
func TestSharedStuckProviderKeepsItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, stuck := turnstest.New("a"), make(chan struct{})
		a := newProcess(t, "a", store, providers.LaneOptions{Queue: 1, Timeout: time.Second, Shared: &providers.Shared{}})
		before := a.before
		a.before = func() { <-stuck }
		first := a.call(t.Context(), "hangs", false)
		a.results <- nil
		require.ErrorIs(t, <-first, context.DeadlineExceeded)
		_, err := a.Speak(t.Context(), speech("waits", false))
		requireBusy(t, err, service.CodeServerBusy, 5*time.Second)
		synctest.Wait()
		requireCount(t, store, 0, 1)
		close(stuck)
		a.before = before
		synctest.Wait()
		requireCount(t, store, 0, 0)
		a.end(t, a.call(t.Context(), "works", false))
	})
}

// The last turn is free when the lane is closed, and a store that is away does not keep it open.
func TestCloseASharedLane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := turnstest.New("a")
		a := newProcess(t, "a", store, own(1))
		a1 := a.call(t.Context(), "a1", false)
		store.Fail(service.ErrStoreBusy)
		a.results <- nil
		require.NoError(t, <-a1)
		time.Sleep(time.Minute)
		requireCount(t, store, 0, 1)
		store.Fail(nil)
		require.NoError(t, a.Close())
		requireCount(t, store, 0, 0)

		b := newProcess(t, "b", waitingStore{store}, own(1))
		ctx, cancel := context.WithCancel(t.Context())
		b1 := b.call(ctx, "b1", false)
		start := time.Now()
		cancel()
		require.ErrorIs(t, <-b1, context.Canceled)
		require.Zero(t, time.Since(start))
		require.NoError(t, b.Close())
		require.LessOrEqual(t, time.Since(start), 200*time.Millisecond)
	})
}

// waitingStore is a store that never answers.
type waitingStore struct{ turns.Store }

func (waitingStore) Exchange(ctx context.Context, _ turns.Line) (turns.Answer, error) {
	<-ctx.Done()
	return turns.Answer{}, ctx.Err()
}
