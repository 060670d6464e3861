package service_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
)

// inBubble calls f with a kit whose clock and tickers run on the time of the bubble, which passes only while all wait.
func inBubble(t *testing.T, f func(t *testing.T, k *kit)) {
	synctest.Test(t, func(t *testing.T) {
		f(t, newKit(t, func(c *service.Config) { c.Now = time.Now }))
	})
}

// A store that stays busy is waited for 10 s. Then the caller gets 503, and the refund follows when the store is back.
func TestStoreStaysBusy(t *testing.T) {
	inBubble(t, func(t *testing.T, k *kit) {
		var locked atomic.Bool
		busy := func() error {
			if locked.Load() {
				return service.ErrStoreBusy
			}
			return nil
		}
		k.store.charge, k.store.refund = busy, busy
		require.NoError(t, k.Start(t.Context()))
		caller := k.pro()
		locked.Store(true)
		start := time.Now()
		_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
		require.ErrorIs(t, err, service.ErrStoreBusy)
		assert.Equal(t, 10*time.Second, time.Since(start))
		assert.Empty(t, k.files())
		synctest.Wait()
		locked.Store(false)
		time.Sleep(1100 * time.Millisecond)
		synctest.Wait()
		k.noCharge(caller)
	})
}

// A store that answers late to its commits keeps a call no longer than ChargeTimeout says.
func TestChargeTimeout(t *testing.T) {
	inBubble(t, func(t *testing.T, k *kit) {
		late := func(limit time.Duration) func() error {
			return func() error {
				time.Sleep(limit + service.CommitWait)
				return errors.New("no answer to COMMIT")
			}
		}
		k.store.charge, k.store.refund = late(10*time.Second), late(time.Second)
		start := time.Now()
		_, err := k.Synthesize(t.Context(), k.pro(), request(carla, "Ciao."))
		require.Error(t, err)
		assert.Equal(t, service.ChargeTimeout, time.Since(start))
	})
}

// The call of a process that hangs or died is refunded by another process within 5 s, and Start is enough for that.
func TestRepairWithinFiveSeconds(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, k *kit) {
		caller := k.pro()
		started, release := make(chan struct{}, 1), make(chan struct{})
		k.c.speak = until(started, release)
		called := make(chan error, 1)
		go func() { // of k, which has no heartbeat: it was not started
			_, err := k.Synthesize(context.Background(), caller, request(carla, "Ciao."))
			called <- err
		}()
		<-started
		other := k.service("second", func(c *service.Config) { c.Now = time.Now })
		require.NoError(t, other.Start(t.Context()))
		time.Sleep(5*time.Second + time.Millisecond)
		synctest.Wait()
		assert.Equal(t, int64(100_000), k.account(caller).Credits())
		close(release)
		fails(t, <-called, 503, "")
		assert.Empty(t, k.files())
	})
}

// Refunds that hang keep no heartbeat waiting: other processes would take this one for dead.
func TestHangingRefundsStopNoHeartbeat(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, k *kit) {
		var beats atomic.Int64
		k.store.heartbeat = func() error {
			beats.Add(1)
			return nil
		}
		k.store.charge = func() error { return service.ErrReleased }
		release := make(chan struct{})
		var refunds atomic.Int64
		k.store.refund = func() error {
			if refunds.Add(1) == 1 { // of the call
				return errBoom
			}
			<-release
			return nil
		}
		require.NoError(t, k.Start(t.Context()))
		_, err := k.Synthesize(t.Context(), k.pro(), request(carla, "Ciao."))
		require.ErrorIs(t, err, service.ErrReleased)
		before := beats.Load()
		time.Sleep(10*time.Second + time.Millisecond)
		synctest.Wait()
		assert.GreaterOrEqual(t, beats.Load()-before, int64(10))
		close(release)
	})
}

// The sweeper runs by itself.
func TestSweeperRuns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var ahead atomic.Int64 // of the clock
		k := newKit(t, func(c *service.Config) {
			c.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		})
		require.NoError(t, k.Start(t.Context()))
		_, err := k.Synthesize(t.Context(), k.pro(), request(carla, "Ciao."))
		require.NoError(t, err)
		ahead.Store(int64(24 * time.Hour))
		synctest.Wait()
		assert.Len(t, k.files(), 1)
		time.Sleep(time.Minute + time.Millisecond)
		synctest.Wait()
		assert.Empty(t, k.files())
	})
}

// The enhancer and previews have time limits of their own.
func TestHangingPreviewEnds(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, k *kit) {
		k.a.speak = func(ctx context.Context, _ service.Speech) (audio.Buffer, error) {
			<-ctx.Done()
			return audio.Buffer{}, ctx.Err()
		}
		_, err := k.preview(anna)
		fails(t, err, 502, "")
	})
}
