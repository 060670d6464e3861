package models

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// group is the files of a variant that are in one repository.
type group struct {
	hub.Request
	roles []string // of the files, in their order
	bytes int64    // as far as the registry has them
}

// own is the source that is the variant's repository, and not a mirror.
const own = -1

// sources returns the sources of a variant: own and the indexes of the mirrors, which only serve pinned files.
func sources(v registry.Variant) []int {
	out := []int{own}
	if v.Pinned() {
		for i := range v.Mirrors {
			out = append(out, i)
		}
	}
	return out
}

// groups returns the files of a variant by repository, in the order of the registry.
func (m *states) groups(v registry.Variant, source int) []group {
	var out []group
	for _, f := range v.Files {
		repo, revision := f.Repo, f.Revision
		known, pinned := m.pins.of(f)
		if pinned {
			revision = known.Commit
		}
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
		if pinned {
			file.Size, file.SHA256 = known.Bytes, known.SHA256
		}
		out[i].Files = append(out[i].Files, file)
		out[i].roles = append(out[i].roles, f.Role)
		out[i].bytes += f.Bytes
	}
	return out
}

// imported reports whether the files were copied from a disk and are not at a hub.
func imported(v registry.Variant) bool { return len(v.Files) > 0 && v.Files[0].Repo == "" }

// revisionOf returns a hash of an imported model in the form of a commit.
func revisionOf(v registry.Variant) string {
	all := make([]byte, 0, 512)
	for _, f := range v.Files {
		all = append(all, f.SHA256...)
	}
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:20])
}

// partial returns how many bytes of an incomplete model are on the disk, from the source that has the most.
func (m *states) partial(md *model) int64 {
	if imported(md.variant) {
		return 0
	}
	var best int64
	for _, source := range sources(md.variant) {
		var n int64
		for _, g := range m.groups(md.variant, source) {
			if !m.o.Hub.Cache().Holds(g.Repo) {
				continue
			}
			n += m.o.Hub.Cache().Partial(g.Request)
			for _, f := range g.Files {
				one := hub.Request{Repo: g.Repo, Revision: g.Revision, Files: []hub.File{f}}
				if s, ok := m.o.Hub.Cache().Snapshot(one); ok {
					n += s.Files[0].Size
				}
			}
		}
		best = max(best, n)
	}
	return best
}
