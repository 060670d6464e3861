// Package dbfault says why SQLite could not read or write a file.
package dbfault

import (
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

// NeedsRollback reports whether a file was not read because a killed program left a journal beside it, which only a connection that may
// write rolls back.
func NeedsRollback(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && e.Code() == sqlite3.SQLITE_READONLY_ROLLBACK
}

// OfCode returns what an extended result code of SQLite means.
func OfCode(code int) Kind {
	switch code {
	case sqlite3.SQLITE_IOERR_SHMSIZE: // the WAL index could not grow
		return Full
	case sqlite3.SQLITE_IOERR_LOCK, sqlite3.SQLITE_IOERR_RDLOCK, sqlite3.SQLITE_IOERR_UNLOCK, sqlite3.SQLITE_IOERR_CHECKRESERVEDLOCK,
		sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMLOCK, sqlite3.SQLITE_IOERR_SHMMAP,
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
	case sqlite3.SQLITE_IOERR:
		return Device
	case sqlite3.SQLITE_INTERRUPT:
		return Interrupted
	}
	return None
}
