package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
)

// place is where the files of a model lie.
type place struct {
	files    engines.Files // by role
	hashes   []backend.FileHash
	revision string
	bytes    int64
	groups   []hub.Snapshot // empty for a model that was imported
	missing  []hub.Snapshot // the files that are not there, or were changed
	wrong    string         // the first of them, also of a model that was imported
}

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

// locate finds the files of a model on disk, without reading them whole. ok is false when not all are there: then place tells
// which ones are missing in the repository of which most are.
func (m *Manager) locate(md *model) (p place, ok bool) {
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

func (m *Manager) locateAt(v registry.Variant, source int) place {
	p := place{files: engines.Files{}}
	for _, g := range groups(v, source) {
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

func (m *Manager) locateImported(md *model) (place, bool) {
	p := place{files: engines.Files{}, revision: revisionOf(md.variant), bytes: md.variant.Bytes()}
	for _, f := range md.variant.Files {
		path := filepath.Join(m.folder(md.entry.Name), filepath.FromSlash(f.Path))
		info, err := os.Stat(path)
		if err != nil || info.Size() != f.Bytes || !info.Mode().IsRegular() {
			return place{wrong: f.Path}, false
		}
		p.files[f.Role] = path
		p.hashes = append(p.hashes, backend.FileHash{Path: f.Path, SHA256: f.SHA256})
	}
	return p, true
}

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

// check reads every byte of a model and compares it with its hashes, also of files that were changed, so that each wrong one
// goes into quarantine; the directory is in use. It gives the bytes read.
// Errors: model_corrupt naming the file, cancelled.
func (m *Manager) check(ctx context.Context, md *model) (int64, error) {
	if imported(md.variant) {
		for _, f := range md.variant.Files {
			if err := verify(ctx, filepath.Join(m.folder(md.entry.Name), filepath.FromSlash(f.Path)), f); err != nil {
				return 0, err
			}
		}
		return md.variant.Bytes(), nil
	}
	p, ok := m.locate(md)
	var wrong error
	for _, s := range append(p.missing, p.groups...) {
		err := m.o.Hub.Cache().Verify(ctx, s, nil)
		if backend.CodeOf(err) == backend.CodeCancelled {
			return 0, err
		}
		if wrong == nil {
			wrong = err
		}
	}
	switch file := p.wrong; {
	case wrong != nil && !errors.Is(wrong, fs.ErrNotExist):
		file, _ = backend.AsError(wrong).Params["file"].(string)
		return 0, corrupt(fmt.Sprintf("The file %s of %s is not what it should be.", file, md.entry.Name), wrong).With("file", file)
	case !ok, wrong != nil:
		return 0, changed(md, file)
	default:
		return p.bytes, nil
	}
}

// changed says which file of a model cannot be trusted any more.
func changed(md *model, file string) *backend.Error {
	return corrupt(fmt.Sprintf("The file %s of %s is missing or was changed.", file, md.entry.Name), nil).With("file", file)
}

func corrupt(detail string, cause error) *backend.Error {
	return backend.E(backend.CodeModelCorrupt, detail, "Download or import the model again.").Because(cause)
}

// verify compares a file with its registry entry. Errors: model_corrupt naming the file, cancelled.
func verify(ctx context.Context, path string, want registry.File) error {
	broken := func(what string, cause error) error {
		return backend.E(backend.CodeModelCorrupt, fmt.Sprintf("The model file %s %s.", filepath.Base(path), what),
			"Import the model again from its original folder.").With("file", want.Path).Because(cause)
	}
	info, err := os.Stat(path)
	if err != nil {
		return broken("is missing", err)
	}
	if info.Size() != want.Bytes || !info.Mode().IsRegular() {
		return broken(fmt.Sprintf("has %d bytes instead of %d", info.Size(), want.Bytes), nil)
	}
	sum, err := files.SHA256(ctx, path)
	switch {
	case backend.CodeOf(err) == backend.CodeCancelled:
		return err
	case err != nil:
		return broken("cannot be read", err)
	case sum != want.SHA256:
		return broken("was changed since it was imported", nil)
	}
	return nil
}
