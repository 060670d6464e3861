package models

import (
	"context"
	"fmt"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models/cancellable"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
)

// Acquire returns a loaded speech model, and downloads and loads it when needed, once for all callers. phase is called with
// downloading_model and loading_model; it may be nil. The caller calls Release when it has finished.
// Errors: model_unknown, engine_mismatch for a transcription model, license_not_accepted, those of a download and of a load,
// cancelled.
func (m *loader) Acquire(ctx context.Context, name string, phase func(backend.Status)) (*engines.Loaded, error) {
	return m.acquireSpeaker(ctx, name, loadOptions{fetch: true}, phase)
}

// AcquireDownloaded is Acquire without a download. Errors: those of Acquire, and model_not_downloaded.
func (m *loader) AcquireDownloaded(ctx context.Context, name string) (*engines.Loaded, error) {
	return m.acquireSpeaker(ctx, name, loadOptions{}, nil)
}

func (m *loader) acquireSpeaker(
	ctx context.Context, name string, want loadOptions, phase func(backend.Status),
) (*engines.Loaded, error) {
	if b := m.o.BuiltIn; name == b.Info().Engine {
		return &engines.Loaded{Speaker: b, Model: name, Release: func() {}}, nil
	}
	want.family = registry.Speech
	e, err := m.acquireLease(ctx, name, want, phase)
	if err != nil {
		return nil, err
	}
	s, ok := e.slot.engine.(engines.Speaker)
	if !ok { // an entry of the user's list may have the wrong family
		m.release(e)
		return nil, m.errWrongFamily(e.md, want.family)
	}
	return &engines.Loaded{
		Speaker: cancellable.Speaker(e.ctx, s), Model: e.md.entry.Name, Revision: e.slot.location.revision,
		Files: e.slot.location.hashes, Release: sync.OnceFunc(func() { m.release(e) }), Memory: m.bytes(e.md),
		Spoke: func(rtf float64, workers int) { m.recordSpeed(e.md, rtf, workers) },
	}, nil
}

// AcquireTranscriber is Acquire for a transcription model. Errors: those of Acquire, engine_mismatch for a speech model.
func (m *loader) AcquireTranscriber(
	ctx context.Context, name string, phase func(backend.Status),
) (*engines.LoadedTranscriber, error) {
	return m.acquireTranscriber(ctx, name, loadOptions{fetch: true}, phase)
}

// AcquireTranscriberDownloaded is AcquireTranscriber without a download. Errors: those of AcquireTranscriber, and
// model_not_downloaded.
func (m *loader) AcquireTranscriberDownloaded(ctx context.Context, name string) (*engines.LoadedTranscriber, error) {
	return m.acquireTranscriber(ctx, name, loadOptions{}, nil)
}

func (m *loader) acquireTranscriber(
	ctx context.Context, name string, want loadOptions, phase func(backend.Status),
) (*engines.LoadedTranscriber, error) {
	want.family = registry.Transcription
	e, err := m.acquireLease(ctx, name, want, phase)
	if err != nil {
		return nil, err
	}
	t, ok := e.slot.engine.(engines.Transcriber)
	if !ok {
		m.release(e)
		return nil, m.errWrongFamily(e.md, want.family)
	}
	return &engines.LoadedTranscriber{
		Transcriber: cancellable.Transcriber(e.ctx, t), Model: e.md.entry.Name, Revision: e.slot.location.revision,
		Files: e.slot.location.hashes, Release: sync.OnceFunc(func() { m.release(e) }), Memory: m.bytes(e.md),
		Transcribed: func(rtf float64) { m.recordSpeed(e.md, rtf, 0) },
	}, nil
}

// loadOptions are what a caller allows.
type loadOptions struct {
	family string // of the model; empty for any
	accept bool   // the licence is accepted
	fetch  bool   // the model may be downloaded
	force  bool   // it is loaded even when memory is short
}

// lease is a caller's use of a model.
type lease struct {
	md   *model
	slot *slot
	ctx  context.Context //nolint:containedctx // the caller's work ends with it, when the model is unloaded by force
}

// acquireLease adds the caller to the users of a model, and waits until the model is in memory. It starts the download and the
// load where nobody has. phase may be nil.
func (m *loader) acquireLease(ctx context.Context, name string, want loadOptions, phase func(backend.Status)) (lease, error) {
	if phase == nil {
		phase = func(backend.Status) {}
	}
	m.refresh()
	reported := false
	for {
		e, wait, err := m.tryLease(ctx, name, want)
		switch {
		case err != nil:
			return lease{}, err
		case e.slot != nil:
			return e, m.waitReady(ctx, e, phase)
		case wait.download != nil && !reported:
			reported = true
			phase(backend.StatusDownloading)
		}
		select {
		case <-wait.done:
		case <-wait.offline:
			if err := m.networkError(wait.download); err != nil {
				return lease{}, errNotFetched(wait.md, err)
			}
			continue
		case <-ctx.Done():
			return lease{}, backend.ErrCancelled.WithCause(ctx.Err())
		}
		if d := wait.download; d != nil && d.err != nil {
			return lease{}, errNotFetched(wait.md, d.err)
		}
	}
}

// pending is what a caller waits for before it tries again.
type pending struct {
	done     <-chan struct{}
	download *download       // nil when it waits for something else
	md       *model          // that is downloaded
	offline  <-chan struct{} // closed when the download waits for the network
}

// tryLease adds the caller to the users of a model that is downloaded. Else it returns what the caller has to wait for. It starts
// the load or the download where nobody has.
func (m *loader) tryLease(ctx context.Context, name string, want loadOptions) (lease, pending, error) {
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	switch {
	case err != nil:
		return lease{}, pending{}, err
	case want.family != "" && md.entry.Family != want.family:
		return lease{}, pending{}, m.errWrongFamily(md, want.family)
	case m.closed:
		return lease{}, pending{}, backend.ErrCancelled
	case md.gate != nil:
		return lease{}, pending{done: md.gate}, nil
	case md.state == backend.ModelUnloading:
		return lease{}, pending{done: md.slot.unloaded}, nil
	}
	if err := m.checkLicense(md, want.accept); err != nil {
		return lease{}, pending{}, err
	}
	m.detectRestored(md)
	switch {
	case !md.state.OnDisk() && !want.fetch:
		return lease{}, pending{}, errNotLoadable(md)
	case !m.canOpen(md.entry.Engine): // checked before a useless download
		return lease{}, pending{}, errNoDriver(md.entry)
	case md.state.OnDisk():
		s := m.addUser(md, want.force)
		return lease{md, s, s.ctx}, pending{}, nil
	case md.download.isStopping():
		return lease{}, pending{done: md.download.done}, nil
	}
	d, err := m.start(ctx, md)
	if err != nil {
		return lease{}, pending{}, err
	}
	return lease{}, pending{d.done, d, md, d.offline}, nil
}

// CheckDownloaded returns why AcquireTranscriberDownloaded would fail, without loading a model. Errors: model_unknown,
// engine_mismatch, model_not_downloaded, model_corrupt.
func (m *loader) CheckDownloaded(name string) error {
	m.refresh()
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	if err != nil {
		return err
	}
	if md.entry.Family != registry.Transcription {
		return m.errWrongFamily(md, registry.Transcription)
	}
	m.detectRestored(md)
	if !md.state.OnDisk() {
		return errNotLoadable(md)
	}
	return nil
}

// errNotLoadable returns why a model whose files are not complete cannot be loaded.
func errNotLoadable(md *model) error {
	if f := md.failure; md.state == backend.ModelBroken && f != nil {
		return f.Err()
	}
	return errNotDownloaded(md)
}

func errNotDownloaded(md *model) error {
	return md.named(backend.E(backend.CodeModelNotDownloaded, md.withSize()+" is not downloaded.", "Download it first."))
}

// errNotFetched returns the error of a model that a caller needs, and whose download failed: without a network it says what is missing.
func errNotFetched(md *model, err error) error {
	why := ""
	switch {
	case backend.CodeOf(err) == backend.CodeOffline:
		why = "offline mode is on"
	case hub.IsNetworkLost(err) && backend.AsError(err).Params["proxy"] != nil:
		why = fmt.Sprintf("the proxy %v cannot be reached", backend.AsError(err).Params["proxy"])
	case hub.IsNetworkLost(err):
		why = "the model hub cannot be reached"
	default:
		return err
	}
	e := md.named(backend.AsError(err))
	e.Detail = fmt.Sprintf("%s is not downloaded, and %s.", md.withSize(), why)
	return e
}

// named adds to an error what a client needs to know of a model that is not downloaded.
func (md *model) named(e *backend.Error) *backend.Error {
	return e.With("model_name", md.entry.Name).With("display_name", md.entry.DisplayName).With("size_mb", md.variant.SizeMB())
}

// withSize returns the name of a model with the size of its download, where that is known.
func (md *model) withSize() string {
	size := md.variant.SizeMB()
	if size == 0 {
		return md.entry.DisplayName
	}
	return fmt.Sprintf("%s (%d MB)", md.entry.DisplayName, size)
}

// addUser adds a user to a model, and starts its load when it is not loaded; mu is held.
func (m *loader) addUser(md *model, force bool) *slot {
	s := md.slot
	if s == nil {
		s = newSlot()
		md.slot = s
		m.setState(md, backend.ModelLoading)
		work := s.ctx
		m.background("load a model", func() { m.load(work, md, s, force) })
	}
	s.users++
	s.stopIdleTimer()
	return s
}

// waitReady waits until the model is in memory. After an error the lease is released.
func (m *loader) waitReady(ctx context.Context, e lease, phase func(backend.Status)) error {
	select {
	case <-e.slot.ready:
	default:
		phase(backend.StatusLoading)
	}
	select {
	case <-e.slot.ready:
	case <-ctx.Done():
		m.release(e)
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	if err := e.slot.err; err != nil {
		m.release(e)
		return err
	}
	return nil
}

// rtfShare is the weight of the newest measurement of the speed, so that one short text does not change it much.
const rtfShare = 0.3

// recordSpeed stores how fast a model was on this machine, and how many sentences it spoke in parallel (0 if it cannot speak).
func (m *loader) recordSpeed(md *model, rtf float64, workers int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	device := md.workedOn
	if md.slot != nil && md.slot.engine != nil {
		device = md.slot.engine.Info().Device
		m.o.Devices.Measured(md.entry.Name, device, rtf)
	}
	if md.rtf > 0 && device == md.workedOn {
		rtf = md.rtf + rtfShare*(rtf-md.rtf)
	}
	md.rtf, md.workers, md.workedOn = rtf, workers, device
}

// bytes returns the memory of a model in bytes, 0 where that is unknown.
func (m *loader) bytes(md *model) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return int64(md.memory()) * 1e6
}
