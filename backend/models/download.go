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

// download is a running or paused download of a model.
type download struct {
	stop       context.CancelCauseFunc
	done       chan struct{} // closed when it is complete, failed, cancelled or paused
	err        error         // why it is not complete
	paused     bool
	offline    chan struct{}  // closed while it waits for the network
	networkErr *backend.Error // why it waits, nil while it does not
	stopping   bool           // it was asked to stop: it has not ended yet, or is paused
	before     []hub.Snapshot // files from before the download, which stay when it is cancelled
}

// Download starts or resumes the download of a model and returns at once with its progress. A running download continues. What
// is found without the hub is returned as an error; later errors are in the progress.
// Errors: model_unknown, license_not_accepted, download_in_progress while the directory is being moved, offline,
// insufficient_disk, download_failed when the address of the hub is invalid, model_corrupt for an imported model, cancelled.
func (m *downloader) Download(ctx context.Context, name string, accept bool) (backend.ModelProgress, error) {
	m.refresh()
	return m.startDownload(ctx, name, func(md *model) error {
		if err := m.checkLicense(md, accept); err != nil || md.state.OnDisk() || md.download.isRunning() {
			return err
		}
		if err := m.checkStart(md); err != nil {
			return err
		}
		var all []hub.Request
		for _, g := range m.groups(md.variant, own) {
			all = append(all, g.Request)
		}
		return errNotFetched(md, m.o.Hub.CheckDownload(ctx, all...))
	})
}

// startDownload starts or resumes the download of a model unless check returns an error. It waits for a download that is
// stopping.
func (m *downloader) startDownload(ctx context.Context, name string, check func(md *model) error) (backend.ModelProgress, error) {
	for {
		p, ending, err := m.tryStartDownload(ctx, name, check)
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

func (m *downloader) tryStartDownload(
	ctx context.Context, name string, check func(md *model) error,
) (p backend.ModelProgress, ending <-chan struct{}, err error) {
	m.mu.Lock()
	defer m.unlock()
	md, err := m.find(name)
	if err != nil {
		return p, nil, err
	}
	if md.download.isStopping() {
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

// isRunning reports whether there is a download that is neither paused nor stopping.
func (d *download) isRunning() bool { return d != nil && !d.stopping }

// isStopping reports whether a download was asked to stop and has not ended yet.
func (d *download) isStopping() bool { return d != nil && d.stopping && !d.paused }

// checkLicense returns license_not_accepted for a licence that is neither accepted nor accept; mu is held.
func (m *states) checkLicense(md *model, accept bool) error {
	l := md.entry.License
	if !l.AcceptRequired || m.o.ReadOnly || m.licence.accepted(md.entry.Name) {
		return nil
	}
	if !accept {
		return backend.E(backend.CodeLicenseNotAccepted,
			fmt.Sprintf("%s is licensed under %s. Accept the licence to continue.", md.entry.DisplayName, l.Name),
			"Read it at "+l.URL+" and start again with accept_license.").
			With("model_name", md.entry.Name).With("license", l.Name).With("url", l.URL)
	}
	return m.licence.accept(md.entry.Name, m.o.Now())
}

// checkStart returns why a download cannot be started; mu is held.
func (m *downloader) checkStart(md *model) error {
	switch {
	case m.closed:
		return backend.ErrCancelled
	case m.o.ReadOnly:
		return errNotDownloaded(md)
	case imported(md.variant) && md.isCorrupt():
		return errNotLoadable(md)
	case imported(md.variant):
		p, _ := m.locate(md)
		return errChanged(md, p.wrong)
	case m.dir.moving:
		return errMoving()
	default:
		return nil
	}
}

// start starts or resumes a download, or returns the running one; mu is held, and none is stopping.
func (m *downloader) start(ctx context.Context, md *model) (*download, error) {
	last := md.download
	if last.isRunning() && !m.closed {
		return last, nil
	}
	if err := m.checkStart(md); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	d := &download{stop: stop, done: make(chan struct{}), offline: make(chan struct{})}
	if last != nil {
		d.before = last.before
	} else {
		m.setState(md, backend.ModelDownloading)
		md.resetProgress()
		d.before = m.presentFiles(md)
	}
	md.download, md.failure, md.partial = d, nil, 0
	md.progress.Status = backend.DownloadQueued
	m.advanced(md)
	m.background("download a model", func() { m.run(ctx, md, d) })
	return d, nil
}

// presentFiles returns the files of a model that exist in the cache, verified or not.
func (m *downloader) presentFiles(md *model) []hub.Snapshot {
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

// run waits for a slot, downloads the files, and stores the result.
func (m *downloader) run(ctx context.Context, md *model, d *download) {
	defer d.stop(nil)
	defer close(d.done)
	var cause error
	err := backend.Contain(func() (err error) {
		cause, err = m.downloadFiles(ctx, md, d)
		return err
	})
	if err != nil {
		err = backend.LogFailure(ctx, m.o.Log, err, "a download", "model", md.entry.Name)
	}
	m.mu.Lock()
	defer m.unlock()
	m.finish(md, d, err, cause)
}

// finish stores the result of a download; mu is held.
func (m *downloader) finish(md *model, d *download, err, cause error) {
	r := &md.progress
	r.BytesPerSecond, r.ETASeconds, r.Filename, r.Retry = 0, nil, "", nil
	md.version++
	defer m.advanced(md)
	if err == nil {
		md.download, md.bytes = nil, r.Total
		if p, here := m.locate(md); here {
			md.commit = p.revision
			if err := m.pins.add(md.variant, p.groups); err != nil {
				m.o.Log.Warn("keep the hashes of a download", "model", md.entry.Name, "error", err)
			}
		}
		r.Status, r.Current = backend.DownloadComplete, r.Total
		m.setState(md, backend.ModelDownloaded)
		m.unmarkDeleted(md)
		return
	}
	d.err, md.partial = err, m.partial(md)
	switch {
	case errors.Is(cause, errPaused):
		// The state stays downloading, for Resume.
		d.err = backend.E(backend.CodeCancelled, "The download of "+md.entry.DisplayName+" was paused.", "Resume the download, then try again.")
		d.paused = true
		r.Status = backend.DownloadPaused
		m.changed(md.entry.Name)
		return
	case errors.Is(cause, errDiscarded):
		d.err = backend.E(backend.CodeCancelled, "The download was cancelled.", "Start it again if you want it.")
	case errors.Is(cause, errClosed):
		d.err = backend.E(backend.CodeInterrupted, "Voicewright was closed during the download.",
			"Start the download again. It resumes where it left off.")
	default:
		md.failure = backend.FailureOf(err)
	}
	e := backend.AsError(d.err)
	md.download = nil
	r.Status, r.Code, r.Detail, r.Remedy = backend.DownloadError, e.Code, e.Detail, e.Remedy
	m.setState(md, backend.ModelNotDownloaded)
}
