package models

import (
	"context"
	"fmt"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
)

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
