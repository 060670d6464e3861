package models

import (
	"context"
	"fmt"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// presets returns the voices of a model as profiles, named by the voice, or by voice and model where that name is taken.
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

// fullName returns the name of a model beside one of its voices. That of a Piper model is the voice's, so it is engine and key.
func fullName(e registry.Entry) string {
	if e.Engine == "piper" {
		return "Piper " + e.Key
	}
	return e.DisplayName
}

// RestorePresets creates the missing profiles of all downloaded models, also deleted ones.
func (m *listing) RestorePresets(ctx context.Context) ([]backend.Profile, error) {
	return m.o.Presets.RestorePresets(ctx, m.presetsHere())
}

// EnsurePresets creates the profiles of models that this library did not download itself: before a crash, or into a models
// directory that several libraries share. Deleted profiles stay deleted.
func (m *listing) EnsurePresets(ctx context.Context) error {
	all := m.presetsHere()
	if len(all) == 0 {
		return nil
	}
	_, err := m.o.Presets.AddPresets(ctx, all)
	return err
}

// presetsHere returns the voices of the downloaded models.
func (m *listing) presetsHere() []backend.Preset {
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

// reason returns why this build cannot speak with a voice, "" when it can.
func reason(v registry.Voice) string {
	if v.CanSpeak() {
		return ""
	}
	return v.Reason
}
