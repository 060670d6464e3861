package models

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
)

// Import makes a user's own model of a file or folder: found by an engine, copied with its hashes into the models
// directory, opened once to prove that it works, registered, and its voices made profiles. engine and name may be empty.
// Errors: ValidationError for path, engine and name; model_corrupt, name_taken, insufficient_disk, not_permitted,
// and what opening the model gives.
func (m *Manager) Import(ctx context.Context, path, engine, name string) (backend.ModelStatus, error) {
	if err := m.useFiles(ctx); err != nil {
		return backend.ModelStatus{}, err
	}
	defer m.leaveFiles()
	leave, err := take(ctx, m.imports)
	if err != nil {
		return backend.ModelStatus{}, err
	}
	defer leave()
	driver, files, err := m.search(path, engine)
	if err != nil {
		return backend.ModelStatus{}, err
	}
	about, err := driver.Describe(files)
	if err != nil {
		return backend.ModelStatus{}, err
	}
	if name == "" {
		name = nameFrom(about.Key)
	}
	if err := m.checkName(name); err != nil {
		return backend.ModelStatus{}, err
	}
	if err := m.checkFits(ctx, files); err != nil {
		return backend.ModelStatus{}, err
	}
	e := entryOf(name, driver.Engine(), about)
	if e.Variants[0].Files, err = m.copyIn(ctx, name, files); err != nil {
		return backend.ModelStatus{}, err
	}
	e.Variants[0].MemoryMB = memoryOf(e.Variants[0].Bytes())
	if err := m.prove(ctx, e); err != nil {
		return backend.ModelStatus{}, errors.Join(err, os.RemoveAll(m.folder(name)))
	}
	if err := m.register(ctx, e); err != nil {
		return backend.ModelStatus{}, errors.Join(err, os.RemoveAll(m.folder(name)))
	}
	return m.Get(ctx, name)
}

// entryOf makes the registry entry of an imported model.
func entryOf(name, engine string, about engines.Description) registry.Entry {
	voices := make([]registry.Voice, len(about.Voices))
	for i, v := range about.Voices {
		voices[i] = registry.Voice{ID: v.ID, Name: v.Name, Language: v.Language, Gender: v.Gender, Reason: v.Reason}
		if v.Reason != "" {
			voices[i].Usable = new(false)
		}
	}
	return registry.Entry{
		Name: name, DisplayName: about.Name, Engine: engine, Family: registry.Speech, Key: about.Key, Note: "imported from disk",
		Languages: about.Languages, License: registry.License{Name: about.License}, SampleRate: about.SampleRate,
		Voices: voices, Variants: []registry.Variant{{Name: "imported"}},
	}
}

// memoryOf estimates the memory of a model from its size, as measured with models of ONNX Runtime.
func memoryOf(bytes int64) int { return int(1.2*float64(bytes)/1e6) + 180 }

// checkName refuses a name that is not one or that a model has already.
func (m *Manager) checkName(name string) error {
	if !registry.ValidName(name) || strings.ToLower(name) != name {
		return backend.Invalid("string_pattern_mismatch",
			"A model's name has 1 to 64 of the characters a-z, 0-9, dot, underscore and hyphen, and is not a word of the API",
			"body", "name")
	}
	return m.untaken(name)
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

// search asks the drivers, or the named one, for the files in path.
func (m *Manager) search(path, engine string) (engines.Driver, engines.Files, error) {
	if _, err := os.Stat(path); path == "" || err != nil {
		return nil, nil, backend.Invalid("path_not_exists", "There is no such file or folder", "body", "path")
	}
	if !filepath.IsAbs(path) {
		return nil, nil, backend.Invalid("value_error", "Input should be an absolute path", "body", "path")
	}
	if engine != "" && m.driver(engine) == nil {
		return nil, nil, backend.Invalid("enum", fmt.Sprintf("No engine %q can be imported", engine), "body", "engine")
	}
	for _, d := range m.o.Drivers {
		if engine != "" && d.Engine() != engine {
			continue
		}
		files, ok, err := d.Find(path)
		if err != nil {
			return nil, nil, err
		}
		if ok {
			return d, files, nil
		}
	}
	return nil, nil, backend.E(backend.CodeModelCorrupt, fmt.Sprintf("No known voice was found in %s.", path),
		"Give the folder of one voice, for Piper with NAME.onnx and NAME.onnx.json in it.").With("path", path)
}

// checkFits refuses files that are not regular ones, or do not fit on the disk of the models, before the first byte is copied.
// Errors: model_corrupt naming the file, insufficient_disk.
func (m *Manager) checkFits(ctx context.Context, files engines.Files) error {
	var need int64
	for _, path := range files {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			name := filepath.Base(path)
			return corrupt(fmt.Sprintf("The model file %s is missing or is not a regular file.", name), err).With("file", name)
		}
		need += info.Size()
	}
	return m.o.Hub.CheckSpace(ctx, need)
}

// copyIn copies the files beside their final place and moves the folder there when all are whole.
func (m *Manager) copyIn(ctx context.Context, name string, paths engines.Files) ([]registry.File, error) {
	parent := m.importedDir()
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, backend.FileError("make the models directory", "the models directory", err)
	}
	temp, err := os.MkdirTemp(parent, unfinished+"*")
	if err != nil {
		return nil, backend.FileError("make the models directory", "the models directory", err)
	}
	defer func() { _ = os.RemoveAll(temp) }()
	var out []registry.File
	for _, role := range slices.Sorted(maps.Keys(paths)) {
		f, err := copyFile(ctx, paths[role], filepath.Join(temp, filepath.Base(paths[role])))
		if err != nil {
			return nil, err
		}
		f.Role = role
		out = append(out, f)
	}
	// A folder of this name that no entry knows was left by a crash, or by a list that was moved away.
	if err := errors.Join(os.RemoveAll(m.folder(name)), files.Move(temp, m.folder(name))); err != nil {
		return nil, backend.FileError("move the model into place", "the models directory", err)
	}
	return out, nil
}

// prove opens a model once, so that what is registered is known to work.
func (m *Manager) prove(ctx context.Context, e registry.Entry) error {
	leave, err := take(ctx, m.loads)
	if err != nil {
		return err
	}
	defer leave()
	_, speaker, err := m.open(ctx, &model{entry: e, variant: e.Variants[0]})
	if err != nil {
		return err
	}
	if err := m.closeSpeaker(speaker); err != nil {
		return fmt.Errorf("close the model %s: %w", e.Name, err)
	}
	return nil
}

// unfinished begins the names of folders that an import fills.
const unfinished = ".import-"

// unfinishedAge is how old such a folder is when its import cannot run any more, also not in another process that shares
// the models directory.
const unfinishedAge = 24 * time.Hour

func (m *Manager) importedDir() string { return filepath.Join(m.o.Hub.Cache().Dir, "imported") }

func (m *Manager) folder(name string) string { return filepath.Join(m.importedDir(), name) }

// sweep removes what imports left that were killed. Nothing depends on it, so a failure is only logged.
func (m *Manager) sweep() {
	folders, err := os.ReadDir(m.importedDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		m.o.Log.Warn("look for unfinished imports", "error", err)
	}
	for _, d := range folders {
		if !strings.HasPrefix(d.Name(), unfinished) {
			continue
		}
		info, err := d.Info()
		if err == nil && m.o.Now().Sub(info.ModTime()) > unfinishedAge {
			err = os.RemoveAll(filepath.Join(m.importedDir(), d.Name()))
		}
		if err != nil {
			m.o.Log.Warn("remove an unfinished import", "folder", d.Name(), "error", err)
		}
	}
}

// copyFile copies and hashes in one pass.
func copyFile(ctx context.Context, from, to string) (registry.File, error) {
	in, err := os.Open(from)
	if err != nil {
		return registry.File{}, backend.FileError("read the model", from, err)
	}
	defer func() { _ = in.Close() }()
	n, sum, err := files.Create(ctx, to, 0o644, in)
	if err != nil {
		return registry.File{}, backend.FileError("copy the model", "the models directory", err)
	}
	return registry.File{Path: filepath.Base(to), Bytes: n, SHA256: sum, Pinned: true}, nil
}
