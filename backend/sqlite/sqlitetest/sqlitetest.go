// Package sqlitetest has libraries for tests: an empty one, and those of older versions.
package sqlitetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/sqlite"
)

// Migrated writes an empty library with all migrations to path, if there is no file, and returns the path. The migrations take the most
// part of opening a library: they run once a process.
func Migrated(t testing.TB, path string) string {
	t.Helper()
	content, err := empty()
	require.NoError(t, err)
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return path
	}
	require.NoError(t, err)
	_, err = file.Write(content)
	require.NoError(t, errors.Join(err, file.Close()))
	return path
}

// empty returns the file of an empty library.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "sqlitetest-*")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "empty.db")
	db, err := sqlite.Open(context.Background(), sqlite.Options{Path: path})
	if err != nil {
		return nil, fmt.Errorf("make an empty library: %w", err)
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})
