package models

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"

	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// group is the files of a variant in one repository.
type group struct {
	hub.Request
	roles []string // of the files, in their order
	bytes int64    // as far as they are known before the download
}

// own stands for the repository that a variant names, in the place of one of its mirrors.
const own = -1

// sources are the repositories to ask: own, and the numbers of the mirrors, which can be trusted with pinned files only.
func sources(v registry.Variant) []int {
	out := []int{own}
	if v.Pinned() {
		for i := range v.Mirrors {
			out = append(out, i)
		}
	}
	return out
}

// groups are the files of a variant by repository, in the order of the list.
func groups(v registry.Variant, source int) []group {
	var out []group
	for _, f := range v.Files {
		repo, revision := f.Repo, f.Revision
		if source != own {
			repo, revision = v.Mirrors[source].Repo, v.Mirrors[source].Revision
		}
		i := slices.IndexFunc(out, func(g group) bool { return g.Repo == repo && g.Revision == revision })
		if i < 0 {
			out = append(out, group{Request: hub.Request{Repo: repo, Revision: revision}})
			i = len(out) - 1
		}
		file := hub.File{Path: f.Path}
		if f.Pinned {
			file.Size, file.SHA256 = f.Bytes, f.SHA256
		}
		out[i].Files = append(out[i].Files, file)
		out[i].roles = append(out[i].roles, f.Role)
		out[i].bytes += f.Bytes
	}
	return out
}

// imported reports whether the files were copied from disk and are at no hub.
func imported(v registry.Variant) bool { return len(v.Files) > 0 && v.Files[0].Repo == "" }

// revisionOf names the content of an imported model, as a commit does.
func revisionOf(v registry.Variant) string {
	h := sha256.New()
	for _, f := range v.Files {
		_, _ = io.WriteString(h, f.SHA256) // a hash never fails to write
	}
	return hex.EncodeToString(h.Sum(nil))[:40]
}

// partial is how many bytes of a model that is not complete are here, from the repository that gave most.
func (m *Manager) partial(md *model) int64 {
	if imported(md.variant) {
		return 0
	}
	var most int64
	for _, source := range sources(md.variant) {
		var n int64
		for _, g := range groups(md.variant, source) {
			n += m.o.Hub.Cache().Partial(g.Request)
			for _, f := range g.Files {
				one := hub.Request{Repo: g.Repo, Revision: g.Revision, Files: []hub.File{f}}
				if s, ok := m.o.Hub.Cache().Snapshot(one); ok {
					n += s.Files[0].Size
				}
			}
		}
		most = max(most, n)
	}
	return most
}
