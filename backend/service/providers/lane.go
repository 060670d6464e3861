package providers

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/turns"
)

// The limits of decisions.md section 6.
const (
	DefaultTimeout      = 30 * time.Second
	DefaultQueueTimeout = 30 * time.Second

	maxTimeout = 10 * time.Minute // of a dialogue, unless one turn may take longer

	breakerFailures = 5 // within breakerWindow open the breaker
	breakerWindow   = 30 * time.Second
	breakerBucket   = 100 * time.Millisecond // precision of the window
	breakerOpen     = 15 * time.Second

	returnGrace = 100 * time.Millisecond // that a provider has to return when its context ends
)

// LaneOptions are the limits of one provider.
type LaneOptions struct {
	Provider     service.ProviderID
	Queue        int           // callers that may wait while one call runs; 0 for none
	QueueTimeout time.Duration // that a caller waits at most; DefaultQueueTimeout if 0
	Timeout      time.Duration // of a call, for each turn, up to maxTimeout; DefaultTimeout if 0
	Shared       *Shared       // nil for a queue of this process alone
}

// Shared are the options of a queue that several processes share.
type Shared struct {
	Turns    turns.Store
	Instance string // of this process, as it gives heartbeats
	Own      bool   // the provider is the engines of this process, see turns.Line
	Log      *slog.Logger
}

// Lane is a provider behind a queue: one call runs, up to Queue callers wait. Callers with priority go before the others, and
// within both classes the first come is the first served. Five failures within 30 s open its circuit breaker, which then answers
// for 15 s in place of the provider and the queue. Failures are errors without an answer of the contract, and calls that exceed
// their time; a caller that goes away is none. A provider that ignores the end of its context is left behind, but no other
// call starts before it has returned.
//
// A queue that processes share has one bound and one order for all of them; calls of a provider that no process owns may then run in any
// of them. The breaker and the limits of time are those of each process.
type Lane struct {
	next    service.Provider
	options LaneOptions

	mu      sync.Mutex // also guards the breaker, so that queue and breaker change together
	queue   queue      // has the turn of a call until the provider returns, also when nobody waits for it anymore
	breaker *gobreaker.CircuitBreaker[struct{}]
	closes  time.Time // when the open breaker lets a call through again
}

var _ service.Provider = (*Lane)(nil)

// NewLane returns a lane to a provider.
func NewLane(next service.Provider, o LaneOptions) *Lane {
	if o.QueueTimeout == 0 {
		o.QueueTimeout = DefaultQueueTimeout
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	l := &Lane{next: next, options: o}
	l.breaker = gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		Interval:     breakerWindow,
		BucketPeriod: breakerBucket,
		Timeout:      breakerOpen,
		ReadyToTrip:  func(c gobreaker.Counts) bool { return c.TotalFailures >= breakerFailures },
		OnStateChange: func(_ string, _, to gobreaker.State) {
			if to == gobreaker.StateOpen {
				l.closes = time.Now().Add(breakerOpen)
			}
		},
	})
	if o.Shared != nil {
		l.queue = newShared(*o.Shared, o, l.full(), &l.mu, l.mayStart)
	} else {
		l.queue = &alone{size: o.Queue, full: l.full()}
	}
	return l
}

// Close ends what a shared queue does in the background. It is called when no call runs.
func (l *Lane) Close() error {
	l.queue.close()
	return nil
}

// Voices returns the provider's voices. It does not wait in the queue.
func (l *Lane) Voices(ctx context.Context) ([]service.Voice, error) { return l.next.Voices(ctx) }

// Speak waits for the caller's turn and calls the provider. Errors beside those of the provider: SERVER_BUSY or PROVIDER_BUSY
// for a full queue, a long wait or an open breaker; 503 without a code where the store of a shared queue cannot be reached; the error of
// ctx, at once when it ends.
func (l *Lane) Speak(ctx context.Context, s service.Speech) (audio.Buffer, error) {
	p, err := l.acquire(ctx, s.Priority)
	if err != nil {
		return audio.Buffer{}, err
	}
	return l.call(ctx, p, s)
}

// LaneState is a moment of a lane in this process, for metrics.
type LaneState struct {
	Waiting int
	Running bool
	Breaker string // closed, half-open or open
}

// State returns the present state.
func (l *Lane) State() LaneState {
	l.mu.Lock()
	defer l.mu.Unlock()
	waiting, running := l.queue.count()
	return LaneState{Waiting: waiting, Running: running > 0, Breaker: l.breaker.State().String()}
}

// acquire returns a place whose turn has come: the caller calls the provider, and then releases it.
func (l *Lane) acquire(ctx context.Context, priority bool) (*place, error) {
	p, err := l.arrive(ctx, priority)
	if err != nil {
		return nil, err
	}
	timer := time.NewTimer(l.options.QueueTimeout)
	defer timer.Stop()
	select {
	case err := <-p.turn:
		return p, err
	case <-ctx.Done():
		err = fmt.Errorf("wait for %s: %w", l.options.Provider, ctx.Err())
	case <-timer.C:
		err = errBusy(service.CodeServerBusy, service.BusyRetryAfter)
	}
	l.release(p) // perhaps it was this caller's turn in the same moment
	return nil, err
}

// arrive returns a place in the queue.
func (l *Lane) arrive(ctx context.Context, priority bool) (*place, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("speak with %s: %w", l.options.Provider, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.breaker.State() == gobreaker.StateOpen {
		return nil, l.open()
	}
	return l.queue.arrive(priority)
}

// timeLimit returns how long a call of so many turns may take, where each may take timeout.
func timeLimit(timeout time.Duration, turns int) time.Duration {
	return max(timeout, min(timeout*time.Duration(turns), maxTimeout))
}

// call calls the provider and returns when it does or when its time is over.
func (l *Lane) call(ctx context.Context, p *place, s service.Speech) (audio.Buffer, error) {
	limit := timeLimit(l.options.Timeout, len(s.Turns))
	limited, cancel := context.WithTimeout(ctx, limit)
	type result struct {
		sound audio.Buffer
		err   error
	}
	done := make(chan result, 1)
	var once sync.Once
	finish := func(err error) error {
		err = l.outcome(ctx, limited, limit, err)
		once.Do(func() { l.record(ctx, err) })
		return err
	}
	go func() {
		defer cancel()
		var r result
		r.err = backend.Contain(func() (err error) {
			r.sound, err = l.next.Speak(limited, s)
			return err
		})
		r.err = finish(r.err)
		l.release(p) // first, so that a caller who repeats a call at once finds the lane free
		done <- r
	}()
	select {
	case r := <-done:
		return r.sound, r.err
	case <-limited.Done():
	}
	select {
	case r := <-done:
		return r.sound, r.err
	case <-time.After(returnGrace):
		return audio.Buffer{}, finish(limited.Err())
	}
}
