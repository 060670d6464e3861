package models

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Presets keeps the voices of a model as profiles.
type Presets interface {
	AddPresets(ctx context.Context, presets []backend.Preset) ([]backend.Profile, error)
	RestorePresets(ctx context.Context, presets []backend.Preset) ([]backend.Profile, error)
}

// Options are what a Manager is built from.
type Options struct {
	Dir        string               // the models directory
	Registry   string               // the file of the user's own models
	Drivers    []engines.Driver     // the engines that can open models
	BuiltIn    engines.Speaker      // the voice that is always there; it is no model
	Presets    Presets              // where voices become profiles
	IdleUnload func() time.Duration // 0 = at once, negative = never
	Threads    int                  // threads of a model, 0 = the engine chooses
	AfterFree  func()               // gives memory back to the system after an unload; may be nil
	Changed    func(name string)    // a model's state changed; may be nil
	Now        func() time.Time
	Log        *slog.Logger
}

// Manager owns the models of this machine. It is safe for concurrent use.
type Manager struct {
	o       Options
	imports sync.Mutex // one import at a time

	mu      sync.Mutex
	entries []Entry
	slots   map[string]*slot
	closed  bool
	work    sync.WaitGroup // loads and unloads on their way
}

// slot is a model in memory or on its way there.
type slot struct {
	ready    chan struct{} // closed when the load ended
	speaker  engines.Speaker
	err      error
	users    int
	idle     *time.Timer
	lastUsed time.Time
	unloadAt time.Time
}

// New reads the registry. Errors: model_corrupt when the user's own list cannot be read.
func New(o Options) (*Manager, error) {
	entries, err := readRegistry(o.Registry)
	if err != nil {
		return nil, err
	}
	m := &Manager{o: o, entries: entries, slots: map[string]*slot{}}
	m.sweep()
	return m, nil
}

func unknownModel(name string) error {
	return backend.E(backend.CodeModelUnknown, fmt.Sprintf("There is no model %q.", name),
		"See the list of models, or import one from a folder.").With("model_name", name)
}

func (m *Manager) entry(name string) (Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.entries, func(e Entry) bool { return strings.EqualFold(e.Name, name) })
	if i < 0 {
		return Entry{}, unknownModel(name)
	}
	return m.entries[i], nil
}

// Model describes a model without loading it; the built-in engine counts as one here.
// Errors: model_unknown.
func (m *Manager) Model(name string) (engines.Model, error) {
	if b := m.o.BuiltIn.Info(); name == b.Engine {
		return engines.Model{
			Name: b.Engine, DisplayName: backend.BuiltInProfileName, Engine: b.Engine,
			Languages: b.Languages, Voices: b.Voices,
		}, nil
	}
	e, err := m.entry(name)
	if err != nil {
		return engines.Model{}, err
	}
	return e.model(), nil
}

// ModelOf describes the model that brings a preset voice (Piper: "<key>#<speaker>"; without a key any model of the engine
// that has the voice). Errors: model_unknown.
func (m *Manager) ModelOf(engine, voiceID string) (engines.Model, error) {
	if engine == m.o.BuiltIn.Info().Engine {
		return m.Model(engine)
	}
	key, voice, keyed := strings.Cut(voiceID, "#")
	if !keyed {
		voice = voiceID
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.entries {
		if _, ok := e.model().Voice(voice); ok && e.Engine == engine && (!keyed || e.Key == key) {
			return e.model(), nil
		}
	}
	return engines.Model{}, backend.E(backend.CodeModelUnknown,
		fmt.Sprintf("There is no model of %s here with the voice %q.", engine, voiceID),
		"See the list of models, or import the one with this voice from a folder.").With("engine", engine).With("voice", voiceID)
}

// Status lists the models, by name.
func (m *Manager) Status(context.Context) []backend.ModelStatus {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make([]backend.ModelStatus, 0, len(m.entries))
	for _, e := range m.entries {
		out = append(out, m.status(e))
	}
	slices.SortFunc(out, func(a, b backend.ModelStatus) int { return strings.Compare(a.ModelName, b.ModelName) })
	return out
}

// status is called with mu held.
func (m *Manager) status(e Entry) backend.ModelStatus {
	s := backend.ModelStatus{
		ModelName: e.Name, DisplayName: e.DisplayName, Engine: e.Engine, Downloaded: m.present(e),
		SizeMB: int((e.bytes() + 999_999) / 1_000_000), Family: "speech", Revision: e.Revision,
		Languages: e.Languages, Voices: len(e.Voices), License: backend.License{Name: e.License, Accepted: true},
	}
	if slot := m.slots[e.Name]; slot != nil && slot.speaker != nil {
		s.Loaded, s.Device = true, slot.speaker.Info().Device
		s.LastUsedAt = new(slot.lastUsed)
		if !slot.unloadAt.IsZero() {
			s.UnloadAt = new(slot.unloadAt)
		}
	}
	return s
}

// RestorePresets makes the profiles of all models again, also deleted ones.
func (m *Manager) RestorePresets(ctx context.Context) ([]backend.Profile, error) {
	m.mu.Lock()
	var presets []backend.Preset
	for _, e := range m.entries {
		presets = append(presets, e.presets()...)
	}
	m.mu.Unlock()
	return m.o.Presets.RestorePresets(ctx, presets)
}

func (m *Manager) folder(e Entry) string { return filepath.Join(m.imported(), e.Name) }

func (m *Manager) driver(engine string) engines.Driver {
	i := slices.IndexFunc(m.o.Drivers, func(d engines.Driver) bool { return d.Engine() == engine })
	if i < 0 {
		return nil
	}
	return m.o.Drivers[i]
}

func (m *Manager) changed(name string) {
	if m.o.Changed != nil {
		m.o.Changed(name)
	}
}

// Close frees every model; the caller has ended the work before. The built-in engine is not the manager's to close.
func (m *Manager) Close() error {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.work.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	var first error
	for name, s := range m.slots {
		if s.idle != nil {
			s.idle.Stop()
		}
		delete(m.slots, name)
		if s.speaker == nil {
			continue
		}
		if err := s.speaker.Close(); err != nil && first == nil {
			first = fmt.Errorf("unload %s: %w", name, err)
		}
	}
	return first
}
