package providers_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers"
	"github.com/voicewright/voicewright/backend/service/providers/providertest"
)

var errBroken = errors.New("broken")

// bench is a lane whose calls end when the test says so.
type bench struct {
	*providers.Lane
	results chan error // one for each call
	before  func()     // what a call does before it returns its result
	mu      sync.Mutex
	spoken  []string
}

func newBench(id service.ProviderID, queue int) *bench {
	return newBenchOf(providers.LaneOptions{Provider: id, Queue: queue})
}

func newBenchOf(o providers.LaneOptions) *bench {
	b := &bench{results: make(chan error), before: func() {}}
	b.Lane = providers.NewLane(providertest.Func{SpeakFunc: b.speak}, o)
	return b
}

func (b *bench) speak(ctx context.Context, s service.Speech) (audio.Buffer, error) {
	b.mu.Lock()
	b.spoken = append(b.spoken, s.Turns[0].Text)
	b.mu.Unlock()
	select {
	case err := <-b.results:
		b.before()
		return audio.Buffer{}, err
	case <-ctx.Done():
		return audio.Buffer{}, ctx.Err()
	}
}

// call calls the lane in the background and returns when the caller runs or waits.
func (b *bench) call(ctx context.Context, text string, priority bool) chan error {
	done := make(chan error, 1)
	go func() {
		_, err := b.Speak(ctx, speech(text, priority))
		done <- err
	}()
	synctest.Wait()
	return done
}

// fail runs one call that fails with err.
func (b *bench) fail(t *testing.T, err error) {
	done := b.call(t.Context(), "fails", false)
	b.results <- err
	require.ErrorIs(t, <-done, err)
	synctest.Wait()
}

func speech(text string, priority bool) service.Speech {
	return service.Speech{Turns: []service.Turn{{Text: text}}, Priority: priority}
}

func requireBusy(t *testing.T, err error, code service.Code, retryAfter time.Duration) {
	t.Helper()
	require.Equal(t, http.StatusServiceUnavailable, service.StatusOf(err), "%v", err)
	require.Equal(t, code, service.CodeOf(err))
	var e *service.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, retryAfter, e.RetryAfter)
}

func TestPriorityGoesFirstAndFirstComeWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(service.ProviderB, 8)
		var calls []chan error
		for i, priority := range []bool{false, false, true, false, true} {
			calls = append(calls, b.call(t.Context(), fmt.Sprint(i), priority))
		}
		require.Equal(t, providers.LaneState{Waiting: 4, Running: true, Breaker: "closed"}, b.State())
		for range calls {
			b.results <- nil
			synctest.Wait()
		}
		for _, done := range calls {
			require.NoError(t, <-done)
		}
		require.Equal(t, []string{"0", "2", "4", "1", "3"}, b.spoken)
		require.Equal(t, providers.LaneState{Breaker: "closed"}, b.State())
	})
}

func TestFullQueue(t *testing.T) {
	for id, code := range map[service.ProviderID]service.Code{
		service.ProviderA: service.CodeProviderBusy,
		service.ProviderB: service.CodeServerBusy,
		service.ProviderC: service.CodeProviderBusy,
	} {
		for _, queue := range []int{0, 2} {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(id, queue)
				var calls []chan error
				for i := range queue + 1 {
					calls = append(calls, b.call(t.Context(), fmt.Sprint(i), false))
				}
				_, err := b.Speak(t.Context(), speech("one too many", true))
				requireBusy(t, err, code, 5*time.Second)
				for _, done := range calls {
					b.results <- nil
					require.NoError(t, <-done)
				}
			})
		}
	}
}

func TestNobodyWaitsLongerThanTheQueueTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		provider := make(chan struct{})
		lane := providers.NewLane(providertest.Func{SpeakFunc: func(context.Context, service.Speech) (audio.Buffer, error) {
			<-provider
			return audio.Buffer{}, nil
		}}, providers.LaneOptions{Provider: service.ProviderA, Queue: 3, Timeout: time.Minute})
		first := make(chan error, 1)
		go func() {
			_, err := lane.Speak(t.Context(), speech("first", false))
			first <- err
		}()
		synctest.Wait()
		start := time.Now()
		_, err := lane.Speak(t.Context(), speech("second", true))
		requireBusy(t, err, service.CodeServerBusy, 5*time.Second)
		require.Equal(t, 30*time.Second, time.Since(start))
		require.Zero(t, lane.State().Waiting)
		close(provider)
		require.NoError(t, <-first)
	})
}

func TestCancelledWaiterLeavesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(service.ProviderB, 1)
		first := b.call(t.Context(), "first", false)
		ctx, cancel := context.WithCancel(t.Context())
		second := b.call(ctx, "second", false)
		start := time.Now()
		cancel()
		require.ErrorIs(t, <-second, context.Canceled)
		require.Zero(t, time.Since(start))
		third := b.call(t.Context(), "third", false)
		b.results <- nil
		b.results <- nil
		require.NoError(t, <-first)
		require.NoError(t, <-third)
		require.Equal(t, []string{"first", "third"}, b.spoken)
		_, err := b.Speak(ctx, speech("never", false))
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestTimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(service.ProviderB, 1)
		start := time.Now()
		_, err := b.Speak(t.Context(), speech("hangs", false))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, http.StatusInternalServerError, service.StatusOf(err), "it is no answer of the contract")
		require.Equal(t, providers.DefaultTimeout, time.Since(start))
	})
}

func TestTimeLimitOfADialogue(t *testing.T) {
	for turns, want := range map[int]time.Duration{2: time.Minute, 20: 10 * time.Minute, 100: 10 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(service.ProviderB, 1)
			start := time.Now()
			_, err := b.Speak(t.Context(), service.Speech{Turns: make([]service.Turn, turns)})
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, want, time.Since(start))
		})
	}
}

// A provider that ignores its context does not hold its caller, and no second call runs beside it.
func TestStuckProviderIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan struct{})
		var calls atomic.Int32
		lane := providers.NewLane(providertest.Func{SpeakFunc: func(context.Context, service.Speech) (audio.Buffer, error) {
			calls.Add(1)
			<-stuck
			return audio.Buffer{Rate: 1}, nil
		}}, providers.LaneOptions{Provider: service.ProviderB, Queue: 1, Timeout: time.Second})
		_, err := lane.Speak(t.Context(), speech("hangs", false))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		_, err = lane.Speak(t.Context(), speech("waits", false))
		requireBusy(t, err, service.CodeServerBusy, 5*time.Second)
		require.EqualValues(t, 1, calls.Load())
		close(stuck)
		synctest.Wait()
		sound, err := lane.Speak(t.Context(), speech("works again", false))
		require.NoError(t, err)
		require.Equal(t, 1, sound.Rate)
	})
}

func TestPanicOfAProviderIsAFailureOfOneCall(t *testing.T) {
	lane := providers.NewLane(providertest.Func{SpeakFunc: func(context.Context, service.Speech) (audio.Buffer, error) {
		panic("oops")
	}}, providers.LaneOptions{Provider: service.ProviderB})
	_, err := lane.Speak(t.Context(), speech("a", false))
	require.ErrorContains(t, err, "oops")
	_, err = lane.Speak(t.Context(), speech("b", false))
	require.ErrorContains(t, err, "oops")
}

// A caller whose turn comes in the moment in which it leaves passes its turn on.
func TestLeavingWhenTheTurnComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 200 {
			ctx, cancel := context.WithCancel(t.Context())
			b := newBench(service.ProviderB, 2)
			b.before = cancel // in the goroutine that then hands the lane to the next caller
			first := b.call(t.Context(), "first", false)
			second := b.call(ctx, "second", false)
			third := b.call(t.Context(), "third", false)
			b.results <- nil
			require.NoError(t, <-first)
			require.ErrorIs(t, <-second, context.Canceled)
			b.results <- nil
			require.NoError(t, <-third)
			synctest.Wait()
			require.Equal(t, providers.LaneState{Breaker: "closed"}, b.State())
		}
	})
}
