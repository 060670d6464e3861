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

// listState is what the user's list was when it was read last.
type listState struct {
	read    bool
	at      time.Time
	size    int64
	entries []registry.Entry
	late    bool  // an entry changed while its model was in use, and is taken over later
	err     error // why a part of it is not readable
}

// refresh reads the user's list again when its file changed, so that new entries appear without a restart.
func (m *Manager) refresh() {
	m.mu.Lock()
	defer m.unlock()
	if m.dir.shut {
		return
	}
	info, err := os.Stat(m.o.Registry)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if m.list.read || m.list.err != nil || m.list.late {
			m.list = listState{}
			m.replaceOwn()
		}
	case err != nil:
		m.list.read, m.list.err = false, err
	case m.list.read && info.ModTime().Equal(m.list.at) && info.Size() == m.list.size:
		if m.list.late {
			m.replaceOwn()
		}
	default:
		m.readOwn(info)
	}
}

// readOwn reads the file of the user's list; mu is held. A file that is no list at all takes nothing away.
func (m *Manager) readOwn(info fs.FileInfo) {
	raw, err := os.ReadFile(m.o.Registry)
	entries := m.list.entries
	if err == nil {
		var sound []registry.Entry
		if sound, err = registry.Parse(raw); sound != nil {
			entries = sound
		}
	}
	m.list = listState{read: true, at: info.ModTime(), size: info.Size(), entries: entries, err: err}
	if err != nil {
		m.o.Log.Warn("the list of the user's own models is not readable as a whole", "file", m.o.Registry, "error", err)
	}
	m.replaceOwn()
}

// replaceOwn takes the user's entries over; mu is held. A model that is in use keeps its old entry until it is not.
func (m *Manager) replaceOwn() {
	m.list.late = false
	wanted := map[string]bool{}
	for _, e := range m.list.entries {
		wanted[fold(e.Name)] = true
		md := m.models[fold(e.Name)]
		switch {
		case md != nil && !md.own:
			m.o.Log.Warn("an own model bears the name of a known one and is left out", "model", e.Name)
		case md != nil && reflect.DeepEqual(md.entry, e):
		case md != nil && busy(md):
			m.list.late = true
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
			m.list.late = true
			return false
		}
		delete(m.models, fold(md.entry.Name))
		m.changed(md.entry.Name)
		return true
	})
}

func busy(md *model) bool { return md.slot != nil || md.download != nil || md.gate != nil }

// change rewrites the user's list; the place of imports is held. Errors: model_corrupt when it is not readable, as writing
// would lose what stands there.
func (m *Manager) change(do func([]registry.Entry) []registry.Entry) error {
	m.refresh()
	m.mu.Lock()
	defer m.unlock()
	if m.list.err != nil {
		return backend.E(backend.CodeModelCorrupt,
			fmt.Sprintf("The list of your own models, %s, is not readable.", m.o.Registry),
			"Mend the file, or move it away and import the models again; their files are still there.").WithCause(m.list.err)
	}
	entries := do(slices.Clone(m.list.entries))
	raw, err := registry.Format(entries)
	if err != nil {
		return fmt.Errorf("encode the model list: %w", err)
	}
	if err := files.Write(m.o.Registry, raw, 0o600); err != nil {
		return backend.FileError("write the model list", "the data directory", err)
	}
	// What was written is read back, so that an entry is the same now and after a restart.
	info, err := os.Stat(m.o.Registry)
	if err != nil {
		return backend.FileError("read the model list", "the data directory", err)
	}
	m.readOwn(info)
	return nil
}
