package service_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
)

// A call of a process that stopped without a word is refunded by another one, and what the first one still sends is not charged.
func TestDeadProcessIsRepaired(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	other := k.service("second")
	caller := k.pro()
	beats := func(n int, services ...*service.Service) {
		for range n {
			k.clock.Pass(time.Second)
			for _, s := range services {
				s.Beat(t.Context())
			}
		}
	}
	_, err := k.during(caller, nil, func() {
		beats(10, k.Service, other)
		assert.Equal(t, int64(100_000-2), k.account(caller).Credits(), "while both live nothing is refunded")
		beats(4, other)
		assert.Equal(t, int64(100_000-2), k.account(caller).Credits(), "4 s are allowed")
		beats(1, other)
		assert.Equal(t, int64(100_000), k.account(caller).Credits(), "after that the process is dead")
	})
	fails(t, err, 503, "")
	assert.Equal(t, 1, k.events.repaired)
	k.noCharge(caller)
}

// Processes whose clocks differ by half a minute agree on what has ended: the clock of the store decides.
func TestClocksOfProcessesDiffer(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{30 * time.Second, -30 * time.Second} {
		t.Run(ahead.String(), func(t *testing.T) {
			k := newKit(t)
			other := k.service("other", func(c *service.Config) {
				c.Now = func() time.Time { return k.clock.Now().Add(ahead) }
			})
			caller := k.pro()
			r, err := k.during(caller, nil, func() {
				for range 10 {
					k.clock.Pass(time.Second)
					for _, s := range []*service.Service{other, k.Service, other} {
						s.Beat(t.Context())
					}
				}
			})
			require.NoError(t, err)
			assert.Zero(t, k.events.repaired, "no live call is refunded")
			k.clock.Pass(service.FileRetention - time.Millisecond)
			for range 2 {
				for _, s := range []*service.Service{k.Service, other} {
					s.Sweep(t.Context())
					content, _, err := s.OpenFile(t.Context(), r.File.Name)
					require.NoError(t, err)
					require.NoError(t, content.Close())
				}
			}
			k.clock.Pass(time.Millisecond)
			for _, s := range []*service.Service{k.Service, other} {
				_, _, err := s.OpenFile(t.Context(), r.File.Name)
				fails(t, err, 410, "")
			}
			for i := range service.CallsPerMinute {
				_, err := []*service.Service{k.Service, other}[i%2].Enhance(t.Context(), caller, service.EnhanceRequest{Text: "Hi."})
				require.NoError(t, err)
			}
			_, err = other.Enhance(t.Context(), caller, service.EnhanceRequest{Text: "Hi."})
			fails(t, err, 429, service.CodeRateLimited)
			k.clock.Pass(service.PlanDays*24*time.Hour - service.FileRetention - 10*time.Second - time.Millisecond)
			for _, s := range []*service.Service{k.Service, other} {
				who, err := s.TokenCaller(t.Context(), service.Identity{Subject: caller.Account.Subject})
				require.NoError(t, err)
				assert.True(t, who.Account.Paid())
			}
			k.clock.Pass(time.Millisecond)
			for _, s := range []*service.Service{k.Service, other} {
				who, err := s.TokenCaller(t.Context(), service.Identity{Subject: caller.Account.Subject})
				require.NoError(t, err)
				assert.False(t, who.Account.Paid())
			}
		})
	}
}

// When the clock jumps, or the machine slept, or the database was locked, no process is taken for dead because of it.
func TestJumpingClockKillsNobody(t *testing.T) {
	t.Parallel()
	for name, jump := range map[string]time.Duration{"forward": time.Hour, "back": -time.Hour, "five seconds": 5 * time.Second} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			other := k.service("second")
			caller := k.pro()
			r, err := k.during(caller, nil, func() {
				k.clock.Pass(jump)
				for range 10 {
					other.Beat(t.Context())
					k.Beat(t.Context())
					k.clock.Pass(time.Second)
				}
			})
			require.NoError(t, err)
			assert.Equal(t, int64(100_000-2), r.RemainingCredits)
			assert.Zero(t, k.events.repaired)
		})
	}
}

func TestHeartbeatSurvivesALockedStore(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.store.heartbeat = func() error { return service.ErrStoreBusy }
	k.Beat(t.Context())
	assert.Contains(t, k.log.String(), "write the heartbeat")
	require.ErrorIs(t, k.Start(t.Context()), service.ErrStoreBusy)
}

// A panic in background work is logged and ends one run of it.
func TestPanicInTheHeartbeat(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	beats := make(chan struct{}, 100)
	var calls atomic.Int32
	k.store.heartbeat = func() error {
		if calls.Add(1) == 2 { // the first of the background
			panic(errBoom)
		}
		beats <- struct{}{}
		return nil
	}
	require.NoError(t, k.Start(t.Context()))
	<-beats // of the start
	<-beats // after the panic
	assert.Contains(t, k.log.String(), "boom")
}

// Close waits for running calls as long as it may, and then cancels and refunds them.
func TestClose(t *testing.T) {
	t.Parallel()
	for name, patient := range map[string]bool{"waits": true, "cancels": false} {
		t.Run(name, func(t *testing.T) {
			k := newKit(t)
			require.NoError(t, k.Start(t.Context()))
			caller := k.pro()
			started, release := make(chan struct{}, 1), make(chan struct{})
			k.c.speak = func(ctx context.Context, _ service.Speech) (audio.Buffer, error) {
				started <- struct{}{}
				select {
				case <-release:
					return tone(), nil
				case <-ctx.Done():
					return audio.Buffer{}, ctx.Err()
				}
			}
			called := make(chan error, 1)
			go func() {
				_, err := k.Synthesize(context.Background(), caller, request(carla, "Ciao."))
				called <- err
			}()
			<-started
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			closed := make(chan error, 1)
			go func() { closed <- k.Close(ctx) }()
			for k.Ready(t.Context()) == nil { // until Close has begun
				time.Sleep(time.Millisecond)
			}
			_, err := k.Synthesize(t.Context(), caller, request(carla, "Ciao."))
			fails(t, err, 503, "")
			if patient {
				close(release)
				require.NoError(t, <-closed)
				require.NoError(t, <-called)
				assert.Len(t, k.files(), 1)
				return
			}
			cancel()
			require.ErrorIs(t, <-closed, context.Canceled)
			fails(t, <-called, 503, "")
			assert.Equal(t, int64(100_000), k.account(caller).Credits())
			assert.Empty(t, k.files())
		})
	}
}
