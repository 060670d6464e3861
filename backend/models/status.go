package models

import (
	"cmp"
	"context"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// Status lists the models in the order of the registry, the user's own after them. A model whose files somebody else took away
// is broken from then on.
func (m *Manager) Status(context.Context) []backend.ModelStatus {
	m.refresh()
	total, free, known := m.o.Memory()
	m.mu.Lock()
	defer m.unlock()
	m.miss()
	out := make([]backend.ModelStatus, len(m.order))
	for i, md := range m.order {
		out[i] = m.status(md)
		out[i].Fits = fits(md, total, free, known)
	}
	return out
}

// lookEvery is how often a list looks whether the files of all models are still there: lists are asked for at each change.
const lookEvery = 2 * time.Second

// miss notes models whose files were taken away by somebody else; mu is held. One in memory goes on without them.
func (m *Manager) miss() {
	now := m.o.Now()
	if since := now.Sub(m.looked); m.dir.shut || since >= 0 && since < lookEvery {
		return
	}
	m.looked = now
	for _, md := range m.order {
		if md.state != backend.ModelDownloaded || md.gate != nil || md.removing {
			continue
		}
		if p, here := m.locate(md); !here {
			m.doubt(md, failureOf(changed(md, p.wrong)))
		}
	}
}

// Get gives one entry of the list. Errors: model_unknown.
func (m *Manager) Get(ctx context.Context, name string) (backend.ModelStatus, error) {
	d, err := m.Detail(ctx, name)
	return d.ModelStatus, err
}

// Detail gives one entry of the list with its voices. Errors: model_unknown.
func (m *Manager) Detail(_ context.Context, name string) (backend.ModelDetail, error) {
	m.refresh()
	total, free, known := m.o.Memory()
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	if err != nil {
		return backend.ModelDetail{}, err
	}
	d := backend.ModelDetail{ModelStatus: m.status(md), VoicesList: voicesOf(md.entry), Files: m.filesOf(md)}
	d.Fits = fits(md, total, free, known)
	return d, nil
}

// filesOf lists the files of a model, with the hashes of those that are here; mu is held.
func (m *Manager) filesOf(md *model) []backend.ModelFile {
	known := map[string]string{}
	p, _ := m.locate(md)
	for _, h := range p.hashes {
		known[h.Path] = h.SHA256
	}
	out := make([]backend.ModelFile, len(md.variant.Files))
	for i, f := range md.variant.Files {
		out[i] = backend.ModelFile{Path: f.Path, Bytes: f.Bytes, SHA256: cmp.Or(known[f.Path], f.SHA256)}
	}
	return out
}

// Loaded lists the models in memory.
func (m *Manager) Loaded(ctx context.Context) []backend.ModelStatus {
	out := []backend.ModelStatus{}
	for _, s := range m.Status(ctx) {
		if s.Loaded {
			out = append(out, s)
		}
	}
	return out
}

// status is called with mu held.
func (m *Manager) status(md *model) backend.ModelStatus {
	e := md.entry
	s := backend.ModelStatus{
		ModelName: e.Name, DisplayName: e.DisplayName, Engine: e.Engine, Downloaded: md.state.OnDisk(),
		SizeMB: md.variant.SizeMB(), Loaded: md.state == backend.ModelLoaded, State: md.state, Family: e.Family,
		Variant: md.variant.Name, Note: e.Note, Languages: e.Languages, Voices: len(e.Voices), Cloning: e.Cloning,
		Default: e.Default, Error: md.failure, PartialMB: megabytes(md.partial),
		License: backend.License{
			Name: e.License.Name, URL: e.License.URL, AcceptRequired: e.License.AcceptRequired,
			Accepted: !e.License.AcceptRequired || m.licence.accepted(e.Name),
		},
	}
	able := m.abilities(e.Engine)
	s.Supported = m.driver(e.Engine) != nil
	s.Mixes, s.Steps, s.Multilingual = able.Mixes && len(e.Voices) > 1, able.Steps, able.Multilingual
	if md.state.OnDisk() && md.bytes > 0 {
		s.SizeMB = megabytes(md.bytes)
	}
	if len(md.variant.Files) > 0 {
		s.RepoID, s.Revision = md.variant.Files[0].Repo, md.variant.Files[0].Revision
	}
	if s.Revision == registry.Branch && md.state.OnDisk() {
		s.Revision = md.commit
	}
	if imported(md.variant) {
		s.Revision = revisionOf(md.variant)
	}
	if md.variant.MemoryMB > 0 {
		s.Memory.Estimate = new(md.variant.MemoryMB)
	}
	if md.measured > 0 {
		s.Memory.Measured = new(md.measured)
	}
	if md.rtf > 0 {
		s.RTF = new(md.rtf)
	}
	if md.download != nil {
		s.Downloading = &backend.ModelDownload{Current: md.progress.Current, Total: md.progress.Total}
	}
	if !md.lastUsed.IsZero() {
		s.LastUsedAt = new(md.lastUsed)
	}
	if slot := md.slot; md.state == backend.ModelLoaded {
		s.Device = slot.speaker.Info().Device
		if !slot.unloadAt.IsZero() {
			s.UnloadAt = new(slot.unloadAt)
		}
	}
	return s
}

func megabytes(n int64) int { return int((n + 999_999) / 1_000_000) }
