package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// mountDataDir mounts a small file system as the data directory.
func (u *user) mountDataDir(flags uintptr, size string) {
	u.t.Helper()
	require.NoError(u.t, os.MkdirAll(u.data, 0o700))
	if err := unix.Mount("tmpfs", u.data, "tmpfs", flags, "size="+size); err != nil {
		u.t.Skipf("this user may not mount a file system: %v", err)
	}
	u.t.Cleanup(func() { require.NoError(u.t, unix.Unmount(u.data, unix.MNT_DETACH)) })
}

// TestBackupIntoAReadOnlyFolder prints one sentence, and no line of the log.
func TestBackupIntoAReadOnlyFolder(t *testing.T) {
	u := newUser(t)
	u.mustRun("say", "Hello.", "-o", "a.wav")
	o := u.run("backup", "/sys/library.zip")
	require.Equal(t, exitFailed, o.code, o.err)
	require.Equal(t, "Voicewright doesn't have permission to read or write /sys. Check the permissions of the folder, or choose another one.\n", o.err)
}

func TestReadOnlyData(t *testing.T) {
	u := newUser(t)
	u.mountDataDir(unix.MS_RDONLY, "1m")
	for _, args := range [][]string{{"profiles", "list"}, {"say", "Hello."}, {"serve", "--addr", "127.0.0.1:0"}} {
		u.mustFail(exitFailed, []string{u.data, "Check the permissions"}, args...)
	}
	report := u.run("doctor")
	require.Equal(t, exitFailed, report.code)
	require.Contains(t, report.out, "broken   folder")
}

// TestFullData fills the disk with audio: the error says so, and older audio is unchanged.
func TestFullData(t *testing.T) {
	u := newUser(t)
	u.mountDataDir(0, "2m")
	u.mustRun("say", "Hello.", "-o", "a.wav")
	write(t, filepath.Join(u.dir, "long.txt"), longText(3))
	o := u.run("say", "--file", "long.txt", "-o", "b.wav")
	require.Equal(t, exitFailed, o.code, o.err)
	requireErrorLine(t, o.err, []string{"disk", "full"})
	require.Equal(t, []string{"a.wav", "long.txt"}, u.outputFiles())
	rows := u.history()
	require.Equal(t, "complete", rows[len(rows)-1]["status"])
	require.Equal(t, "insufficient_disk", rows[0]["error"].(object)["code"])
	require.Len(t, u.audioFiles(), 1, "the unfinished file is removed")

	folder, err := filepath.Abs(filepath.Join("testdata", "en_US-tone-medium"))
	require.NoError(t, err)
	models := filepath.Join(u.data, "models")
	fillDisk(t, filepath.Join(u.data, "fill"))
	u.mustFail(exitFailed, []string{"full"}, "models", "import", folder)
	entries, err := os.ReadDir(models)
	if err == nil {
		require.Empty(t, entries)
	}
	require.NoError(t, os.Remove(filepath.Join(u.data, "fill")))
	u.mustRun("history", "rm", rows[0]["id"].(string)) // with what is stored of it
	u.mustRun("say", "Hello again.", "-o", "c.wav")
}

// fillDisk writes until the disk is full.
func fillDisk(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	_, err = f.WriteString(strings.Repeat("x", 4<<20))
	require.ErrorIs(t, err, unix.ENOSPC)
	require.NoError(t, f.Close())
}

// TestDiskTooSmall has no space for the database.
func TestDiskTooSmall(t *testing.T) {
	u := newUser(t)
	u.mountDataDir(0, "16k")
	u.mustFail(exitFailed, []string{"disk", "full"}, "say", "Hello.", "-o", "a.wav")
	require.Empty(t, u.outputFiles())
}

// TestProgramsThatHang has external programs that do not respond: the system information is returned all the same.
func TestProgramsThatHang(t *testing.T) {
	u := newUser(t)
	s := u.withEnv("PATH=" + hangingPrograms(t, "ffmpeg", "espeak-ng") + ":/usr/bin:/bin").serve()
	status, body := s.request("GET", "/system", "")
	require.Equal(t, 200, status, body)
	require.Contains(t, body, "The program ffmpeg isn’t responding.")
	require.Equal(t, []any{"wav"}, parseJSON(t, body)["encoders"])
	status, _ = s.request("GET", "/health", "")
	require.Equal(t, 200, status)
}

// hangingPrograms returns a folder of programs that run for longer than any test waits.
func hangingPrograms(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\nexec sleep 35\n"), 0o700))
	}
	return dir
}
