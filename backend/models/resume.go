package models

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// Resume continues a download that is paused or being paused. A running download continues.
// Errors: model_unknown, not_in_progress, cancelled.
func (m *downloader) Resume(ctx context.Context, name string) (backend.ModelProgress, error) {
	return m.startDownload(ctx, name, func(md *model) error {
		if md.download == nil {
			return errNotInProgress("resumed")
		}
		return nil
	})
}
