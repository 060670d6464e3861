package identity

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// When keys are downloaded. Ages are measured on the monotonic clock, so that a change of the wall clock does not matter.
const (
	refreshEvery = 5 * time.Minute  // a key that the issuer removed dies within this time
	retryEvery   = 10 * time.Second // after a download that failed
	startEvery   = 2 * time.Second  // while no keys are known
	maxAge       = 24 * time.Hour   // the keys of an issuer that is down longer are unknown
	fetchTimeout = 5 * time.Second  // for discovery and keys together
	retryAfter   = 5 * time.Second  // in the answer while keys are unknown

	// Tokens with an unknown key cause downloads too, a few at once and then one in a while, however many tokens there are.
	maxDemands  = 3
	demandEvery = 10 * time.Second
	maxWaiting  = 256 // tokens that wait for a download; more are answered by the keys that are known
)

var errNoAnswer = errors.New("the issuer has not answered yet")

// keyCache holds the issuer's keys. One goroutine downloads them, in time and on demand.
type keyCache struct {
	fetch  func(context.Context) ([]key, error)
	log    *slog.Logger
	stop   context.CancelFunc
	closed chan struct{} // closed when the goroutine has ended
	queue  chan struct{} // has an entry for each token that waits
	wanted chan struct{} // requests a download of the goroutine

	mu      sync.Mutex
	keys    keySet
	loaded  time.Time     // when keys were last downloaded; zero before the first time
	failure error         // of the last download; nil after a good one
	pending bool          // a download is asked for or under way
	done    chan struct{} // closed when the pending or next download ends
	demands []time.Time   // of the downloads that tokens caused in the last while
}

func startKeyCache(ctx context.Context, fetch func(context.Context) ([]key, error), log *slog.Logger) *keyCache {
	ctx, stop := context.WithCancel(ctx)
	c := &keyCache{
		fetch: fetch, log: log, stop: stop, failure: errNoAnswer, pending: true,
		closed: make(chan struct{}), queue: make(chan struct{}, maxWaiting), wanted: make(chan struct{}, 1), done: make(chan struct{}),
	}
	go c.run(ctx)
	return c
}

func (c *keyCache) close() {
	c.stop()
	<-c.closed
}

func (c *keyCache) run(ctx context.Context) {
	defer close(c.closed)
	for {
		c.download(ctx)
		select {
		case <-ctx.Done():
			return
		case <-c.wanted:
		case <-time.After(c.pause()):
		}
	}
}

// pause returns the time until the next download that nobody asks for.
func (c *keyCache) pause() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.failure == nil:
		return refreshEvery
	case c.loaded.IsZero():
		return startEvery
	default:
		return retryEvery
	}
}

// download replaces the keys. The old ones stay when it fails.
func (c *keyCache) download(ctx context.Context) {
	c.mu.Lock()
	c.pending = true
	c.mu.Unlock()

	limited, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	var keys keySet
	err := backend.Contain(func() (err error) {
		keys, err = c.fetch(limited)
		return err
	})

	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case ctx.Err() != nil: // the program ends
	case err != nil:
		c.log.WarnContext(ctx, "the keys of the issuer cannot be downloaded", "error", err)
	case c.failure != nil || len(keys) != len(c.keys):
		c.log.InfoContext(ctx, "downloaded the keys of the issuer", "keys", len(keys))
	}
	if c.failure = err; err == nil {
		c.keys, c.loaded = keys, time.Now()
	}
	c.pending = false
	close(c.done)
	c.done = make(chan struct{})
}

// current returns the keys. Error: why they are unknown.
func (c *keyCache) current() (keySet, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loaded.IsZero() || c.failure != nil && time.Since(c.loaded) > maxAge {
		return nil, c.failure
	}
	return c.keys, nil
}

// verify returns nil when one of the issuer's keys signed the token. Errors: as Verifier.Verify.
func (c *keyCache) verify(ctx context.Context, t token) error {
	keys, err := c.current()
	signed, known := keys.verify(t)
	if !signed {
		refreshed, ended := c.refresh(ctx)
		if ended != nil {
			return ended
		}
		if refreshed {
			keys, err = c.current()
			signed, known = keys.verify(t)
		}
	}
	switch {
	case err != nil:
		return errUnavailable(err)
	case signed:
		return nil
	case !known && c.lastFailure() != nil: // the key may be a new one
		return errUnavailable(c.lastFailure())
	default:
		return errInvalid("no key of the issuer signed it")
	}
}

func (c *keyCache) lastFailure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failure
}

// refresh waits for a download that is pending, or for a new one where tokens may cause one now. It reports whether there was
// one.
func (c *keyCache) refresh(ctx context.Context) (bool, error) {
	select {
	case c.queue <- struct{}{}:
		defer func() { <-c.queue }()
	default:
		return false, nil
	}
	c.mu.Lock()
	if !c.pending && !c.demand() {
		c.mu.Unlock()
		return false, nil
	}
	done := c.done
	c.mu.Unlock()
	select {
	case <-done:
		return true, nil
	case <-c.closed:
		return false, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// demand requests a download unless tokens caused enough of them lately, and reports whether it did.
func (c *keyCache) demand() bool {
	now := time.Now()
	for len(c.demands) > 0 && now.Sub(c.demands[0]) >= maxDemands*demandEvery {
		c.demands = c.demands[1:]
	}
	if len(c.demands) == maxDemands {
		return false
	}
	c.demands = append(c.demands, now)
	c.pending = true
	select {
	case c.wanted <- struct{}{}:
	default: // asked for already
	}
	return true
}
