package app

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/backend/printable"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/sqlite"
)

// maxShownVersion is how much of the version in a backup is shown, in characters: somebody else may have written it.
const maxShownVersion = 64

// restorer restores a backup while the program runs: the backup is checked and unpacked beside the library, and replaces it when
// the program closes and opens its data directory again. It is safe for concurrent use.
type restorer struct {
	data     string
	db       *sqlite.DB
	restored chan struct{} // closed once a library waits for the program to open the data directory again
	undone   bool          // the last restored library could not be opened; it is set before the restorer is used

	mu    sync.Mutex
	busy  bool   // a backup is being checked or applied
	ready string // the id of the library that was unpacked, "" for none
	done  bool   // it was applied
}

var _ httpapi.Restorer = (*restorer)(nil)

func newRestorer(data string, db *sqlite.DB) *restorer {
	return &restorer{data: data, db: db, restored: make(chan struct{})}
}

// begin takes the restore for one caller, until end.
func (r *restorer) begin() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy || r.done {
		return backend.E(backend.CodeRestoreInProgress, "A backup is being restored already.", "Wait until it is complete, or stop it.")
	}
	r.busy = true
	return nil
}

// end lets others restore again; ready is the library that is unpacked then.
func (r *restorer) end(ready string, done bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy, r.ready, r.done = false, ready, done
}

// Check unpacks a backup beside the library and checks all of it. The library does not change.
// Errors: restore_in_progress, unsupported_media, database_newer, insufficient_disk, cancelled.
func (r *restorer) Check(ctx context.Context, file string) (checked httpapi.CheckedBackup, err error) {
	if err := r.begin(); err != nil {
		return checked, err
	}
	defer func() { r.end(checked.ID, false) }()
	if err := backup.Discard(r.data); err != nil { // of the last check: nobody can ask for it now, and it takes space
		return checked, err
	}
	archive, err := backup.OpenArchive(file)
	if err != nil {
		return checked, err
	}
	defer func() { _ = archive.Close() }()
	if err := checkDisk(ctx, r.data, archive); err != nil {
		return checked, err
	}
	m := archive.Manifest
	found := httpapi.CheckedBackup{
		CreatedAt: m.CreatedAt.UTC(), AppVersion: printable.Shortened(printable.OneLine(m.AppVersion), maxShownVersion), Bytes: archive.Size(),
		Missing: len(m.Missing), Prints: m.VoicePrints(), Network: []settings.Change{},
	}
	if found.Present, err = r.db.Counts(ctx); err != nil {
		return checked, err
	}
	prepare := func(dir string) error { return describeLibrary(ctx, dir, r.data, &found) }
	if err := backup.Stage(ctx, archive, r.data, prepare, func(int64) {}); err != nil {
		return checked, err
	}
	found.ID = newID()
	return found, nil
}

// describeLibrary checks a library that was unpacked in dir and says what it has.
func describeLibrary(ctx context.Context, dir, data string, found *httpapi.CheckedBackup) error {
	if err := rebuild(ctx, databaseIn(dir)); err != nil {
		return err
	}
	return withRestored(ctx, dir, func(db *sqlite.DB) (err error) {
		if err := checkRestored(ctx, db, data); err != nil {
			return err
		}
		if found.Holds, err = db.Counts(ctx); err != nil {
			return err
		}
		stored, err := db.Settings(ctx)
		if err != nil {
			return err
		}
		here, _ := settingsHere(ctx, data, stored)
		found.Network = append(found.Network, settings.NetworkChanges(here, stored)...)
		return nil
	})
}

// Apply has the library that Check unpacked replace the current one as soon as the program has closed it, which it does at once.
// takeNetwork takes the settings of the network from the backup too. Errors: not_found for an id that is not the last one,
// restore_in_progress. After an error of the disk nothing of the backup is left.
func (r *restorer) Apply(ctx context.Context, id string, takeNetwork bool) (err error) {
	if err := r.begin(); err != nil {
		return err
	}
	ready, done := r.ready, false
	defer func() { r.end(ready, done) }()
	if id == "" || id != ready {
		return errNoRestore()
	}
	err = withRestored(ctx, backup.Staging(r.data), func(db *sqlite.DB) error {
		return adaptNetwork(ctx, db, r.data, func([]settings.Change, bool) (bool, error) { return takeNetwork, nil })
	})
	if err != nil {
		return err
	}
	if err := backup.Commit(r.data); err != nil { // it may be marked as complete nevertheless: the next start must not take it
		ready = ""
		return errors.Join(err, backup.Discard(r.data))
	}
	done = true
	close(r.restored)
	return nil
}

// Discard removes the library that Check unpacked. Errors: not_found, restore_in_progress.
func (r *restorer) Discard(id string) error {
	if err := r.begin(); err != nil {
		return err
	}
	ready := r.ready
	defer func() { r.end(ready, false) }()
	if id == "" || id != ready {
		return errNoRestore()
	}
	ready = ""
	return backup.Discard(r.data)
}

// Restoring reports whether a restored library waits until this one is closed.
func (r *restorer) Restoring() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.done
}

// Undone reports whether the library of the last restore could not be opened, so that the former one is served.
func (r *restorer) Undone() bool { return r.undone }

// Former returns the folder with the library from before the last restore, "" where there is none.
func (r *restorer) Former() string {
	former := backup.Former(r.data)
	if _, err := os.Stat(former); err != nil {
		return ""
	}
	return former
}

func errNoRestore() error {
	return backend.E(backend.CodeNotFound, "This backup is no longer ready to be restored.", "Choose the file again.")
}
