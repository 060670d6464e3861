package hub

import (
	"context"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend/files"
)

// useFound adds a local file to its snapshot. A file of the shared cache is hard linked; else, when alone is set because all
// files of the request are there, linked symbolically (ONNX Runtime refuses a graph whose external data is in another folder);
// else copied. The shared cache itself is only read.
func (c *Cache) useFound(ctx context.Context, repo, commit string, t target, f localFile, alone bool) error {
	if f.inside && (alone || !f.shared) {
		if _, ok := c.verified(repo, commit, t.File); ok {
			return nil
		}
		return c.writeRecord(repo, commit, t.Path, f.sha)
	}
	t, err := t.withSHA256(ctx, f.sha, f.name)
	if err != nil {
		return cancelled(ctx, c.failed("read a file again", err))
	}
	if !f.shared {
		return c.addEntry(ctx, repo, commit, t, f.name)
	}
	blob := c.blob(repo, t.blob())
	if err := os.MkdirAll(filepath.Dir(blob), 0o755); err != nil {
		return c.failed("make a folder", err)
	}
	discardSpecial(blob)
	if err := files.Place(blob, func(temp string) error { return c.Link(f.name, temp) }); err == nil {
		return c.addEntry(ctx, repo, commit, t, blob)
	}
	if alone {
		if err := c.symlinkEntry(repo, commit, t, f.name); err == nil {
			return c.writeRecord(repo, commit, t.Path, f.sha)
		}
	}
	if err := c.copyTo(ctx, blob, f.name); err != nil {
		return c.failed("copy a file", err)
	}
	return c.addEntry(ctx, repo, commit, t, blob)
}

// useLocal adds the local files to the snapshot and returns the targets that have to be downloaded. Before the first byte is
// written, it checks that these fit on the disk.
func (c *Client) useLocal(ctx context.Context, j *job, targets []target) ([]target, error) {
	var missing []target
	finds := map[int]localFile{}
	alone := true
	for i, t := range targets {
		j.meter.setStatus(Verifying, t.Path)
		var read int64
		f, ok, err := c.cache.find(ctx, j.repo, j.commit, t, func(n int) {
			read += int64(n)
			j.setFileBytes(read)
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
		j.setFileBytes(0)
	}
	if err := c.checkDisk(ctx, j.repo, missing); err != nil {
		return nil, err
	}
	for i, f := range finds {
		if err := c.cache.useFound(ctx, j.repo, j.commit, targets[i], f, alone); err != nil {
			return nil, err
		}
	}
	return missing, nil
}
