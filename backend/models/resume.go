package models

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// Resume goes on with a paused download, also one that is just being paused; one that runs goes on running.
// Errors: model_unknown, not_in_progress, cancelled.
func (m *Manager) Resume(ctx context.Context, name string) (backend.ModelProgress, error) {
	return m.begin(ctx, name, func(md *model) error {
		if md.download == nil {
			return notInProgress("resumed")
		}
		return nil
	})
}
