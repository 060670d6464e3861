// Package dbfault says why SQLite could not read or write a file, and looks at files that may belong to another program.
package dbfault

import (
	"database/sql"
	"errors"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/voicewright/voicewright/backend/syserror"
)

// Kind is why an operation failed.
type Kind int

// The kinds of faults.
const (
	None        Kind = iota // another reason
	Full                    // the disk is full, also for the index of the write-ahead log
	Locked                  // another process holds a lock
	Corrupt                 // the file is damaged or no database
	Refused                 // the file may not be opened or written
	Device                  // the system could not read or write
	FileSystem              // it cannot lock, share or sync the file, or its disk fails meanwhile
	Interrupted             // the operation was cancelled
)

// primary is the mask of the primary code in an extended result code of SQLite.
const primary = 0xff

// Of returns why an operation of a database, or on its file, failed.
func Of(err error) Kind {
	var e *driver.Error
	if errors.As(err, &e) {
		return OfCode(e.Code())
	}
	switch syserror.Of(err) {
	case syserror.Full:
		return Full
	case syserror.Failed:
		return Device
	default:
		return None
	}
}

// Inspect lets check read a file of SQLite and returns its error. address returns the address of the file with options of the driver.
// Only a connection that may write reads a journal that a killed program left beside the file, and rolls it back. Therefore check reads
// such a file without the journal first: what it refuses by an error that is not one of SQLite stays as it is. With writable_schema SQLite
// reads the schema of a file whose last pages, or tables, the program did not finish.
func Inspect(address func(options string) string, check func(*sql.DB) error) error {
	err := look(address("mode=ro"), check)
	var e *driver.Error
	if !errors.As(err, &e) || e.Code() != sqlite3.SQLITE_READONLY_ROLLBACK {
		return err
	}
	if err := look(address("mode=ro&immutable=1&_pragma=writable_schema(1)"), check); err != nil && !errors.As(err, &e) {
		return err
	}
	return look(address("mode=rw"), check)
}

func look(address string, check func(*sql.DB) error) error {
	db, err := sql.Open("sqlite", address)
	if err != nil {
		return err
	}
	return errors.Join(check(db), db.Close())
}

// OfCode returns what an extended result code of SQLite means.
func OfCode(code int) Kind {
	switch code {
	case sqlite3.SQLITE_IOERR_SHMSIZE: // the WAL index could not grow
		return Full
	case sqlite3.SQLITE_IOERR_LOCK, sqlite3.SQLITE_IOERR_RDLOCK, sqlite3.SQLITE_IOERR_UNLOCK, sqlite3.SQLITE_IOERR_CHECKRESERVEDLOCK,
		sqlite3.SQLITE_IOERR_SHMLOCK, sqlite3.SQLITE_IOERR_SHMMAP,
		sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC:
		return FileSystem
	}
	switch code & primary {
	case sqlite3.SQLITE_FULL:
		return Full
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return Locked
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return Corrupt
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return Refused
	case sqlite3.SQLITE_IOERR: // SHMOPEN too: the index of the write-ahead log was opened, and could not be emptied
		return Device
	case sqlite3.SQLITE_INTERRUPT:
		return Interrupted
	}
	return None
}
