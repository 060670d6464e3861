package models

import (
	"context"
	"errors"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// Delete unloads a model as Unload does, and removes its files that no other downloaded model needs. Another program's cache is
// never changed; an imported model is also removed from the list.
// Errors: model_unknown, download_in_progress, not_permitted, cancelled when ctx ends before.
func (m *remover) Delete(ctx context.Context, name string, force bool) (backend.ModelDeleted, error) {
	m.refresh()
	if err := m.errNotDownloading(name); err != nil {
		return backend.ModelDeleted{}, err
	}
	var freed int64
	md, _, err := m.drain(ctx, name, force, func(md *model) (err error) {
		if err := m.errNotDownloading(name); err != nil { // a download may have started before the gate was closed
			return err
		}
		freed, err = m.remove(ctx, md)
		return err
	})
	if err != nil {
		return backend.ModelDeleted{}, err
	}
	return backend.ModelDeleted{ModelName: md.entry.Name, FreedMB: megabytes(freed)}, nil
}

// errNotDownloading returns download_in_progress for a model that is being downloaded.
func (m *loader) errNotDownloading(name string) error {
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	if err == nil && md.download != nil {
		err = backend.E(backend.CodeDownloadInProgress, md.entry.DisplayName+" is being downloaded.", "Cancel the download first.").
			With("model_name", md.entry.Name)
	}
	return err
}

// remove deletes the files of a model that is not in memory. Its gate is closed, so that a new download waits.
func (m *remover) remove(ctx context.Context, md *model) (int64, error) {
	if err := m.acquireFiles(ctx); err != nil {
		return 0, err
	}
	defer m.releaseFiles()
	m.mu.Lock()
	md.removing = true
	m.unlock()
	freed, err := m.removeFiles(ctx, md)
	m.mu.Lock()
	defer m.unlock()
	md.removing = false
	md.version++
	if imported(md.variant) {
		return freed, err
	}
	md.measured = 0
	m.markDeleted(md)
	if md.download != nil {
		return freed, err
	}
	if md.state != backend.ModelNotDownloaded {
		m.setState(md, backend.ModelNotDownloaded)
	}
	md.failure, md.partial = nil, m.partial(md)
	md.resetProgress()
	return freed, err
}

func (m *remover) removeFiles(ctx context.Context, md *model) (int64, error) {
	if imported(md.variant) {
		return m.removeImported(ctx, md)
	}
	return m.wipe(md, nil)
}

// wipe removes the complete and partial files of a model, except those of keep and of other models that are downloaded or being
// downloaded. It returns the freed bytes.
func (m *downloader) wipe(md *model, keep []hub.Snapshot) (int64, error) {
	keep = append(slices.Clone(keep), m.neededByOthers(md)...)
	var freed int64
	var errs []error
	for _, source := range sources(md.variant) {
		for _, g := range m.groups(md.variant, source) {
			freed += m.o.Hub.Cache().Partial(g.Request)
			errs = append(errs, m.o.Hub.Cache().Discard(g.Request))
			freed -= m.o.Hub.Cache().Partial(g.Request)
		}
	}
	for _, s := range m.entries(md) {
		n, err := m.o.Hub.Cache().Remove(s, keep...)
		freed += n
		errs = append(errs, err)
	}
	return freed, errors.Join(errs...)
}

// entries returns the paths of the files of a model, whether they exist or not.
func (m *downloader) entries(md *model) []hub.Snapshot {
	var out []hub.Snapshot
	for _, source := range sources(md.variant) {
		for _, g := range m.groups(md.variant, source) {
			out = append(out, m.o.Hub.Cache().Entries(g.Request)...)
		}
	}
	return out
}

// neededByOthers returns the files of the other models that are downloaded, being downloaded, or found by a restart.
func (m *downloader) neededByOthers(md *model) []hub.Snapshot {
	m.mu.Lock()
	defer m.unlock()
	var keep []hub.Snapshot
	for _, other := range m.order {
		if other == md || imported(other.variant) {
			continue
		}
		if other.state.OnDisk() || other.download != nil || m.isComplete(other) {
			keep = append(keep, m.entries(other)...)
		}
	}
	return keep
}

// removeImported removes an imported model from the list, and its folder.
func (m *remover) removeImported(ctx context.Context, md *model) (int64, error) {
	release, err := acquireSlot(ctx, m.imports)
	if err != nil {
		return 0, err
	}
	defer release()
	name := md.entry.Name
	err = m.change(func(own []registry.Entry) []registry.Entry { return deleteEntry(own, name) })
	if err != nil {
		return 0, err
	}
	m.mu.Lock()
	if m.models[fold(name)] == md {
		delete(m.models, fold(name))
		m.order = slices.DeleteFunc(m.order, func(other *model) bool { return other == md })
	}
	m.changed(name)
	m.unlock()
	if err := files.RemoveAll(m.folder(name)); err != nil {
		return 0, backend.FileError("remove the model", "the models directory", err)
	}
	return md.variant.Bytes(), nil
}
