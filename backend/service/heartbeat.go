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

// beat marks this process as alive. Nothing that takes long runs beside it: without heartbeats other processes refund its calls.
func (h *heartbeat) beat(ctx context.Context) {
	if err := h.o.Store.Heartbeat(ctx, h.o.Instance); err != nil {
		h.o.logUnlessEnded(ctx, "write the heartbeat", err)
	}
}

// repair repeats refunds that failed, and refunds calls that nobody runs: those of dead processes, and those of this one that it does not
// know.
func (h *heartbeat) repair(ctx context.Context) {
	h.refunds.refundAgain(ctx)
	h.refunds.refundStray(ctx)
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
	calls  map[string]bool   // of this process, from before they are reserved until it is sure how they ended
	unpaid map[string]refund // those of them that failed and are not refunded yet; the repair does it
}

// refund is why a call is refunded, and the name of its audio, which is removed once that is done; empty where there is none.
type refund struct{ reason, file string }

// open registers a call that is about to be reserved.
func (r *refunds) open(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls[id] = true
}

// end forgets a call.
func (r *refunds) end(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.calls, id)
	delete(r.unpaid, id)
}

// refund returns the credits of a reservation, whether or not ctx has ended, and reports whether the call was charged instead, and
// whether one of both is sure. A refund that is not is repeated.
func (r *refunds) refund(ctx context.Context, id string, why refund) (charged, sure bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refundTimeout)
	defer cancel()
	charged, err := r.try(ctx, id, why)
	if err == nil {
		return charged, true
	}
	r.o.Log.ErrorContext(ctx, "refund failed; it will be repeated", "call", id, "error", err)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unpaid[id] = why
	return false, false
}

// try refunds a call, forgets it and removes its audio. Of one that was charged the audio stays.
func (r *refunds) try(ctx context.Context, id string, why refund) (charged bool, err error) {
	err = backend.Contain(func() error { return r.o.Store.Refund(ctx, id, why.reason) })
	switch {
	case errors.Is(err, ErrCharged):
		r.o.Log.WarnContext(ctx, "a call that seemed to fail was charged, and keeps its audio", "call", id)
		r.end(id)
		return true, nil
	case err != nil:
		return false, err
	}
	r.end(id)
	if why.file != "" {
		r.files.remove(ctx, why.file)
	}
	return false, nil
}

// refundAgain makes the refunds that failed, up to the first that fails again.
func (r *refunds) refundAgain(ctx context.Context) {
	r.mu.Lock()
	unpaid := maps.Clone(r.unpaid)
	r.mu.Unlock()
	for id, why := range unpaid {
		if _, err := r.try(ctx, id, why); err != nil {
			r.o.logUnlessEnded(ctx, "repeat a refund", err)
			return
		}
	}
}

// refundStray refunds calls that are held for this process and that it does not run: their reservation was stored after its answer was
// lost, or a database that took over has lost how they ended. A call that runs is in r.calls before it is stored; one that ends meanwhile
// was there before the store listed it.
func (r *refunds) refundStray(ctx context.Context) {
	before := r.running()
	held, err := r.o.Store.Held(ctx, r.o.Instance)
	if err != nil {
		r.o.logUnlessEnded(ctx, "look for calls that nobody runs", err)
		return
	}
	after := r.running()
	for _, id := range held {
		if before[id] || after[id] {
			continue
		}
		charged, err := r.try(ctx, id, refund{reason: "not running"})
		if err != nil {
			r.o.logUnlessEnded(ctx, "refund a call that nobody runs", err)
			return
		}
		if !charged {
			r.o.Log.WarnContext(ctx, "refunded a call that nobody runs", "call", id)
		}
	}
}

// running returns the calls that this process runs.
func (r *refunds) running() map[string]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.calls)
}

// logUnlessEnded logs the failure of background work, but not the one that the end of ctx causes.
func (c *Config) logUnlessEnded(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		c.Log.ErrorContext(ctx, "background work failed", "in", what, "error", err)
	}
}
