package models

import (
	"context"
	"errors"

	"github.com/voicewright/voicewright/backend"
)

// Cancel stops a download, also a paused one, and drops what it has. Errors: model_unknown, not_in_progress, cancelled.
func (m *Manager) Cancel(ctx context.Context, name string) (backend.ModelProgress, error) {
	return m.halt(ctx, name, errDiscarded)
}

// halt stops a download for a reason and waits for its end.
func (m *Manager) halt(ctx context.Context, name string, reason error) (backend.ModelProgress, error) {
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
				return backend.ModelProgress{}, notInProgress(reason.Error())
			}
			return p, nil
		}
		if d.paused {
			// Cancelled by going on with it for a moment, so that there is one way in which downloads end.
			if d, err = m.start(ctx, md); err != nil {
				m.unlock()
				return backend.ModelProgress{}, err
			}
		}
		wanted = d
		d.halted = true
		d.stop(reason)
		m.unlock()
		select {
		case <-d.done:
		case <-ctx.Done():
			return backend.ModelProgress{}, backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
}

func notInProgress(what string) error {
	return backend.E(backend.CodeNotInProgress, "There is no download of this model that could be "+what+".",
		"See its state in the list of models.")
}
