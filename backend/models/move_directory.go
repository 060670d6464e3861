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
	"github.com/voicewright/voicewright/backend/files"
)

// MoveDirectory moves all models to another folder, which must be empty or not exist: by a rename where both are on one disk,
// else by a copy, after which the old files are removed. It first checks what can be checked, then unloads all models. begin is
// called with the new path before the first file moves; its error cancels the move. keep is called when everything is in the
// new folder, before the old files are removed; its error undoes the move. A failed move leaves no new folder. No download may
// be running.
// Errors: ValidationError for path, download_in_progress, insufficient_disk, not_permitted, cancelled.
func (m *mover) MoveDirectory(ctx context.Context, path string, begin, keep func(path string) error) error {
	from, err := m.beginMove()
	if err != nil {
		return err
	}
	defer m.endMove()
	path = filepath.Clean(path)
	if err := checkTarget(from, path); err != nil {
		return err
	}
	created := missingFolders(path)
	err = m.prepareTarget(ctx, from, path)
	if err == nil {
		err = m.unloadAll(ctx)
	}
	if err == nil {
		err = begin(path)
	}
	if err == nil {
		err = m.relocate(ctx, from, path, keep)
	}
	if err != nil {
		removeFolders(created)
	}
	return err
}

// relocate moves the folder, and moves it back when keep returns an error; nobody uses the files.
func (m *mover) relocate(ctx context.Context, from, path string, keep func(path string) error) error {
	m.mu.Lock()
	m.dir.to = path
	m.unlock()
	undo, finish, err := moveTree(ctx, from, path, m.o.Hub.Cache().Symlink)
	if err == nil {
		if err = keep(path); err != nil {
			return errors.Join(err, undo())
		}
		m.mu.Lock()
		m.o.Hub.Cache().SetDir(path)
		m.unlock()
		if err := finish(); err != nil {
			m.o.Log.Warn("remove the old models directory", "directory", from, "error", err)
		}
	}
	return backend.FileError("move the models", "the models directory", err)
}

// beginMove marks the start of a move, so that no download starts, and returns the current folder.
func (m *mover) beginMove() (from string, err error) {
	m.mu.Lock()
	defer m.unlock()
	if m.dir.moving {
		return "", errMoving()
	}
	for _, md := range m.order {
		if md.download != nil {
			return "", backend.E(backend.CodeDownloadInProgress, md.entry.DisplayName+" is being downloaded.",
				"Wait for the download or cancel it, then move the directory.").With("model_name", md.entry.Name)
		}
	}
	m.dir.moving = true
	return m.o.Hub.Cache().Dir, nil
}

// unloadAll unloads all models and waits until nobody uses the files; then it closes the directory.
func (m *mover) unloadAll(ctx context.Context) error {
	for {
		m.mu.Lock()
		var loaded []string
		for _, md := range m.order {
			if md.slot != nil {
				loaded = append(loaded, md.entry.Name)
			}
		}
		changed, users := m.dir.changed, m.dir.users
		m.dir.closed = users == 0 && len(loaded) == 0
		closed := m.dir.closed
		m.unlock()
		switch {
		case closed:
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
			case <-changed:
			case <-ctx.Done():
			}
		}
	}
}

func (m *mover) endMove() {
	m.mu.Lock()
	defer m.unlock()
	m.dir.moving, m.dir.closed, m.dir.to, m.dir.adopted = false, false, "", nil
	m.dir.notify()
	for _, md := range m.order {
		m.changed(md.entry.Name)
	}
}

// The types of errors for a new folder, from which clients choose a text. Pydantic has no names for these.
const (
	notAbsolute  = "path_not_absolute"
	insideOld    = "path_in_old_folder"
	notEmpty     = "path_not_empty"
	notAFolder   = "path_not_directory"
	notCreatable = "path_not_creatable"
	noModels     = "path_no_models"
)

func invalidPath(typ, msg string) *backend.ValidationError {
	return backend.Invalid(typ, msg, "body", "path")
}

// checkPlace checks the path of the new folder.
func checkPlace(from, to string) error {
	if !filepath.IsAbs(to) {
		return invalidPath(notAbsolute, "Input should be an absolute path")
	}
	if within(from, to) || within(files.RealPath(from), files.RealPath(to)) {
		return invalidPath(insideOld, "The new folder must not be inside the old one")
	}
	return nil
}

// checkTarget checks the new folder of a move without changing it.
func checkTarget(from, to string) error {
	if err := checkPlace(from, to); err != nil {
		return err
	}
	entries, err := os.ReadDir(to)
	switch {
	case err == nil && len(entries) > 0:
		refused := invalidPath(notEmpty, "The new folder is not empty")
		if holdsModels(to) {
			refused.Fields[0].Ctx = map[string]any{"adopt": true}
		}
		return refused
	case errors.Is(err, fs.ErrPermission):
		return backend.FileError("read the new folder", "the new folder", err)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return invalidPath(notAFolder, "The new folder cannot be read")
	}
	return nil
}

// prepareTarget creates the new folder, writes a file in it, and checks the free space when it is on another disk. The caller
// removes the folder after an error.
func (m *mover) prepareTarget(ctx context.Context, from, to string) error {
	err := os.MkdirAll(to, 0o755)
	if err == nil {
		var far bool
		if far, err = probeFolder(from, to); err == nil {
			if far {
				return checkFree(ctx, sizeOf(from), to)
			}
			return nil
		}
	}
	coded := backend.FileError("create the new folder", "the new folder", err)
	if backend.CodeOf(coded) == backend.CodeInternal {
		m.o.Log.WarnContext(ctx, "the models cannot move there", "directory", to, "error", err)
		return invalidPath(notCreatable, "The new folder cannot be created there")
	}
	return coded
}

// probeFolder writes a file to the new folder. far reports whether the old folder is on another disk.
func probeFolder(from, to string) (far bool, err error) {
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

// checkFree returns insufficient_disk when the disk of dir has less than need bytes free.
func checkFree(ctx context.Context, need int64, dir string) error {
	usage, err := disk.UsageWithContext(ctx, dir)
	if err != nil || usage.Free >= uint64(need) {
		return nil //nolint:nilerr // an unknown size is found by the copy
	}
	return backend.E(backend.CodeInsufficientDisk, "There is not enough space on the disk of the new folder.",
		"Choose a folder on a larger disk, or delete models first.").With("needed", need).With("free", usage.Free)
}

// missingFolders returns the folders that MkdirAll of dir would create, the innermost first.
func missingFolders(dir string) []string {
	var out []string
	for {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || filepath.Dir(dir) == dir {
			return out
		}
		out = append(out, dir)
		dir = filepath.Dir(dir)
	}
}

// removeFolders removes the empty ones of the folders.
func removeFolders(dirs []string) {
	for _, dir := range dirs {
		_ = os.Remove(dir)
	}
}
