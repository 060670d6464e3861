package models

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// Pause stops a download and keeps its files. Errors: model_unknown, not_in_progress, cancelled.
func (m *downloader) Pause(ctx context.Context, name string) (backend.ModelProgress, error) {
	return m.stopDownload(ctx, name, errPaused)
}
