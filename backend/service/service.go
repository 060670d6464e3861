package service

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// Service has the use cases of the hosted API. It is safe for concurrent use.
type Service struct {
	o         Config
	catalogue *catalogue
	previews  previews
	sweeper   sweeper
	beats     beats

	stopping context.Context //nolint:containedctx // ends when Close cancels the running calls
	stop     context.CancelFunc
	loops    sync.WaitGroup
	endLoops context.CancelFunc // nil before Start

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup    // calls; added to under mu while closed is false
	unpaid  map[string]string // reservations that the heartbeat refunds, with the reason
}

// New returns a service, or an error that names what the configuration lacks.
func New(c Config) (*Service, error) {
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	s := &Service{o: c, catalogue: newCatalogue(c), unpaid: map[string]string{}}
	s.stopping, s.stop = context.WithCancel(context.Background())
	s.previews.running = map[string]*previewWork{}
	return s, nil
}

// Start marks this process as alive and starts its background work, which runs until Close: the heartbeat, which also refunds what
// dead processes left, and the sweeper. Call it before the first request. ctx limits the start only.
func (s *Service) Start(ctx context.Context) error {
	if err := s.o.Store.Heartbeat(ctx, s.o.Instance, s.o.Now()); err != nil {
		return err
	}
	background, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.endLoops = cancel
	s.every(background, heartbeatInterval, "heartbeat", s.beat)
	s.every(background, sweepInterval, "sweeper", s.sweep)
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

// Close refuses new calls and waits for the running ones. When ctx ends first, they are cancelled and refunded, and the error
// of ctx is returned. No goroutine is left.
func (s *Service) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		s.running.Wait()
		close(ended)
	}()
	var err error
	select {
	case <-ended:
	case <-ctx.Done():
		err = ctx.Err()
	}
	s.stop()
	<-ended
	if s.endLoops != nil {
		s.endLoops()
	}
	s.loops.Wait()
	s.refundAgain(context.WithoutCancel(ctx))
	return err
}

// begin registers a call, which ends with the client's request or when Close cancels it. The caller calls end.
func (s *Service) begin(ctx context.Context) (call context.Context, end func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, nil, errStopping
	}
	s.running.Add(1)
	call, cancel := context.WithCancelCause(ctx)
	detach := context.AfterFunc(s.stopping, func() { cancel(errStopping) })
	return call, func() {
		detach()
		cancel(nil)
		s.running.Done()
	}, nil
}

// Ready returns nil when requests can be served, else why not.
func (s *Service) Ready(ctx context.Context) error {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return errStopping
	}
	if err := s.o.Store.Ping(ctx); err != nil {
		return &Error{
			Status: http.StatusServiceUnavailable, RetryAfter: StoreRetryAfter, Cause: err,
			Sentence: "The service's database can't be read or written. Try again in a few seconds.",
		}
	}
	if err := s.o.Files.Ready(ctx); err != nil {
		return filesNotReady(err)
	}
	err := s.o.Encoder.Ready(ctx)
	var answer *Error
	if err == nil || errors.As(err, &answer) {
		return err
	}
	return &Error{Status: http.StatusServiceUnavailable, Sentence: err.Error(), Cause: err}
}
