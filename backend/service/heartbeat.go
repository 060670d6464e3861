package service

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

const (
	// HeartbeatInterval is the time between two heartbeats of a process.
	HeartbeatInterval = time.Second
	// BeatGap is the longest time between two heartbeats in which neither the clock of the store nor the process was stopped or changed.
	BeatGap = 3 * time.Second

	refundTimeout = time.Second // that an answer waits for its refund
)

// heartbeat marks this process as alive. Only one goroutine uses it.
type heartbeat struct {
	o       *Config
	refunds *refunds
}

// beat marks this process as alive, repeats refunds that failed, and refunds what dead processes left.
func (h *heartbeat) beat(ctx context.Context) {
	if err := h.o.Store.Heartbeat(ctx, h.o.Instance); err != nil {
		h.o.logUnlessEnded(ctx, "write the heartbeat", err)
		return
	}
	h.refunds.refundAgain(ctx)
	n, err := h.o.Store.Repair(ctx, h.o.Instance)
	if err != nil {
		h.o.logUnlessEnded(ctx, "repair the ledger", err)
	}
	if n > 0 {
		h.o.Log.WarnContext(ctx, "refunded the calls of processes that died", "calls", n)
		h.o.Observer.Repaired(n)
	}
}

// refunds returns the credits of calls that failed.
type refunds struct {
	o     *Config
	files *storedFiles

	mu     sync.Mutex
	unpaid map[string]refund // by reservation; the heartbeat makes them
}

// refund is why a call is refunded, and the name of its audio, which is removed once that is done; empty where there is none.
type refund struct{ reason, file string }

// refund returns the credits of a reservation, whether or not ctx has ended, and reports whether the call was charged instead. A refund
// that fails is repeated by the heartbeat.
func (r *refunds) refund(ctx context.Context, id string, why refund) (charged bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refundTimeout)
	defer cancel()
	charged, err := r.try(ctx, id, why)
	if err != nil {
		r.o.Log.ErrorContext(ctx, "refund failed; it will be repeated", "call", id, "error", err)
		r.refundLater(id, why)
	}
	return charged
}

// try refunds a call and removes its audio. Of one that was charged the audio stays.
func (r *refunds) try(ctx context.Context, id string, why refund) (charged bool, err error) {
	err = backend.Contain(func() error { return r.o.Store.Refund(ctx, id, why.reason) })
	if errors.Is(err, ErrCharged) {
		r.o.Log.WarnContext(ctx, "a call that seemed to fail was charged, and keeps its audio", "call", id)
		return true, nil
	}
	if err == nil && why.file != "" {
		r.files.remove(ctx, why.file)
	}
	return false, err
}

// refundLater leaves a refund to the next heartbeat.
func (r *refunds) refundLater(id string, why refund) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unpaid[id] = why
}

// refundAgain makes the refunds that failed or were left, up to the first that fails again.
func (r *refunds) refundAgain(ctx context.Context) {
	r.mu.Lock()
	unpaid := maps.Clone(r.unpaid)
	r.mu.Unlock()
	for id, why := range unpaid {
		if _, err := r.try(ctx, id, why); err != nil {
			r.o.logUnlessEnded(ctx, "repeat a refund", err)
			return
		}
		r.mu.Lock()
		delete(r.unpaid, id)
		r.mu.Unlock()
	}
}

// logUnlessEnded logs the failure of background work, but not the one that the end of ctx causes.
func (c *Config) logUnlessEnded(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		c.Log.ErrorContext(ctx, "background work failed", "in", what, "error", err)
	}
}
