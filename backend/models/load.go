package models

import (
	"context"
	"fmt"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
)

// load loads a model into memory, one at a time, and measures the memory that it takes.
func (m *loader) load(ctx context.Context, md *model, s *slot, force bool) {
	var p location
	var engine engines.Engine
	var took time.Duration
	var grown int64
	err := backend.Contain(func() (err error) {
		p, engine, took, grown, err = m.loadMeasured(ctx, md, force)
		return err
	})
	m.mu.Lock()
	defer m.unlock()
	defer close(s.ready)
	s.location, s.engine, s.err, s.took, md.lastUsed = p, engine, err, took, m.o.Now()
	if err == nil {
		md.measured = max(md.measured, megabytes(grown))
		if !md.isCorrupt() { // a check may have found a corrupt file meanwhile
			md.failure = nil
		}
		m.setState(md, backend.ModelLoaded)
		m.startIdleTimer(md, s) // all users may be gone meanwhile
		return
	}
	md.slot = nil
	close(s.unloaded)
	switch backend.CodeOf(err) {
	case backend.CodeModelCorrupt:
		m.markBroken(md, backend.FailureOf(err))
		m.checkShared(md)
		return
	case backend.CodeCancelled:
	default:
		if !md.isCorrupt() {
			md.failure = backend.FailureOf(err)
		}
	}
	m.endUse(md)
}

// endUse sets a model that is no longer in memory to downloaded, or to broken when a check found a corrupt file meanwhile; mu is
// held.
func (m *loader) endUse(md *model) {
	m.setState(md, backend.ModelDownloaded)
	if md.isCorrupt() {
		m.markBroken(md, md.failure)
	}
}

// isCorrupt reports whether a check found a corrupt file.
func (md *model) isCorrupt() bool {
	return md.failure != nil && md.failure.Code == backend.CodeModelCorrupt
}

// loadMeasured frees memory, opens the model, and returns the time that this took and the bytes by which this process grew.
func (m *loader) loadMeasured(
	ctx context.Context, md *model, force bool,
) (p location, e engines.Engine, took time.Duration, grown int64, err error) {
	if err := m.acquireFiles(ctx); err != nil {
		return p, nil, 0, 0, err
	}
	defer m.releaseFiles()
	release, err := acquireSlot(ctx, m.loads)
	if err != nil {
		return p, nil, 0, 0, err
	}
	defer release()
	start := m.o.Now()
	if err := m.makeMemory(md, force); err != nil {
		return p, nil, 0, 0, err
	}
	before := m.o.Resident() // after other models were unloaded
	p, e, err = m.open(ctx, md)
	if backend.CodeOf(err) == backend.CodeModelCorrupt && !imported(md.variant) && !m.o.ReadOnly {
		// The check quarantines the corrupt files, so that the next download replaces them.
		if _, wrong := m.check(ctx, md); wrong != nil {
			err = wrong
		}
	}
	return p, e, m.o.Now().Sub(start), m.o.Resident() - before, err
}

// open opens a model from verified files. Errors: runtime_missing, model_corrupt, cancelled and those of the engine.
func (m *loader) open(ctx context.Context, md *model) (location, engines.Engine, error) {
	e := md.entry
	driver := m.driver(e.Engine)
	if !m.canOpen(e.Engine) {
		return location{}, nil, errNoDriver(e)
	}
	if imported(md.variant) {
		// Every byte of an imported model is checked, as it cannot be downloaded again.
		if _, err := m.check(ctx, md); err != nil {
			return location{}, nil, err
		}
	}
	p, ok := m.locate(md)
	if !ok {
		return p, nil, errChanged(md, p.wrong)
	}
	options := engines.Options{Threads: m.o.Threads, Model: e.Name, Revision: p.revision + " " + md.variant.Name}
	if m.o.Device != nil {
		options.Device = m.o.Device(e.Family)
	}
	usual := ""
	if d, ok := driver.(engines.Accelerated); ok {
		usual = d.UsualDevice()
	}
	m.o.Devices.Choose(&options, usual, m.bytes(md))
	var engine engines.Engine
	err := engines.Contain("load", func() (err error) {
		engine, err = driver.Open(ctx, p.files, options)
		return err
	})
	if err != nil {
		m.o.Devices.Unloaded(e.Name)
		return p, nil, fmt.Errorf("open the model %s: %w", e.Name, err)
	}
	return p, engine, nil
}

// errNoDriver returns the error for a model whose engine was left out of this build.
func errNoDriver(e registry.Entry) error {
	detail := fmt.Sprintf("This build has no engine %q for the model %s.", e.Engine, e.Name)
	switch e.Family {
	case registry.Speakers:
		detail = fmt.Sprintf("This build of Voicewright cannot find speakers: it has no engine %q for the model %s.", e.Engine, e.Name)
	case registry.Transcription:
		detail = fmt.Sprintf("This build of Voicewright cannot transcribe: it has no engine %q for the model %s.", e.Engine, e.Name)
	}
	return backend.E(backend.CodeRuntimeMissing, detail, "Use a build that has it, or another model.").With("engine", e.Engine)
}

// Load loads a model into memory and returns when it is ready. With force it tries even when memory is short.
// Errors: model_unknown, model_not_downloaded, license_not_accepted, out_of_memory, model_corrupt, runtime_missing, cancelled.
func (m *loader) Load(ctx context.Context, name string, accept, force bool) (backend.ModelLoad, error) {
	e, err := m.acquireLease(ctx, name, loadOptions{accept: accept, force: force}, nil)
	if err != nil {
		return backend.ModelLoad{}, err
	}
	defer m.release(e)
	m.mu.Lock()
	defer m.unlock()
	_, warning := m.o.Devices.State(e.md.entry.Name)
	return backend.ModelLoad{
		ModelName: e.md.entry.Name, Loaded: true, LoadMS: e.slot.took.Milliseconds(), MemoryMB: e.md.measured,
		Device: e.slot.engine.Info().Device, Warning: warning,
	}, nil
}
