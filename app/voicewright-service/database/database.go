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
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// Settings are the settings of the database.
type Settings struct {
	Address      string // sqlite:PATH or postgres://USER@HOST/NAME
	PasswordFile string // of PostgreSQL; empty: PGPASSWORD
	Connections  int    // to PostgreSQL, of this process
}

// Database is the database that settings name.
type Database struct {
	path   string           // of the SQLite file; empty where it is in PostgreSQL
	server postgres.Options // of PostgreSQL
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

// maxConnections is the highest number of connections of a process; servers have a hundred by default.
const maxConnections = 1000

// Parse returns the database of settings. Its errors are wrong uses of --database and the like, and have no password.
func Parse(s Settings) (Database, error) {
	kind, path, prefixes := strings.Cut(s.Address, ":")
	switch {
	case kind == "postgres" || kind == "postgresql":
		return parseServer(s)
	case !prefixes || kind != "sqlite" || path == "" || strings.HasPrefix(path, "//"):
		return Database{}, usagef("--database must be sqlite:PATH or postgres://USER@HOST/DATABASE") // what it is instead may have a password
	case s.PasswordFile != "":
		return Database{}, usagef("--database-password-file is for PostgreSQL; leave it out, or give --database postgres://USER@HOST/DATABASE")
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return Database{}, usagef("--database: %w", err)
	}
	return Database{path: absolute}, nil
}

// parseServer returns the database of settings that name PostgreSQL.
func parseServer(s Settings) (Database, error) {
	if s.Connections < 1 || s.Connections > maxConnections {
		return Database{}, usagef("--database-connections must be 1 to %d, not %d", maxConnections, s.Connections)
	}
	d := Database{server: postgres.Options{URL: s.Address, PasswordFile: s.PasswordFile, MaxConns: s.Connections}}
	if err := d.server.Check(); err != nil {
		described := backend.AsError(err)
		return Database{}, usagef("--database: %s %s", described.Detail, described.Remedy)
	}
	return d, nil
}

// Place returns where the database is, for people and the log. It has no password.
func (d Database) Place() string {
	if d.path == "" {
		return postgres.Place(d.server.URL)
	}
	return d.path
}

// Local reports whether the database is on this machine.
func (d Database) Local() bool { return d.path != "" || d.server.Local() }

// Folder returns the folder of the file, empty where there is none.
func (d Database) Folder() string {
	if d.path == "" {
		return ""
	}
	return filepath.Dir(d.path)
}

// The options that name a database.
const (
	optionDatabase = "--database"
	optionFrom     = "--from" // of a move
)

// check returns an error unless there is a file for the database that an option names.
func (d Database) check(option string) error {
	hint := "check " + option
	if option == optionDatabase {
		hint += ", or start the service once"
	}
	if info, err := os.Stat(d.path); errors.Is(err, fs.ErrNotExist) {
		return notFoundf("there is no database %s; %s", d.path, hint)
	} else if err != nil || !info.Mode().IsRegular() {
		return failedf("cannot open the database %s; %s must name a file", d.path, option)
	}
	return nil
}

// Open opens the store for the service. A SQLite file is made where it is missing, with its folder, migrated where it is older, and waited
// for as Wait does; a database in PostgreSQL has been migrated.
func (d Database) Open(ctx context.Context, waiting func()) (service.Store, error) {
	if d.path == "" {
		return asStore(postgres.Open(ctx, d.server))
	}
	if err := makeFolder(filepath.Dir(d.path)); err != nil {
		return nil, err
	}
	return d.open(ctx, sqlite.Options{Path: d.path}, waiting)
}

// OpenExisting opens the store for a command, beside the service: it makes none and migrates none. It waits for one that another program
// has locked, and for PostgreSQL that cannot be reached, for up to 30 s, and calls waiting meanwhile, once.
func (d Database) OpenExisting(ctx context.Context, waiting func()) (service.Store, error) {
	if d.path == "" {
		o := d.server
		o.MaxConns, o.Wait = commandConnections, lockedWait
		said := time.AfterFunc(silentWait, waiting)
		defer said.Stop()
		return asStore(postgres.Open(ctx, o))
	}
	if err := d.check(optionDatabase); err != nil {
		return nil, err
	}
	return d.open(ctx, sqlite.Options{Path: d.path, Wait: lockedWait, Existing: true}, waiting)
}

// silentWait is how long a command waits for PostgreSQL without a word.
const silentWait = 2 * time.Second

// Waited returns what a command that waits is waiting for.
func (d Database) Waited() string {
	if d.path == "" {
		return "the database, which cannot be reached"
	}
	return "the database, which another program has locked"
}

// reached waits as OpenExisting does until PostgreSQL can be reached.
func (d Database) reached(ctx context.Context, waiting func()) error {
	store, err := d.OpenExisting(ctx, waiting)
	switch {
	case err == nil:
		return store.Close()
	case backend.CodeOf(err) == postgres.CodeUnreachable || ctx.Err() != nil:
		return err
	}
	return nil // such as an older schema
}

// commandConnections is enough for a command, which does one thing at a time.
const commandConnections = 2

// asStore returns no store with an error.
func asStore(db *postgres.DB, err error) (service.Store, error) {
	if err != nil {
		return nil, err
	}
	return db, nil
}

func (d Database) open(ctx context.Context, o sqlite.Options, waiting func()) (store service.Store, err error) {
	err = d.Wait(ctx, waiting, func() (err error) {
		store, err = sqlite.Open(ctx, o)
		return err
	})
	return store, err
}

// Migrate makes the schema of the database, or brings it up to date, and returns its versions before and after. A SQLite file is made
// where it is missing. It waits as OpenExisting does.
func (d Database) Migrate(ctx context.Context, waiting func()) (before, after int64, err error) {
	if d.path == "" {
		if err := d.reached(ctx, waiting); err != nil {
			return 0, 0, err
		}
		return postgres.Migrate(ctx, d.server)
	}
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
		return failedf("the database is busy, or cannot be reached; try again in a few seconds")
	}
	if postgres.IsUnknown(err) {
		return failedf("the connection to the database was lost before it answered, so the change may have been made: " +
			"look with account show before you repeat it")
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
