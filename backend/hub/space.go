package hub

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/shirou/gopsutil/v4/disk"

	"github.com/voicewright/voicewright/backend"
)

// CheckSpace returns an error when the disk of the cache has less than need bytes free. Error: insufficient_disk.
func (c *Client) CheckSpace(ctx context.Context, need int64) error {
	if need > 0 && uint64(need) > c.free(ctx) {
		return c.errNoSpace(ctx, need, nil)
	}
	return nil
}

// checkSpace refuses a download that cannot fit: missing are the sizes of the files by the names of their partial files, so
// that one content counts once, whatever the number of its paths.
func (c *Client) checkSpace(ctx context.Context, missing map[string]int64) error {
	var need int64
	for part, size := range missing {
		need += size
		if info, err := os.Stat(part); err == nil {
			need -= min(info.Size(), size)
		}
	}
	return c.CheckSpace(ctx, need)
}

// free returns the free bytes of the disk of the cache, which need not exist yet.
func (c *Client) free(ctx context.Context) uint64 {
	dir := c.cache.Dir
	for {
		_, err := os.Stat(dir)
		up := filepath.Dir(dir)
		if err == nil || up == dir {
			return c.o.Free(ctx, dir)
		}
		dir = up
	}
}

// checkDisk checks before the first byte that the missing files fit on the disk. Errors: offline, insufficient_disk.
func (c *Client) checkDisk(ctx context.Context, repo string, missing []target) error {
	if len(missing) == 0 {
		return nil
	}
	if c.o.Offline() {
		return errOffline()
	}
	if err := os.MkdirAll(c.cache.Dir, 0o755); err != nil {
		return c.cache.errFailed("make the models directory", err)
	}
	sizes := map[string]int64{}
	for _, t := range missing {
		sizes[c.cache.blob(repo, t.key()+partSuffix)] = t.Size
	}
	return c.checkSpace(ctx, sizes)
}

// errNoSpace returns insufficient_disk with the needed and the free bytes.
func (c *Client) errNoSpace(ctx context.Context, need int64, cause error) error {
	free := c.free(ctx)
	const mb = 1_000_000
	return backend.E(backend.CodeInsufficientDisk,
		fmt.Sprintf("The model needs %d MB more, and the disk of the models directory has %d MB free.", (need+mb-1)/mb, free/mb),
		"Free some space, or choose another models directory. Downloaded parts are kept.").
		With("needed", need).With("free", free).WithCause(cause)
}

// freeSpace returns the free bytes of a disk. A disk that cannot be measured counts as unlimited; a write then finds it full.
func freeSpace(ctx context.Context, dir string) uint64 {
	usage, err := disk.UsageWithContext(ctx, dir)
	if err != nil {
		return 1 << 62
	}
	return usage.Free
}
