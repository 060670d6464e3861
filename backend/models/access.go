package models

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// access counts the users of the models directory; mu of the manager guards it.
type access struct {
	users   int
	moving  bool                   // a move was requested: no download starts
	to      string                 // the new folder during a move
	adopted *backend.ModelDownload // how much of an adopted folder is checked
	closed  bool                   // the files are being moved: nobody may use them
	changed chan struct{}          // closed and replaced when users or closed changes
}

// acquireFiles waits for a running move and counts the caller as a user of the models directory. The caller calls releaseFiles,
// and must not call acquireFiles again before. Errors: cancelled.
func (m *states) acquireFiles(ctx context.Context) error {
	for {
		m.mu.Lock()
		changed, closed := m.dir.changed, m.dir.closed
		if !closed && ctx.Err() == nil {
			m.dir.users++
			m.unlock()
			return nil
		}
		m.unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
}

// releaseFiles ends acquireFiles.
func (m *states) releaseFiles() {
	m.mu.Lock()
	defer m.unlock()
	m.dir.users--
	m.dir.notify()
}

// notify wakes the waiting callers; mu is held.
func (a *access) notify() {
	close(a.changed)
	a.changed = make(chan struct{})
}
