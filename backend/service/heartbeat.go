package service

import (
	"context"
	"maps"
	"time"

	"github.com/voicewright/voicewright/backend"
)

const (
	heartbeatInterval = time.Second
	deadAfter         = 4 * time.Second // without a heartbeat, a process is dead
	beatGap           = 3 * time.Second // between two heartbeats, after which the clock or the process was stopped or changed
	refundTimeout     = time.Second     // that an answer waits for its refund
)

// beats remembers the heartbeats of this process. Only the heartbeat uses it.
type beats struct {
	last   time.Time
	repair time.Time // no process is taken for dead before
}

// beat marks this process as alive, repeats refunds that failed, and refunds what dead processes left. After a gap it gives the
// other processes time for a heartbeat of their own: a clock that was changed, a machine that slept or a locked database stopped
// them too.
func (s *Service) beat(ctx context.Context) {
	now := s.o.Now().Round(0) // the clock of the wall, as in the store
	if err := s.o.Store.Heartbeat(ctx, s.o.Instance, now); err != nil {
		s.logUnlessEnded(ctx, "write the heartbeat", err)
		return
	}
	if gap := now.Sub(s.beats.last); !s.beats.last.IsZero() && gap > beatGap {
		s.beats.repair = now.Add(deadAfter)
	}
	s.beats.last = now
	s.refundAgain(ctx)
	if now.Before(s.beats.repair) {
		return
	}
	n, err := s.o.Store.Repair(ctx, now.Add(-deadAfter), now)
	if err != nil {
		s.logUnlessEnded(ctx, "repair the ledger", err)
	}
	if n > 0 {
		s.o.Log.WarnContext(ctx, "refunded the calls of processes that died", "calls", n)
		s.o.Observer.Repaired(n)
	}
}

// refund returns the credits of a reservation, whether or not ctx has ended. A refund that fails is repeated by the heartbeat.
func (s *Service) refund(ctx context.Context, id, reason string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refundTimeout)
	defer cancel()
	err := backend.Contain(func() error { return s.o.Store.Refund(ctx, id, reason, s.o.Now()) })
	if err == nil {
		return
	}
	s.o.Log.ErrorContext(ctx, "refund failed; it will be repeated", "call", id, "error", err)
	s.refundLater(id, reason)
}

// refundLater leaves a refund to the next heartbeat.
func (s *Service) refundLater(id, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unpaid[id] = reason
}

// refundAgain makes the refunds that failed or were left, up to the first that fails again.
func (s *Service) refundAgain(ctx context.Context) {
	s.mu.Lock()
	unpaid := maps.Clone(s.unpaid)
	s.mu.Unlock()
	for id, reason := range unpaid {
		if err := s.o.Store.Refund(ctx, id, reason, s.o.Now()); err != nil {
			s.logUnlessEnded(ctx, "repeat a refund", err)
			return
		}
		s.mu.Lock()
		delete(s.unpaid, id)
		s.mu.Unlock()
	}
}

// logUnlessEnded logs the failure of background work, but not the one that the end of ctx causes.
func (s *Service) logUnlessEnded(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		s.o.Log.ErrorContext(ctx, "background work failed", "in", what, "error", err)
	}
}
