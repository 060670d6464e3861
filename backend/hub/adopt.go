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
func (e *entries) useFound(ctx context.Context, repo, commit string, t target, f localFile, alone bool) error {
	if f.inside && (alone || !f.shared) {
		if _, ok := e.verified(repo, commit, t.File); ok {
			return nil
		}
		return e.writeRecord(repo, commit, t.Path, f.sha)
	}
	t, err := t.withSHA256(ctx, f.sha, f.name)
	if err != nil {
		return orCancelled(ctx, e.errFailed("read a file again", err))
	}
	if !f.shared {
		return e.addEntry(ctx, repo, commit, t, f.name)
	}
	blob := e.blob(repo, t.blob())
	if err := os.MkdirAll(filepath.Dir(blob), 0o755); err != nil {
		return e.errFailed("make a folder", err)
	}
	discardSpecial(blob)
	if err := files.Place(blob, func(temp string) error { return e.Link(f.name, temp) }); err == nil {
		return e.addEntry(ctx, repo, commit, t, blob)
	}
	if alone {
		if err := e.symlinkEntry(repo, commit, t, f.name); err == nil {
			return e.writeRecord(repo, commit, t.Path, f.sha)
		}
	}
	if err := e.copyTo(ctx, blob, f.name); err != nil {
		return e.errFailed("copy a file", err)
	}
	return e.addEntry(ctx, repo, commit, t, blob)
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
