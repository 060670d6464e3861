package hub

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/voicewright/voicewright/backend"
)

// retry repeats attempt while it may succeed, with growing waits and jitter. An attempt that received new bytes (gained) resets
// the count, so that a connection that breaks often still completes the download. waits is called with each wait, and with nil
// at its end.
func (c *Client) retry(ctx context.Context, gained func() bool, waits func(*Retry), attempt func(context.Context) *attemptError) error {
	delays := newBackoff()
	tries, all, wasWrong := 0, 0, false
	for {
		s := attempt(ctx)
		if ctx.Err() != nil {
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		if s == nil {
			return nil
		}
		all++
		if tries++; gained() && !s.wrongContent {
			tries = 1
			delays.Reset()
		}
		if !s.retry || tries >= c.o.Tries || s.wrongContent && wasWrong {
			return withAttempts(s.err, all)
		}
		delay := s.delay(tries, delays)
		wasWrong = wasWrong || s.wrongContent
		c.o.Log.InfoContext(ctx, "retry a download", "error", s.err, "attempt", all, "wait", delay)
		if delay > 0 {
			waits(&Retry{Attempt: tries + 1, Of: c.o.Tries, Wait: delay, Err: s.err})
		}
		if err := c.o.Wait(ctx, delay); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		waits(nil)
	}
}

// delay returns how long to wait after this attempt, the tries-th in a row.
func (s *attemptError) delay(tries int, delays *backoff.ExponentialBackOff) time.Duration {
	delay := s.wait
	if delay == 0 {
		delay = delays.NextBackOff()
	}
	if s.atOnce && tries == 1 || s.wrongContent {
		return 0
	}
	return delay
}

func newBackoff() *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.Multiplier, b.MaxInterval = time.Second, 2, 30*time.Second
	b.RandomizationFactor = 0.3
	b.Reset()
	return b
}

// withAttempts returns an error with the number of attempts as a parameter.
func withAttempts(err error, attempts int) error {
	var e *backend.Error
	if errors.As(err, &e) {
		return e.With("attempts", attempts)
	}
	return err
}
