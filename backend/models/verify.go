package models

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// Verify reads every byte of a model and compares it with its hashes. A file that is not right is put into quarantine and
// makes the model broken, and the next download fetches it again. A model in memory goes on, with the error in its status,
// and is broken when it is unloaded; the error goes with the next check, download or delete. A model that is deleted
// meanwhile is not downloaded, whatever was read of it.
// Errors: model_unknown, model_not_downloaded, cancelled.
func (m *Manager) Verify(ctx context.Context, name string) (backend.ModelVerified, error) {
	if err := m.useFiles(ctx); err != nil {
		return backend.ModelVerified{}, err
	}
	defer m.leaveFiles()
	for {
		m.refresh()
		m.mu.Lock()
		md, err := m.verifiable(name)
		turn := 0
		if err == nil {
			turn = md.turn
		}
		m.unlock()
		if err != nil {
			return backend.ModelVerified{}, err
		}
		n, wrong := m.check(ctx, md)
		if backend.CodeOf(wrong) == backend.CodeCancelled {
			return backend.ModelVerified{}, wrong
		}
		m.mu.Lock()
		now, err := m.verifiable(name)
		if err != nil || now == md && md.turn == turn {
			defer m.unlock()
			if err != nil {
				return backend.ModelVerified{}, err
			}
			return m.judge(md, n, wrong), nil
		}
		m.unlock() // files came meanwhile: what was read is not what is here
	}
}

// verifiable gives a model of which there is something to check; mu is held.
func (m *Manager) verifiable(name string) (*model, error) {
	md, err := m.find(name)
	if err == nil && (md.removing || !md.state.OnDisk() && md.state != backend.ModelBroken) {
		err = notDownloaded(md)
	}
	return md, err
}

// judge takes over what a check found; mu is held.
func (m *Manager) judge(md *model, bytes int64, wrong error) backend.ModelVerified {
	out := backend.ModelVerified{ModelName: md.entry.Name, Files: len(md.variant.Files)}
	if wrong == nil {
		out.OK, out.Bytes = true, bytes
		if p, here := m.locate(md); here && md.state == backend.ModelBroken {
			m.arrive(md, p)
		} else if md.state.OnDisk() && md.doubted() {
			md.failure = nil
			m.changed(md.entry.Name)
		}
		return out
	}
	out.Error = failureOf(wrong)
	m.doubt(md, out.Error)
	m.lost(md)
	return out
}
