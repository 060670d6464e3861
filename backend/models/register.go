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
func (m *importer) RegisterVoice(ctx context.Context, name, key string) (backend.ModelStatus, error) {
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

// Register adds an entry to the user's list. Errors: ValidationError for an invalid field, name_taken, model_corrupt when the
// list is not readable, cancelled.
func (m *importer) Register(ctx context.Context, e registry.Entry) (backend.ModelStatus, error) {
	if err := checkEntry(e); err != nil {
		return backend.ModelStatus{}, err
	}
	if err := m.acquireFiles(ctx); err != nil { // before the slot, as in Import, so that the two cannot deadlock
		return backend.ModelStatus{}, err
	}
	defer m.releaseFiles()
	release, err := acquireSlot(ctx, m.imports)
	if err != nil {
		return backend.ModelStatus{}, err
	}
	defer release()
	if err := m.checkNameFree(e.Name); err != nil {
		return backend.ModelStatus{}, err
	}
	if err := m.register(ctx, e); err != nil {
		return backend.ModelStatus{}, err
	}
	return m.Get(ctx, e.Name)
}

// checkEntry checks an entry, whose files must be at a hub. Error: ValidationError.
func checkEntry(e registry.Entry) error {
	var wrong *registry.FieldError
	if err := e.Check(); errors.As(err, &wrong) {
		return backend.Invalid("value_error", wrong.Field+": "+wrong.Reason, "body", wrong.Field)
	}
	if slices.ContainsFunc(e.Variants, imported) {
		return backend.Invalid("value_error", "Files without a repository are imported, not registered", "body", "variants")
	}
	return nil
}

// checkNameFree returns name_taken when a model has the name.
func (m *importer) checkNameFree(name string) error {
	m.refresh()
	m.mu.Lock()
	defer m.unlock()
	if _, err := m.find(name); err == nil {
		return backend.E(backend.CodeNameTaken, fmt.Sprintf("There is already a model named %q.", name), "Choose another name.").
			With("name", name)
	}
	return nil
}

// register adds an entry to the user's list and creates its profiles when its files are here; the slot of imports is held.
func (m *importer) register(ctx context.Context, e registry.Entry) error {
	if err := e.Check(); err != nil { // an invalid entry would make the list unreadable
		return errCorrupt(fmt.Sprintf("The files of %s describe an invalid model: %v.", e.Name, err), err)
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
