package models

import (
	"context"
	"errors"

	"github.com/voicewright/voicewright/backend"
)

// Cancel stops a running or paused download and removes its files. Errors: model_unknown, not_in_progress, cancelled.
func (m *downloader) Cancel(ctx context.Context, name string) (backend.ModelProgress, error) {
	return m.stopDownload(ctx, name, errDiscarded)
}

// stopDownload stops a download for a reason and waits until it has ended.
func (m *downloader) stopDownload(ctx context.Context, name string, reason error) (backend.ModelProgress, error) {
	for wanted := (*download)(nil); ; {
		m.mu.Lock()
		md, err := m.find(name)
		if err != nil {
			m.unlock()
			return backend.ModelProgress{}, err
		}
		d := md.download
		ended := wanted != nil && d != wanted
		if ended || d == nil || d.paused && errors.Is(reason, errPaused) {
			p := md.progress
			m.unlock()
			if wanted == nil {
				return backend.ModelProgress{}, errNotInProgress(reason.Error())
			}
			return p, nil
		}
		if d.paused {
			// A paused download is started and stopped, so that all downloads end in the same way.
			if d, err = m.start(ctx, md); err != nil {
				m.unlock()
				return backend.ModelProgress{}, err
			}
		}
		wanted = d
		d.stopping = true
		d.stop(reason)
		m.unlock()
		select {
		case <-d.done:
		case <-ctx.Done():
			return backend.ModelProgress{}, backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
}

func errNotInProgress(what string) error {
	return backend.E(backend.CodeNotInProgress, "This model has no download that can be "+what+".",
		"Check its state in the list of models.")
}
