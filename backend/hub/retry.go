package hub

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/voicewright/voicewright/backend"
)

// retry repeats attempt while that makes sense, with growing waits and jitter between. An attempt that brought new
// bytes (gained) starts the count again: a connection that breaks often still ends the download. waits is
// told of each wait, and of its end by nil.
func (c *Client) retry(ctx context.Context, gained func() bool, waits func(*Retry), attempt func(context.Context) *setback) error {
	delays := newBackoff()
	tries, all, badOnce := 0, 0, false
	for {
		s := attempt(ctx)
		if ctx.Err() != nil {
			return backend.ErrCancelled.Because(ctx.Err())
		}
		if s == nil {
			return nil
		}
		all++
		if tries++; gained() && !s.bad {
			tries = 1
			delays.Reset()
		}
		if !s.again || tries >= c.o.Tries || s.bad && badOnce {
			return counted(s.err, all)
		}
		delay := s.wait
		if delay == 0 {
			delay = delays.NextBackOff()
		}
		if s.soon && tries == 1 || s.bad {
			delay = 0
		}
		badOnce = badOnce || s.bad
		c.o.Log.InfoContext(ctx, "a download is tried again", "error", s.err, "attempt", all, "wait", delay)
		if delay > 0 {
			waits(&Retry{Attempt: tries + 1, Of: c.o.Tries, Wait: delay, Err: s.err})
		}
		if err := c.o.Wait(ctx, delay); err != nil {
			return backend.ErrCancelled.Because(err)
		}
		waits(nil)
	}
}

func newBackoff() *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.Multiplier, b.MaxInterval = time.Second, 2, 30*time.Second
	b.RandomizationFactor = 0.3
	b.Reset()
	return b
}

// counted notes how often it was tried.
func counted(err error, attempts int) error {
	var e *backend.Error
	if errors.As(err, &e) {
		return e.With("attempts", attempts)
	}
	return err
}
