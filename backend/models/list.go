package models

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// listState is the user's list as it was read last.
type listState struct {
	read     bool
	at       time.Time
	size     int64
	entries  []registry.Entry
	outdated bool  // an entry changed while its model was in use, and is applied later
	err      error // why a part of the file is not readable
}

// refresh reads the user's list when its file has changed, so that new entries need no restart.
func (m *states) refresh() {
	m.mu.Lock()
	defer m.unlock()
	if m.dir.closed {
		return
	}
	info, err := os.Stat(m.o.Registry)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if m.list.read || m.list.err != nil || m.list.outdated {
			m.list = listState{}
			m.replaceOwn()
		}
	case err != nil:
		m.list.read, m.list.err = false, err
	case m.list.read && info.ModTime().Equal(m.list.at) && info.Size() == m.list.size:
		if m.list.outdated {
			m.replaceOwn()
		}
	default:
		m.readOwn(info)
	}
}

// readOwn reads the file of the user's list; mu is held. An invalid file removes no entries.
func (m *states) readOwn(info fs.FileInfo) {
	raw, err := os.ReadFile(m.o.Registry)
	entries := m.list.entries
	if err == nil {
		var valid []registry.Entry
		if valid, err = registry.Parse(raw); valid != nil {
			entries = valid
		}
	}
	m.list = listState{read: true, at: info.ModTime(), size: info.Size(), entries: entries, err: err}
	if err != nil {
		m.o.Log.Warn("the list of the user's own models has errors", "file", m.o.Registry, "error", err)
	}
	m.replaceOwn()
}

// replaceOwn applies the user's entries; mu is held. A model in use keeps its old entry until it is no longer used.
func (m *states) replaceOwn() {
	m.list.outdated = false
	wanted := map[string]bool{}
	for _, e := range m.list.entries {
		wanted[fold(e.Name)] = true
		md := m.models[fold(e.Name)]
		switch {
		case md != nil && !md.own:
			m.o.Log.Warn("a model of the user has the name of a registry model and is skipped", "model", e.Name)
		case md != nil && reflect.DeepEqual(md.entry, e):
		case md != nil && busy(md):
			m.list.outdated = true
		default:
			m.add(e, true)
			m.changed(e.Name)
		}
	}
	m.order = slices.DeleteFunc(m.order, func(md *model) bool {
		if !md.own || wanted[fold(md.entry.Name)] {
			return false
		}
		if busy(md) {
			m.list.outdated = true
			return false
		}
		delete(m.models, fold(md.entry.Name))
		m.changed(md.entry.Name)
		return true
	})
}

// busy reports whether a model is in use or changing.
func busy(md *model) bool { return md.slot != nil || md.download != nil || md.gate != nil }

// change rewrites the user's list; the slot of imports is held. Errors: model_corrupt when the list is not readable, as writing
// it would lose entries.
func (m *states) change(do func([]registry.Entry) []registry.Entry) error {
	m.refresh()
	m.mu.Lock()
	defer m.unlock()
	if m.list.err != nil {
		return backend.E(backend.CodeModelCorrupt,
			fmt.Sprintf("The list of your own models, %s, is not readable.", m.o.Registry),
			"Repair the file, or move it away and import the models again. Their files are still there.").WithCause(m.list.err)
	}
	entries := do(slices.Clone(m.list.entries))
	raw, err := registry.Format(entries)
	if err != nil {
		return fmt.Errorf("encode the model list: %w", err)
	}
	if err := files.Write(m.o.Registry, raw, 0o600); err != nil {
		return backend.FileError("write the model list", "the data directory", err)
	}
	// The list is read back, so that an entry is the same now and after a restart.
	info, err := os.Stat(m.o.Registry)
	if err != nil {
		return backend.FileError("read the model list", "the data directory", err)
	}
	m.readOwn(info)
	return nil
}
