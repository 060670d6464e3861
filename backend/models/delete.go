package models

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// Delete removes the files of a model that no other model here needs, after it was unloaded as Unload does. Another program's
// cache is never touched; an imported model's entry goes with its files.
// Errors: model_unknown, download_in_progress, not_permitted, cancelled when ctx ends before.
func (m *Manager) Delete(ctx context.Context, name string, force bool) (backend.ModelDeleted, error) {
	m.refresh()
	if err := m.notDownloading(name); err != nil {
		return backend.ModelDeleted{}, err
	}
	var freed int64
	md, _, err := m.drain(ctx, name, force, func(md *model) (err error) {
		if err := m.notDownloading(name); err != nil { // it may have begun before the gate was closed
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

func (m *Manager) notDownloading(name string) error {
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	if err == nil && md.download != nil {
		err = backend.E(backend.CodeDownloadInProgress, md.entry.DisplayName+" is being downloaded.", "Cancel the download first.").
			With("model_name", md.entry.Name)
	}
	return err
}

// remove deletes the files of a model that is not in memory and whose gate is closed: a download that begins now waits.
func (m *Manager) remove(ctx context.Context, md *model) (int64, error) {
	if err := m.useFiles(ctx); err != nil {
		return 0, err
	}
	defer m.leaveFiles()
	m.mu.Lock()
	md.removing = true
	m.unlock()
	freed, err := m.removeFiles(ctx, md)
	m.mu.Lock()
	defer m.unlock()
	md.removing = false
	md.turn++
	if imported(md.variant) {
		return freed, err
	}
	md.measured = 0
	m.markDeleted(md)
	if md.download != nil {
		return freed, err
	}
	if md.state != backend.ModelNotDownloaded {
		m.move(md, backend.ModelNotDownloaded)
	}
	md.failure, md.partial = nil, m.partial(md)
	md.idle()
	return freed, err
}

func (m *Manager) removeFiles(ctx context.Context, md *model) (int64, error) {
	if imported(md.variant) {
		return m.removeImported(ctx, md)
	}
	return m.wipe(md, nil)
}

// wipe removes the files of a model, whole and partial, but those of keep and of the other models that are here or on their
// way. It gives the bytes that this freed.
func (m *Manager) wipe(md *model, keep []hub.Snapshot) (int64, error) {
	keep = append(slices.Clone(keep), m.needed(md)...)
	var freed int64
	var errs []error
	for _, source := range sources(md.variant) {
		for _, g := range groups(md.variant, source) {
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

// entries names the places of the files of a model, whether they are there or not.
func (m *Manager) entries(md *model) []hub.Snapshot {
	var out []hub.Snapshot
	for _, source := range sources(md.variant) {
		for _, g := range groups(md.variant, source) {
			out = append(out, m.o.Hub.Cache().Entries(g.Request)...)
		}
	}
	return out
}

// needed are the files of the other models that are here, as a restart would find them, or on their way.
func (m *Manager) needed(md *model) []hub.Snapshot {
	m.mu.Lock()
	defer m.unlock()
	var keep []hub.Snapshot
	for _, other := range m.order {
		if other == md || imported(other.variant) {
			continue
		}
		if other.state.OnDisk() || other.download != nil || m.whole(other) {
			keep = append(keep, m.entries(other)...)
		}
	}
	return keep
}

func (m *Manager) removeImported(ctx context.Context, md *model) (int64, error) {
	leave, err := take(ctx, m.imports)
	if err != nil {
		return 0, err
	}
	defer leave()
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
	if err := os.RemoveAll(m.folder(name)); err != nil {
		return 0, backend.FileError("remove the model", "the models directory", err)
	}
	return md.variant.Bytes(), nil
}
