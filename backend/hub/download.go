package hub

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

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

// resolve makes the revision a commit and every file a known one: by its pin, by what lies on this machine, else by one
// listing call, else, where a hub has no listing, by the header of each file.
func (c *Client) resolve(ctx context.Context, r Request, j *job) ([]target, error) {
	commit, known := r.Revision, isCommit(r.Revision)
	if !known && c.o.Offline() {
		commit, known = c.cache.commit(r)
	}
	targets := make([]target, len(r.Files))
	for i, f := range r.Files {
		targets[i] = target{File: f}
		if known {
			targets[i] = c.cache.identify(r.Repo, commit, targets[i])
		}
		known = known && targets[i].known()
	}
	if known {
		j.commit = commit
		return targets, nil
	}
	l, err := c.list(ctx, r.Repo, r.Revision, j.meter.waits)
	if err != nil {
		if !noListing(err) {
			return nil, err
		}
		return targets, c.heads(ctx, r, j, targets)
	}
	j.commit = l.commit
	for i, t := range targets {
		if targets[i], err = l.fill(t); err != nil {
			return nil, err
		}
	}
	return targets, nil
}

// noListing reports whether a hub answered that it has no such call, rather than no such repository.
func noListing(err error) bool {
	params := backend.AsError(err).Params
	switch params["status"] {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return params["code"] == ""
	default:
		return false
	}
}

// fill gives a file what the listing says of it.
func (l listing) fill(t target) (target, error) {
	for _, f := range l.files {
		if f.path != t.Path {
			continue
		}
		t.etag = f.blob
		if f.sha256 != "" {
			t.etag = f.sha256
		}
		if t.SHA256 == "" {
			t.Size, t.SHA256 = f.size, f.sha256
		}
		if t.known() {
			return t, nil
		}
	}
	return t, backend.E(backend.CodeDownloadFailed, fmt.Sprintf("The hub does not have %s.", t.Path),
		"Update Voicewright, or choose another model.").With("file", t.Path).With("code", "EntryNotFound")
}

func (c *Client) heads(ctx context.Context, r Request, j *job, targets []target) error {
	for i, t := range targets {
		if t.known() && isCommit(r.Revision) {
			j.commit = r.Revision
			continue
		}
		pin := t.File
		t, commit, err := c.head(ctx, r.Repo, r.Revision, t, j.meter.waits)
		if err != nil {
			return err
		}
		if pin.SHA256 != "" {
			t.File = pin
		}
		if isCommit(r.Revision) {
			commit = r.Revision
		}
		if j.commit != "" && j.commit != commit {
			return backend.E(backend.CodeDownloadFailed, "The repository changed while it was looked at.", "Try again.")
		}
		j.commit, targets[i] = commit, t
	}
	return nil
}

// adopt uses what lies on this machine, and gives the files that have to be fetched. The disk is checked before the
// first byte is written.
func (c *Client) adopt(ctx context.Context, j *job, targets []target) ([]target, error) {
	var missing []target
	finds := map[int]found{}
	alone := true
	for i, t := range targets {
		j.meter.doing(Verifying, t.Path)
		var read int64
		f, ok, err := c.cache.find(ctx, j.repo, j.commit, t, func(n int) {
			read += int64(n)
			j.have(read)
		})
		if err != nil {
			return nil, err
		}
		if !ok {
			missing, alone = append(missing, t), false
			continue
		}
		finds[i] = f
		alone = alone && f.shared
		j.before += t.Size
		j.have(0)
	}
	if err := c.checkDisk(ctx, j.repo, missing); err != nil {
		return nil, err
	}
	for i, f := range finds {
		if err := c.cache.adopt(ctx, j.repo, j.commit, targets[i], f, alone); err != nil {
			return nil, err
		}
	}
	return missing, nil
}

// checkDisk refuses a download that cannot fit, before its first byte.
func (c *Client) checkDisk(ctx context.Context, repo string, missing []target) error {
	if len(missing) == 0 {
		return nil
	}
	if c.o.Offline() {
		return errOffline()
	}
	if err := os.MkdirAll(c.cache.Dir, 0o755); err != nil {
		return c.cache.failed("make the models directory", err)
	}
	sizes := map[string]int64{}
	for _, t := range missing {
		sizes[c.cache.blob(repo, t.key()+partSuffix)] = t.Size
	}
	return c.checkSpace(ctx, sizes)
}

// noSpace says how much is needed and how much there is, in bytes.
func (c *Client) noSpace(ctx context.Context, need int64, cause error) error {
	free := c.free(ctx)
	const mb = 1_000_000
	return backend.E(backend.CodeInsufficientDisk,
		fmt.Sprintf("The model needs %d MB more, and the disk of the models directory has %d MB free.", (need+mb-1)/mb, free/mb),
		"Free some space, or choose another models directory; what was fetched is kept.").
		With("needed", need).With("free", free).Because(cause)
}

func (c *Cache) lockName(repo, key string) string {
	return filepath.Join(c.Dir, ".locks", repoDir(repo), key+".lock")
}

const lockEvery = 50 * time.Millisecond // how often a waiting process looks

// fetchLocked fetches a file unless another process is doing it: then it waits, shows that one's progress, and finds
// the file when it is done.
func (c *Client) fetchLocked(ctx context.Context, j *job, t target) error {
	name := c.cache.lockName(j.repo, t.key())
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return c.cache.failed("make a folder", err)
	}
	lock := flock.New(name)
	for {
		ok, err := lock.TryLock()
		if err != nil {
			return c.cache.failed("lock a file", err)
		}
		if ok {
			break
		}
		j.meter.doing(Downloading, t.Path)
		if info, err := os.Stat(c.cache.blob(j.repo, t.key()+partSuffix)); err == nil {
			j.have(info.Size())
		}
		if err := wait(ctx, lockEvery); err != nil {
			return err
		}
	}
	defer func() { _ = lock.Close() }()
	f, ok, err := c.cache.find(ctx, j.repo, j.commit, t, func(int) {}) // another process may just have finished it
	if err != nil {
		return err
	}
	if ok {
		return c.cache.adopt(ctx, j.repo, j.commit, t, f, false)
	}
	return c.fetch(ctx, j, t)
}
