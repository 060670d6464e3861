package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/app/cli"
	"github.com/voicewright/voicewright/app/datadir"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/system"
)

// restore replaces the library in the data directory, which no other process may use meanwhile.
func restore(ctx context.Context, data string, archive *backup.Archive, o cli.RestoreOptions) (err error) {
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
	if err := checkDisk(ctx, data, archive); err != nil {
		return err
	}
	return backup.Restore(ctx, archive, data, func(dir string) error { return adaptLibrary(ctx, dir, data, o) }, o.Progress)
}

// undoRestore puts the library from before the last restore back.
func undoRestore(data string) (err error) {
	lock, err := datadir.Acquire(data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	return backup.Undo(data)
}

// checkDisk returns an error where the disk has too little space to restore a backup. Error: insufficient_disk.
func checkDisk(ctx context.Context, data string, archive *backup.Archive) error {
	disk := system.Disk(ctx, data)
	if disk == nil || disk.Free >= archive.Need() {
		return nil
	}
	const mb = 1_000_000
	return backend.E(backend.CodeInsufficientDisk,
		fmt.Sprintf("The backup needs %d MB, but the disk of the data directory has only %d MB free.", archive.Need()/mb+1, disk.Free/mb),
		"Free some space and try again.").With("needed", archive.Need()).With("free", disk.Free)
}

// databaseIn returns the path of the database in the folder of a library.
func databaseIn(dir string) string { return filepath.Join(dir, datadir.DatabaseFile) }

// rebuild replaces the database of a backup by a new one with its rows, as its schema could change or compute what they say.
func rebuild(ctx context.Context, path string) error {
	fresh := path + ".new"
	err := sqlite.Rebuild(ctx, path, fresh)
	switch code := backend.CodeOf(err); {
	case err == nil:
		return backend.FileError("write the library", "the data directory", files.Move(fresh, path))
	case code == backend.CodeDatabaseCorrupt:
		return backup.Damaged("its database is damaged", err)
	case code == backend.CodeDatabaseNewer:
		return backend.E(backend.CodeDatabaseNewer, "This backup was made by a newer version of Voicewright.",
			"Install the current version, then restore it.").With("reason", "backup").WithCause(err)
	}
	return err
}

// adaptLibrary checks the database of a library that was unpacked in dir, reads all of it, and adapts it to this machine: the paths
// of the audio, the models directory and the settings of the network.
func adaptLibrary(ctx context.Context, dir, data string, o cli.RestoreOptions) error {
	if err := rebuild(ctx, databaseIn(dir)); err != nil {
		return err
	}
	return withRestored(ctx, dir, func(db *sqlite.DB) error {
		if err := checkRestored(ctx, db, data); err != nil {
			return err
		}
		return adaptNetwork(ctx, db, data, o.TakeNetwork)
	})
}

// withRestored opens the database of a library that was unpacked in dir, for the time of use.
func withRestored(ctx context.Context, dir string, use func(*sqlite.DB) error) (err error) {
	db, err := sqlite.Open(ctx, sqlite.Options{Path: databaseIn(dir)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return use(db)
}

// checkRestored reads all of a restored database, and adapts its paths to this machine.
func checkRestored(ctx context.Context, db *sqlite.DB, data string) error {
	for _, check := range []func(context.Context) error{db.IntegrityCheck, db.CheckNames, db.CheckRows} {
		switch err := check(ctx); {
		case errors.Is(err, sqlite.ErrEmpty):
			return backup.Damaged("its library is empty", err)
		case backend.CodeOf(err) == backend.CodeDatabaseCorrupt:
			return backup.Damaged("its database is damaged", err)
		case err != nil:
			return err
		}
	}
	if err := db.MoveAudio(ctx, func(path string) string { return backup.AudioPath(data, path) }); err != nil {
		return err
	}
	stored, err := db.Settings(ctx)
	if err != nil || !unusableModels(data, stored) {
		return err
	}
	return db.SetSettings(ctx, map[string]json.RawMessage{settings.ModelsDir: nil})
}

// adaptNetwork keeps the settings of the network of this machine in a restored database, unless take returns true. It is called where
// they differ.
func adaptNetwork(
	ctx context.Context, db *sqlite.DB, data string, take func(changes []settings.Change, unreadable bool) (bool, error),
) error {
	stored, err := db.Settings(ctx)
	if err != nil {
		return err
	}
	here, unreadable := settingsHere(ctx, data, stored)
	different := settings.NetworkChanges(here, stored)
	if len(different) == 0 {
		return nil
	}
	if taken, err := take(different, unreadable); err != nil || taken {
		return err
	}
	return db.SetSettings(ctx, settings.KeepNetwork(here))
}

// settingsHere returns the settings of this machine. Where it has no library, those of a backup that only close the network count
// as its own: somebody who was offline stays so on a new machine. Where its library is unreadable, it was perhaps offline, so it is.
func settingsHere(
	ctx context.Context, data string, restored map[string]json.RawMessage,
) (here map[string]json.RawMessage, unreadable bool) {
	here, err := sqlite.StoredSettings(ctx, databaseIn(data))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return settings.ClosedNetwork(restored), false
	case err != nil:
		return map[string]json.RawMessage{settings.Offline: json.RawMessage(`"true"`)}, true
	}
	return here, false
}

// unusableModels reports whether a models directory among stored settings is missing on this machine, or is no place for models.
func unusableModels(data string, stored map[string]json.RawMessage) bool {
	var models string
	if json.Unmarshal(stored[settings.ModelsDir], &models) != nil || models == "" {
		return false // the default
	}
	_, err := os.Stat(models)
	return err != nil || Config{Data: data}.usableSetting(settings.ModelsDir, models) != ""
}
