package models

import "github.com/voicewright/voicewright/engines"

// ForgetVoice removes what loaded models have in memory of the reference with this key.
func (m *Manager) ForgetVoice(key string) {
	var loaded []engines.Cloner
	m.mu.Lock()
	for _, md := range m.order {
		if md.slot == nil {
			continue
		}
		if c, ok := md.slot.engine.(engines.Cloner); ok {
			loaded = append(loaded, c)
		}
	}
	m.unlock()
	for _, c := range loaded {
		c.Forget(key)
	}
}
