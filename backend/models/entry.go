// Package models knows the models of this machine: their registry entries, their files, and which of them
// are in memory. A model is loaded once for many callers, counted while in use, and unloaded when idle.
package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Entry is a model of the registry.
type Entry struct {
	Name        string          `json:"model_name"`
	DisplayName string          `json:"display_name"`
	Engine      string          `json:"engine"`
	Key         string          `json:"key"` // the engine's own name, part of preset_voice_id
	Revision    string          `json:"revision"`
	Languages   []string        `json:"languages"`
	SampleRate  int             `json:"sample_rate"`
	Voices      []engines.Voice `json:"voices"`
	License     string          `json:"license"`
	Files       []File          `json:"files"`
}

// File is a file of a model, by content.
type File struct {
	Path   string `json:"path"` // below the model's folder
	Role   string `json:"role"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func (e Entry) bytes() int64 {
	var n int64
	for _, f := range e.Files {
		n += f.Bytes
	}
	return n
}

func (e Entry) model() engines.Model {
	return engines.Model{
		Name: e.Name, DisplayName: e.DisplayName, Engine: e.Engine, Languages: e.Languages, Voices: e.Voices,
	}
}

func (e Entry) hashes() []backend.FileHash {
	out := make([]backend.FileHash, len(e.Files))
	for i, f := range e.Files {
		out[i] = backend.FileHash{Path: f.Path, SHA256: f.SHA256}
	}
	return out
}

// presets gives the voices as they become profiles. A voice of a single-speaker model bears the model's name.
func (e Entry) presets() []backend.Preset {
	out := make([]backend.Preset, len(e.Voices))
	for i, v := range e.Voices {
		name := v.Name
		if len(e.Voices) == 1 {
			name = e.DisplayName
		}
		out[i] = backend.Preset{
			Engine: e.Engine, VoiceID: e.Key + "#" + v.ID, Name: name,
			Taken: fmt.Sprintf("%s (%s)", name, e.Name), Language: v.Language, Model: e.Name,
		}
	}
	return out
}

type registryFile struct {
	Models []Entry `json:"models"`
}

// readRegistry reads the user's own models; a missing file holds none.
func readRegistry(path string) ([]Entry, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the model registry: %w", err)
	}
	var file registryFile
	err = json.Unmarshal(raw, &file)
	for _, e := range file.Models {
		err = errors.Join(err, e.check())
	}
	if err != nil {
		return nil, backend.E(backend.CodeModelCorrupt,
			fmt.Sprintf("The list of your own models, %s, is not readable.", path),
			"Mend the file, or move it away and import the models again; their files are still there.").Because(err)
	}
	return file.Models, nil
}

// check keeps a list that was edited by hand from reaching files outside the models directory.
func (e Entry) check() error {
	if checkName(e.Name) != nil {
		return fmt.Errorf("%q is no name for a model", e.Name)
	}
	for _, f := range e.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) {
			return fmt.Errorf("model %s: %q is no path below its folder", e.Name, f.Path)
		}
	}
	return nil
}

// writeRegistry replaces the file in one step.
func writeRegistry(path string, entries []Entry) error {
	raw, err := json.MarshalIndent(registryFile{entries}, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the model registry: %w", err)
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".models-*.json")
	if err != nil {
		return fmt.Errorf("write the model registry: %w", err)
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = temp.Write(append(raw, '\n'))
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return fmt.Errorf("write the model registry: %w", err)
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return fmt.Errorf("write the model registry: %w", err)
	}
	return nil
}

var validName = regexp.MustCompile(`^[a-z0-9._-]{1,64}$`)

// reserved are the words that stand in the place of a name in the routes.
var reserved = map[string]bool{
	".": true, "..": true, "status": true, "load": true, "unload": true, "download": true, "progress": true,
	"import": true, "register": true, "catalogue": true, "directory": true, "loaded": true, "espeak": true,
}

// nameFrom makes a model name of a file's name.
func nameFrom(key string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			return r
		default:
			return '-'
		}
	}, strings.ToLower(key))
	return name[:min(len(name), 64)]
}

func checkName(name string) error {
	if validName.MatchString(name) && !reserved[name] {
		return nil
	}
	return backend.Invalid("string_pattern_mismatch",
		"A model's name has 1 to 64 of the characters a-z, 0-9, dot, underscore and hyphen, and is not a word of the API",
		"body", "name")
}
