package models

import (
	"cmp"
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// Detail returns the status of a model with its voices and files. Errors: model_unknown.
func (m *listing) Detail(_ context.Context, name string) (backend.ModelDetail, error) {
	md, s, err := m.lookup(name)
	if err != nil {
		return backend.ModelDetail{}, err
	}
	return backend.ModelDetail{ModelStatus: s, VoicesList: voicesOf(md.entry), Files: m.filesOf(md)}, nil
}

// filesOf returns the files of a model, with the hashes of those that are downloaded.
func (m *listing) filesOf(md *model) []backend.ModelFile {
	known := map[string]string{}
	for _, h := range m.hashes(md) {
		known[h.Path] = h.SHA256
	}
	out := make([]backend.ModelFile, len(md.variant.Files))
	for i, f := range md.variant.Files {
		out[i] = backend.ModelFile{Repo: f.Repo, Path: f.Path, Bytes: f.Bytes, SHA256: cmp.Or(known[f.Path], f.SHA256)}
	}
	return out
}

// hashes returns the hashes of the downloaded files of a model, none while the directory is being moved.
func (m *listing) hashes(md *model) []backend.FileHash {
	m.mu.Lock()
	closed := m.dir.closed
	if !closed {
		m.dir.users++
	}
	m.unlock()
	if closed {
		return nil
	}
	defer m.releaseFiles()
	p, _ := m.locate(md)
	return p.hashes
}

// voicesOf returns the voices of a model.
func voicesOf(e registry.Entry) []backend.ModelVoice {
	out := make([]backend.ModelVoice, len(e.Voices))
	for i, v := range e.Voices {
		out[i] = backend.ModelVoice{
			ID: v.ID, Name: v.Name, Language: v.Language, Gender: backend.GenderOf(v.Gender), Usable: v.CanSpeak(), Reason: reason(v),
		}
	}
	return out
}
