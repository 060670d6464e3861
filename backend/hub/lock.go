package hub

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const lockEvery = 50 * time.Millisecond // how often a waiting process tries

// fetchLocked downloads a file. When another process is downloading it, fetchLocked waits, reports that progress, and uses its
// file.
func (c *Client) fetchLocked(ctx context.Context, j *job, t target) error {
	name := c.cache.lockName(j.repo, t.key())
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return c.cache.errFailed("make a folder", err)
	}
	lock := flock.New(name)
	for {
		ok, err := lock.TryLock()
		if err != nil {
			return c.cache.errFailed("lock a file", err)
		}
		if ok {
			break
		}
		j.meter.setStatus(Downloading, t.Path)
		if info, err := os.Stat(c.cache.blob(j.repo, t.key()+partSuffix)); err == nil {
			j.setFileBytes(info.Size())
		}
		if err := wait(ctx, lockEvery); err != nil {
			return err
		}
	}
	defer func() { _ = lock.Close() }()
	f, ok, err := c.cache.find(ctx, j.repo, j.commit, t, func(int) {}) // another process may have finished it
	if err != nil {
		return err
	}
	if ok {
		return c.cache.useFound(ctx, j.repo, j.commit, t, f, false)
	}
	return c.fetch(ctx, j, t)
}
