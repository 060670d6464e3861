package models

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// Loaded returns the status of the models in memory.
func (m *listing) Loaded(ctx context.Context) []backend.ModelStatus {
	out := []backend.ModelStatus{}
	for _, s := range m.Status(ctx) {
		if s.Loaded {
			out = append(out, s)
		}
	}
	return out
}
