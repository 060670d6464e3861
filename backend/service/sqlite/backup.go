package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/voicewright/voicewright/backend/files"
)

// Backup writes a complete copy of the database at path to the file to (mode 0600), while other processes use it. A file that is
// there is replaced once the copy is complete, checked and on disk; after an error it is unchanged. Errors are those of Open.
func Backup(ctx context.Context, path, to string) error {
	if _, err := checkOwn(ctx, path); err != nil {
		return openError(path, err)
	}
	source, err := sql.Open("sqlite", dsn(path, "mode=ro", writeBusy))
	if err != nil {
		return openError(path, err)
	}
	err = files.Place(to, func(temp string) error {
		// VACUUM INTO accepts an empty file, so the copy has its mode before its content.
		if err := os.WriteFile(temp, nil, 0o600); err != nil {
			return err
		}
		if _, err := source.ExecContext(ctx, "VACUUM INTO ?", temp); err != nil {
			return openError(path, err)
		}
		if err := verify(ctx, temp); err != nil {
			return openError(path, err)
		}
		return nil
	})
	return errors.Join(err, source.Close())
}

// Verify reads all of a database that no process uses, and returns nil where this program can use it. The file is not changed.
// Errors: CodeDatabaseCorrupt for a damaged or foreign file, CodeDatabaseNewer, CodeNotPermitted.
func Verify(ctx context.Context, path string) error {
	if err := verify(ctx, path); err != nil {
		return openError(path, err)
	}
	return nil
}

func verify(ctx context.Context, path string) (err error) {
	if err := checkHeader(path); err != nil {
		return err
	}
	pool, err := sql.Open("sqlite", dsn(path, "mode=ro", "immutable=1", "_pragma=trusted_schema(0)", "_pragma=cell_size_check(1)"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	var found string
	if err := pool.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return fmt.Errorf("%w: %s", errForeign, found)
	}
	version, err := storedVersion(ctx, pool)
	if err != nil {
		return fmt.Errorf("%w: %w", errForeign, err)
	}
	var lost int64
	if err := pool.QueryRowContext(ctx, `SELECT count(*) FROM pragma_foreign_key_check`).Scan(&lost); err != nil {
		return err
	}
	want, err := newestVersion()
	switch {
	case err != nil:
		return err
	case version > want:
		return &versionError{version, want}
	case version < 1 || lost > 0:
		return fmt.Errorf("%w: version %d, %d rows of others that do not exist", errForeign, version, lost)
	}
	for _, table := range []string{"accounts", "ledger", "calls", "keys"} {
		var rows int64
		if err := pool.QueryRowContext(ctx, `SELECT count(*) FROM `+table).Scan(&rows); err != nil {
			return fmt.Errorf("%w: %w", errForeign, err)
		}
	}
	return nil
}

// checkHeader returns an error unless a file starts like a database.
func checkHeader(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	start := make([]byte, len(header))
	if n, _ := f.Read(start); string(start[:n]) != header {
		return errForeign
	}
	return nil
}

// newestVersion returns the schema version of this program.
func newestVersion() (int64, error) {
	provider, err := newProvider(new(sql.DB))
	if err != nil {
		return 0, err
	}
	sources := provider.ListSources()
	return sources[len(sources)-1].Version, nil
}

// The endings of what belongs to a database file, and of the file that Replace keeps.
var sideFiles = []string{"-wal", "-shm"}

// FormerName returns where Replace keeps the former database.
func FormerName(path string) string { return path + ".before-restore" }

// Replace puts the database that create writes in the place of the one at path, which no process may use, and keeps that one at
// FormerName. What create wrote is read first; after an error the one at path is unchanged. Errors: those of Verify, of create, and
// CodeDataDirLocked while another process has the database open.
func Replace(ctx context.Context, path string, create func(temp string) error) error {
	unlock, err := lockFile(ctx, path)
	if err != nil {
		return openError(path, err)
	}
	defer unlock()
	if checkHeader(path) == nil { // one that is missing or damaged is nobody's
		if err := takeAlone(ctx, path); err != nil {
			return openError(path, err)
		}
	}
	return files.Place(path, func(temp string) error {
		if err := create(temp); err != nil {
			return err
		}
		if err := Verify(ctx, temp); err != nil {
			return err
		}
		return keepFormer(ctx, path)
	})
}

// aloneWait is how long another process may still close the database.
const aloneWait = time.Second

// takeAlone writes what is in the WAL into the file, and returns an error while another process has it open.
func takeAlone(ctx context.Context, path string) (err error) {
	options := []string{fmt.Sprintf("_pragma=busy_timeout(%d)", aloneWait.Milliseconds()), "_pragma=locking_mode(EXCLUSIVE)"}
	pool, err := sql.Open("sqlite", dsn(path, options...))
	if err != nil {
		return err
	}
	pool.SetMaxOpenConns(1)
	_, err = pool.ExecContext(ctx, "BEGIN EXCLUSIVE; ROLLBACK; PRAGMA wal_checkpoint(TRUNCATE)")
	if closed := pool.Close(); err == nil {
		err = closed
	}
	if ctx.Err() == nil && !isLocked(err) { // what is damaged is about to be replaced
		err = nil
	}
	return err
}

// keepFormer links the database at path under a second name, and removes the files beside it, which belong to no other.
func keepFormer(ctx context.Context, path string) error {
	former := FormerName(path)
	if err := os.Remove(former); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Link(path, former); err != nil && !errors.Is(err, fs.ErrNotExist) {
		if _, _, err := files.Copy(ctx, path, former, 0o600); err != nil { // a file system without links
			return err
		}
	}
	for _, end := range sideFiles {
		if err := os.Remove(path + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return files.SyncDir(filepath.Dir(path))
}
