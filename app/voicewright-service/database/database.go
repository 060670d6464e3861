// Package database opens, migrates, copies and replaces the database that --database names.
package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// Settings are the settings of the database.
type Settings struct {
	Address string // sqlite:PATH
}

// Database is the database that settings name.
type Database struct {
	path string // of the SQLite file
}

// Error is an error with an exit code of its own.
type Error struct {
	Exit int
	Err  error
}

// Error returns the sentence.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *Error) Unwrap() error { return e.Err }

func usagef(format string, args ...any) error {
	return &Error{exit.Usage, fmt.Errorf(format, args...)}
}

func failedf(format string, args ...any) error {
	return &Error{exit.Failed, fmt.Errorf(format, args...)}
}

func notFoundf(format string, args ...any) error {
	return &Error{exit.NotFound, fmt.Errorf(format, args...)}
}

// Parse returns the database of settings. Its errors are wrong uses of --database, and have no password.
func Parse(s Settings) (Database, error) {
	kind, path, prefixes := strings.Cut(s.Address, ":")
	switch {
	case kind == "postgres" || kind == "postgresql":
		return Database{}, usagef("--database: PostgreSQL is not supported yet; use sqlite:PATH")
	case !prefixes || kind != "sqlite" || path == "" || strings.HasPrefix(path, "//"):
		return Database{}, usagef("--database must be sqlite:PATH, not %q", withoutPassword(s.Address))
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return Database{}, usagef("--database: %w", err)
	}
	return Database{path: absolute}, nil
}

// withoutPassword replaces the user and password of an address.
func withoutPassword(address string) string {
	if scheme, host, ok := strings.Cut(address, "://"); ok {
		if at := strings.LastIndex(host, "@"); at >= 0 {
			return scheme + "://***" + host[at:]
		}
	}
	return address
}

// Place returns where the database is, for people and the log.
func (d Database) Place() string { return d.path }

// Folder returns the folder of the database.
func (d Database) Folder() string { return filepath.Dir(d.path) }

// check returns an error unless there is a file for the database.
func (d Database) check() error {
	if info, err := os.Stat(d.path); errors.Is(err, fs.ErrNotExist) {
		return notFoundf("there is no database %s; check --database, or start the service once", d.path)
	} else if err != nil || !info.Mode().IsRegular() {
		return failedf("cannot open the database %s; check --database", d.path)
	}
	return nil
}

// Open opens the store for the service: a missing one is made, with its folder, and an older one is migrated. It waits for one that
// another program has locked, as Wait does.
func (d Database) Open(ctx context.Context, waiting func()) (service.Store, error) {
	if err := makeFolder(filepath.Dir(d.path)); err != nil {
		return nil, err
	}
	return d.open(ctx, sqlite.Options{Path: d.path}, waiting)
}

// OpenExisting opens the store for a command, beside the service: it makes none and migrates none.
func (d Database) OpenExisting(ctx context.Context, waiting func()) (service.Store, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	return d.open(ctx, sqlite.Options{Path: d.path, Wait: lockedWait, Existing: true}, waiting)
}

func (d Database) open(ctx context.Context, o sqlite.Options, waiting func()) (store service.Store, err error) {
	err = d.Wait(ctx, waiting, func() (err error) {
		store, err = sqlite.Open(ctx, o)
		return err
	})
	return store, err
}

// Migrate makes the database, or brings it up to date, and returns the versions of its schema before and after.
func (d Database) Migrate(ctx context.Context, waiting func()) (before, after int64, err error) {
	if err := makeFolder(filepath.Dir(d.path)); err != nil {
		return 0, 0, err
	}
	err = d.Wait(ctx, waiting, func() (err error) {
		before, after, err = sqlite.Migrate(ctx, sqlite.Options{Path: d.path})
		return err
	})
	return before, after, err
}

// StoreError returns the error of a store for people.
func StoreError(err error) error {
	if sqlite.IsLocked(err) {
		return failedf("another program has locked the database; end it or wait until it is done, then try again")
	}
	if errors.Is(err, service.ErrStoreBusy) {
		return failedf("the database is busy; try again in a few seconds")
	}
	return err
}

// makeFolder makes a folder that only this user can read.
func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return backend.FileError("make the folder", dir, err)
	}
	return nil
}
