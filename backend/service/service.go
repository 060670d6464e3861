package service

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// Service has the use cases of the hosted API, by what they are about. It is safe for concurrent use.
type Service struct {
	*accounts
	*keys
	*catalogue
	*synthesis
	*enhancement
	*previews
	*storedFiles

	o         *Config
	calls     *calls
	refunds   *refunds
	heartbeat *heartbeat
	sweeper   *sweeper
	loops     sync.WaitGroup
	endLoops  context.CancelFunc // nil before Start
}

// calls are the calls that run. Close waits for them, or cancels them.
type calls struct {
	stopping context.Context //nolint:containedctx // ends when Close cancels the running calls
	stop     context.CancelFunc

	draining atomic.Bool

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup // added to under mu while closed is false
}

// ChargeTimeout is how long a call whose audio is stored takes at most to be charged, or refunded where that fails. For each of the two
// the store may wait for the answer to its commit.
const ChargeTimeout = chargeTimeout + CommitWait + refundTimeout + CommitWait

// New returns a service, or an error that names what the configuration lacks.
func New(c Config) (*Service, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	o, running, voices, files, speaks := &c, &calls{}, newCatalogue(&c), &storedFiles{&c}, &speaker{&c}
	running.stopping, running.stop = context.WithCancel(context.Background())
	unpaid := &refunds{o: o, files: files, calls: map[string]bool{}, unpaid: map[string]refund{}}
	return &Service{
		accounts: &accounts{o, files}, keys: &keys{o}, catalogue: voices,
		synthesis:   &synthesis{o: o, calls: running, voices: voices, speaker: speaks, files: files, refunds: unpaid},
		enhancement: &enhancement{o, running, voices},
		previews:    &previews{o: o, calls: running, voices: voices, speaker: speaks, running: map[string]*previewWork{}},
		storedFiles: files,
		o:           o, calls: running, refunds: unpaid, heartbeat: &heartbeat{o: o, refunds: unpaid}, sweeper: &sweeper{o: o},
	}, nil
}

// Start marks this process as alive and starts its background work, which runs until Close: the heartbeat, the repair, which refunds
// what dead processes left, and the sweeper. Call it before the first request. ctx limits the start only.
func (s *Service) Start(ctx context.Context) error {
	if err := s.o.Store.Heartbeat(ctx, s.o.Instance); err != nil {
		return err
	}
	background, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.endLoops = cancel
	s.every(background, HeartbeatInterval, "heartbeat", s.heartbeat.beat)
	s.every(background, HeartbeatInterval, "repair", s.heartbeat.repair)
	s.every(background, sweepInterval, "sweeper", s.sweeper.sweep)
	return nil
}

// every calls f at once and then at each interval until ctx ends. A panic ends one call of f.
func (s *Service) every(ctx context.Context, interval time.Duration, what string, f func(context.Context)) {
	s.loops.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for {
			backend.Protect(s.o.Log, what, func() { f(ctx) })
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	})
}

// Drain makes Ready return an error, so that load balancers send their requests elsewhere. Those that come are served until Close.
func (s *Service) Drain() { s.calls.draining.Store(true) }

// Close refuses new calls and waits for the running ones. When ctx ends first, they are cancelled and refunded, and the error
// of ctx is returned. No goroutine is left.
func (s *Service) Close(ctx context.Context) error {
	s.calls.mu.Lock()
	s.calls.closed = true
	s.calls.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		s.calls.running.Wait()
		close(ended)
	}()
	var err error
	select {
	case <-ended:
	case <-ctx.Done():
		err = ctx.Err()
	}
	s.calls.stop()
	<-ended
	if s.endLoops != nil {
		s.endLoops()
	}
	s.loops.Wait()
	s.refunds.refundAgain(context.WithoutCancel(ctx))
	return err
}

// begin registers a call, which ends with the client's request or when Close cancels it. The caller calls end.
func (c *calls) begin(ctx context.Context) (call context.Context, end func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, nil, errStopping
	}
	c.running.Add(1)
	call, cancel := context.WithCancelCause(ctx)
	detach := context.AfterFunc(c.stopping, func() { cancel(errStopping) })
	return call, func() {
		detach()
		cancel(nil)
		c.running.Done()
	}, nil
}

// ended reports whether no call begins any more.
func (c *calls) ended() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// Ready returns nil when requests can be served, else why not.
func (s *Service) Ready(ctx context.Context) error {
	if s.calls.draining.Load() || s.calls.ended() {
		return errDraining
	}
	if err := s.o.Store.Ping(ctx); err != nil {
		return &Error{
			Status: http.StatusServiceUnavailable, RetryAfter: StoreRetryAfter, Cause: err,
			Sentence: "The service's database can't be read or written. Try again in a few seconds.",
		}
	}
	if err := s.o.Files.Ready(ctx); err != nil {
		return errFilesNotReady(err)
	}
	err := s.o.Encoder.Ready(ctx)
	var answer *Error
	if err == nil || errors.As(err, &answer) {
		return err
	}
	return &Error{Status: http.StatusServiceUnavailable, Sentence: err.Error(), Cause: err}
}
