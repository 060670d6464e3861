package models

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// slot is a model in memory or on its way there; mu of the manager guards it.
type slot struct {
	ready    chan struct{} // closed when the load ended
	gone     chan struct{} // closed when the memory is free again
	speaker  engines.Speaker
	place    place
	err      error
	took     time.Duration
	users    int
	empty    chan struct{}   // made by who waits until nobody uses it
	revoked  context.Context //nolint:containedctx // ends the work of those who enter now
	revoke   context.CancelCauseFunc
	idle     *time.Timer
	unloadAt time.Time
}

func newSlot() *slot {
	s := &slot{ready: make(chan struct{}), gone: make(chan struct{})}
	s.renew()
	return s
}

// renew makes a fresh context for those who enter from now on.
func (s *slot) renew() { s.revoked, s.revoke = context.WithCancelCause(context.Background()) }

// wake stops the idle clock; mu is held.
func (s *slot) wake() {
	if s.idle != nil {
		s.idle.Stop()
	}
	s.idle, s.unloadAt = nil, time.Time{}
}

var errRevoked = backend.E(backend.CodeCancelled, "The model was unloaded while it spoke.", "Start it again when you want it.")
