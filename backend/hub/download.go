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
	before  int64 // bytes of the files that are done
}

// have tells the meter how much of the present file is there.
func (j *job) have(n int64) { j.meter.at(j.before + n) }

// Download brings the files of r into the cache and gives their snapshot. What is there is not fetched again, what was
// begun goes on, and nothing is found later that was not verified. progress is called one report at a time, at most
// ten times a second, and must not block; it may be nil. When ctx ends, Download returns within 200 ms and keeps what it has.
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
		return Snapshot{}, cancelled(ctx, err)
	default:
		return s, nil
	}
}

func (c *Client) download(ctx context.Context, r Request, m *meter) (Snapshot, error) {
	if s, ok := c.cache.Snapshot(r); ok && (isCommit(r.Revision) || c.o.Offline()) {
		var total int64
		for _, f := range s.Files {
			total += f.Size
		}
		m.total(total)
		m.doing(Verifying, "")
		return s, nil
	}
	j := &job{repo: r.Repo, mirrors: r.Mirrors, meter: m}
	targets, err := c.resolve(ctx, r, j)
	if err != nil {
		return Snapshot{}, err
	}
	var total int64
	for _, t := range targets {
		total += t.Size
	}
	if r.MaxBytes > 0 && total > r.MaxBytes {
		return Snapshot{}, backend.E(backend.CodeDownloadFailed,
			fmt.Sprintf("%s has %d bytes at the hub, more than the %d that are accepted.", r.Files[0].Path, total, r.MaxBytes),
			"Try again later, or check HF_ENDPOINT.").With("file", r.Files[0].Path)
	}
	m.total(total)
	files.Sweep(filepath.Join(c.cache.repo(r.Repo), "blobs"), c.o.Now())
	// A first download that stops must find again, and be able to remove, the files that it has finished.
	if _, known := c.cache.commit(r); !known {
		if err := c.cache.setRef(r, j.commit); err != nil {
			return Snapshot{}, err
		}
	}
	missing, err := c.adopt(ctx, j, targets)
	if err != nil {
		return Snapshot{}, err
	}
	for _, t := range missing {
		if err := c.fetchLocked(ctx, j, t); err != nil {
			return Snapshot{}, err
		}
		j.before += t.Size
		j.have(0)
	}
	if err := errors.Join(c.cache.setRef(r, j.commit), c.cache.tag()); err != nil {
		return Snapshot{}, err
	}
	pinned := r
	pinned.Revision = j.commit
	s, ok := c.cache.Snapshot(pinned)
	if !ok {
		return Snapshot{}, c.cache.failed("find the files again", os.ErrNotExist)
	}
	return s, nil
}
