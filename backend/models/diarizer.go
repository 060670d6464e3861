package models

import (
	"cmp"
	"context"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/cancellable"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
)

// diarizers brings the model that finds speakers into memory.
type diarizers struct{ *loader }

// AcquireDiarizer is Acquire for the model that finds speakers: an installed one, else the first of the list. Errors: those of
// Acquire, engine_mismatch where the engine of the user's entry finds none.
func (m *diarizers) AcquireDiarizer(ctx context.Context, phase func(backend.Status)) (*engines.LoadedDiarizer, error) {
	return m.acquireDiarizer(ctx, loadOptions{fetch: true}, phase)
}

// AcquireDiarizerDownloaded is AcquireDiarizer without a download. Errors: those of AcquireDiarizer, and model_not_downloaded.
func (m *diarizers) AcquireDiarizerDownloaded(ctx context.Context) (*engines.LoadedDiarizer, error) {
	return m.acquireDiarizer(ctx, loadOptions{}, nil)
}

// DiarizerDownloaded reports whether a model that finds speakers is installed and this build can open it.
func (m *diarizers) DiarizerDownloaded() bool {
	_, ok := m.diarizer()
	return ok
}

// DiarizerFiles returns the files of the model that finds speakers with their hashes, nil where none is installed.
func (m *Manager) DiarizerFiles() []backend.FileHash {
	name, installed := m.diarizer()
	md, _, err := m.lookup(name)
	if !installed || err != nil {
		return nil
	}
	return m.hashes(md)
}

// diarizer returns the name of the model that finds speakers, and whether it can be used without a download.
func (m *diarizers) diarizer() (name string, installed bool) {
	m.refresh()
	m.mu.Lock()
	defer m.unlock()
	for _, md := range m.order {
		if md.entry.Family != registry.Speakers {
			continue
		}
		m.detectRestored(md)
		if md.state.OnDisk() && m.canOpen(md.entry.Engine) {
			return md.entry.Name, true
		}
		name = cmp.Or(name, md.entry.Name)
	}
	return name, false
}

func (m *diarizers) acquireDiarizer(
	ctx context.Context, want loadOptions, phase func(backend.Status),
) (*engines.LoadedDiarizer, error) {
	name, _ := m.diarizer()
	want.family = registry.Speakers
	e, err := m.acquireLease(ctx, name, want, phase)
	if err != nil {
		return nil, err
	}
	d, ok := e.slot.engine.(engines.Diarizer)
	if !ok {
		m.release(e)
		return nil, m.errWrongFamily(e.md, want.family)
	}
	return &engines.LoadedDiarizer{
		Diarizer: cancellable.Diarizer(e.ctx, d), Model: e.md.entry.Name, Revision: e.slot.location.revision,
		Files: e.slot.location.hashes, Release: sync.OnceFunc(func() { m.release(e) }),
	}, nil
}
