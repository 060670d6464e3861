package models

import (
	"path/filepath"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
)

// location is where the files of a model are.
type location struct {
	files    engines.Files // by role
	hashes   []backend.FileHash
	revision string
	bytes    int64
	groups   []hub.Snapshot // empty for an imported model
	missing  []hub.Snapshot // the missing or changed files
	wrong    string         // the first of them, also for an imported model
}

// locate finds the files of a model on the disk without reading them. When some are missing, ok is false, and p has the missing
// ones of the repository that has the most files.
func (m *states) locate(md *model) (p location, ok bool) {
	if imported(md.variant) {
		return m.locateImported(md)
	}
	for i, source := range sources(md.variant) {
		at := m.locateAt(md.variant, source)
		if at.wrong == "" {
			return at, true
		}
		if i == 0 || len(at.files) > len(p.files) {
			p = at
		}
	}
	return p, false
}

func (m *states) locateAt(v registry.Variant, source int) location {
	p := location{files: engines.Files{}}
	for _, g := range m.groups(v, source) {
		here, missing := m.o.Hub.Cache().Lookup(g.Request)
		for i, f := range g.Files {
			if j := slices.IndexFunc(here.Files, func(h hub.File) bool { return h.Path == f.Path }); j >= 0 {
				p.hashes = append(p.hashes, backend.FileHash{Path: f.Path, SHA256: here.Files[j].SHA256})
				p.files[g.roles[i]] = here.Path(f.Path)
				p.bytes += here.Files[j].Size
			}
		}
		if len(here.Files) > 0 {
			p.groups = append(p.groups, here)
		}
		if len(missing.Files) > 0 {
			p.missing = append(p.missing, missing)
		}
	}
	if len(p.missing) > 0 {
		p.wrong = p.missing[0].Files[0].Path
	}
	if len(p.groups) > 0 {
		p.revision = p.groups[0].Revision
	}
	return p
}

func (m *states) locateImported(md *model) (location, bool) {
	folder := m.folder(md.entry.Name)
	wrong := wrongFiles(folder)
	p := location{files: engines.Files{}, revision: revisionOf(md.variant), bytes: md.variant.Bytes()}
	for _, f := range md.variant.Files {
		path := filepath.Join(folder, filepath.FromSlash(f.Path))
		if !holdsFile(path, f, wrong) {
			return location{wrong: f.Path}, false
		}
		p.files[f.Role] = path
		p.hashes = append(p.hashes, backend.FileHash{Path: f.Path, SHA256: f.SHA256})
	}
	return p, true
}
