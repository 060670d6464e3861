package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// disk mounts a small file system of its own in the place of the data directory.
func (p *person) disk(flags uintptr, size string) {
	p.t.Helper()
	require.NoError(p.t, os.MkdirAll(p.data, 0o700))
	if err := unix.Mount("tmpfs", p.data, "tmpfs", flags, "size="+size); err != nil {
		p.t.Skipf("this user may not mount a file system: %v", err)
	}
	p.t.Cleanup(func() { require.NoError(p.t, unix.Unmount(p.data, unix.MNT_DETACH)) })
}

// TestBackupIntoAReadOnlyFolder says so in one sentence, without a line of the log.
func TestBackupIntoAReadOnlyFolder(t *testing.T) {
	p := newPerson(t)
	p.does("say", "Hello.", "-o", "a.wav")
	o := p.run("backup", "/sys/library.zip")
	require.Equal(t, failed, o.code, o.err)
	require.Equal(t, "Voicewright may not read or write /sys. Check the permissions of the folder, or choose another one.\n", o.err)
}

func TestReadOnlyData(t *testing.T) {
	p := newPerson(t)
	p.disk(unix.MS_RDONLY, "1m")
	for _, args := range [][]string{{"profiles", "list"}, {"say", "Hello."}, {"serve", "--addr", "127.0.0.1:0"}} {
		p.fails(failed, []string{p.data, "Check the permissions"}, args...)
	}
	sick := p.run("doctor")
	require.Equal(t, failed, sick.code)
	require.Contains(t, sick.out, "broken   folder")
}

// TestFullData fills the disk by speaking: the error says so, and what was there before is still there.
func TestFullData(t *testing.T) {
	p := newPerson(t)
	p.disk(0, "1m")
	p.does("say", "Hello.", "-o", "a.wav")
	write(t, filepath.Join(p.dir, "long.txt"), long(3))
	o := p.run("say", "--file", "long.txt", "-o", "b.wav")
	require.Equal(t, failed, o.code, o.err)
	requireSentence(t, o.err, []string{"disk", "full"})
	require.Equal(t, []string{"a.wav", "long.txt"}, p.outputs())
	rows := p.history()
	require.Equal(t, "complete", rows[len(rows)-1]["status"])
	require.Equal(t, "insufficient_disk", rows[0]["error"].(object)["code"])
	require.Len(t, p.audio(), 1, "the unfinished file is gone")

	folder, err := filepath.Abs(filepath.Join("testdata", "en_US-tone-medium"))
	require.NoError(t, err)
	models := filepath.Join(p.data, "models")
	fill(t, filepath.Join(p.data, "fill"))
	p.fails(failed, []string{"full"}, "models", "import", folder)
	entries, err := os.ReadDir(models)
	if err == nil {
		require.Empty(t, entries)
	}
	require.NoError(t, os.Remove(filepath.Join(p.data, "fill")))
	p.does("say", "Hello again.", "-o", "c.wav")
}

// fill leaves no room.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	_, err = f.WriteString(strings.Repeat("x", 1<<20))
	require.ErrorIs(t, err, unix.ENOSPC)
	require.NoError(t, f.Close())
}

// TestDiskTooSmall cannot even make the library.
func TestDiskTooSmall(t *testing.T) {
	p := newPerson(t)
	p.disk(0, "16k")
	p.fails(failed, []string{"disk", "full"}, "say", "Hello.", "-o", "a.wav")
	require.Empty(t, p.outputs())
}

// TestProgramsThatHang has the programs beside ours answer nothing: the machine is shown all the same.
func TestProgramsThatHang(t *testing.T) {
	p := newPerson(t)
	s := p.with("PATH=" + hanging(t, "ffmpeg", "espeak-ng") + ":/usr/bin:/bin").serve()
	status, body := s.ask("GET", "/system", "")
	require.Equal(t, 200, status, body)
	require.Contains(t, body, "The program ffmpeg does not answer.")
	require.Equal(t, []any{"wav"}, parse(t, body)["encoders"])
	status, _ = s.ask("GET", "/health", "")
	require.Equal(t, 200, status)
}

// hanging is a folder of programs that do not end while anybody waits for them.
func hanging(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\nexec sleep 35\n"), 0o700))
	}
	return dir
}
