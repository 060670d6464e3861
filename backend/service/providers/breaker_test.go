package providers_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers"
)

func TestBreakerOpensForFifteenSecondsAndLetsOneThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(service.ProviderB, 8)
		for range 5 {
			require.Equal(t, "closed", b.State().Breaker)
			b.fail(t, errBroken)
			time.Sleep(7 * time.Second)
		}
		require.Equal(t, "open", b.State().Breaker, "five failures in 28 s")
		_, err := b.Speak(t.Context(), speech("early", true))
		requireBusy(t, err, service.CodeProviderBusy, 8*time.Second)
		time.Sleep(7900 * time.Millisecond)
		_, err = b.Speak(t.Context(), speech("early", true))
		requireBusy(t, err, service.CodeProviderBusy, time.Second)

		time.Sleep(time.Second)
		require.Equal(t, "half-open", b.State().Breaker)
		trial := b.call(t.Context(), "trial", false)
		second := b.call(t.Context(), "second", false)
		require.Equal(t, 1, b.State().Waiting, "one is let through")
		b.results <- errBroken
		require.ErrorIs(t, <-trial, errBroken)
		requireBusy(t, <-second, service.CodeProviderBusy, 15*time.Second)

		time.Sleep(15*time.Second + time.Millisecond)
		trial = b.call(t.Context(), "trial", false)
		b.results <- nil
		require.NoError(t, <-trial)
		require.Equal(t, "closed", b.State().Breaker)
		b.fail(t, errBroken)
		require.Equal(t, "closed", b.State().Breaker, "the former failures are forgotten")
	})
}

func TestFailuresOfMoreThanThirtySecondsDoNotOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(service.ProviderB, 8)
		for range 50 {
			b.fail(t, errBroken)
			time.Sleep(7600 * time.Millisecond)
		}
		require.Equal(t, "closed", b.State().Breaker, "there were never five within 30 s")
		b.fail(t, errBroken)
		require.Equal(t, "closed", b.State().Breaker)
		b.fail(t, errBroken)
		require.Equal(t, "open", b.State().Breaker, "the window slides")
	})
}

// Calls that exceed their time count when they end.
func TestTimeoutsOpenTheBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBenchOf(providers.LaneOptions{Provider: service.ProviderB, Timeout: 6 * time.Second})
		for range 5 {
			_, err := b.Speak(t.Context(), speech("hangs", false))
			require.ErrorIs(t, err, context.DeadlineExceeded)
		}
		require.Equal(t, "open", b.State().Breaker)
	})
}

func TestSuccessesBetweenFailuresDoNotHideThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(service.ProviderB, 8)
		for i := range 5 {
			done := b.call(t.Context(), "works", false)
			b.results <- nil
			require.NoError(t, <-done)
			require.Equal(t, "closed", b.State().Breaker, i)
			b.fail(t, errBroken)
		}
		require.Equal(t, "open", b.State().Breaker)
	})
}

func TestWhatIsNoFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(service.ProviderB, 8)
		for range 10 {
			b.fail(t, providers.Busy(time.Minute))
			b.fail(t, &service.Error{Status: http.StatusBadRequest})
			ctx, cancel := context.WithCancel(t.Context())
			done := b.call(ctx, "leaves", false)
			cancel()
			require.ErrorIs(t, <-done, context.Canceled)
			synctest.Wait()
		}
		require.Equal(t, "closed", b.State().Breaker)
		for range 5 {
			b.fail(t, &service.Error{Status: http.StatusBadGateway})
		}
		require.Equal(t, "open", b.State().Breaker)
	})
}

// A refused text says nothing about other texts: it neither hides failures nor ends or prolongs the trial of a half-open breaker.
func TestRefusedTextsAreNotCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := providers.Refused(errBroken)
		b := newBench(service.ProviderB, 8)
		for range 4 {
			b.fail(t, errBroken)
			b.fail(t, refused)
			b.fail(t, refused)
		}
		require.Equal(t, "closed", b.State().Breaker)
		b.fail(t, errBroken)
		require.Equal(t, "open", b.State().Breaker)

		time.Sleep(15*time.Second + time.Millisecond)
		for range 10 {
			b.fail(t, refused)
			require.Equal(t, "half-open", b.State().Breaker)
		}
		done := b.call(t.Context(), "works", false)
		b.results <- nil
		require.NoError(t, <-done)
		require.Equal(t, "closed", b.State().Breaker)
	})
}

func TestWhoWaitsIsAnsweredWhenTheBreakerOpens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(service.ProviderC, 8)
		for range 4 {
			b.fail(t, errBroken)
		}
		last := b.call(t.Context(), "last", false)
		var waiting []chan error
		for i := range 8 {
			waiting = append(waiting, b.call(t.Context(), fmt.Sprint(i), i%2 == 0))
		}
		start := time.Now()
		b.results <- errBroken
		require.ErrorIs(t, <-last, errBroken)
		for _, done := range waiting {
			requireBusy(t, <-done, service.CodeProviderBusy, 15*time.Second)
		}
		require.Zero(t, time.Since(start))
		require.Equal(t, providers.LaneState{Breaker: "open"}, b.State())
	})
}
