// Package models manages the models of this machine: the list, downloads, and the models in memory. A model is downloaded once
// and loaded once for many callers, and unloaded when it is idle or memory is needed. Every change of its state follows the
// table of backend.ModelState.
package models

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models/devices"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
)

// Presets stores the voices of models as profiles.
type Presets interface {
	AddPresets(ctx context.Context, presets []backend.Preset) ([]backend.Profile, error)
	RestorePresets(ctx context.Context, presets []backend.Preset) ([]backend.Profile, error)
}

// Options configure a Manager. With ReadOnly another program manages the models directory: lists find the models that it adds,
// whose licences count as accepted, nothing is downloaded, and no file is changed.
type Options struct {
	Hub        *hub.Client                         // downloads, and the cache in the models directory
	Known      []registry.Entry                    // the models of the registry
	Registry   string                              // the file of the user's own models
	Licenses   string                              // the file of the accepted licences
	Pins       string                              // the file of the hashes of files that the registry has none of; empty: nowhere
	Drivers    []engines.Driver                    // the engines that can open models
	BuiltIn    engines.Speaker                     // the built-in voice, which is not a model
	Presets    Presets                             // the store of profiles; nil with ReadOnly
	Machine    registry.Machine                    // for the choice of variants
	Memory     func() (total, free int64, ok bool) // of the machine, in bytes
	Resident   func() int64                        // memory of this process, in bytes
	IdleUnload func() time.Duration                // 0 = at once, negative = never
	ReadOnly   bool                                // another program manages the models
	Threads    int                                 // threads of a model, 0 = the engine chooses
	Device     func(family string) string          // see engines.Options; nil: the engine chooses
	Devices    *devices.Devices                    // may be nil: Device is taken as it is
	AfterFree  func()                              // called after an unload, to return memory to the system; may be nil
	Changed    func(name string)                   // a model's state changed; may be nil
	Progress   func(backend.ModelProgress)         // a download made progress; may be nil
	Now        func() time.Time
	Log        *slog.Logger
}

// Downloads is how many models are downloaded at once; others wait in a queue.
const Downloads = 2

// Manager owns the models of this machine. It is safe for concurrent use. Each part is a step of what happens to a model, and
// embeds the steps that it builds on.
type Manager struct {
	*states
	*listing
	*downloader
	*loader
	*diarizers
	*importer
	*remover
	*mover
}

// states are the models of this machine with the states they are in. mu guards them; unlock releases it.
type states struct {
	o       Options
	imports chan struct{} // one change of the user's list at a time
	licence licences
	pins    pins
	work    sync.WaitGroup // running downloads, loads and unloads

	mu        sync.Mutex
	models    map[string]*model // by fold
	order     []*model          // the order of lists
	list      listState
	closed    bool
	events    []event // see unlock
	notifying bool
	dir       access
	deleted   map[string]bool // see deleted.go
}

// checker compares the files of models with what is known of them.
type checker struct {
	*states
	checkedAt time.Time // when a list checked last whether files are missing
	checking  bool      // a list is checking now
}

// listing is what callers ask about models and their voices.
type listing struct {
	*checker
	voices catalogue
}

// downloader fetches the files of models.
type downloader struct {
	*states
	slots chan struct{} // of running downloads
}

// loader brings models into memory, for as long as they are used.
type loader struct {
	*downloader
	loads chan struct{} // one load at a time, so that its memory can be measured
}

// importer adds models from folders of the user.
type importer struct {
	*states
	*loader
	*listing
}

// remover deletes the files of models.
type remover struct{ *loader }

// mover moves the files of all models to another folder, or uses those that are there.
type mover struct{ *loader }

// model is one model with its state; mu of the manager guards it.
type model struct {
	entry    registry.Entry
	variant  registry.Variant
	own      bool // of the user's list
	state    backend.ModelState
	failure  *backend.Failure
	missing  *backend.Failure // the failure of missing files, which may come back
	progress backend.ModelProgress
	partial  int64
	bytes    int64  // of the downloaded files; the registry may lack their sizes
	commit   string // the commit of the downloaded files; the registry may have a branch
	version  int    // increases when files are added or removed
	removing bool   // its files are being deleted
	download *download
	slot     *slot
	gate     chan struct{} // non-nil while the model is being unloaded or deleted; closed when new work may begin
	measured int           // MB in memory, 0 = not known
	rtf      float64       // measured since the start, 0 = not yet
	workers  int           // parallel sentences of the last text, 0 = none yet
	workedOn string        // the device of rtf and workers
	lastUsed time.Time
}

// New reads the user's list and finds the downloaded models. An unreadable list or file of licences is no error: the valid
// entries of the list work, changes of it fail until it is repaired, and licences must be accepted again.
func New(o Options) (*Manager, error) {
	m := join(&states{
		o: o, models: map[string]*model{}, imports: make(chan struct{}, 1), dir: access{changed: make(chan struct{})},
	})
	if err := m.licence.read(o.Licenses); err != nil {
		o.Log.Warn("the accepted licences cannot be read and must be accepted again", "file", o.Licenses, "error", err)
	}
	if err := m.pins.read(o.Pins); err != nil {
		o.Log.Warn("the hashes of downloaded files cannot be read and are taken from the hub again", "file", o.Pins, "error", err)
	}
	m.readDeleted()
	for _, e := range o.Known {
		m.add(e, false)
	}
	m.refresh()
	if !o.ReadOnly {
		m.removeUnfinished()
	}
	return m, nil
}

// join returns the steps over the states of all models.
func join(s *states) *Manager {
	listed := &listing{checker: &checker{states: s}}
	downloads := &downloader{states: s, slots: make(chan struct{}, Downloads)}
	loads := &loader{downloader: downloads, loads: make(chan struct{}, 1)}
	return &Manager{
		states: s, listing: listed, downloader: downloads, loader: loads, diarizers: &diarizers{loads},
		importer: &importer{states: s, loader: loads, listing: listed}, remover: &remover{loads}, mover: &mover{loads},
	}
}

// fold returns a name in lower case, as names ignore case.
func fold(name string) string { return strings.ToLower(name) }

// add adds an entry to the list, or replaces the one with its name; mu is held, or m is not yet shared.
func (m *states) add(e registry.Entry, own bool) {
	md := &model{entry: e, variant: e.Choose(m.o.Machine), own: own, state: backend.ModelNotDownloaded}
	md.resetProgress()
	if p, ok := m.locate(md); ok && !m.deleted[fold(e.Name)] {
		md.state = backend.ModelDownloaded
		md.complete(p)
	} else {
		md.partial = m.partial(md)
	}
	old := m.models[fold(e.Name)]
	m.models[fold(e.Name)] = md
	if i := slices.Index(m.order, old); old != nil && i >= 0 {
		m.order[i] = md
		return
	}
	m.order = append(m.order, md)
}

// resetProgress sets the progress to that of a model that was never downloaded.
func (md *model) resetProgress() {
	md.progress = backend.ModelProgress{ModelName: md.entry.Name, Status: backend.DownloadIdle, Total: md.variant.Bytes()}
}

// complete stores the location of the files, and sets the progress to that of a complete download.
func (md *model) complete(p location) {
	md.resetProgress()
	md.partial, md.bytes, md.commit = 0, p.bytes, p.revision
	if md.bytes > 0 {
		md.progress.Total = md.bytes
	}
	md.progress.Status, md.progress.Current = backend.DownloadComplete, md.progress.Total
}

// detectRestored finds the files of an imported model that the user put back; mu is held. Their hashes are checked before a load.
func (m *states) detectRestored(md *model) {
	missing := md.state == backend.ModelNotDownloaded || md.state == backend.ModelBroken
	if !missing || !imported(md.variant) || md.gate != nil || m.dir.closed {
		return
	}
	if p, ok := m.locate(md); ok {
		m.markDownloaded(md, p)
	}
}

// markDownloaded sets a model to downloaded; mu is held.
func (m *states) markDownloaded(md *model, p location) {
	m.setState(md, backend.ModelDownloaded)
	md.failure = nil
	md.version++
	md.complete(p)
	m.unmarkDeleted(md)
}

// setState changes the state of a model; mu is held. A change that the state table lacks is a bug of this package, and logged.
func (m *states) setState(md *model, next backend.ModelState) {
	if !md.state.CanMove(next) {
		m.o.Log.Error("a model changed its state against the table", "model", md.entry.Name, "from", md.state, "to", next)
	}
	md.state = next
	m.changed(md.entry.Name)
}

// markBroken sets a model to broken, with the reason; mu is held.
func (m *states) markBroken(md *model, failure *backend.Failure) {
	m.setState(md, backend.ModelBroken)
	md.failure = failure
	md.resetProgress()
	md.progress.Status = backend.DownloadError
	md.progress.Code, md.progress.Detail, md.progress.Remedy = failure.Code, failure.Detail, failure.Remedy
}

func errUnknownModel(name string) error {
	return backend.E(backend.CodeModelUnknown, fmt.Sprintf("There is no model %q.", name),
		"See the list of models, or import one from a folder.").With("model_name", name)
}

// find returns a model by its name, which ignores case; mu is held. Error: model_unknown.
func (m *states) find(name string) (*model, error) {
	if md := m.models[fold(name)]; md != nil {
		return md, nil
	}
	return nil, errUnknownModel(name)
}

// acquireSlot waits for a free slot, and returns the function that releases it. Errors: cancelled.
func acquireSlot(ctx context.Context, slots chan struct{}) (release func(), err error) {
	if ctx.Err() == nil {
		select {
		case slots <- struct{}{}:
			return func() { <-slots }, nil
		case <-ctx.Done():
		}
	}
	return nil, backend.ErrCancelled.WithCause(ctx.Err())
}

// driver returns the driver of an engine, nil when there is none.
func (m *states) driver(engine string) engines.Driver {
	i := slices.IndexFunc(m.o.Drivers, func(d engines.Driver) bool { return d.Engine() == engine })
	if i < 0 {
		return nil
	}
	return m.o.Drivers[i]
}

// canOpen reports whether this build can open the models of an engine.
func (m *states) canOpen(engine string) bool {
	d := m.driver(engine)
	optional, ok := d.(engines.Optional)
	return d != nil && (!ok || optional.Available())
}

// background starts work for which Close waits.
func (m *states) background(what string, work func()) {
	m.work.Go(func() { backend.Protect(m.o.Log, what, work) })
}

func errMoving() error {
	return backend.E(backend.CodeDownloadInProgress, "The models are being moved to another folder.", "Wait until that has ended.")
}
