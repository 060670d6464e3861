package files_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

const sumOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

func TestCopy(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	require.NoError(t, os.WriteFile(from, []byte("abc"), 0o600))
	n, sum, err := files.Copy(t.Context(), from, to, 0o600)
	require.NoError(t, err)
	require.EqualValues(t, 3, n)
	require.Equal(t, sumOfAbc, sum)
	require.Equal(t, map[string]string{"from": "abc", "to": "abc"}, listing(t, dir))

	sum, err = files.SHA256(t.Context(), to)
	require.NoError(t, err)
	require.Equal(t, sumOfAbc, sum)

	_, _, err = files.Copy(t.Context(), from, to, 0o600)
	require.ErrorIs(t, err, fs.ErrExist)
	require.Equal(t, map[string]string{"from": "abc", "to": "abc"}, listing(t, dir), "a file that was there stays")
}

// TestCopyFails leaves no part of a copy.
func TestCopyFails(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	_, _, err := files.Copy(t.Context(), from, to, 0o600)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NoError(t, os.Mkdir(from, 0o700))
	_, _, err = files.Copy(t.Context(), from, to, 0o600)
	require.ErrorContains(t, err, "not a regular file")
	require.NoError(t, os.Remove(from))

	require.NoError(t, os.WriteFile(from, bytes.Repeat([]byte("x"), 4<<20), 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = files.Copy(ctx, from, to, 0o600)
	require.Equal(t, backend.CodeCancelled, backend.CodeOf(err))
	require.NoFileExists(t, to)
	_, err = files.SHA256(ctx, from)
	require.Equal(t, backend.CodeCancelled, backend.CodeOf(err))
}

func TestStreamEndsWithItsReaderAndWriter(t *testing.T) {
	broken := errors.New("broken")
	n, err := files.Stream(t.Context(), &bytes.Buffer{}, iotest.TimeoutReader(bytes.NewReader(make([]byte, 1<<20))))
	require.ErrorIs(t, err, iotest.ErrTimeout)
	require.EqualValues(t, 512<<10, n)
	_, err = files.Stream(t.Context(), failingWriter{broken}, bytes.NewReader([]byte("x")))
	require.ErrorIs(t, err, broken)
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
