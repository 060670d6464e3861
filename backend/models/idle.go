package models

import (
	"time"

	"github.com/voicewright/voicewright/backend"
)

// release ends a lease; the last one starts the idle timer.
func (m *loader) release(e lease) {
	m.mu.Lock()
	defer m.unlock()
	s := e.slot
	s.users--
	e.md.lastUsed = m.o.Now()
	if s.users == 0 && s.empty != nil {
		close(s.empty)
		s.empty = nil
	}
	m.startIdleTimer(e.md, s)
}

// isIdle reports whether a model is in memory, and neither in use nor being unloaded; mu is held.
func (md *model) isIdle() bool {
	return md.state == backend.ModelLoaded && md.slot.users == 0 && md.gate == nil
}

// startIdleTimer starts the timer that unloads a model that nobody uses; mu is held.
func (m *loader) startIdleTimer(md *model, s *slot) {
	if m.closed || md.slot != s || !md.isIdle() {
		return
	}
	s.stopIdleTimer()
	wait := m.o.IdleUnload()
	if wait < 0 {
		return
	}
	s.unloadAt = md.lastUsed.Add(wait)
	s.idle = time.AfterFunc(wait, func() {
		backend.Protect(m.o.Log, "unload an idle model", func() { m.unloadIdle(md, s) })
	})
	m.changed(md.entry.Name)
}

// unloadIdle unloads the model if still nobody uses it, and the user has not switched that off meanwhile.
func (m *loader) unloadIdle(md *model, s *slot) {
	if m.retireIdle(md, s) {
		m.freeMemory(md, s)
	}
}

func (m *loader) retireIdle(md *model, s *slot) bool {
	m.mu.Lock()
	defer m.unlock()
	if m.closed || md.slot != s || !md.isIdle() {
		return false
	}
	if m.o.IdleUnload() < 0 {
		s.stopIdleTimer()
		return false
	}
	m.retire(md)
	return true
}
