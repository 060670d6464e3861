// Package models manages the models of this machine: which there are, whether they are here, and which are in memory.
// A model is downloaded once and loaded once for many callers, counted while in use, and unloaded when idle or when
// memory is needed. Every step follows the table of backend.ModelState.
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
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
)

// Presets keeps the voices of a model as profiles.
type Presets interface {
	AddPresets(ctx context.Context, presets []backend.Preset) ([]backend.Profile, error)
	RestorePresets(ctx context.Context, presets []backend.Preset) ([]backend.Profile, error)
}

// Options are what a Manager is built from.
type Options struct {
	Hub        *hub.Client                         // downloads, and the cache in the models directory
	Known      []registry.Entry                    // the models that the program brings
	Registry   string                              // the file of the user's own models
	Licenses   string                              // the file of the licences that the user accepted
	Drivers    []engines.Driver                    // the engines that can open models
	BuiltIn    engines.Speaker                     // the voice that is always there; it is no model
	Presets    Presets                             // where voices become profiles
	Machine    registry.Machine                    // what variants are chosen for
	Memory     func() (total, free int64, ok bool) // of the machine, in bytes
	Resident   func() int64                        // memory of this process, in bytes
	IdleUnload func() time.Duration                // 0 = at once, negative = never
	Threads    int                                 // threads of a model, 0 = the engine chooses
	Device     func() string                       // where models run, as engines.Options has it; nil leaves it to the engine
	AfterFree  func()                              // gives memory back to the system after an unload; may be nil
	Changed    func(name string)                   // a model's state changed; may be nil
	Progress   func(backend.ModelProgress)         // a download went on; may be nil
	Now        func() time.Time
	Log        *slog.Logger
}

// Downloads is how many models are downloaded at once; others wait in the queue.
const Downloads = 2

// Manager owns the models of this machine. It is safe for concurrent use.
type Manager struct {
	o       Options
	places  chan struct{} // places of running downloads
	imports chan struct{} // one change of the user's list at a time
	loads   chan struct{} // one load at a time, so that its memory can be measured
	licence licences
	work    sync.WaitGroup // downloads, loads and unloads on their way
	voices  catalogue

	mu      sync.Mutex
	models  map[string]*model // by fold
	order   []*model          // as lists show them
	list    listState
	closed  bool
	news    []news // see unlock
	telling bool
	dir     access
	deleted map[string]bool // see deleted.go
	looked  time.Time       // when lists looked last whether files were taken away
	looking bool            // a list looks just now
}

// model is one model with its state; mu of the manager guards it.
type model struct {
	entry    registry.Entry
	variant  registry.Variant
	own      bool // of the user's list
	state    backend.ModelState
	failure  *backend.Failure
	away     *backend.Failure // the failure with which a list saw that files are not there; they may come back
	progress backend.ModelProgress
	partial  int64
	bytes    int64  // of the files that are here; the list may not know the sizes of all
	commit   string // where the files that are here come from; the list may name a branch
	turn     int    // grows when files of it came or went
	removing bool   // its files are just being deleted
	download *download
	slot     *slot
	gate     chan struct{} // while it is being unloaded: closed when new work may enter again
	measured int           // MB in memory, 0 = not known
	rtf      float64       // measured since the start, 0 = not yet
	workers  int           // sentences of the last text that were spoken side by side, 0 = none yet
	lastUsed time.Time
}

// New reads the user's list and looks which models are here. A list or a file of licences that is not readable is no reason
// not to start: what is sound in the list works, changes of it are refused until it was mended, and licences are asked again.
func New(o Options) (*Manager, error) {
	m := &Manager{
		o: o, models: map[string]*model{}, places: make(chan struct{}, Downloads),
		imports: make(chan struct{}, 1), loads: make(chan struct{}, 1), dir: access{turn: make(chan struct{})},
	}
	if err := m.licence.read(o.Licenses); err != nil {
		o.Log.Warn("the accepted licences cannot be read and will be asked again", "file", o.Licenses, "error", err)
	}
	m.readDeleted()
	for _, e := range o.Known {
		m.add(e, false)
	}
	m.refresh()
	m.sweep()
	return m, nil
}

// fold makes names equal that differ in case only.
func fold(name string) string { return strings.ToLower(name) }

// add takes an entry into the list, in the place of the one with its name; mu is held, or nobody else knows m yet.
func (m *Manager) add(e registry.Entry, own bool) {
	md := &model{entry: e, variant: e.Choose(m.o.Machine), own: own, state: backend.ModelNotDownloaded}
	md.idle()
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

// idle makes the progress record that of a model for which nothing was done yet.
func (md *model) idle() {
	md.progress = backend.ModelProgress{ModelName: md.entry.Name, Status: backend.DownloadIdle, Total: md.variant.Bytes()}
}

// complete takes over where the files of a model lie, and makes its progress record that of a model that is here.
func (md *model) complete(p place) {
	md.idle()
	md.partial, md.bytes, md.commit = 0, p.bytes, p.revision
	if md.bytes > 0 {
		md.progress.Total = md.bytes
	}
	md.progress.Status, md.progress.Current = backend.DownloadComplete, md.progress.Total
}

// look notices files of an imported model that the user put back; mu is held. They are read whole before they are loaded.
func (m *Manager) look(md *model) {
	away := md.state == backend.ModelNotDownloaded || md.state == backend.ModelBroken
	if !away || !imported(md.variant) || md.gate != nil || m.dir.shut {
		return
	}
	if p, ok := m.locate(md); ok {
		m.arrive(md, p)
	}
}

// arrive notes that the files of a model are here; mu is held.
func (m *Manager) arrive(md *model, p place) {
	m.move(md, backend.ModelDownloaded)
	md.failure = nil
	md.turn++
	md.complete(p)
	m.unmarkDeleted(md)
}

// move takes a step of the state table; mu is held. A step that the table lacks is a mistake of this package.
func (m *Manager) move(md *model, next backend.ModelState) {
	if !md.state.CanMove(next) {
		m.o.Log.Error("a model took a step that its table lacks", "model", md.entry.Name, "from", md.state, "to", next)
	}
	md.state = next
	m.changed(md.entry.Name)
}

// spoil notes that the files of a model are not what they should be; mu is held.
func (m *Manager) spoil(md *model, failure *backend.Failure) {
	m.move(md, backend.ModelBroken)
	md.failure = failure
	md.idle()
	md.progress.Status = backend.DownloadError
	md.progress.Code, md.progress.Detail, md.progress.Remedy = failure.Code, failure.Detail, failure.Remedy
}

func unknownModel(name string) error {
	return backend.E(backend.CodeModelUnknown, fmt.Sprintf("There is no model %q.", name),
		"See the list of models, or import one from a folder.").With("model_name", name)
}

// find gives a model by its name, without case; mu is held.
func (m *Manager) find(name string) (*model, error) {
	if md := m.models[fold(name)]; md != nil {
		return md, nil
	}
	return nil, unknownModel(name)
}

// take waits for the one place of a kind of work, and gives what leaves it. Errors: cancelled.
func take(ctx context.Context, place chan struct{}) (leave func(), err error) {
	if ctx.Err() == nil {
		select {
		case place <- struct{}{}:
			return func() { <-place }, nil
		case <-ctx.Done():
		}
	}
	return nil, backend.ErrCancelled.WithCause(ctx.Err())
}

func (m *Manager) driver(engine string) engines.Driver {
	i := slices.IndexFunc(m.o.Drivers, func(d engines.Driver) bool { return d.Engine() == engine })
	if i < 0 {
		return nil
	}
	return m.o.Drivers[i]
}

// background does work that Close waits for.
func (m *Manager) background(what string, work func()) {
	m.work.Go(func() { backend.Protect(m.o.Log, what, work) })
}

func errMoving() error {
	return backend.E(backend.CodeDownloadInProgress, "The models are being moved to another folder.", "Wait until that has ended.")
}

func failureOf(err error) *backend.Failure {
	e := backend.AsError(err)
	return &backend.Failure{Code: e.Code, Detail: e.Detail, Remedy: e.Remedy, Params: e.Params}
}
