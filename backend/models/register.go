package models

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// RegisterVoice registers a voice of a catalogue. Errors: ValidationError for catalogue and key, name_taken, those of Catalogue.
func (m *Manager) RegisterVoice(ctx context.Context, name, key string) (backend.ModelStatus, error) {
	if name != "piper" {
		return backend.ModelStatus{}, backend.Invalid("enum", "Input should be piper", "body", "catalogue")
	}
	items, err := m.catalogue(ctx)
	if err != nil {
		return backend.ModelStatus{}, err
	}
	i := slices.IndexFunc(items, func(item registry.CatalogueItem) bool { return item.Key == key })
	if i < 0 {
		return backend.ModelStatus{}, backend.Invalid("enum", fmt.Sprintf("The catalogue has no voice %q", key), "body", "key")
	}
	return m.Register(ctx, registry.EntryFor(items[i]))
}

// Register takes an entry into the user's list. Errors: ValidationError for a field that is wrong, name_taken, model_corrupt
// when the list is not readable, cancelled.
func (m *Manager) Register(ctx context.Context, e registry.Entry) (backend.ModelStatus, error) {
	if err := registrable(e); err != nil {
		return backend.ModelStatus{}, err
	}
	if err := m.useFiles(ctx); err != nil { // as Import does, so that both wait in the same order
		return backend.ModelStatus{}, err
	}
	defer m.leaveFiles()
	leave, err := take(ctx, m.imports)
	if err != nil {
		return backend.ModelStatus{}, err
	}
	defer leave()
	if err := m.untaken(e.Name); err != nil {
		return backend.ModelStatus{}, err
	}
	if err := m.register(ctx, e); err != nil {
		return backend.ModelStatus{}, err
	}
	return m.Get(ctx, e.Name)
}

// registrable checks an entry, which must have its files at a hub.
func registrable(e registry.Entry) error {
	var wrong *registry.FieldError
	if err := e.Check(); errors.As(err, &wrong) {
		return backend.Invalid("value_error", wrong.Field+": "+wrong.Reason, "body", wrong.Field)
	}
	if slices.ContainsFunc(e.Variants, imported) {
		return backend.Invalid("value_error", "Files without a repository are imported, not registered", "body", "variants")
	}
	return nil
}

// untaken refuses the name of a model that there is.
func (m *Manager) untaken(name string) error {
	m.refresh()
	m.mu.Lock()
	defer m.unlock()
	if _, err := m.find(name); err == nil {
		return backend.E(backend.CodeNameTaken, fmt.Sprintf("There is already a model named %q.", name), "Give another name.").
			With("name", name)
	}
	return nil
}

// register writes an entry into the user's list and makes its profiles when its files are here; the place of imports is held.
func (m *Manager) register(ctx context.Context, e registry.Entry) error {
	if err := e.Check(); err != nil { // else the whole list could not be read again
		return corrupt(fmt.Sprintf("The files of %s say something that no model can have: %v.", e.Name, err), err)
	}
	err := m.change(func(own []registry.Entry) []registry.Entry { return append(deleteEntry(own, e.Name), e) })
	if err != nil {
		return err
	}
	m.mu.Lock()
	md, err := m.find(e.Name)
	here := err == nil && md.state.OnDisk()
	m.unlock()
	if !here {
		return err
	}
	if _, err := m.o.Presets.AddPresets(ctx, presets(e)); err != nil {
		return errors.Join(err, m.change(func(own []registry.Entry) []registry.Entry { return deleteEntry(own, e.Name) }))
	}
	return nil
}

func deleteEntry(own []registry.Entry, name string) []registry.Entry {
	return slices.DeleteFunc(own, func(e registry.Entry) bool { return fold(e.Name) == fold(name) })
}
