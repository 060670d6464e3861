package hosted

import (
	"context"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// The rate of the contract, which speech and enhance share. The margin covers that a request arrives later than it was sent.
const (
	ratePerWindow = 30
	rateWindow    = time.Minute
	rateMargin    = time.Second
)

// rate is a sliding window of the requests that were sent.
type rate struct {
	now   func() time.Time
	sleep func(ctx context.Context, d time.Duration) error

	mu   sync.Mutex
	sent []time.Time // at most ratePerWindow, oldest first
}

func newRate(now func() time.Time, sleep func(context.Context, time.Duration) error) *rate {
	return &rate{now: now, sleep: sleep}
}

// wait returns when a request may be sent, and counts it. Before each wait, report says how long it is.
func (r *rate) wait(ctx context.Context, report func(backend.Wait)) error {
	for {
		d := r.take()
		if d <= 0 {
			return ctx.Err()
		}
		report(backend.Wait{Reason: "rate", Seconds: d.Seconds()})
		if err := r.sleep(ctx, d); err != nil {
			return err
		}
	}
}

// take counts a request and returns 0, or returns how long to wait for the next one.
func (r *rate) take() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if len(r.sent) == ratePerWindow {
		free := r.sent[0].Add(rateWindow + rateMargin)
		if d := free.Sub(now); d > 0 && d <= rateWindow+rateMargin { // else the clock was set back
			return d
		}
		r.sent = r.sent[1:]
	}
	r.sent = append(r.sent, now)
	return 0
}

// until returns after which time n requests may be sent at once; for more than fit into a window that of a full one.
func (r *rate) until(n int) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	last := len(r.sent) + min(n, ratePerWindow) - ratePerWindow // of those that must be over
	if last <= 0 {
		return 0
	}
	d := r.sent[last-1].Add(rateWindow + rateMargin).Sub(now)
	if d > rateWindow+rateMargin { // the clock was set back
		return 0
	}
	return max(0, d)
}

// slot waits until no other synthesis runs and the rate allows a request, which it counts. release ends the synthesis.
func (s *Service) slot(ctx context.Context, report func(backend.Wait)) (release func(), err error) {
	select {
	case s.speech <- struct{}{}:
	default:
		report(backend.Wait{Reason: "queue", Place: 1})
		select {
		case s.speech <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if err := s.rate.wait(ctx, report); err != nil {
		<-s.speech
		return nil, err
	}
	return sync.OnceFunc(func() { <-s.speech }), nil
}
