package models

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/voicewright/voicewright/backend/files"
)

// A model that was deleted while other models need all of its files leaves them here, and a restart would find it again.
// So the names of such models stand in a file beside the models, in m.deleted by fold; mu guards it.

func (m *Manager) deletedFile() string { return filepath.Join(m.o.Hub.Cache().Dir, "deleted.json") }

// readDeleted reads the names. Of a file that is not readable none counts: then files that are here are found, as always.
func (m *Manager) readDeleted() {
	m.deleted = map[string]bool{}
	raw, err := os.ReadFile(m.deletedFile())
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var names []string
	if err == nil {
		err = json.Unmarshal(raw, &names)
	}
	if err != nil {
		m.o.Log.Warn("the list of deleted models cannot be read", "file", m.deletedFile(), "error", err)
	}
	for _, name := range names {
		m.deleted[fold(name)] = true
	}
}

// markDeleted notes a model whose files were just deleted as far as nobody needs them; mu is held. Names of which not all
// files are here are not needed any more.
func (m *Manager) markDeleted(md *model) {
	m.changeDeleted(func(names map[string]bool) {
		names[fold(md.entry.Name)] = true
		maps.DeleteFunc(names, func(name string, _ bool) bool {
			one := m.models[name]
			if one == nil {
				return true
			}
			_, here := m.locate(one)
			return !here
		})
	})
}

// unmarkDeleted notes that a model is here because somebody wants it; mu is held.
func (m *Manager) unmarkDeleted(md *model) {
	m.changeDeleted(func(names map[string]bool) { delete(names, fold(md.entry.Name)) })
}

// changeDeleted writes the names down when they change. Without success a restart finds the model again, no more.
func (m *Manager) changeDeleted(change func(names map[string]bool)) {
	before := maps.Clone(m.deleted)
	change(m.deleted)
	if maps.Equal(before, m.deleted) {
		return
	}
	var err error
	if len(m.deleted) == 0 {
		err = os.Remove(m.deletedFile())
	} else {
		var raw []byte
		if raw, err = json.Marshal(slices.Sorted(maps.Keys(m.deleted))); err == nil {
			err = files.Write(m.deletedFile(), append(raw, '\n'), 0o600)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m.o.Log.Warn("note a deleted model", "file", m.deletedFile(), "error", err)
	}
}

// whole reports whether a restart would find a model; mu is held.
func (m *Manager) whole(md *model) bool {
	_, here := m.locate(md)
	return here && !m.deleted[fold(md.entry.Name)]
}
