package models

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// AdoptDirectory uses a folder that already holds a cache in the hub's layout as the models directory. The files of known models
// in it, imported ones too, are compared with their size and hash; those models are downloaded from then on, and the others are
// not. The current folder stays as it is and can be adopted again. All models are unloaded. keep is called with the path before
// the folder changes; its error changes nothing. No download may be running.
// Errors: ValidationError for path, download_in_progress, not_permitted, cancelled.
func (m *mover) AdoptDirectory(ctx context.Context, path string, keep func(path string) error) error {
	from, err := m.beginMove()
	if err != nil {
		return err
	}
	defer m.endMove()
	path = filepath.Clean(path)
	if err := checkAdoptable(from, path); err != nil {
		return err
	}
	if err := m.verifyAdopted(ctx, path); err != nil {
		return err
	}
	if err := m.unloadAll(ctx); err != nil {
		return err
	}
	if err := keep(path); err != nil {
		return err
	}
	models := m.useDirectory(path)
	var all []backend.Preset
	for _, md := range models {
		all = append(all, presets(md.entry)...)
	}
	if _, err := m.o.Presets.AddPresets(context.WithoutCancel(ctx), all); err != nil {
		return fmt.Errorf("create the profiles of the models in the new folder: %w", err)
	}
	return nil
}

// holdsModels reports whether a folder can be adopted. One of this program may have nothing but imported models.
func holdsModels(dir string) bool { return hub.IsCache(dir) || isDir(filepath.Join(dir, importedName)) }

// checkAdoptable checks the path of a folder to adopt.
func checkAdoptable(from, to string) error {
	if err := checkPlace(from, to); err != nil {
		return err
	}
	if !holdsModels(to) {
		return invalidPath(noModels, "The folder has no models in the layout of the hub's cache")
	}
	return backend.FileError("write to the new folder", "the new folder", files.TryFolder(to))
}

// verifyAdopted verifies the files of known models in the cache in dir, while the current directory is in use.
func (m *mover) verifyAdopted(ctx context.Context, dir string) error {
	current := m.o.Hub.Cache()
	cache := hub.NewCache(dir, "")
	cache.Symlink, cache.Link = current.Symlink, current.Link
	requests := m.requests()
	own := m.importedIn(dir)
	total := int64(0)
	for _, r := range requests {
		total += cache.Unverified(r)
	}
	for _, v := range own {
		total += v.Bytes()
	}
	m.mu.Lock()
	m.dir.adopted = &backend.ModelDownload{Total: total}
	m.unlock()
	for _, r := range requests {
		if err := cache.Adopt(ctx, r, m.countAdopted); err != nil {
			return err
		}
	}
	for folder, v := range own {
		if err := m.checkImported(ctx, folder, v, m.countAdopted); backend.CodeOf(err) == backend.CodeCancelled {
			return err
		}
	}
	return nil
}

// importedIn returns the imported models whose files are in a models directory with their sizes, by folder.
func (m *mover) importedIn(dir string) map[string]registry.Variant {
	m.mu.Lock()
	defer m.unlock()
	out := map[string]registry.Variant{}
	for _, md := range m.order {
		folder := filepath.Join(dir, importedName, md.entry.Name)
		wrong := wrongFiles(folder)
		if imported(md.variant) && !slices.ContainsFunc(md.variant.Files, func(f registry.File) bool {
			return !holdsFile(filepath.Join(folder, filepath.FromSlash(f.Path)), f, wrong)
		}) {
			out[folder] = md.variant
		}
	}
	return out
}

// countAdopted counts bytes that verifyAdopted has read.
func (m *mover) countAdopted(n int) {
	m.mu.Lock()
	defer m.unlock()
	m.dir.adopted.Current = min(m.dir.adopted.Current+int64(n), m.dir.adopted.Total)
}

// requests returns the files of all models that are at a hub, also at mirrors.
func (m *mover) requests() []hub.Request {
	m.mu.Lock()
	defer m.unlock()
	var out []hub.Request
	for _, md := range m.order {
		if imported(md.variant) {
			continue
		}
		for _, source := range sources(md.variant) {
			for _, g := range m.groups(md.variant, source) {
				out = append(out, g.Request)
			}
		}
	}
	return out
}

// useDirectory makes dir the models directory and sets the state of each model by its files in it. It returns the models that
// are there. Nobody uses the files.
func (m *mover) useDirectory(dir string) []*model {
	m.mu.Lock()
	defer m.unlock()
	m.o.Hub.Cache().SetDir(dir)
	m.readDeleted()
	var models []*model
	for _, md := range m.order {
		p, here := m.locate(md)
		here = here && !m.deleted[fold(md.entry.Name)]
		next := backend.ModelNotDownloaded
		if here {
			next, models = backend.ModelDownloaded, append(models, md)
		}
		if md.state != next {
			m.setState(md, next)
		}
		md.failure, md.missing = nil, nil
		md.version++
		md.resetProgress()
		if here {
			md.complete(p)
		} else {
			md.bytes, md.commit, md.partial = 0, "", m.partial(md)
		}
	}
	return models
}
