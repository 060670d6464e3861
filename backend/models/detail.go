package models

import (
	"cmp"
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// Detail gives one entry of the list with its voices and files. Errors: model_unknown.
func (m *Manager) Detail(_ context.Context, name string) (backend.ModelDetail, error) {
	md, s, err := m.one(name)
	if err != nil {
		return backend.ModelDetail{}, err
	}
	return backend.ModelDetail{ModelStatus: s, VoicesList: voicesOf(md.entry), Files: m.filesOf(md)}, nil
}

// filesOf lists the files of a model, with the hashes of those that are here.
func (m *Manager) filesOf(md *model) []backend.ModelFile {
	known := map[string]string{}
	for _, h := range m.hashes(md) {
		known[h.Path] = h.SHA256
	}
	out := make([]backend.ModelFile, len(md.variant.Files))
	for i, f := range md.variant.Files {
		out[i] = backend.ModelFile{Path: f.Path, Bytes: f.Bytes, SHA256: cmp.Or(known[f.Path], f.SHA256)}
	}
	return out
}

// hashes gives those of the files of a model that are here, none while the directory is on its way.
func (m *Manager) hashes(md *model) []backend.FileHash {
	m.mu.Lock()
	shut := m.dir.shut
	if !shut {
		m.dir.users++
	}
	m.unlock()
	if shut {
		return nil
	}
	defer m.leaveFiles()
	p, _ := m.locate(md)
	return p.hashes
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
