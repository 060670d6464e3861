package models

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/engines"
)

// slot is a model that is in memory or being loaded; mu of the manager guards it.
type slot struct {
	ready    chan struct{} // closed when the load has ended
	unloaded chan struct{} // closed when the memory is free again
	engine   engines.Engine
	location location
	err      error
	took     time.Duration
	users    int
	empty    chan struct{}   // created by a caller that waits until nobody uses it
	ctx      context.Context //nolint:containedctx // cancels the work of the current users
	cancel   context.CancelCauseFunc
	idle     *time.Timer
	unloadAt time.Time
}

func newSlot() *slot {
	s := &slot{ready: make(chan struct{}), unloaded: make(chan struct{})}
	s.newContext()
	return s
}

// newContext replaces the context, for the users from now on.
func (s *slot) newContext() { s.ctx, s.cancel = context.WithCancelCause(context.Background()) }

// stopIdleTimer stops the timer that unloads an idle model; mu is held.
func (s *slot) stopIdleTimer() {
	if s.idle != nil {
		s.idle.Stop()
	}
	s.idle, s.unloadAt = nil, time.Time{}
}
