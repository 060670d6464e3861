package models

import (
	"context"
	"fmt"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
)

// Model describes a model without loading it; the built-in engine counts as one here. Errors: model_unknown.
func (m *Manager) Model(name string) (engines.Model, error) {
	if b := m.o.BuiltIn.Info(); name == b.Engine {
		return engines.Model{
			Name: b.Engine, DisplayName: backend.BuiltInProfileName, Engine: b.Engine,
			Languages: b.Languages, Voices: b.Voices, Reading: b.Reading,
		}, nil
	}
	m.refresh()
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	if err != nil {
		return engines.Model{}, err
	}
	return m.modelOf(md.entry), nil
}

// ModelOf describes the model that brings a preset voice (Piper: "<key>#<speaker>"); one that is here is preferred.
// Errors: model_unknown, not_found for a mixture that is written wrongly.
func (m *Manager) ModelOf(engine, voiceID string) (engines.Model, error) {
	if engine == m.o.BuiltIn.Info().Engine {
		return m.Model(engine)
	}
	key, voice, keyed := strings.Cut(voiceID, "#")
	if !keyed {
		voice = voiceID
	}
	m.refresh()
	m.mu.Lock()
	defer m.unlock()
	var best *model
	for _, md := range m.order {
		if md.entry.Engine != engine || (keyed && md.entry.Key != key) {
			continue
		}
		described := m.modelOf(md.entry)
		if _, has := described.Voice(voice); !has {
			if _, err := engines.ParseMix(voice); described.Mixes && voice != "" && err != nil {
				return engines.Model{}, err
			}
			continue
		}
		if best == nil || (md.state.OnDisk() && !best.state.OnDisk()) {
			best = md
		}
	}
	if best == nil {
		return engines.Model{}, backend.E(backend.CodeModelUnknown,
			fmt.Sprintf("There is no model of %s here with the voice %q.", engine, voiceID),
			"See the list of models, or import the one with this voice from a folder.").With("engine", engine).With("voice", voiceID)
	}
	return m.modelOf(best.entry), nil
}

func (m *Manager) modelOf(e registry.Entry) engines.Model {
	out := engines.Model{
		Abilities: m.abilities(e.Engine), Name: e.Name, DisplayName: e.DisplayName, Engine: e.Engine, Languages: e.Languages,
		Voices: make([]engines.Voice, len(e.Voices)),
	}
	if reader, ok := m.driver(e.Engine).(engines.Reader); ok {
		out.Reading = reader.Reads()
	}
	for i, v := range e.Voices {
		out.Voices[i] = engines.Voice{ID: v.ID, Name: v.Name, Language: v.Language, Gender: v.Gender, Reason: reason(v)}
	}
	return out
}

// abilities are what the models of an engine can do.
func (m *Manager) abilities(engine string) engines.Abilities {
	if able, ok := m.driver(engine).(engines.Able); ok {
		return able.Abilities()
	}
	return engines.Abilities{}
}

// voicesOf gives the voices of a model as lists show them.
func voicesOf(e registry.Entry) []backend.ModelVoice {
	out := make([]backend.ModelVoice, len(e.Voices))
	for i, v := range e.Voices {
		out[i] = backend.ModelVoice{
			ID: v.ID, Name: v.Name, Language: v.Language, Gender: backend.GenderOf(v.Gender), Usable: v.CanSpeak(), Reason: reason(v),
		}
	}
	return out
}

// presets gives the voices as they become profiles: named by the voice, and by voice and model where that name is taken.
func presets(e registry.Entry) []backend.Preset {
	out := make([]backend.Preset, len(e.Voices))
	for i, v := range e.Voices {
		out[i] = backend.Preset{
			Engine: e.Engine, VoiceID: e.PresetID(v.ID), Name: v.Name,
			Taken: fmt.Sprintf("%s (%s)", v.Name, fullName(e)), Language: v.Language, Model: e.Name,
		}
		if !v.CanSpeak() {
			out[i].Reason = v.Reason
		}
	}
	return out
}

// fullName names a model beside one of its voices. A Piper model's own name is the voice's, so engine and key say more.
func fullName(e registry.Entry) string {
	if e.Engine == "piper" {
		return "Piper " + e.Key
	}
	return e.DisplayName
}

// RestorePresets makes the profiles of all models that are here again, also deleted ones.
func (m *Manager) RestorePresets(ctx context.Context) ([]backend.Profile, error) {
	return m.o.Presets.RestorePresets(ctx, m.presetsHere())
}

// EnsurePresets makes the profiles of models whose files came another way than by a download of this library: before a crash,
// or into a models directory that several libraries share. Deleted ones stay deleted.
func (m *Manager) EnsurePresets(ctx context.Context) error {
	all := m.presetsHere()
	if len(all) == 0 {
		return nil
	}
	_, err := m.o.Presets.AddPresets(ctx, all)
	return err
}

func (m *Manager) presetsHere() []backend.Preset {
	m.mu.Lock()
	defer m.unlock()
	var all []backend.Preset
	for _, md := range m.order {
		if md.state.OnDisk() {
			all = append(all, presets(md.entry)...)
		}
	}
	return all
}

// reason says why this build cannot speak with a voice, empty where it can.
func reason(v registry.Voice) string {
	if v.CanSpeak() {
		return ""
	}
	return v.Reason
}
