package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/voicewright/voicewright/app/datadir"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/system"
)

// backupService returns the service that backs up this studio.
func (s *Studio) backupService(data string) *backup.Service {
	return &backup.Service{
		Data: data, Temp: s.speech.TempDir(), Copy: s.db.BackupTo, Version: Version(), Now: time.Now,
		Open: func(ctx context.Context, path string) (backup.Library, error) {
			return sqlite.Open(ctx, sqlite.Options{Path: path, Place: place(data)})
		},
	}
}

// place returns where the audio of a library in a data directory is, from a stored path.
func place(data string) func(path string) string {
	return func(path string) string { return backup.Place(data, path) }
}

// restore replaces the library in the data directory, which no other process may use meanwhile.
func restore(ctx context.Context, data string, archive *backup.Archive, progress func(done int64)) (err error) {
	lock, err := datadir.Acquire(data)
	if backend.CodeOf(err) == backend.CodeDataDirLocked {
		return backend.E(backend.CodeDataDirLocked, "Another copy of Voicewright is using "+data+".",
			"Close it, then restore again.").With("data", data).WithCause(err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if err := backup.Finish(data); err != nil {
		return err
	}
	if disk := system.Disk(ctx, data); disk != nil && disk.Free < archive.Need() {
		const mb = 1_000_000
		return backend.E(backend.CodeInsufficientDisk,
			fmt.Sprintf("The backup needs %d MB, but the disk of the data directory has only %d MB free.", archive.Need()/mb+1, disk.Free/mb),
			"Free some space and try again.").With("needed", archive.Need()).With("free", disk.Free)
	}
	return backup.Restore(ctx, archive, data, func(dir string) error { return adaptLibrary(ctx, dir, data) }, progress)
}

// rebuild replaces the database of a backup by a new one with its rows, as its schema could change or compute what they say.
func rebuild(ctx context.Context, path string) error {
	fresh := path + ".new"
	err := sqlite.Rebuild(ctx, path, fresh)
	if backend.CodeOf(err) == backend.CodeDatabaseCorrupt {
		return backup.Damaged("its database is damaged", err)
	}
	if err == nil {
		err = backend.FileError("write the library", "the data directory", files.Move(fresh, path))
	}
	return err
}

// adaptLibrary checks the database of a library that was unpacked in dir, and changes its paths to this machine: those of
// the audio, and that of the models directory, which is reset to the default if it does not exist.
func adaptLibrary(ctx context.Context, dir, data string) (err error) {
	path := filepath.Join(dir, datadir.DatabaseFile)
	if err := rebuild(ctx, path); err != nil {
		return err
	}
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := errors.Join(db.IntegrityCheck(ctx), db.CheckNames(ctx)); err != nil {
		return backup.Damaged("its database is damaged", err)
	}
	if err := db.MoveAudio(ctx, func(path string) string { return backup.AudioPath(data, path) }); err != nil {
		return err
	}
	stored, err := db.Settings(ctx)
	if err != nil {
		return err
	}
	var models string
	if json.Unmarshal(stored[settings.ModelsDir], &models) != nil || models == "" {
		return nil // the default
	}
	if _, err := os.Stat(models); err == nil {
		return nil
	}
	return db.SetSettings(ctx, map[string]json.RawMessage{settings.ModelsDir: nil})
}
