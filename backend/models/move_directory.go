package models

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/shirou/gopsutil/v4/disk"

	"github.com/voicewright/voicewright/backend"
)

// MoveDirectory moves all models to another folder, which must be empty or not there: at once where both are on one disk,
// else by a copy after which the old files go. Downloads must have ended. What can be known before is found before anything
// is touched; then loaded models are freed. begin is called with the new path before the first file moves; its error ends the
// move. keep is called with it when everything is there, before the old files go; its error undoes the move. A move that fails
// leaves no new folder.
// Errors: ValidationError for path, download_in_progress, insufficient_disk, not_permitted, cancelled.
func (m *Manager) MoveDirectory(ctx context.Context, path string, begin, keep func(path string) error) error {
	from, err := m.beginMove()
	if err != nil {
		return err
	}
	defer m.endMove()
	path = filepath.Clean(path)
	if err := movable(from, path); err != nil {
		return err
	}
	made := missing(path)
	err = m.ready(ctx, from, path)
	if err == nil {
		err = m.clear(ctx)
	}
	if err == nil {
		err = begin(path)
	}
	if err == nil {
		err = m.relocate(ctx, from, path, keep)
	}
	if err != nil {
		unmake(made)
	}
	return err
}

// relocate moves the folder and lets keep decide whether that stays; nothing uses the files.
func (m *Manager) relocate(ctx context.Context, from, path string, keep func(path string) error) error {
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
			return backend.ErrCancelled.WithCause(ctx.Err())
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

// The types of what is wrong with a new folder: clients word them. Pydantic has no names for these.
const (
	notAbsolute = "path_not_absolute"
	inTheOld    = "path_in_old_folder"
	notEmpty    = "path_not_empty"
	notAFolder  = "path_not_directory"
	notMakeable = "path_not_creatable"
)

func noPlace(typ, msg string) error { return backend.Invalid(typ, msg, "body", "path") }

// movable checks the new folder without touching it.
func movable(from, to string) error {
	if !filepath.IsAbs(to) {
		return noPlace(notAbsolute, "Input should be an absolute path")
	}
	if within(from, to) || within(realPath(from), realPath(to)) {
		return noPlace(inTheOld, "The new folder may not lie in the old one")
	}
	entries, err := os.ReadDir(to)
	switch {
	case err == nil && len(entries) > 0:
		return noPlace(notEmpty, "The new folder is not empty")
	case errors.Is(err, fs.ErrPermission):
		return backend.FileError("read the new folder", "the new folder", err)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return noPlace(notAFolder, "The new folder cannot be read")
	}
	return nil
}

// ready makes the new folder and tries what a move does in it: a file is written, and room is looked for where the folder
// lies on another disk. What it makes is left to the caller, see missing.
func (m *Manager) ready(ctx context.Context, from, to string) error {
	err := os.MkdirAll(to, 0o755)
	if err == nil {
		var far bool
		if far, err = tryFile(from, to); err == nil {
			if far {
				return roomFor(ctx, sizeOf(from), to)
			}
			return nil
		}
	}
	coded := backend.FileError("make the new folder", "the new folder", err)
	if backend.CodeOf(coded) == backend.CodeInternal {
		m.o.Log.WarnContext(ctx, "the models cannot move there", "directory", to, "error", err)
		return noPlace(notMakeable, "The new folder cannot be made there")
	}
	return coded
}

// tryFile writes a file to the new folder; far says that it is on another disk than the old one, where there is one.
func tryFile(from, to string) (far bool, err error) {
	f, err := os.CreateTemp(to, ".try-*")
	if err != nil {
		return false, err
	}
	if err := f.Close(); err != nil {
		return false, err
	}
	there := filepath.Join(from, filepath.Base(f.Name()))
	if err = os.Rename(f.Name(), there); err == nil {
		return false, os.Remove(there)
	}
	return errors.Is(err, syscall.EXDEV), os.Remove(f.Name())
}

// roomFor refuses a folder on whose disk so many bytes have no room.
func roomFor(ctx context.Context, need int64, dir string) error {
	usage, err := disk.UsageWithContext(ctx, dir)
	if err != nil || usage.Free >= uint64(need) {
		return nil //nolint:nilerr // what cannot be known is found by the copy
	}
	return backend.E(backend.CodeInsufficientDisk, "The disk of the new folder has not enough room for the models.",
		"Choose a folder on a larger disk, or delete models first.").With("needed", need).With("free", usage.Free)
}

// missing lists the folders that a MkdirAll of dir would make, the innermost first.
func missing(dir string) []string {
	var out []string
	for {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir {
			return out
		}
		out = append(out, dir)
		dir = filepath.Dir(dir)
	}
}

// unmake removes folders that were made for nothing, as far as they are empty.
func unmake(dirs []string) {
	for _, dir := range dirs {
		_ = os.Remove(dir)
	}
}
