package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// sendGrace is how long clients have to read their answers once all calls have ended.
const sendGrace = 2 * time.Second

// server serves HTTP until its context ends.
type server struct {
	http  *http.Server
	drain func()                      // makes /ready answer 503
	calls func(context.Context) error // refuses new calls and waits for running ones; cancels them when its context ends
	log   *slog.Logger

	drainDelay time.Duration // for which everything is served although /ready is 503
	grace      time.Duration // that running calls have to end, before they are cancelled and refunded
}

// run serves requests until ctx ends, then lets running calls finish. It calls ready once requests are accepted.
func (s *server) run(ctx context.Context, listener net.Listener, ready func() error) error {
	failed := make(chan error, 1)
	go func() { failed <- backend.Contain(func() error { return s.http.Serve(listener) }) }()
	if err := ready(); err != nil {
		return errors.Join(err, s.http.Close())
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	s.drain()
	if s.drainDelay > 0 {
		s.log.Info("stopping: /ready answers 503, everything else is served", "for", s.drainDelay.String())
	}
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-time.After(s.drainDelay):
		s.log.Info("stopping: no new requests are accepted", "grace", s.grace.String())
		return errors.Join(s.stop(), ignoreClosed(<-failed))
	}
}

// stop stops accepting requests and lets running calls end.
func (s *server) stop() error {
	ended := make(chan error, 1)
	go func() { ended <- s.http.Shutdown(context.Background()) }()
	grace, cancel := context.WithTimeout(context.Background(), s.grace)
	defer cancel()
	if err := s.calls(grace); errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("calls that were still running were cancelled and refunded")
	} else if err != nil {
		return errors.Join(err, s.http.Close(), <-ended)
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(sendGrace):
		return errors.Join(s.http.Close(), ignoreClosed(<-ended))
	}
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// listen listens on the address of an option.
func listen(ctx context.Context, option, addr string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	var dns *net.DNSError
	switch {
	case err == nil:
		return listener, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("the address %s is already in use; choose another port with %s, or 0 for any free port", addr, option)
	case errors.As(err, &dns):
		return nil, usagef("%s: the host of %q is unknown; use an address of this machine", option, addr)
	default:
		return nil, fmt.Errorf("cannot listen on %s: %w; choose an address of this machine with %s, and a port above 1023",
			addr, reason(err), option)
	}
}

// reason returns the innermost error, which says what the system answered.
func reason(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
