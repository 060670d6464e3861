package models

// Gated reports whether a model is closed for new work, so that a test can begin some that has to wait.
func (m *Manager) Gated(name string) bool {
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	return err == nil && md.gate != nil
}
