package models

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// access says who uses the files of the models directory; mu of the manager guards it.
type access struct {
	users  int
	moving bool          // a move was asked for: no download starts
	to     string        // the new place while it moves
	shut   bool          // the directory is on its way: nobody may use it
	turn   chan struct{} // closed and made anew when users or shut becomes less
}

// useFiles counts the caller in among those that use the models directory, after a move that is on its way; who has it calls
// leaveFiles and does not ask again before. Errors: cancelled.
func (m *Manager) useFiles(ctx context.Context) error {
	for {
		m.mu.Lock()
		turn, shut := m.dir.turn, m.dir.shut
		if !shut && ctx.Err() == nil {
			m.dir.users++
			m.unlock()
			return nil
		}
		m.unlock()
		select {
		case <-turn:
		case <-ctx.Done():
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
}

func (m *Manager) leaveFiles() {
	m.mu.Lock()
	defer m.unlock()
	m.dir.users--
	m.dir.next()
}

// next wakes those that wait; mu is held.
func (a *access) next() {
	close(a.turn)
	a.turn = make(chan struct{})
}
