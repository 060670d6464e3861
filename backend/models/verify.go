package models

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// Verify reads every byte of a model and compares it with its hashes. A file that is not right makes the model broken, and the
// next download fetches it again. Errors: model_unknown, model_not_downloaded, cancelled.
func (m *Manager) Verify(ctx context.Context, name string) (backend.ModelVerified, error) {
	m.refresh()
	m.mu.Lock()
	md, err := m.find(name)
	if err == nil && !md.state.OnDisk() && md.state != backend.ModelBroken {
		err = absent(md)
	}
	m.unlock()
	if err != nil {
		return backend.ModelVerified{}, err
	}
	if err := m.useFiles(ctx); err != nil {
		return backend.ModelVerified{}, err
	}
	defer m.leaveFiles()
	out := backend.ModelVerified{ModelName: md.entry.Name, Files: len(md.variant.Files)}
	out.Bytes, err = m.check(ctx, md)
	if backend.CodeOf(err) == backend.CodeCancelled {
		return backend.ModelVerified{}, err
	}
	m.mu.Lock()
	defer m.unlock()
	if err == nil {
		out.OK = true
		if md.state == backend.ModelBroken {
			m.move(md, backend.ModelDownloaded)
			md.failure = nil
			md.complete()
		}
		return out, nil
	}
	out.Error = failureOf(err)
	switch {
	case md.state == backend.ModelDownloaded:
		m.spoil(md, out.Error)
	case md.state == backend.ModelBroken, md.state.OnDisk(): // in memory it goes on; the next load finds it broken
		md.failure = out.Error
	}
	return out, nil
}
