package models

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/text"
)

// Status returns all models in the order of the registry, the user's own last. A model whose files somebody removed is broken
// until they are back. An unreadable folder, such as one on a disk that is not mounted, changes nothing.
func (m *listing) Status(context.Context) []backend.ModelStatus {
	m.refresh()
	m.checkMissing()
	total, free, known := m.o.Memory()
	m.mu.Lock()
	defer m.unlock()
	out := make([]backend.ModelStatus, len(m.order))
	for i, md := range m.order {
		out[i] = m.status(md)
		out[i].Fits = fits(md, total, free, known)
	}
	return out
}

// Loaded returns the status of the models in memory.
func (m *listing) Loaded(ctx context.Context) []backend.ModelStatus {
	out := []backend.ModelStatus{}
	for _, s := range m.Status(ctx) {
		if s.Loaded {
			out = append(out, s)
		}
	}
	return out
}

// status returns the status of a model; mu is held.
func (m *listing) status(md *model) backend.ModelStatus {
	e := md.entry
	s := backend.ModelStatus{
		ModelName: e.Name, DisplayName: e.DisplayName, Engine: e.Engine, Downloaded: md.state.OnDisk(),
		SizeMB: md.variant.SizeMB(), Loaded: md.state == backend.ModelLoaded, State: md.state, Family: e.Family,
		Variant: md.variant.Name, Note: e.Note, Languages: e.Languages, Voices: e.Usable(), Cloning: e.Cloning,
		Notes: notes(e), Default: e.Default, Error: md.failure, PartialMB: megabytes(md.partial),
		License: backend.License{
			Name: e.License.Name, URL: e.License.URL, AcceptRequired: e.License.AcceptRequired,
			Accepted: !e.License.AcceptRequired || m.licence.accepted(e.Name),
		},
	}
	able := m.abilities(e.Engine)
	s.Supported = m.canOpen(e.Engine)
	s.Mixes, s.Steps, s.Multilingual = able.Mixes && len(e.Voices) > 1, able.Steps, able.Multilingual
	s.EspeakLanguages = m.espeakLanguages(e)
	s.Samples, s.Expressions = e.HasSamples(), text.ExpressionForms(m.textFeatures(e).Tags)
	md.setFiles(&s)
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
		info := slot.engine.Info()
		s.Device = info.Device
		s.DeviceRequested, s.DeviceWarning = m.o.Devices.State(e.Name)
		s.Shape = &backend.ModelShape{Workers: info.Concurrency, Threads: info.Threads}
		if md.workers > 0 && md.workedOn == info.Device { // one that left its GPU speaks more side by side
			s.Shape.Workers = md.workers
		}
		if !slot.unloadAt.IsZero() {
			s.UnloadAt = new(slot.unloadAt)
		}
	}
	return s
}

// setFiles sets the size and the source of a model's files.
func (md *model) setFiles(s *backend.ModelStatus) {
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
}

// megabytes rounds up.
func megabytes(n int64) int { return int((n + 999_999) / 1_000_000) }

// notes returns the shortcomings of a model in some of its languages.
func notes(e registry.Entry) map[string]string {
	if e.LanguageNotes == nil {
		return map[string]string{}
	}
	return e.LanguageNotes
}
