package hub

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// job is a running download.
type job struct {
	repo    string
	commit  string
	mirrors []string
	meter   *meter
	before  int64 // bytes of the completed files
}

// setFileBytes reports how many bytes of the current file are on the disk.
func (j *job) setFileBytes(n int64) { j.meter.setCurrent(j.before + n) }

// Download downloads the files of r into the cache and returns their snapshot. Cached files are not downloaded again, partial
// files are resumed, and every file is verified. progress is called by one goroutine, at most ten times a second, and must not
// block; it may be nil. When ctx ends, Download returns within 200 ms and keeps the partial files.
//
// Errors: download_failed, hub_rate_limited, hub_gated, checksum_mismatch, insufficient_disk, not_permitted, offline,
// cancelled.
func (c *Client) Download(ctx context.Context, r Request, progress func(Progress)) (Snapshot, error) {
	if err := r.check(); err != nil {
		return Snapshot{}, err
	}
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	m := newMeter(c.o.Now, progress, stop)
	var s Snapshot
	err := backend.Contain(func() (err error) {
		s, err = c.download(running, r, m)
		return err
	})
	m.close(err == nil)
	var panicked *backend.PanicError
	switch {
	case errors.As(context.Cause(running), &panicked):
		return Snapshot{}, panicked
	case err != nil:
		return Snapshot{}, orCancelled(ctx, err)
	default:
		return s, nil
	}
}

func (c *Client) download(ctx context.Context, r Request, m *meter) (Snapshot, error) {
	if s, ok := c.cache.Snapshot(r); ok && (isCommit(r.Revision) || c.o.Offline()) {
		m.setTotal(totalSize(s.Files))
		m.setStatus(Verifying, "")
		return s, nil
	}
	j := &job{repo: r.Repo, mirrors: r.Mirrors, meter: m}
	targets, err := c.resolve(ctx, r, j)
	if err != nil {
		return Snapshot{}, err
	}
	if err := j.setTotal(r, targets); err != nil {
		return Snapshot{}, err
	}
	files.Sweep(filepath.Join(c.cache.repo(r.Repo), "blobs"), c.o.Now())
	// A first download that stops must find its finished files again, and be able to remove them.
	if _, known := c.cache.commit(r); !known {
		if err := c.cache.setRef(r, j.commit); err != nil {
			return Snapshot{}, err
		}
	}
	missing, err := c.useLocal(ctx, j, targets)
	if err != nil {
		return Snapshot{}, err
	}
	for _, t := range missing {
		if err := c.fetchLocked(ctx, j, t); err != nil {
			return Snapshot{}, err
		}
		j.before += t.Size
		j.setFileBytes(0)
	}
	if err := errors.Join(c.cache.setRef(r, j.commit), c.cache.tag()); err != nil {
		return Snapshot{}, err
	}
	pinned := r
	pinned.Revision = j.commit
	s, ok := c.cache.Snapshot(pinned)
	if !ok {
		return Snapshot{}, c.cache.errFailed("find the downloaded files", os.ErrNotExist)
	}
	return s, nil
}

// setTotal reports the size of all targets, and checks it against the limit of the request.
func (j *job) setTotal(r Request, targets []target) error {
	all := make([]File, len(targets))
	for i, t := range targets {
		all[i] = t.File
	}
	total := totalSize(all)
	if r.MaxBytes > 0 && total > r.MaxBytes {
		return backend.E(backend.CodeDownloadFailed,
			fmt.Sprintf("%s has %d bytes at the hub. The limit is %d.", r.Files[0].Path, total, r.MaxBytes),
			"Try again later, or check HF_ENDPOINT.").With("file", r.Files[0].Path)
	}
	j.meter.setTotal(total)
	return nil
}

func totalSize(all []File) int64 {
	var total int64
	for _, f := range all {
		total += f.Size
	}
	return total
}
