package models

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// Get returns the status of a model. Errors: model_unknown.
func (m *listing) Get(_ context.Context, name string) (backend.ModelStatus, error) {
	_, s, err := m.lookup(name)
	return s, err
}

func (m *listing) lookup(name string) (*model, backend.ModelStatus, error) {
	m.refresh()
	total, free, known := m.o.Memory()
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	if err != nil {
		return nil, backend.ModelStatus{}, err
	}
	s := m.status(md)
	s.Fits = fits(md, total, free, known)
	return md, s, nil
}
