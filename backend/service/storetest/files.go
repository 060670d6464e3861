package storetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// RunFiles runs the suite for files. open returns an empty store of files.
func RunFiles(t *testing.T, open func(t *testing.T) service.Files) {
	for name, test := range map[string]func(*testing.T, service.Files){
		"Create": testCreateFile, "Replace": testReplaceFile, "FailingWriter": testFailingWriter, "Panic": testPanickingWriter,
		"Cancelled": testCancelledFile, "Names": testFileNames, "Delete": testDeleteFile, "InvalidNames": testInvalidNames,
		"Concurrent": testConcurrentFiles,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// create stores content under a name.
func create(t testing.TB, s service.Files, name, content string) {
	t.Helper()
	require.NoError(t, s.Create(t.Context(), name, writerOf(content)))
}

func writerOf(content string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, content)
		return err
	}
}

// content reads a file, and its end once more by seeking.
func content(t testing.TB, s service.Files, name string) string {
	t.Helper()
	f, size, err := s.Open(t.Context(), name)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	all, err := io.ReadAll(f)
	require.NoError(t, err)
	require.EqualValues(t, len(all), size)
	_, err = f.Seek(-size/2, io.SeekEnd)
	require.NoError(t, err)
	end, err := io.ReadAll(f)
	require.NoError(t, err)
	require.Equal(t, string(all[len(all)-int(size/2):]), string(end))
	return string(all)
}

func fileNames(t testing.TB, s service.Files) []string {
	t.Helper()
	names := []string{}
	for name, err := range s.Names(t.Context()) {
		require.NoError(t, err)
		names = append(names, name)
	}
	return names
}

func testCreateFile(t *testing.T, s service.Files) {
	_, _, err := s.Open(t.Context(), "a.mp3")
	require.ErrorIs(t, err, service.ErrNotFound)
	for name, text := range map[string]string{
		"a.mp3": "some audio", "empty.pcm": "", "-_AZaz09.mp3": strings.Repeat("long ", 1<<20), strings.Repeat("n", 100) + ".pcm": "x",
	} {
		create(t, s, name, text)
		require.Equal(t, text, content(t, s, name))
	}
}

func testReplaceFile(t *testing.T, s service.Files) {
	create(t, s, "a.mp3", "first")
	err := s.Create(t.Context(), "a.mp3", func(w io.Writer) error {
		_, err := io.WriteString(w, "second")
		require.Equal(t, "first", content(t, s, "a.mp3"), "a file is there complete or not at all")
		return err
	})
	require.NoError(t, err)
	require.Equal(t, "second", content(t, s, "a.mp3"))
	require.Equal(t, []string{"a.mp3"}, fileNames(t, s))
}

func testFailingWriter(t *testing.T, s service.Files) {
	create(t, s, "old.mp3", "old")
	broken := errors.New("encoder stopped")
	for _, name := range []string{"new.mp3", "old.mp3"} {
		err := s.Create(t.Context(), name, func(w io.Writer) error {
			_, err := io.WriteString(w, "half")
			require.NoError(t, err)
			require.Equal(t, []string{"old.mp3"}, fileNames(t, s), "a half-written file has no name")
			return broken
		})
		require.ErrorIs(t, err, broken)
	}
	require.Equal(t, []string{"old.mp3"}, fileNames(t, s))
	require.Equal(t, "old", content(t, s, "old.mp3"))
}

func testPanickingWriter(t *testing.T, s service.Files) {
	require.Panics(t, func() {
		_ = s.Create(t.Context(), "a.mp3", func(io.Writer) error { panic("encoder") })
	})
	require.Empty(t, fileNames(t, s))
}

func testCancelledFile(t *testing.T, s service.Files) {
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Create(ctx, "a.mp3", func(w io.Writer) error {
		cancel()
		_, err := io.WriteString(w, "half")
		return err
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, fileNames(t, s))
}

func testFileNames(t *testing.T, s service.Files) {
	names := fileNames(t, s)
	require.Empty(t, names)
	var want []string
	for i := range 50 {
		want = append(want, fmt.Sprintf("file-%d.mp3", i))
		create(t, s, want[i], "x")
	}
	require.ElementsMatch(t, want, fileNames(t, s))
}

func testDeleteFile(t *testing.T, s service.Files) {
	ctx := t.Context()
	create(t, s, "a.mp3", "x")
	create(t, s, "b.mp3", "y")
	require.NoError(t, s.Delete(ctx, "a.mp3"))
	require.NoError(t, s.Delete(ctx, "a.mp3"))
	require.NoError(t, s.Delete(ctx, "never.mp3"))
	_, _, err := s.Open(ctx, "a.mp3")
	require.ErrorIs(t, err, service.ErrNotFound)
	require.Equal(t, []string{"b.mp3"}, fileNames(t, s))
}

func testInvalidNames(t *testing.T, s service.Files) {
	ctx := t.Context()
	for _, name := range []string{
		"", ".", "..", "../x", "x/../../y", "/etc/passwd", "a/b", `a\b`, `..\x`, `C:\x`, "C:x", "a\x00.mp3", "\x00", ".hidden",
		".part-x", "a b", "a\n", "é.mp3", "%2e%2e%2fx", "a:b", strings.Repeat("n", 300),
	} {
		_, _, err := s.Open(ctx, name)
		require.ErrorIs(t, err, service.ErrNotFound, "%q", name)
		require.Error(t, s.Create(ctx, name, writerOf("x")), "%q", name)
		require.Error(t, s.Delete(ctx, name), "%q", name)
	}
	require.Empty(t, fileNames(t, s))
}

func testConcurrentFiles(t *testing.T, s service.Files) {
	require.Equal(t, map[string]int{"": 40}, together(40, func(i int) error {
		name := fmt.Sprintf("%d.mp3", i%4)
		if err := s.Create(t.Context(), name, writerOf(strings.Repeat(fmt.Sprint(i%10), 1000))); err != nil {
			return err
		}
		f, size, err := s.Open(t.Context(), name)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		if size != 1000 {
			return fmt.Errorf("%d bytes", size)
		}
		return nil
	}))
	require.Len(t, fileNames(t, s), 4)
}
