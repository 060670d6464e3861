package dbfault_test

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/voicewright/voicewright/backend/dbfault"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]dbfault.Kind{
		sqlite3.SQLITE_FULL: dbfault.Full, sqlite3.SQLITE_IOERR_SHMSIZE: dbfault.Full,
		sqlite3.SQLITE_BUSY_SNAPSHOT: dbfault.Locked, sqlite3.SQLITE_LOCKED_SHAREDCACHE: dbfault.Locked,
		sqlite3.SQLITE_CORRUPT_INDEX: dbfault.Corrupt, sqlite3.SQLITE_NOTADB: dbfault.Corrupt,
		sqlite3.SQLITE_READONLY_DIRECTORY: dbfault.Refused, sqlite3.SQLITE_CANTOPEN: dbfault.Refused,
		sqlite3.SQLITE_IOERR_READ: dbfault.Device, sqlite3.SQLITE_IOERR_SHMOPEN: dbfault.Device,
		sqlite3.SQLITE_IOERR_LOCK: dbfault.FileSystem, sqlite3.SQLITE_IOERR_FSYNC: dbfault.FileSystem,
		sqlite3.SQLITE_INTERRUPT: dbfault.Interrupted, sqlite3.SQLITE_CONSTRAINT: dbfault.None, 0: dbfault.None,
	} {
		require.Equal(t, want, dbfault.OfCode(code), code)
	}
	full := &fs.PathError{Op: "write", Path: "a.db", Err: syscall.ENOSPC}
	require.Equal(t, dbfault.Full, dbfault.Of(fmt.Errorf("copy: %w", full)))
	require.Equal(t, dbfault.Device, dbfault.Of(&fs.PathError{Op: "sync", Path: "a.db", Err: syscall.EIO}))
	require.Equal(t, dbfault.None, dbfault.Of(errors.New("other")))
	require.Equal(t, dbfault.None, dbfault.Of(nil))
}
