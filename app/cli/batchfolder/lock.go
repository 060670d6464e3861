package batchfolder

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// Temp is the folder in DIR where files are written before they move to their places. Only the command that holds its lock
// writes to it.
const Temp = ".voicewright-batch.tmp"

// Lock is the file in it that is locked.
const Lock = "lock"

// lockFolder makes the folder where it is missing, and locks it for this run. What a run that was killed left is removed.
func (s *Folder) lockFolder() error {
	s.TempDir = s.Path(Temp)
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return backend.FileError("make the output folder", s.dir, err)
	}
	if info, err := os.Lstat(s.TempDir); err == nil && !info.IsDir() {
		if info.Mode().IsRegular() && info.Size() > 0 {
			return fmt.Errorf("the file %s is in the place of the folder for unfinished files; remove it, or choose another folder", s.TempDir)
		}
		_ = os.Remove(s.TempDir) // nothing is lost; making the folder says when it is still there
	}
	if err := os.MkdirAll(s.TempDir, 0o777); err != nil {
		return backend.FileError("make the folder for unfinished files", s.TempDir, err)
	}
	if info, err := os.Stat(s.TempDir); err == nil && info.Mode().Perm()&0o700 != 0o700 {
		_ = os.Chmod(s.TempDir, info.Mode().Perm()|0o700) // of another owner: writing says so
	}
	lock := filepath.Join(s.TempDir, Lock)
	if info, err := os.Lstat(lock); err == nil && !info.Mode().IsRegular() {
		_ = files.RemoveAll(lock) // no run made it
	}
	s.lock = flock.New(lock)
	if locked, err := s.lock.TryLock(); err == nil { // some network disks have no locks: the files may be of a run that goes on
		if !locked {
			return fmt.Errorf("another command is writing to %s; wait until it has ended, or choose another folder", s.dir)
		}
		s.emptyTemp()
	}
	return nil
}

// emptyTemp removes everything from the temporary folder but the lock: only a run that holds it writes there.
func (s *Folder) emptyTemp() {
	entries, _ := os.ReadDir(s.TempDir) // what cannot be read cannot be removed
	for _, e := range entries {
		if e.Name() != Lock {
			_ = files.RemoveAll(filepath.Join(s.TempDir, e.Name()))
		}
	}
}

// Unlock lets other runs use the folder, and removes the temporary one.
func (s *Folder) Unlock() {
	_ = s.lock.Close() // the end of the process unlocks it too
	_ = os.Remove(s.lock.Path())
	_ = os.Remove(s.TempDir) // of another run that began meanwhile, it is not empty
}
