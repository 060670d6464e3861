package providers_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers"
	"github.com/voicewright/voicewright/backend/service/providers/providertest"
	"github.com/voicewright/voicewright/backend/service/turns/turnstest"
)

// event is something that happens to two processes, after a pause.
type event struct {
	Pause    time.Duration
	What     string
	Process  int
	Priority bool
	Waits    time.Duration // of the caller
	Speaks   time.Duration
}

func events(t *rapid.T) (all []event) {
	for range rapid.IntRange(1, 40).Draw(t, "steps") {
		ms := func(name string, limit int) time.Duration {
			return time.Duration(rapid.IntRange(0, limit).Draw(t, name)) * time.Millisecond
		}
		all = append(all, event{
			Pause:   ms("pause", 60),
			What:    rapid.SampledFrom([]string{"call", "call", "call", "call", "forget", "away", "back", "lost"}).Draw(t, "what"),
			Process: rapid.IntRange(0, 1).Draw(t, "process"), Priority: rapid.Bool().Draw(t, "priority"),
			Waits: ms("waits", 2000), Speaks: ms("speaks", 200),
		})
	}
	return all
}

// Whatever happens to the store and to callers, every call ends within its time, never more calls run than there are turns unless the
// store has lost who runs, and in the end the queue is empty and works.
func TestSharedQueueSurvivesEverything(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		all, owned := events(rt), rapid.Bool().Draw(rt, "own")
		var failure error
		synctest.Test(t, func(t *testing.T) { failure = newTrial(t, owned).run(t, all) })
		if failure != nil {
			rt.Fatal(failure)
		}
	})
}

// trial is two lanes on a store that fails.
type trial struct {
	store    *turnstest.Store
	lanes    []*providers.Lane
	loseNext atomic.Bool
	running  [2]atomic.Int64
	lossy    atomic.Bool // the store has lost who runs
	owned    bool
	problems chan error
}

func newTrial(t *testing.T, owned bool) *trial {
	r := &trial{store: turnstest.New("a", "b"), owned: owned, problems: make(chan error, 1000)}
	lossy := &faulty{r.store, func() error {
		if r.loseNext.CompareAndSwap(true, false) {
			return errors.New("connection lost")
		}
		return nil
	}}
	for i, name := range []string{"a", "b"} {
		lane := providers.NewLane(providertest.Func{SpeakFunc: r.speak(i)}, providers.LaneOptions{
			Provider: service.ProviderB, Queue: 3,
			Shared: &providers.Shared{Turns: lossy, Instance: name, Own: owned, Log: slog.New(slog.DiscardHandler)},
		})
		t.Cleanup(func() { _ = lane.Close() })
		r.lanes = append(r.lanes, lane)
	}
	return r
}

// speak returns a provider that takes as long as the text says.
func (r *trial) speak(process int) func(context.Context, service.Speech) (audio.Buffer, error) {
	return func(ctx context.Context, s service.Speech) (audio.Buffer, error) {
		mine := r.running[process].Add(1)
		defer r.running[process].Add(-1)
		if both := r.running[0].Load() + r.running[1].Load(); both > 2 && !r.lossy.Load() {
			r.problems <- fmt.Errorf("%d calls run", both)
		}
		if r.owned && mine > 1 {
			r.problems <- fmt.Errorf("%d calls run in a process", mine)
		}
		took, err := time.ParseDuration(s.Turns[0].Text)
		if err != nil {
			return audio.Buffer{}, err
		}
		select {
		case <-time.After(took):
		case <-ctx.Done():
		}
		return audio.Buffer{}, ctx.Err()
	}
}

func (r *trial) run(t *testing.T, all []event) error {
	var calls sync.WaitGroup
	for _, s := range all {
		time.Sleep(s.Pause)
		switch s.What {
		case "call":
			calls.Go(func() { r.call(t.Context(), s) })
		case "forget":
			r.lossy.Store(true)
			r.store.Forget()
		case "lost":
			r.loseNext.Store(true)
		case "away":
			r.store.Fail(service.ErrStoreBusy)
		case "back":
			r.store.Fail(nil)
		}
		synctest.Wait()
	}
	r.store.Fail(nil)
	calls.Wait()
	time.Sleep(2 * time.Second)
	synctest.Wait()
	if waiting, running := r.store.Count(string(service.ProviderB)); waiting+running > 0 {
		r.problems <- fmt.Errorf("in the end %d callers wait, %d have a turn", waiting, running)
	}
	for _, lane := range r.lanes {
		if _, err := lane.Speak(t.Context(), speech("1ms", false)); err != nil {
			r.problems <- fmt.Errorf("in the end: %w", err)
		}
	}
	close(r.problems)
	return <-r.problems
}

// call makes a call whose caller leaves when it has waited long enough.
func (r *trial) call(ctx context.Context, s event) {
	ctx, cancel := context.WithTimeout(ctx, s.Waits)
	defer cancel()
	start := time.Now()
	_, err := r.lanes[s.Process].Speak(ctx, speech(s.Speaks.String(), s.Priority))
	if took := time.Since(start); took > s.Waits {
		r.problems <- fmt.Errorf("a caller that waits for %s was held for %s", s.Waits, took)
	}
	if err != nil && ctx.Err() == nil && service.StatusOf(err) != http.StatusServiceUnavailable {
		r.problems <- err
	}
}
