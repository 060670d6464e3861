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

// Import imports the model in a file or folder: it finds the engine, copies the files with their hashes into the models directory,
// opens the model once as a test, adds it to the user's list and creates its profiles. engine and name may be empty.
// Errors: ValidationError for path, engine and name; model_corrupt with the parameters file (not of an archive) and reason,
// name_taken, insufficient_disk, not_permitted, and those of opening the model.
func (m *importer) Import(ctx context.Context, path, engine, name string) (backend.ModelStatus, error) {
	s, err := m.importNew(ctx, path, engine, name)
	return s, errRefused(path, err)
}

func (m *importer) importNew(ctx context.Context, path, engine, name string) (backend.ModelStatus, error) {
	if err := m.acquireFiles(ctx); err != nil {
		return backend.ModelStatus{}, err
	}
	defer m.releaseFiles()
	release, err := acquireSlot(ctx, m.imports)
	if err != nil {
		return backend.ModelStatus{}, err
	}
	defer release()
	driver, found, err := m.findDriver(path, engine)
	if err != nil {
		return backend.ModelStatus{}, err
	}
	about, err := driver.Describe(found)
	if err != nil {
		return backend.ModelStatus{}, err
	}
	about.Name, about.Key = shown(about.Name), shown(about.Key)
	if name == "" {
		name = nameFrom(about.Key)
	}
	if err := m.checkName(name); err != nil {
		return backend.ModelStatus{}, err
	}
	if err := m.checkFits(ctx, found); err != nil {
		return backend.ModelStatus{}, err
	}
	e := entryOf(name, driver.Engine(), familyOf(m.abilities(driver.Engine())), about)
	if e.Variants[0].Files, err = m.copyIn(ctx, name, found); err != nil {
		return backend.ModelStatus{}, err
	}
	e.Variants[0].MemoryMB = estimateMemory(e.Variants[0].Bytes())
	if err := m.testOpen(ctx, e); err != nil {
		return backend.ModelStatus{}, errors.Join(err, files.RemoveAll(m.folder(name)))
	}
	if err := m.register(ctx, e); err != nil {
		return backend.ModelStatus{}, errors.Join(err, files.RemoveAll(m.folder(name)))
	}
	return m.Get(ctx, name)
}

// entryOf returns the registry entry of an imported model.
func entryOf(name, engine, family string, about engines.Description) registry.Entry {
	voices := make([]registry.Voice, len(about.Voices))
	for i, v := range about.Voices {
		voices[i] = registry.Voice{ID: v.ID, Name: v.Name, Language: v.Language, Gender: v.Gender, Reason: v.Reason}
		if v.Reason != "" {
			voices[i].Usable = new(false)
		}
	}
	return registry.Entry{
		Name: name, DisplayName: about.Name, Engine: engine, Family: family, Key: about.Key, Note: "imported from disk",
		Languages: about.Languages, License: registry.License{Name: about.License}, SampleRate: about.SampleRate,
		Cloning: about.Clones, Voices: voices, Variants: []registry.Variant{{Name: "imported"}},
	}
}

// estimateMemory returns the MB that a model takes in memory, as measured with models of ONNX Runtime.
func estimateMemory(bytes int64) int { return int(1.2*float64(bytes)/1e6) + 180 }

// checkName checks that a name is valid and free. Errors: ValidationError, name_taken.
func (m *importer) checkName(name string) error {
	if !registry.ValidName(name) || strings.ToLower(name) != name {
		return backend.Invalid("string_pattern_mismatch",
			"A model's name has 1 to 64 of the characters a-z, 0-9, dot, underscore and hyphen, and is not a word of the API",
			"body", "name")
	}
	return m.checkNameFree(name)
}

// shown returns the name of a file as UTF-8, as which it is stored.
func shown(name string) string { return strings.ToValidUTF8(name, "\uFFFD") }

// nameFrom returns a valid model name for a file name.
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

// findDriver returns the driver that can open the files in path, of one engine if that is given.
func (m *importer) findDriver(path, engine string) (engines.Driver, engines.Files, error) {
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
	return nil, nil, backend.E(backend.CodeModelCorrupt, fmt.Sprintf("No known model was found in %s.", path),
		"Choose the folder of one model. A Piper voice has the files NAME.onnx and NAME.onnx.json; a Whisper model is one file, "+
			"ggml-NAME.bin.").With("path", path)
}

// checkFits checks, before the first byte is copied, that the files are regular and fit on the disk. Errors: model_corrupt with the
// file, insufficient_disk.
func (m *importer) checkFits(ctx context.Context, files engines.Files) error {
	var need int64
	for _, path := range files {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			name := filepath.Base(path)
			return errCorrupt(fmt.Sprintf("The model file %s is missing or is not a regular file.", name), err).With("file", name)
		}
		need += info.Size()
	}
	return m.o.Hub.CheckSpace(ctx, need)
}

// copyIn copies the files into a temporary folder, and renames that when all are complete.
func (m *importer) copyIn(ctx context.Context, name string, paths engines.Files) ([]registry.File, error) {
	parent := m.importedDir()
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return nil, backend.FileError("make the models directory", "the models directory", err)
	}
	temp, err := os.MkdirTemp(parent, unfinished+"*")
	if err != nil {
		return nil, backend.FileError("make the models directory", "the models directory", err)
	}
	defer func() { _ = files.RemoveAll(temp) }()
	var out []registry.File
	for _, role := range slices.Sorted(maps.Keys(paths)) {
		f, err := copyFile(ctx, paths[role], filepath.Join(temp, shown(filepath.Base(paths[role]))))
		if err != nil {
			return nil, err
		}
		f.Role = role
		out = append(out, f)
	}
	// A folder of this name is not in the list: it remains from a crash, or the list was moved away.
	if err := errors.Join(files.RemoveAll(m.folder(name)), files.Move(temp, m.folder(name))); err != nil {
		return nil, backend.FileError("rename the folder of the model", "the models directory", err)
	}
	return out, nil
}

// testOpen opens and closes a model, to test it.
func (m *importer) testOpen(ctx context.Context, e registry.Entry) error {
	release, err := acquireSlot(ctx, m.loads)
	if err != nil {
		return err
	}
	defer release()
	_, engine, err := m.open(ctx, &model{entry: e, variant: e.Variants[0]})
	if err != nil {
		return err
	}
	if err := m.closeEngine(e.Name, engine); err != nil {
		return fmt.Errorf("close the model %s: %w", e.Name, err)
	}
	return nil
}

// unfinished begins the names of the temporary folders of imports.
const unfinished = ".import-"

// unfinishedAge is the age at which such a folder belongs to no running import, also of another process that uses the models
// directory.
const unfinishedAge = 24 * time.Hour

// importedName is the folder of imported models in the models directory.
const importedName = "imported"

func (m *states) importedDir() string { return filepath.Join(m.o.Hub.Cache().Dir, importedName) }

func (m *states) folder(name string) string { return filepath.Join(m.importedDir(), name) }

// removeUnfinished removes the folders of killed imports. Errors are only logged.
func (m *states) removeUnfinished() {
	folders, err := os.ReadDir(m.importedDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		m.o.Log.Warn("list unfinished imports", "error", err)
	}
	for _, d := range folders {
		if !strings.HasPrefix(d.Name(), unfinished) {
			continue
		}
		info, err := d.Info()
		if err == nil && m.o.Now().Sub(info.ModTime()) > unfinishedAge {
			err = files.RemoveAll(filepath.Join(m.importedDir(), d.Name()))
		}
		if err != nil {
			m.o.Log.Warn("remove an unfinished import", "folder", d.Name(), "error", err)
		}
	}
}

// copyFile copies and hashes a file in one pass.
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
