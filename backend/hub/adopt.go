package hub

import (
	"context"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend/files"
)

// adopt puts a file that was found on this machine into its place. Another program's file is shared by a hard link,
// else by a symbolic link when alone says that all files of the request come from there (ONNX Runtime refuses a graph
// whose external data lies in another folder), else copied. That program's cache itself is only read.
func (c *Cache) adopt(ctx context.Context, repo, commit string, t target, f found, alone bool) error {
	if f.inside && (alone || !f.shared) {
		if _, ok := c.verified(repo, commit, t.File); ok {
			return nil
		}
		return c.vouch(repo, commit, t.Path, f.sha)
	}
	t, err := t.honest(ctx, f.sha, f.name)
	if err != nil {
		return cancelled(ctx, c.failed("read a file again", err))
	}
	if !f.shared {
		return c.show(ctx, repo, commit, t, f.name)
	}
	blob := c.blob(repo, t.blob())
	if err := os.MkdirAll(filepath.Dir(blob), 0o755); err != nil {
		return c.failed("make a folder", err)
	}
	if err := files.Place(blob, func(temp string) error { return c.Link(f.name, temp) }); err == nil {
		return c.show(ctx, repo, commit, t, blob)
	}
	if alone {
		if err := c.enter(repo, commit, t, f.name); err == nil {
			return c.vouch(repo, commit, t.Path, f.sha)
		}
	}
	if err := c.copyTo(ctx, blob, f.name); err != nil {
		return c.failed("copy a file", err)
	}
	return c.show(ctx, repo, commit, t, blob)
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
