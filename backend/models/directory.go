package models

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/voicewright/voicewright/backend"
)

// Directory tells where the models are kept and how much room they take.
func (m *Manager) Directory(free func(dir string) (int64, bool)) backend.ModelsDirectory {
	m.mu.Lock()
	out := backend.ModelsDirectory{Path: m.o.Hub.Cache().Dir, Moving: m.dir.moving}
	to := m.dir.to
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

// sizeOf adds up the files below dir; links count for nothing, as their target counts or belongs to another program.
func sizeOf(dir string) int64 {
	var n int64
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // what cannot be read counts for nothing
		}
		if info, err := d.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}

// MoveDirectory moves all models to another folder, which must be empty or not there: at once where both are on one disk,
// else by a copy after which the old files go. Loaded models are freed first; downloads must have ended. keep is called with
// the new path when everything is there, before the old files go; its error undoes the move.
// Errors: ValidationError for path, download_in_progress, insufficient_disk, not_permitted, cancelled.
func (m *Manager) MoveDirectory(ctx context.Context, path string, keep func(path string) error) error {
	from, err := m.beginMove()
	if err != nil {
		return err
	}
	defer m.endMove()
	path = filepath.Clean(path)
	if err := movable(from, path); err != nil {
		return err
	}
	if err := m.clear(ctx); err != nil {
		return err
	}
	m.mu.Lock()
	m.dir.to = path
	m.unlock()
	undo, finish, err := moveTree(ctx, from, path, m.o.Hub.Cache().Symlink)
	if err == nil {
		if err = keep(path); err != nil {
			return errors.Join(err, undo())
		}
		m.mu.Lock()
		m.o.Hub.Cache().Dir = path
		m.unlock()
		if err := finish(); err != nil {
			m.o.Log.Warn("remove what was moved", "directory", from, "error", err)
		}
	}
	return backend.FileError("move the models", "the models directory", err)
}

// beginMove says that a move is under way, so that no download starts, and gives the present folder.
func (m *Manager) beginMove() (from string, err error) {
	m.mu.Lock()
	defer m.unlock()
	if m.dir.moving {
		return "", errMoving()
	}
	for _, md := range m.order {
		if md.download != nil {
			return "", backend.E(backend.CodeDownloadInProgress, md.entry.DisplayName+" is being downloaded.",
				"Wait for it, or cancel it, then move the directory.").With("model_name", md.entry.Name)
		}
	}
	m.dir.moving = true
	return m.o.Hub.Cache().Dir, nil
}

// clear frees the loaded models and waits for the work with files, until nothing of both is left; then it shuts the directory.
func (m *Manager) clear(ctx context.Context) error {
	for {
		m.mu.Lock()
		var loaded []string
		for _, md := range m.order {
			if md.slot != nil {
				loaded = append(loaded, md.entry.Name)
			}
		}
		turn, users := m.dir.turn, m.dir.users
		m.dir.shut = users == 0 && len(loaded) == 0
		shut := m.dir.shut
		m.unlock()
		switch {
		case shut:
			return nil
		case ctx.Err() != nil:
			return backend.ErrCancelled.Because(ctx.Err())
		}
		for _, name := range loaded {
			if _, err := m.Unload(ctx, name, false); err != nil && backend.CodeOf(err) != backend.CodeModelUnknown {
				return err
			}
		}
		if users > 0 && len(loaded) == 0 {
			select {
			case <-turn:
			case <-ctx.Done():
			}
		}
	}
}

func (m *Manager) endMove() {
	m.mu.Lock()
	defer m.unlock()
	m.dir.moving, m.dir.shut, m.dir.to = false, false, ""
	m.dir.next()
	for _, md := range m.order {
		m.changed(md.entry.Name)
	}
}

// movable checks the new folder.
func movable(from, to string) error {
	invalid := func(msg string) error { return backend.Invalid("value_error", msg, "body", "path") }
	if !filepath.IsAbs(to) {
		return invalid("Input should be an absolute path")
	}
	if within(from, to) || within(realPath(from), realPath(to)) {
		return invalid("The new folder may not lie in the old one")
	}
	entries, err := os.ReadDir(to)
	switch {
	case err == nil && len(entries) > 0:
		return invalid("The new folder is not empty")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return invalid("The new folder cannot be read")
	}
	return nil
}

func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// realPath follows the links of the part of a path that is there.
func realPath(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if parent := filepath.Dir(path); err != nil && parent != path {
		return filepath.Join(realPath(parent), filepath.Base(path))
	}
	return real
}

// moveTree brings a folder with everything in it to another place. finish removes what is left at the old one, undo brings
// everything back; one of both is called after a success.
func moveTree(ctx context.Context, from, to string, symlink func(target, link string) error) (undo, finish func() error, err error) {
	nothing := func() error { return nil }
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return nil, nil, err
	}
	from = realPath(from)
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nothing, nothing, os.MkdirAll(to, 0o755)
	}
	_ = os.Remove(to) // an empty folder would be in the way of the rename
	err = os.Rename(from, to)
	if err == nil {
		return func() error { return os.Rename(to, from) }, nothing, nil
	}
	// Another disk, or a folder on which one is mounted: it stays where it is, and is empty where it is the new place.
	left, readErr := os.ReadDir(to)
	if len(left) > 0 || readErr != nil && !errors.Is(err, syscall.EXDEV) && !errors.Is(err, syscall.EBUSY) {
		return nil, nil, err
	}
	undo = func() error { return removeAll(to) }
	if err := copyTree(ctx, from, to, symlink); err != nil {
		return nil, nil, errors.Join(err, undo())
	}
	return undo, func() error { return removeAll(from) }, nil
}

// removeAll removes a folder; of one on which a disk is mounted only the content.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if left, readErr := os.ReadDir(dir); readErr == nil && len(left) == 0 {
		return nil
	}
	return err
}

// copyTree copies files and links with their times; relative links stay relative.
func copyTree(ctx context.Context, from, to string, symlink func(target, link string) error) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		place := filepath.Join(to, inside)
		if d.IsDir() {
			return os.MkdirAll(place, 0o755)
		}
		if d.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			if err == nil {
				err = symlink(target, place)
			}
			if err == nil {
				return nil
			}
			// Where there are no links, the file itself takes the place.
		}
		if _, err := copyFile(ctx, path, place); err != nil {
			return err
		}
		info, err := os.Stat(path) // the cache knows a file that nobody touched by its time
		if err != nil {
			return err
		}
		return os.Chtimes(place, info.ModTime(), info.ModTime())
	})
}
