package models

import "github.com/voicewright/voicewright/backend"

// news is what is told to the outside: a progress record, or else the name of a model whose state changed.
type news struct {
	progress *backend.ModelProgress
	model    string
}

// changed notes that a model is to be told of; mu is held, and unlock tells it.
func (m *Manager) changed(name string) {
	if m.o.Changed != nil {
		m.news = append(m.news, news{model: name})
	}
}

// advanced notes the present progress record of a model; mu is held, and unlock tells it.
func (m *Manager) advanced(md *model) {
	if m.o.Progress != nil {
		m.news = append(m.news, news{progress: new(md.progress)})
	}
}

// unlock releases mu and tells what was noted, in its order and one at a time, whichever goroutine does it. The
// functions that are told may call the Manager.
func (m *Manager) unlock() {
	if m.telling || len(m.news) == 0 {
		m.mu.Unlock()
		return
	}
	m.telling = true
	for len(m.news) > 0 {
		batch := m.news
		m.news = nil
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
	m.telling = false
	m.mu.Unlock()
}
