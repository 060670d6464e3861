package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Acquire gives a loaded model, loading it when needed: one caller loads, all wait. phase is told
// loading_model before a load; it may be nil. The caller calls Release when it has finished.
// Errors: model_unknown, model_corrupt, runtime_missing, out_of_memory, cancelled.
func (m *Manager) Acquire(ctx context.Context, name string, phase func(backend.Status)) (*engines.Loaded, error) {
	if b := m.o.BuiltIn; name == b.Info().Engine {
		return &engines.Loaded{Speaker: b, Model: name, Release: func() {}}, nil
	}
	e, err := m.entry(name)
	if err != nil {
		return nil, err
	}
	s, err := m.enter(ctx, e)
	if err != nil {
		return nil, err
	}
	select {
	case <-s.ready:
	default:
		if phase != nil {
			phase(backend.StatusLoading)
		}
	}
	select {
	case <-s.ready:
	case <-ctx.Done():
		m.leave(e.Name, s)
		return nil, backend.ErrCancelled.Because(ctx.Err())
	}
	if s.err != nil {
		m.leave(e.Name, s)
		return nil, s.err
	}
	return &engines.Loaded{
		Speaker: s.speaker, Model: e.Name, Revision: e.Revision, Files: e.hashes(),
		Release: sync.OnceFunc(func() { m.leave(e.Name, s) }),
	}, nil
}

// enter counts the caller in and starts the load when nobody has.
func (m *Manager) enter(ctx context.Context, e Entry) (*slot, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, backend.ErrCancelled
	}
	s := m.slots[e.Name]
	if s == nil {
		s = &slot{ready: make(chan struct{})}
		m.slots[e.Name] = s
		m.work.Go(func() {
			// A caller that leaves must not break the load for the others.
			m.load(context.WithoutCancel(ctx), e, s)
		})
	}
	s.users++
	s.unloadAt = time.Time{}
	if s.idle != nil {
		s.idle.Stop()
		s.idle = nil
	}
	return s, nil
}

func (m *Manager) load(ctx context.Context, e Entry, s *slot) {
	speaker, err := m.open(ctx, e)
	m.mu.Lock()
	s.speaker, s.err, s.lastUsed = speaker, err, m.o.Now()
	if err != nil {
		delete(m.slots, e.Name) // the next caller tries again
	}
	m.rest(e.Name, s) // all callers may have left meanwhile
	m.mu.Unlock()
	close(s.ready)
	m.changed(e.Name)
}

func (m *Manager) open(ctx context.Context, e Entry) (engines.Speaker, error) {
	driver := m.driver(e.Engine)
	if driver == nil {
		return nil, backend.E(backend.CodeRuntimeMissing,
			fmt.Sprintf("This build has no engine %q for the model %s.", e.Engine, e.Name),
			"Use a build that has it, or remove the model.")
	}
	files := engines.Files{}
	for _, f := range e.Files {
		path := filepath.Join(m.folder(e), filepath.FromSlash(f.Path))
		if err := verify(path, f); err != nil {
			return nil, err
		}
		files[f.Role] = path
	}
	speaker, err := driver.Open(ctx, files, engines.Options{Threads: m.o.Threads})
	if err != nil {
		return nil, fmt.Errorf("open the model %s: %w", e.Name, err)
	}
	return speaker, nil
}

// verify compares a file with its registry entry; nothing unverified is loaded.
func verify(path string, want File) error {
	corrupt := func(what string, cause error) error {
		return backend.E(backend.CodeModelCorrupt, fmt.Sprintf("The model file %s %s.", filepath.Base(path), what),
			"Import the model again from its original folder.").With("file", want.Path).Because(cause)
	}
	info, err := os.Stat(path)
	if err != nil {
		return corrupt("is missing", err)
	}
	if info.Size() != want.Bytes {
		return corrupt(fmt.Sprintf("has %d bytes instead of %d", info.Size(), want.Bytes), nil)
	}
	sum, err := hashFile(path)
	if err != nil {
		return corrupt("cannot be read", err)
	}
	if sum != want.SHA256 {
		return corrupt("was changed since it was imported", nil)
	}
	return nil
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// present reports whether all files are there with their sizes; their content is checked before a load.
func (m *Manager) present(e Entry) bool {
	for _, f := range e.Files {
		info, err := os.Stat(filepath.Join(m.folder(e), filepath.FromSlash(f.Path)))
		if err != nil || info.Size() != f.Bytes {
			return false
		}
	}
	return true
}

// leave counts a caller out; the last one starts the idle clock.
func (m *Manager) leave(name string, s *slot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s.users--
	s.lastUsed = m.o.Now()
	m.rest(name, s)
}

// rest starts the idle clock of a model that nobody uses. It is called with mu held.
func (m *Manager) rest(name string, s *slot) {
	if s.users > 0 || s.speaker == nil || m.closed || m.slots[name] != s {
		return
	}
	wait := m.o.IdleUnload()
	if wait < 0 {
		return
	}
	s.unloadAt = s.lastUsed.Add(wait)
	s.idle = time.AfterFunc(wait, func() { m.unloadIdle(name, s) })
}

// unloadIdle frees the model when still nobody uses it.
func (m *Manager) unloadIdle(name string, s *slot) {
	m.mu.Lock()
	if m.closed || m.slots[name] != s || s.users > 0 {
		m.mu.Unlock()
		return
	}
	delete(m.slots, name)
	m.work.Add(1) // Close waits for this
	m.mu.Unlock()
	defer m.work.Done()
	if err := s.speaker.Close(); err != nil {
		m.o.Log.Warn("unload a model", "model", name, "error", err)
	}
	if m.o.AfterFree != nil {
		m.o.AfterFree()
	}
	m.changed(name)
}
