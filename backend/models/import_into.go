package models

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// ImportInto fills a known model with files of this machine instead of a download: at is a folder, in which they are looked
// for under their path or their bare name, or one of them. Each is compared with the size and SHA-256 of the registry and
// comes to lie in the cache as if it had been downloaded. A model that is here already is left as it is.
// Errors: model_unknown, ValidationError for at and for a model without known hashes, download_in_progress,
// checksum_mismatch and model_corrupt (a file that is missing) with the parameter file, insufficient_disk, cancelled.
func (m *Manager) ImportInto(ctx context.Context, name, at string) (backend.ModelStatus, error) {
	m.refresh()
	if err := m.notDownloading(name); err != nil {
		return backend.ModelStatus{}, err
	}
	md, err := m.shut(ctx, name)
	if err != nil {
		return backend.ModelStatus{}, err
	}
	err = m.fill(ctx, md, at)
	m.reopen(md)
	if err != nil {
		return backend.ModelStatus{}, err
	}
	return m.Get(ctx, name)
}

// fill does the work of ImportInto; the gate of the model is closed.
func (m *Manager) fill(ctx context.Context, md *model, at string) error {
	m.mu.Lock()
	here := md.state.OnDisk()
	m.unlock()
	if here {
		return nil
	}
	if !md.variant.Pinned() || imported(md.variant) {
		return backend.Invalid("value_error",
			"The files of this model cannot be checked, as the registry has no hashes of them; download it instead", "path", "name")
	}
	info, err := os.Stat(at)
	if err != nil || !filepath.IsAbs(at) {
		return backend.Invalid("path_not_exists", "Path does not point to a file or folder", "body", "path")
	}
	if err := m.useFiles(ctx); err != nil {
		return err
	}
	defer m.leaveFiles()
	if err := m.put(ctx, md, at, info.IsDir()); err != nil {
		m.mu.Lock()
		defer m.unlock()
		md.partial = m.partial(md)
		return err
	}
	if _, err := m.o.Presets.AddPresets(ctx, presets(md.entry)); err != nil {
		return fmt.Errorf("make the profiles of %s: %w", md.entry.Name, err)
	}
	m.share(ctx, md)
	m.mu.Lock()
	defer m.unlock()
	if p, here := m.locate(md); here && md.download == nil { // else the download finds the files and ends
		m.arrive(md, p)
		m.advanced(md)
	}
	return nil
}

// put takes the files that are not in the cache yet. All of a folder have to be there before the first one is read.
func (m *Manager) put(ctx context.Context, md *model, at string, folder bool) error {
	type wanted struct {
		registry.File
		from string
	}
	var todo []wanted
	var missing error
	var need int64
	for _, f := range md.variant.Files {
		one := hub.Request{Repo: f.Repo, Revision: f.Revision, Files: []hub.File{{Path: f.Path, Size: f.Bytes, SHA256: f.SHA256}}}
		if _, ok := m.o.Hub.Cache().Snapshot(one); ok {
			continue
		}
		from, ok := sourceOf(f, at, folder)
		if ok {
			todo, need = append(todo, wanted{f, from}), need+f.Bytes
		} else if missing == nil {
			missing = backend.E(backend.CodeModelCorrupt, fmt.Sprintf("The file %s of %s is not in %s.", f.Path, md.entry.DisplayName, at),
				"Give a folder with all files of the model.").With("file", f.Path)
		}
	}
	if missing != nil && (folder || len(todo) == 0) {
		return missing
	}
	if err := m.o.Hub.CheckSpace(ctx, need); err != nil {
		return err
	}
	for _, f := range todo {
		pin := hub.File{Path: f.Path, Size: f.Bytes, SHA256: f.SHA256}
		err := m.o.Hub.Cache().Put(ctx, f.Repo, f.Revision, pin, f.from)
		if backend.CodeOf(err) == backend.CodeChecksumMismatch {
			return backend.E(backend.CodeChecksumMismatch, fmt.Sprintf("The file %s is not the one that %s needs.", f.from, md.entry.DisplayName),
				"Get it again in exactly the version that the registry names, or download the model.").With("file", f.Path).WithCause(err)
		}
		if err != nil {
			return err
		}
	}
	return missing
}

// sourceOf finds a file of the registry in a folder, or says that the given file is it.
func sourceOf(f registry.File, at string, folder bool) (string, bool) {
	if !folder {
		return at, strings.EqualFold(filepath.Base(at), path.Base(f.Path))
	}
	names := []string{filepath.Join(at, filepath.FromSlash(f.Path)), filepath.Join(at, path.Base(f.Path))}
	i := slices.IndexFunc(names, func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && info.Mode().IsRegular()
	})
	if i < 0 {
		return "", false
	}
	return names[i], true
}
