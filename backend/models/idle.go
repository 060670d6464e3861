package models

import (
	"time"

	"github.com/voicewright/voicewright/backend"
)

// leave counts a user out; the last one starts the idle clock.
func (m *Manager) leave(e entrance) {
	m.mu.Lock()
	defer m.unlock()
	s := e.slot
	s.users--
	e.md.lastUsed = m.o.Now()
	if s.users == 0 && s.empty != nil {
		close(s.empty)
		s.empty = nil
	}
	m.rest(e.md, s)
}

// unused reports whether a model is in memory and neither used nor on its way out; mu is held.
func (md *model) unused() bool {
	return md.state == backend.ModelLoaded && md.slot.users == 0 && md.gate == nil
}

// rest starts the idle clock of a model that nobody uses; mu is held.
func (m *Manager) rest(md *model, s *slot) {
	if m.closed || md.slot != s || !md.unused() {
		return
	}
	s.wake()
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

// unloadIdle frees the model when still nobody uses it, and the user has not switched that off meanwhile.
func (m *Manager) unloadIdle(md *model, s *slot) {
	if m.retireIdle(md, s) {
		m.free(md, s)
	}
}

func (m *Manager) retireIdle(md *model, s *slot) bool {
	m.mu.Lock()
	defer m.unlock()
	if m.closed || md.slot != s || !md.unused() {
		return false
	}
	if m.o.IdleUnload() < 0 {
		s.wake()
		return false
	}
	m.retire(md)
	return true
}
