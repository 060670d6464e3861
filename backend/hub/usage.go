package hub

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// Usage is the disk space of a cache, in bytes. What is shared with another program's cache by a symbolic link does not count.
type Usage struct {
	Files   int64 `json:"files"`   // complete ones
	Partial int64 `json:"partial"` // of downloads that stopped
	Corrupt int64 `json:"corrupt"` // in quarantine, until they are fetched again or deleted
}

// Usage measures the whole cache.
func (c *Cache) Usage() Usage {
	var u Usage
	_ = filepath.WalkDir(c.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // what cannot be read is not counted
		}
		info, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // it went away meanwhile
		}
		switch blob := filepath.Base(filepath.Dir(name)) == "blobs"; {
		case blob && strings.HasSuffix(name, partSuffix):
			u.Partial += info.Size()
		case blob && strings.HasSuffix(name, corruptSuffix):
			u.Corrupt += info.Size()
		default:
			u.Files += info.Size()
		}
		return nil
	})
	return u
}
