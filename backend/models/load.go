package models

import (
	"context"
	"fmt"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
)

// load brings a model into memory, one at a time, and measures what it takes.
func (m *Manager) load(ctx context.Context, md *model, s *slot, force bool) {
	var p place
	var speaker engines.Speaker
	var took time.Duration
	var grown int64
	err := backend.Contain(func() (err error) {
		p, speaker, took, grown, err = m.bring(ctx, md, force)
		return err
	})
	m.mu.Lock()
	defer m.unlock()
	defer close(s.ready)
	s.place, s.speaker, s.err, s.took, md.lastUsed = p, speaker, err, took, m.o.Now()
	if err == nil {
		md.measured = max(md.measured, megabytes(grown))
		if !md.doubted() { // a check may have found a wrong file meanwhile
			md.failure = nil
		}
		m.move(md, backend.ModelLoaded)
		m.rest(md, s) // all callers may have left meanwhile
		return
	}
	md.slot = nil
	close(s.gone)
	switch backend.CodeOf(err) {
	case backend.CodeModelCorrupt:
		m.spoil(md, failureOf(err))
		m.lost(md)
		return
	case backend.CodeCancelled:
	default:
		if !md.doubted() {
			md.failure = failureOf(err)
		}
	}
	m.settle(md)
}

// settle moves a model that is not in memory any more back to downloaded, and on to broken when a check found a wrong file
// meanwhile; mu is held.
func (m *Manager) settle(md *model) {
	m.move(md, backend.ModelDownloaded)
	if md.doubted() {
		m.spoil(md, md.failure)
	}
}

// doubted reports whether a check found a wrong file.
func (md *model) doubted() bool {
	return md.failure != nil && md.failure.Code == backend.CodeModelCorrupt
}

// bring makes room, opens the model, and gives the time that this took and the bytes by which this process grew.
func (m *Manager) bring(ctx context.Context, md *model, force bool) (p place, s engines.Speaker, took time.Duration, grown int64, err error) {
	if err := m.useFiles(ctx); err != nil {
		return p, nil, 0, 0, err
	}
	defer m.leaveFiles()
	leave, err := take(ctx, m.loads)
	if err != nil {
		return p, nil, 0, 0, err
	}
	defer leave()
	start := m.o.Now()
	if err := m.makeRoom(md, force); err != nil {
		return p, nil, 0, 0, err
	}
	before := m.o.Resident() // without what made room
	p, s, err = m.open(ctx, md)
	if backend.CodeOf(err) == backend.CodeModelCorrupt && !imported(md.variant) {
		// The files that are wrong are found, so that the next download fetches these.
		if _, wrong := m.check(ctx, md); wrong != nil {
			err = wrong
		}
	}
	return p, s, m.o.Now().Sub(start), m.o.Resident() - before, err
}

// open loads verified files. Errors: runtime_missing, model_corrupt, cancelled and those of the engine.
func (m *Manager) open(ctx context.Context, md *model) (place, engines.Speaker, error) {
	e := md.entry
	driver := m.driver(e.Engine)
	if driver == nil {
		return place{}, nil, noDriver(e)
	}
	if imported(md.variant) {
		// A copy of the user's own is checked byte by byte: nobody can give it again but the user.
		if _, err := m.check(ctx, md); err != nil {
			return place{}, nil, err
		}
	}
	p, ok := m.locate(md)
	if !ok {
		return p, nil, changed(md, p.wrong)
	}
	options := engines.Options{Threads: m.o.Threads}
	if m.o.Device != nil {
		options.Device = m.o.Device()
	}
	var speaker engines.Speaker
	err := engines.Contain("load", func() (err error) {
		speaker, err = driver.Open(ctx, p.files, options)
		return err
	})
	if err != nil {
		return p, nil, fmt.Errorf("open the model %s: %w", e.Name, err)
	}
	return p, speaker, nil
}

func noDriver(e registry.Entry) error {
	return backend.E(backend.CodeRuntimeMissing, fmt.Sprintf("This build has no engine %q for the model %s.", e.Engine, e.Name),
		"Use a build that has it, or another model.").With("engine", e.Engine)
}

// Load brings a model into memory and returns when it is ready. force tries also when memory is short.
// Errors: model_unknown, model_not_downloaded, license_not_accepted, out_of_memory, model_corrupt, runtime_missing, cancelled.
func (m *Manager) Load(ctx context.Context, name string, accept, force bool) (backend.ModelLoad, error) {
	e, err := m.enter(ctx, name, wish{accept: accept, force: force}, func(backend.Status) {})
	if err != nil {
		return backend.ModelLoad{}, err
	}
	defer m.leave(e)
	m.mu.Lock()
	defer m.unlock()
	return backend.ModelLoad{
		ModelName: e.md.entry.Name, Loaded: true, LoadMS: e.slot.took.Milliseconds(), MemoryMB: e.md.measured,
		Device: e.slot.speaker.Info().Device,
	}, nil
}
