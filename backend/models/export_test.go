package models

// Gated reports whether the gate of a model is closed, so that a test can start work that has to wait.
func (m *Manager) Gated(name string) bool {
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	return err == nil && md.gate != nil
}
