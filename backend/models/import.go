package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Import makes a user's own model of a file or folder: found by an engine, copied with its hashes into the models
// directory, opened once to prove that it works, registered, and its voices made profiles. engine and name may be empty.
// Errors: ValidationError for path, engine and name; model_corrupt, name_taken, insufficient_disk, not_permitted,
// and what opening the model gives.
func (m *Manager) Import(ctx context.Context, path, engine, name string) (backend.ModelStatus, error) {
	m.imports.Lock()
	defer m.imports.Unlock()
	driver, files, err := m.find(path, engine)
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
	if err := checkName(name); err != nil {
		return backend.ModelStatus{}, err
	}
	if _, err := m.entry(name); err == nil {
		return backend.ModelStatus{}, backend.E(backend.CodeNameTaken, fmt.Sprintf("There is already a model named %q.", name),
			"Give another name.").With("name", name)
	}
	e := Entry{
		Name: name, DisplayName: about.Name, Engine: driver.Engine(), Key: about.Key, Languages: about.Languages,
		SampleRate: about.SampleRate, Voices: about.Voices, License: about.License,
	}
	if e, err = m.copyIn(ctx, e, files); err != nil {
		return backend.ModelStatus{}, err
	}
	if err := m.register(ctx, e); err != nil {
		_ = os.RemoveAll(m.folder(e))
		return backend.ModelStatus{}, err
	}
	m.changed(name)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.status(e), nil
}

// find asks the drivers, or the named one, for the files in path.
func (m *Manager) find(path, engine string) (engines.Driver, engines.Files, error) {
	if _, err := os.Stat(path); path == "" || err != nil {
		return nil, nil, backend.Invalid("path_not_exists", "There is no such file or folder", "body", "path")
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

// copyIn copies the files beside their final place and moves the folder there when all are whole.
func (m *Manager) copyIn(ctx context.Context, e Entry, files engines.Files) (Entry, error) {
	parent := m.imported()
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return e, backend.FileError("make the models directory", "the models directory", err)
	}
	temp, err := os.MkdirTemp(parent, unfinished+"*")
	if err != nil {
		return e, backend.FileError("make the models directory", "the models directory", err)
	}
	defer func() { _ = os.RemoveAll(temp) }()
	roles := make([]string, 0, len(files))
	for role := range files {
		roles = append(roles, role)
	}
	slices.Sort(roles)
	revision := sha256.New()
	for _, role := range roles {
		f, err := copyFile(ctx, files[role], filepath.Join(temp, filepath.Base(files[role])))
		if err != nil {
			return e, err
		}
		f.Role = role
		e.Files = append(e.Files, f)
		_, _ = io.WriteString(revision, f.SHA256) // a hash never fails to write
	}
	e.Revision = hex.EncodeToString(revision.Sum(nil))[:40]
	// A folder of this name that no entry knows was left by a crash, or by a list that was moved away.
	if err := errors.Join(os.RemoveAll(m.folder(e)), os.Rename(temp, m.folder(e))); err != nil {
		return e, backend.FileError("move the model into place", "the models directory", err)
	}
	return e, nil
}

// register proves that the model opens, then writes it down with its profiles.
func (m *Manager) register(ctx context.Context, e Entry) error {
	speaker, err := m.open(ctx, e)
	if err != nil {
		return err
	}
	if err := speaker.Close(); err != nil {
		return fmt.Errorf("close the model %s: %w", e.Name, err)
	}
	if m.o.AfterFree != nil {
		m.o.AfterFree()
	}
	before := slices.Clone(m.entries) // only imports change them, and this is the only one
	if err := m.setEntries(append(slices.Clone(before), e)); err != nil {
		return err
	}
	if _, err := m.o.Presets.AddPresets(ctx, e.presets()); err != nil {
		return errors.Join(err, m.setEntries(before))
	}
	return nil
}

func (m *Manager) setEntries(entries []Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := writeRegistry(m.o.Registry, entries); err != nil {
		return backend.FileError("write the model registry", "the data directory", err)
	}
	m.entries = entries
	return nil
}

// unfinished begins the names of folders that an import fills.
const unfinished = ".import-"

// unfinishedAge is how old such a folder is when its import cannot run any more, also not in another process that shares
// the models directory.
const unfinishedAge = 24 * time.Hour

func (m *Manager) imported() string { return filepath.Join(m.o.Dir, "imported") }

// sweep removes what imports left that were killed. Nothing depends on it, so a failure is only logged.
func (m *Manager) sweep() {
	folders, err := os.ReadDir(m.imported())
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		m.o.Log.Warn("look for unfinished imports", "error", err)
	}
	for _, d := range folders {
		if !strings.HasPrefix(d.Name(), unfinished) {
			continue
		}
		info, err := d.Info()
		if err == nil && m.o.Now().Sub(info.ModTime()) > unfinishedAge {
			err = os.RemoveAll(filepath.Join(m.imported(), d.Name()))
		}
		if err != nil {
			m.o.Log.Warn("remove an unfinished import", "folder", d.Name(), "error", err)
		}
	}
}

// copyFile copies and hashes in one pass.
func copyFile(ctx context.Context, from, to string) (File, error) {
	in, err := os.Open(from)
	if err != nil {
		return File{}, backend.FileError("read the model", from, err)
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return File{}, backend.FileError("copy the model", "the models directory", err)
	}
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, h), contextReader{ctx, in})
	if err := errors.Join(err, out.Sync(), out.Close()); err != nil {
		return File{}, backend.FileError("copy the model", "the models directory", err)
	}
	return File{Path: filepath.Base(to), Bytes: n, SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}

// contextReader ends a long copy soon after its context.
type contextReader struct {
	ctx context.Context //nolint:containedctx // io.Reader has no place for it
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
