package models

import "github.com/voicewright/voicewright/backend"

// event is what the callbacks of Options get: a progress, or else the name of a model whose state changed.
type event struct {
	progress *backend.ModelProgress
	model    string
}

// changed queues an event for a model whose state changed; mu is held, and unlock sends it.
func (m *states) changed(name string) {
	if m.o.Changed != nil {
		m.events = append(m.events, event{model: name})
	}
}

// advanced queues an event with the progress of a model; mu is held, and unlock sends it.
func (m *states) advanced(md *model) {
	if m.o.Progress != nil {
		m.events = append(m.events, event{progress: new(md.progress)})
	}
}

// unlock releases mu and sends the queued events in order, from one goroutine at a time. The callbacks may call the Manager.
func (m *states) unlock() {
	if m.notifying || len(m.events) == 0 {
		m.mu.Unlock()
		return
	}
	m.notifying = true
	for len(m.events) > 0 {
		batch := m.events
		m.events = nil
		m.mu.Unlock()
		for _, n := range batch {
			backend.Protect(m.o.Log, "the event of a model", func() {
				if n.progress != nil {
					m.o.Progress(*n.progress)
				} else {
					m.o.Changed(n.model)
				}
			})
		}
		m.mu.Lock()
	}
	m.notifying = false
	m.mu.Unlock()
}
