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

// ImportInto imports the files of a model of the registry instead of a download: at is a folder, in which they have their path or
// their base name, or their path in a folder with the name of their repository, or it is one of the files. Each is compared
// with the size and SHA-256 of the registry and added to the cache as if it had been downloaded. It does nothing for a
// downloaded model.
// Errors: model_unknown, ValidationError for at and for a model without known hashes, download_in_progress,
// checksum_mismatch and model_corrupt (a file that is missing) with the parameter file, insufficient_disk, cancelled.
func (m *importer) ImportInto(ctx context.Context, name, at string) (backend.ModelStatus, error) {
	m.refresh()
	if err := m.errNotDownloading(name); err != nil {
		return backend.ModelStatus{}, err
	}
	md, err := m.closeGate(ctx, name)
	if err != nil {
		return backend.ModelStatus{}, err
	}
	err = m.importFiles(ctx, md, at)
	m.openGate(md)
	if err != nil {
		return backend.ModelStatus{}, err
	}
	return m.Get(ctx, name)
}

// importFiles is ImportInto while the gate of the model is closed.
func (m *importer) importFiles(ctx context.Context, md *model, at string) error {
	m.mu.Lock()
	here := md.state.OnDisk()
	m.unlock()
	if here {
		return nil
	}
	if !md.variant.Pinned() || imported(md.variant) {
		return backend.Invalid("value_error",
			"The registry has no hashes for the files of this model, so they cannot be checked. Download the model instead", "path", "name")
	}
	info, err := os.Stat(at)
	if err != nil || !filepath.IsAbs(at) {
		return backend.Invalid("path_not_exists", "Path does not point to a file or folder", "body", "path")
	}
	if err := m.acquireFiles(ctx); err != nil {
		return err
	}
	defer m.releaseFiles()
	if err := m.putFiles(ctx, md, at, info.IsDir()); err != nil {
		m.mu.Lock()
		defer m.unlock()
		md.partial = m.partial(md)
		return err
	}
	if _, err := m.o.Presets.AddPresets(ctx, presets(md.entry)); err != nil {
		return fmt.Errorf("create the profiles of %s: %w", md.entry.Name, err)
	}
	m.share(ctx, md)
	m.mu.Lock()
	defer m.unlock()
	if p, here := m.locate(md); here && md.download == nil { // else the download finds the files
		m.markDownloaded(md, p)
		m.advanced(md)
	}
	return nil
}

// putFiles adds the files that are not yet in the cache. A folder must have all of them before the first one is read.
func (m *importer) putFiles(ctx context.Context, md *model, at string, folder bool) error {
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
				fmt.Sprintf("Choose a folder that has all files of the model, or %s.", toFetch(f))).With("file", f.Path).With("reason", "missing")
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
			if path, what := impostor(f.from, ""); what != nil {
				return what.error(path).WithCause(err)
			}
			return backend.E(backend.CodeChecksumMismatch, fmt.Sprintf("The file %s is not the one that %s needs.", f.from, md.entry.DisplayName),
				"Download the model, or "+toFetch(f.File)+".").With("file", f.Path).WithCause(err)
		}
		if err != nil {
			return err
		}
	}
	return missing
}

// toFetch returns what to do to get a file of the registry by hand.
func toFetch(f registry.File) string {
	return fmt.Sprintf("fetch %s of the repository %s at the revision %s", f.Path, f.Repo, f.Revision)
}

// sourceOf finds a file of the registry in a folder, or says that the given file is it.
func sourceOf(f registry.File, at string, folder bool) (string, bool) {
	if !folder {
		return at, strings.EqualFold(filepath.Base(at), path.Base(f.Path))
	}
	names := []string{
		filepath.Join(at, filepath.FromSlash(f.Path)), filepath.Join(at, path.Base(f.Path)),
		filepath.Join(at, path.Base(f.Repo), filepath.FromSlash(f.Path)), // repositories side by side
	}
	i := slices.IndexFunc(names, func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && info.Mode().IsRegular()
	})
	if i < 0 {
		return "", false
	}
	return names[i], true
}
