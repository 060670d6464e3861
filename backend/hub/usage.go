package hub

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// Usage is the disk space of a cache, in bytes. Files that are symbolic links to another cache do not count.
type Usage struct {
	Files   int64 `json:"files"`   // complete files
	Partial int64 `json:"partial"` // of downloads that stopped
	Corrupt int64 `json:"corrupt"` // quarantined, until they are downloaded again or deleted
}

// Usage returns the disk space of the cache.
func (c *Cache) Usage() Usage {
	var u Usage
	_ = filepath.WalkDir(c.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // unreadable entries do not count
		}
		info, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // removed in the meantime
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
