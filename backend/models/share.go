package models

import (
	"context"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// share makes the other models downloaded of which a download or an import of md has just brought the last file, as a
// restart would find them, and makes their profiles first.
func (m *Manager) share(ctx context.Context, md *model) {
	m.mu.Lock()
	found := m.completed(md)
	m.unlock()
	if len(found) == 0 {
		return
	}
	var all []backend.Preset
	for _, other := range found {
		all = append(all, presets(other.entry)...)
	}
	if _, err := m.o.Presets.AddPresets(ctx, all); err != nil { // the next start makes them
		m.o.Log.Warn("make the profiles of models with the same files", "model", md.entry.Name, "error", err)
	}
	m.mu.Lock()
	defer m.unlock()
	for _, other := range m.completed(md) {
		if p, here := m.locate(other); here && slices.Contains(found, other) {
			m.arrive(other, p)
			m.advanced(other)
		}
	}
}

// completed lists the models that share a file with md, are not downloaded, and of which all files are here; mu is held.
func (m *Manager) completed(md *model) []*model {
	var out []*model
	for _, other := range m.order {
		away := other.state == backend.ModelNotDownloaded || other.state == backend.ModelBroken
		if other == md || !away || other.download != nil || other.gate != nil || imported(other.variant) {
			continue
		}
		if overlap(md.variant, other.variant) && m.whole(other) {
			out = append(out, other)
		}
	}
	return out
}

// lost looks again at the other models that share a file with md, of which a file went into quarantine: those that lack it now
// are broken too, or will be when they are unloaded; mu is held.
func (m *Manager) lost(md *model) {
	for _, other := range m.order {
		if other == md || !other.state.OnDisk() || imported(other.variant) || !overlap(md.variant, other.variant) {
			continue
		}
		p, here := m.locate(other)
		if here {
			continue
		}
		m.doubt(other, failureOf(changed(other, p.wrong)))
	}
}

// doubt notes a wrong file of a model, which is broken by it, or goes on while it is in memory; mu is held.
func (m *Manager) doubt(md *model, failure *backend.Failure) {
	if md.state == backend.ModelDownloaded {
		m.spoil(md, failure)
		return
	}
	md.failure = failure
	m.changed(md.entry.Name)
}

// overlap reports whether two variants may have a file in common; a mirror counts as the repository.
func overlap(a, b registry.Variant) bool {
	return slices.ContainsFunc(places(a), func(p string) bool { return slices.Contains(places(b), p) })
}

// places names the files of a variant by repository and path.
func places(v registry.Variant) []string {
	var out []string
	for _, source := range sources(v) {
		for _, g := range groups(v, source) {
			for _, f := range g.Files {
				out = append(out, g.Repo+"/"+f.Path)
			}
		}
	}
	return out
}
