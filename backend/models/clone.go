package models

import (
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
)

// cloneRules returns the lengths of a reference that a model can use, nil if this build cannot clone with it.
func (m *listing) cloneRules(e registry.Entry) *engines.CloneRules {
	driver, ok := m.driver(e.Engine).(engines.CloneDriver)
	if !ok || !e.Cloning {
		return nil
	}
	rules, ok := driver.CloneRules(e.Key)
	if !ok {
		return nil
	}
	return &rules
}

// Forget removes a reference, by its key, from the memory of all models.
func (m *loader) Forget(key string) {
	for _, c := range m.cloners() {
		c.Forget(key)
	}
}

// cloners returns the models in memory that clone.
func (m *loader) cloners() []engines.Cloner {
	m.mu.Lock()
	defer m.unlock()
	var out []engines.Cloner
	for _, md := range m.order {
		if md.slot == nil {
			continue
		}
		if c, ok := md.slot.engine.(engines.Cloner); ok {
			out = append(out, c)
		}
	}
	return out
}
