package models

import (
	"context"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// Acquire gives a loaded model, downloading and loading it when needed: one caller does it, all wait. phase is told
// downloading_model and loading_model; it may be nil. The caller calls Release when it has finished.
// Errors: model_unknown, license_not_accepted, those of a download and of a load, cancelled.
func (m *Manager) Acquire(ctx context.Context, name string, phase func(backend.Status)) (*engines.Loaded, error) {
	if phase == nil {
		phase = func(backend.Status) {}
	}
	return m.acquire(ctx, name, wish{fetch: true}, phase)
}

// AcquireDownloaded is Acquire for a model whose files are there already. Errors: those of Acquire, and
// model_not_downloaded.
func (m *Manager) AcquireDownloaded(ctx context.Context, name string) (*engines.Loaded, error) {
	return m.acquire(ctx, name, wish{}, func(backend.Status) {})
}

func (m *Manager) acquire(ctx context.Context, name string, w wish, phase func(backend.Status)) (*engines.Loaded, error) {
	if b := m.o.BuiltIn; name == b.Info().Engine {
		return &engines.Loaded{Speaker: b, Model: name, Release: func() {}}, nil
	}
	e, err := m.enter(ctx, name, w, phase)
	if err != nil {
		return nil, err
	}
	return e.loaded(m), nil
}

// wish says how a caller wants a model.
type wish struct {
	accept bool // its licence
	fetch  bool // when it is not here
	force  bool // when memory is short
}

// entrance is a caller who is counted in.
type entrance struct {
	md      *model
	slot    *slot
	revoked context.Context //nolint:containedctx // it belongs to the caller's turn, and ends when the turn is taken back
}

// enter counts the caller in and waits until the model is in memory, downloading and loading it when nobody has.
func (m *Manager) enter(ctx context.Context, name string, w wish, phase func(backend.Status)) (entrance, error) {
	m.refresh()
	told := false
	for {
		e, wait, err := m.try(ctx, name, w)
		switch {
		case err != nil:
			return entrance{}, err
		case e.slot != nil:
			return e, m.hold(ctx, e, phase)
		case wait.download != nil && !told:
			told = true
			phase(backend.StatusDownloading)
		}
		select {
		case <-wait.done:
		case <-wait.lost:
			if err := m.lostOf(wait.download); err != nil {
				return entrance{}, err
			}
			continue
		case <-ctx.Done():
			return entrance{}, backend.ErrCancelled.WithCause(ctx.Err())
		}
		if d := wait.download; d != nil && d.err != nil {
			return entrance{}, d.err
		}
	}
}

// pending is what a caller waits for before it can try again.
type pending struct {
	done     <-chan struct{}
	download *download       // nil when it is something else
	lost     <-chan struct{} // closed when the download waits for the network
}

// try counts the caller in when the model is here, and starts its load or its download when nobody has.
func (m *Manager) try(ctx context.Context, name string, w wish) (entrance, pending, error) {
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	switch {
	case err != nil:
		return entrance{}, pending{}, err
	case m.closed:
		return entrance{}, pending{}, backend.ErrCancelled
	case md.gate != nil:
		return entrance{}, pending{done: md.gate}, nil
	case md.state == backend.ModelUnloading:
		return entrance{}, pending{done: md.slot.gone}, nil
	}
	if err := m.license(md, w.accept); err != nil {
		return entrance{}, pending{}, err
	}
	m.look(md)
	switch {
	case !md.state.OnDisk() && !w.fetch:
		return entrance{}, pending{}, absent(md)
	case m.driver(md.entry.Engine) == nil: // before anything is downloaded for nothing
		return entrance{}, pending{}, noDriver(md.entry)
	case md.state.OnDisk():
		s := m.join(md, w.force)
		return entrance{md, s, s.revoked}, pending{}, nil
	case md.download.stops():
		return entrance{}, pending{done: md.download.done}, nil
	}
	d, err := m.start(ctx, md)
	if err != nil {
		return entrance{}, pending{}, err
	}
	return entrance{}, pending{d.done, d, d.lost}, nil
}

// absent is why a model that is not whole on disk cannot be loaded.
func absent(md *model) error {
	if f := md.failure; md.state == backend.ModelBroken && f != nil {
		return &backend.Error{Code: f.Code, Detail: f.Detail, Remedy: f.Remedy, Params: f.Params}
	}
	return notDownloaded(md)
}

func notDownloaded(md *model) error {
	return backend.E(backend.CodeModelNotDownloaded, md.entry.DisplayName+" is not downloaded.", "Download it first.").
		With("model_name", md.entry.Name)
}

// join counts a user of a model in, loading it when it is not; mu is held.
func (m *Manager) join(md *model, force bool) *slot {
	s := md.slot
	if s == nil {
		s = newSlot()
		md.slot = s
		m.move(md, backend.ModelLoading)
		work := s.revoked
		m.background("load a model", func() { m.load(work, md, s, force) })
	}
	s.users++
	s.wake()
	return s
}

// hold waits until the model is in memory; after an error the caller is not counted any more.
func (m *Manager) hold(ctx context.Context, e entrance, phase func(backend.Status)) error {
	select {
	case <-e.slot.ready:
	default:
		phase(backend.StatusLoading)
	}
	select {
	case <-e.slot.ready:
	case <-ctx.Done():
		m.leave(e)
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	if err := e.slot.err; err != nil {
		m.leave(e)
		return err
	}
	return nil
}

// rtfShare is the weight of the newest speed in what is shown, so that one short text does not change it much.
const rtfShare = 0.3

// spoke takes over how fast a model was on this machine, and how many sentences it spoke side by side.
func (m *Manager) spoke(md *model, rtf float64, workers int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	md.workers = workers
	if md.rtf == 0 {
		md.rtf = rtf
		return
	}
	md.rtf += rtfShare * (rtf - md.rtf)
}

// loaded hands the model to its user.
func (e entrance) loaded(m *Manager) *engines.Loaded {
	m.mu.Lock()
	memory := e.md.memory()
	m.mu.Unlock()
	return &engines.Loaded{
		Speaker: revocable{e.slot.speaker, e.revoked}, Model: e.md.entry.Name, Revision: e.slot.place.revision,
		Files: e.slot.place.hashes, Release: sync.OnceFunc(func() { m.leave(e) }),
		Memory: int64(memory) * 1e6,
		Spoke:  func(rtf float64, workers int) { m.spoke(e.md, rtf, workers) },
	}
}
