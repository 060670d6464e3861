package models

import (
	"context"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// share sets other models to downloaded whose files are complete since the download or import of md, after creating their
// profiles.
func (m *downloader) share(ctx context.Context, md *model) {
	m.mu.Lock()
	models := m.completedBy(md)
	m.unlock()
	if len(models) == 0 {
		return
	}
	var all []backend.Preset
	for _, other := range models {
		all = append(all, presets(other.entry)...)
	}
	if _, err := m.o.Presets.AddPresets(ctx, all); err != nil { // the next start creates them
		m.o.Log.Warn("create the profiles of models with the same files", "model", md.entry.Name, "error", err)
	}
	m.mu.Lock()
	defer m.unlock()
	for _, other := range m.completedBy(md) {
		if p, here := m.locate(other); here && slices.Contains(models, other) {
			m.markDownloaded(other, p)
			m.advanced(other)
		}
	}
}

// completedBy returns the models that are not downloaded, share a file with md, and whose files are all here; mu is held.
func (m *downloader) completedBy(md *model) []*model {
	var out []*model
	for _, other := range m.order {
		missing := other.state == backend.ModelNotDownloaded || other.state == backend.ModelBroken
		if other == md || !missing || other.download != nil || other.gate != nil || imported(other.variant) {
			continue
		}
		if overlap(md.variant, other.variant) && m.isComplete(other) {
			out = append(out, other)
		}
	}
	return out
}

// checkShared marks the other models as corrupt that lack a file since md's was quarantined; mu is held.
func (m *states) checkShared(md *model) {
	for _, other := range m.order {
		if other == md || !other.state.OnDisk() || imported(other.variant) || !overlap(md.variant, other.variant) {
			continue
		}
		p, here := m.locate(other)
		if here {
			continue
		}
		m.markCorrupt(other, backend.FailureOf(errChanged(other, p.wrong)))
	}
}

// markCorrupt stores that a model has a corrupt file; mu is held. A model in memory keeps working, another becomes broken.
func (m *states) markCorrupt(md *model, failure *backend.Failure) {
	if md.state == backend.ModelDownloaded {
		m.markBroken(md, failure)
		return
	}
	md.failure = failure
	m.changed(md.entry.Name)
}

// overlap reports whether two variants may share a file; mirrors count too.
func overlap(a, b registry.Variant) bool {
	return slices.ContainsFunc(fileNames(a), func(p string) bool { return slices.Contains(fileNames(b), p) })
}

// fileNames returns the files of a variant as repository and path.
func fileNames(v registry.Variant) []string {
	var out []string
	for _, f := range v.Files {
		out = append(out, f.Repo+"/"+f.Path)
		for _, mirror := range v.Mirrors {
			out = append(out, mirror.Repo+"/"+f.Path)
		}
	}
	return out
}
