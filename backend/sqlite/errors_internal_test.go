package sqlite

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/voicewright/voicewright/backend"
)

func TestErrorsOfFileSystemsWithoutLocksOrSync(t *testing.T) {
	t.Parallel()
	db := &library{path: "/mnt/nas/voicewright.db"}
	for _, code := range []int{sqlite3.SQLITE_IOERR_LOCK, sqlite3.SQLITE_IOERR_SHMMAP, sqlite3.SQLITE_IOERR_FSYNC} {
		known := backend.AsError(db.failSQLite(code, errors.New("disk I/O error")))
		require.Equal(t, backend.CodeNotPermitted, known.Code)
		require.Contains(t, known.Detail, "cannot lock or sync it")
		require.Contains(t, known.Remedy, "--data")
	}
	require.Equal(t, backend.CodeInsufficientDisk, backend.CodeOf(db.failSQLite(sqlite3.SQLITE_IOERR_SHMSIZE, errors.New("full"))))
}

func TestErrorsOfADiskThatFails(t *testing.T) {
	t.Parallel()
	db := &library{path: "/mnt/usb/voicewright.db"}
	for _, err := range []error{
		db.failSQLite(sqlite3.SQLITE_IOERR_READ, errors.New("disk I/O error")),
		db.fail("copy", &fs.PathError{Op: "sync", Path: db.path, Err: syscall.EIO}),
	} {
		known := backend.AsError(err)
		require.Equal(t, backend.CodeDiskFailed, known.Code)
		require.Contains(t, known.Detail, db.path)
		require.Contains(t, known.Remedy, "healthy")
	}
}

// A library that is checked while the disk is full is not a damaged one.
func TestUnreadRowsAreDamagedUnlessTheDiskIsFull(t *testing.T) {
	t.Parallel()
	db := &library{path: "/data/voicewright.db"}
	full := &fs.PathError{Op: "write", Path: "etilqs_1", Err: syscall.ENOSPC}
	require.Equal(t, backend.CodeInsufficientDisk, backend.CodeOf(db.rejectedError(t.Context(), "SELECT 1", full)))
	require.Equal(t, backend.CodeDatabaseCorrupt, backend.CodeOf(db.rejectedError(t.Context(), "SELECT 1", errors.New("not JSON"))))
	require.NoError(t, db.rejectedError(t.Context(), "SELECT 1", nil))
}
