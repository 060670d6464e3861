package app_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
)

// interrupt ends a server as Ctrl-C does.
func (s *server) interrupt() {
	s.t.Helper()
	require.Equal(s.t, exitDone, s.signal(syscall.SIGINT), s.err.String())
	require.NotContains(s.t, s.err.String(), "goroutine")
}

// printed reports whether the command has printed words to standard error.
func (r *running) printed(words string) func() bool {
	return func() bool { return strings.Contains(r.err.String(), words) }
}

// requireFree requires that nothing holds the data directory of a user: a restore needs it alone.
func (u *user) requireFree() {
	u.t.Helper()
	require.NoFileExists(u.t, filepath.Join(u.data, "server.json"))
	u.mustRun("backup", "free.zip")
	u.mustRun("restore", "free.zip")
}

// TestAnySystemCtrlC interrupts a server while it speaks, and a command: both end, and leave no lock.
func TestAnySystemCtrlC(t *testing.T) {
	t.Parallel()
	u := newInstalled(t)
	u.importTone()
	s := u.serve()
	s.startGeneration(longText(20))
	s.interrupt()
	u.requireFree()

	write(t, filepath.Join(u.dir, "long.txt"), longText(100))
	say := u.start("say", "--file", "long.txt", "--voice", toneVoice, "-o", "a.wav")
	require.Eventually(t, say.printed("Generating: generating"), testTimeout, time.Millisecond)
	require.Equal(t, exitInterrupted, say.signal(syscall.SIGINT), say.err.String())
	require.Contains(t, say.err.String(), "topped")
	require.NoFileExists(t, filepath.Join(u.dir, "a.wav"))
	u.requireFree()
	u.mustRun("say", "It goes on.", "-o", "b.wav")
}

// TestAnySystemSecondStart starts the program while it runs: it says so, commands use the one that runs, and the library is not
// replaced under it.
func TestAnySystemSecondStart(t *testing.T) {
	t.Parallel()
	u := newInstalled(t)
	u.mustRun("say", "Kept.", "-o", "a.wav")
	u.mustRun("backup", "library.zip")
	s := u.serve()
	for _, args := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"restore", "library.zip"}} {
		o := u.run(args...)
		require.Equal(t, exitFailed, o.code, o.err)
		require.Contains(t, o.err, "Another copy of Voicewright is using "+programtest.Path(u.data))
	}
	require.Contains(t, u.mustRun("doctor"), "running at "+s.url)
	u.mustRun("say", "By the server.", "-o", "b.wav")
	require.Len(t, u.history(), 2)
	s.interrupt()
	again := u.serve()
	require.Equal(t, s.token, again.token)
	again.interrupt()
}

// TestAnySystemKilled ends the program as a crash does: the next start needs no repair.
func TestAnySystemKilled(t *testing.T) {
	t.Parallel()
	u := newInstalled(t)
	u.mustRun("say", "Kept.", "-o", "a.wav")
	s := u.serve()
	s.startGeneration(longText(20))
	s.signal(syscall.SIGKILL)
	u.mustRun("say", "It goes on.", "-o", "b.wav")
	rows := u.history()
	require.Len(t, rows, 3)
	require.Equal(t, []any{"complete", "failed", "complete"}, []any{rows[0]["status"], rows[1]["status"], rows[2]["status"]})
	u.mustRun("history", "retry", rows[1]["id"].(string))
}

// TestAnySystemBackupAndRestore moves a library to another data directory.
func TestAnySystemBackupAndRestore(t *testing.T) {
	t.Parallel()
	u := newInstalled(t)
	u.mustRun("say", "The first sentence.", "-o", "a.wav")
	u.mustRun("profiles", "create", "Großmutter")
	s := u.serve()
	u.mustRun("backup", "Sicherung für später.zip")
	s.interrupt()
	before := u.history()
	file := filepath.Join(u.dir, "Sicherung für später.zip")

	other := newInstalled(t)
	other.mustRun("say", "What was there before.", "-o", "b.wav")
	words := other.mustRun("restore", programtest.Path(file))
	require.Contains(t, words, programtest.Path(filepath.Join(other.data, "before-restore")))
	after := other.history()
	require.Equal(t, hashes(before), hashes(after))
	restored, err := os.ReadFile(programtest.LocalPath(after[0]["audio_path"].(string)))
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(u.read("a.wav"), restored))
	require.Contains(t, other.mustRun("profiles", "list"), "Großmutter")

	raw := u.read("Sicherung für später.zip")
	write(t, filepath.Join(other.dir, "short.zip"), string(raw[:len(raw)/2]))
	o := other.run("restore", "short.zip")
	require.Equal(t, exitFailed, o.code, o.err)
	require.Contains(t, o.err, "not a complete backup")
	require.Equal(t, hashes(after), hashes(other.history()))
}
