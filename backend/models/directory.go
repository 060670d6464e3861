package models

import (
	"io/fs"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
)

// Directory returns the models directory and its sizes.
func (m *listing) Directory(free func(dir string) (int64, bool)) backend.ModelsDirectory {
	m.mu.Lock()
	out := backend.ModelsDirectory{Path: m.o.Hub.Cache().Dir, Moving: m.dir.moving}
	to := m.dir.to
	if m.dir.adopted != nil {
		out.Adopting = new(*m.dir.adopted)
	}
	m.unlock()
	out.UsedBytes = sizeOf(out.Path)
	if to != "" {
		out.MovedBytes = min(sizeOf(to), out.UsedBytes)
	}
	if n, ok := free(out.Path); ok {
		out.FreeBytes = &n
	}
	return out
}

// sizeOf returns the bytes of the files below dir. Links do not count: their target counts, or belongs to another program.
func sizeOf(dir string) int64 {
	var n int64
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // unreadable files do not count
		}
		if info, err := d.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}
