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

// The files of a deleted model stay while other models need all of them, so that a restart would find the model again. A file in
// the models directory therefore lists the names of such models, as does m.deleted by fold, which mu guards.

func (m *states) deletedFile() string { return filepath.Join(m.o.Hub.Cache().Dir, "deleted.json") }

// readDeleted reads the names. An unreadable file counts as empty: then a restart finds the models.
func (m *states) readDeleted() {
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

// markDeleted adds a model to the list; mu is held. It removes the names of models whose files are incomplete, which no restart
// finds.
func (m *states) markDeleted(md *model) {
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

// unmarkDeleted removes a model from the list; mu is held.
func (m *states) unmarkDeleted(md *model) {
	m.changeDeleted(func(names map[string]bool) { delete(names, fold(md.entry.Name)) })
}

// changeDeleted writes the list when it changes. After an error, which is logged, a restart finds the model again.
func (m *states) changeDeleted(change func(names map[string]bool)) {
	if m.o.ReadOnly {
		return
	}
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
		m.o.Log.Warn("write the list of deleted models", "file", m.deletedFile(), "error", err)
	}
}

// isComplete reports whether all files of a model are here and it was not deleted; mu is held.
func (m *states) isComplete(md *model) bool {
	_, here := m.locate(md)
	return here && !m.deleted[fold(md.entry.Name)]
}
