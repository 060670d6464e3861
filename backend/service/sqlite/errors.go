package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/dbfault"
	"github.com/voicewright/voicewright/backend/service"
)

// fail wraps err with its operation; what may be over when the call is repeated matches service.ErrStoreBusy.
func fail(op string, err error) error {
	var rate *service.RateError
	var answer *service.Error
	switch {
	case err == nil, errors.As(err, &rate), errors.As(err, &answer):
		return err
	case isLocked(err), isFull(err):
		return fmt.Errorf("%s: %w: %w", op, service.ErrStoreBusy, err)
	}
	return fmt.Errorf("%s: %w", op, err)
}

// isLocked reports whether another process holds a lock.
func isLocked(err error) bool { return dbfault.Of(err) == dbfault.Locked }

// IsLocked reports whether Open or a write failed because another process holds the file.
func IsLocked(err error) bool {
	return isLocked(err) || errors.Is(err, errWaited) || backend.CodeOf(err) == backend.CodeDataDirLocked
}

// isFull reports whether the disk is full.
func isFull(err error) bool { return dbfault.Of(err) == dbfault.Full }

// Reasons for which a file is refused.
var (
	errForeign = errors.New("the file is not a database of the service")
	errLocked  = errors.New("another process migrates the database")
	errWaited  = errors.New("waited for other writers in vain")
)

// CodeNotMigrated is the code of Open for a file of an older program that it may not change.
const CodeNotMigrated backend.Code = "database_not_migrated"

// versionError is the error for a file with the schema of another program.
type versionError struct{ have, want int64 }

func (e *versionError) Error() string {
	return fmt.Sprintf("schema version %d, this program has %d", e.have, e.want)
}

// openError returns the error of Open for people.
func openError(path string, err error) error {
	err = fmt.Errorf("open store: %w", err)
	report := func(code backend.Code, sentence, remedy string) error {
		return backend.E(code, sentence, remedy).With("path", path).WithCause(err)
	}
	var version *versionError
	var file *fs.PathError
	fault := dbfault.Of(err)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return backend.ErrCancelled.WithCause(err)
	case errors.As(err, &version) && version.have < version.want:
		return report(CodeNotMigrated, fmt.Sprintf("The database file %s was written by an older program (%s).", path, version),
			fmt.Sprintf("Stop the service, then run voicewright-service migrate --database sqlite:%s.", path))
	case errors.As(err, &version):
		return report(backend.CodeDatabaseNewer, fmt.Sprintf("The database file %s was written by a newer program (%s).", path, version),
			"Install the newest voicewright-service, or choose another file with --database.")
	case isFull(err):
		return report(backend.CodeInsufficientDisk, fmt.Sprintf("The disk that holds the database file %s is full.", path),
			"Free some space on this disk, then try again.")
	case isLocked(err), errors.Is(err, errLocked):
		return report(backend.CodeDataDirLocked, fmt.Sprintf("Another program is using the database file %s.", path),
			"Wait until it has finished or close it, then try again.")
	case errors.Is(err, errForeign), fault == dbfault.Corrupt:
		return report(backend.CodeDatabaseCorrupt,
			fmt.Sprintf("The file %s is damaged or is not a database of voicewright-service. It has not been changed.", path),
			"Restore a copy of the database, or choose another file with --database.")
	case fault == dbfault.Device:
		return report(backend.CodeDiskFailed, fmt.Sprintf("The system could not read or write the database file %s.", path),
			"Check that the disk is connected and healthy, then try again.")
	case errors.As(err, &file) && errors.Is(err, os.ErrNotExist):
		return report(backend.CodeNotPermitted, fmt.Sprintf("The folder of the database file %s does not exist.", path),
			"Create the folder, or choose another file with --database.")
	case errors.As(err, &file), fault == dbfault.Refused, fault == dbfault.FileSystem:
		return report(backend.CodeNotPermitted, fmt.Sprintf("The database file %s cannot be opened for writing.", path),
			"Check that this user may write in its folder, or choose another file with --database.")
	}
	return err
}
