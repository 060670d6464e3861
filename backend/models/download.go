package models

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
)

// Why a download was stopped.
var (
	errPaused    = errors.New("paused")
	errDiscarded = errors.New("cancelled")
	errClosed    = errors.New("closed")
)

// download is one download of a model, running or paused.
type download struct {
	stop    context.CancelCauseFunc
	done    chan struct{} // closed when it has ended: complete, failed, cancelled or paused
	err     error         // why it did not complete
	paused  bool
	lost    chan struct{}  // closed while it waits for the network
	lostErr *backend.Error // why, nil while it does not
	halted  bool           // it is asked to stop, and has not ended yet or is paused
	before  []hub.Snapshot // files that were there when it was started first, and stay when it is cancelled
}

// Download starts the download of a model, or joins the one that runs, and returns at once with its progress.
// What is known before anything was asked of the hub is refused here; the rest ends the download.
// Errors: model_unknown, license_not_accepted, download_in_progress while the directory is being moved, offline,
// insufficient_disk, download_failed when the address of the hub is none, model_corrupt for an imported model, cancelled.
func (m *Manager) Download(ctx context.Context, name string, accept bool) (backend.ModelProgress, error) {
	m.refresh()
	return m.begin(ctx, name, func(md *model) error {
		if err := m.license(md, accept); err != nil || md.state.OnDisk() || md.download.runs() {
			return err
		}
		if err := m.startable(md); err != nil {
			return err
		}
		var all []hub.Request
		for _, g := range groups(md.variant, own) {
			all = append(all, g.Request)
		}
		return m.o.Hub.CheckDownload(ctx, all...)
	})
}

// begin starts or resumes the download of a model unless check refuses it, after one that is just stopping has ended.
func (m *Manager) begin(ctx context.Context, name string, check func(md *model) error) (backend.ModelProgress, error) {
	for {
		p, ending, err := m.tryBegin(ctx, name, check)
		if ending == nil {
			return p, err
		}
		select {
		case <-ending:
		case <-ctx.Done():
			return backend.ModelProgress{}, backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
}

func (m *Manager) tryBegin(
	ctx context.Context, name string, check func(md *model) error,
) (p backend.ModelProgress, ending <-chan struct{}, err error) {
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	if err != nil {
		return p, nil, err
	}
	if md.download.stops() {
		return p, md.download.done, nil
	}
	if err := check(md); err != nil {
		return p, nil, err
	}
	if !md.state.OnDisk() {
		if _, err := m.start(ctx, md); err != nil {
			return p, nil, err
		}
	}
	return md.progress, nil, nil
}

// runs reports whether a download is neither paused nor about to be stopped; there need not be one.
func (d *download) runs() bool { return d != nil && !d.halted }

// stops reports whether a download was asked to stop and has not ended yet: nobody may join it.
func (d *download) stops() bool { return d != nil && d.halted && !d.paused }

// license refuses a model whose licence must be accepted first; mu is held.
func (m *Manager) license(md *model, accept bool) error {
	l := md.entry.License
	if !l.AcceptRequired || m.licence.accepted(md.entry.Name) {
		return nil
	}
	if !accept {
		return backend.E(backend.CodeLicenseNotAccepted,
			fmt.Sprintf("%s comes under the licence %s, which you must accept first.", md.entry.DisplayName, l.Name),
			"Read it at "+l.URL+" and start again with accept_license.").
			With("model_name", md.entry.Name).With("license", l.Name).With("url", l.URL)
	}
	return m.licence.accept(md.entry.Name, m.o.Now())
}

// startable refuses a download that cannot be started; mu is held.
func (m *Manager) startable(md *model) error {
	switch {
	case m.closed:
		return backend.ErrCancelled
	case imported(md.variant) && md.doubted():
		return absent(md)
	case imported(md.variant):
		p, _ := m.locate(md)
		return changed(md, p.wrong)
	case m.dir.moving:
		return errMoving()
	default:
		return nil
	}
}

// start begins or resumes a download, or gives the one that runs; mu is held, and none is just stopping.
func (m *Manager) start(ctx context.Context, md *model) (*download, error) {
	last := md.download
	if last.runs() && !m.closed {
		return last, nil
	}
	if err := m.startable(md); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	d := &download{stop: stop, done: make(chan struct{}), lost: make(chan struct{})}
	if last != nil {
		d.before = last.before
	} else {
		m.move(md, backend.ModelDownloading)
		md.idle()
		d.before = m.present(md)
	}
	md.download, md.failure, md.partial = d, nil, 0
	md.progress.Status = backend.DownloadQueued
	m.advanced(md)
	m.background("download a model", func() { m.run(ctx, md, d) })
	return d, nil
}

// present names the files of a model of which something lies in the cache.
func (m *Manager) present(md *model) []hub.Snapshot {
	var out []hub.Snapshot
	for _, s := range m.entries(md) {
		there := s
		there.Files = nil
		for _, f := range s.Files {
			if _, err := os.Lstat(s.Path(f.Path)); err == nil {
				there.Files = append(there.Files, f)
			}
		}
		out = append(out, there)
	}
	return out
}

// run waits for a place, downloads, and writes down how it ended.
func (m *Manager) run(ctx context.Context, md *model, d *download) {
	defer d.stop(nil)
	defer close(d.done)
	var cause error
	err := backend.Contain(func() (err error) {
		cause, err = m.bringHere(ctx, md, d)
		return err
	})
	if err != nil {
		err = backend.LogFailure(ctx, m.o.Log, err, "a download", "model", md.entry.Name)
	}
	m.mu.Lock()
	defer m.unlock()
	m.ended(md, d, err, cause)
}

// ended writes down how a download ended; mu is held.
func (m *Manager) ended(md *model, d *download, err, cause error) {
	r := &md.progress
	r.BytesPerSecond, r.ETASeconds, r.Filename, r.Retry = 0, nil, "", nil
	md.turn++
	defer m.advanced(md)
	if err == nil {
		md.download, md.bytes = nil, r.Total
		if p, here := m.locate(md); here {
			md.commit = p.revision
		}
		r.Status, r.Current = backend.DownloadComplete, r.Total
		m.move(md, backend.ModelDownloaded)
		m.unmarkDeleted(md)
		return
	}
	d.err, md.partial = err, m.partial(md)
	switch {
	case errors.Is(cause, errPaused):
		// The state stays downloading: it goes on by resume.
		d.err = backend.E(backend.CodeCancelled, "The download of "+md.entry.DisplayName+" was paused.", "Resume it, then start again.")
		d.paused = true
		r.Status = backend.DownloadPaused
		m.changed(md.entry.Name)
		return
	case errors.Is(cause, errDiscarded):
		d.err = backend.E(backend.CodeCancelled, "The download was cancelled.", "Start it again when you want it.")
	case errors.Is(cause, errClosed):
		d.err = backend.E(backend.CodeInterrupted, "Voicewright was closed during the download.",
			"Start the download again; it goes on where it stopped.")
	default:
		md.failure = failureOf(err)
	}
	e := backend.AsError(d.err)
	md.download = nil
	r.Status, r.Code, r.Detail, r.Remedy = backend.DownloadError, e.Code, e.Detail, e.Remedy
	m.move(md, backend.ModelNotDownloaded)
}
