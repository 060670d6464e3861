//go:build unix

package app_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPipesAsFiles: a named pipe that nobody writes to holds up no command that is told to end, and one that somebody writes to is
// read like a file.
func TestPipesAsFiles(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	pipe := filepath.Join(u.dir, "pipe.csv")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for _, args := range [][]string{
		{"say", "--file", "pipe.csv"},
		{"words", "import", "pipe.csv"},
		{"hosted", "dialogue", "pipe.csv", "--voice", "A=b", "-o", "a.mp3"},
		{"hosted", "enhance", "--file", "pipe.csv"},
	} {
		for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
			r := u.start(args...)
			writer := u.waitForReader(r, pipe)
			require.Equal(t, exitInterrupted, r.signal(s), "%v: %s", args, r.err.String())
			require.NoError(t, writer.Close())
		}
	}
	for _, args := range [][]string{{"say", "--batch", "pipe.csv", "--out", "out"}, {"transcribe", "pipe.csv"}} {
		u.mustFail(exitUsage, []string{"not a file"}, args...)
	}
	require.NoError(t, os.Rename(pipe, filepath.Join(u.dir, "pipe")))
	pipe = filepath.Join(u.dir, "pipe") // read as a text
	r := u.start("say", "--file", "pipe", "-o", "a.wav")
	require.NoError(t, os.WriteFile(pipe, []byte("Hello from a pipe."), 0o600))
	require.Equal(t, exitDone, r.wait(), r.err.String())
	require.Equal(t, "Hello from a pipe.", u.history()[0]["text"])
}

// waitForReader waits until a command waits for a writer of a pipe, and returns one that writes nothing.
func (u *user) waitForReader(r *running, pipe string) (writer *os.File) {
	u.t.Helper()
	require.Eventually(u.t, func() bool {
		select {
		case <-r.ended:
			require.Fail(u.t, "the command has ended", r.err.String())
		default:
		}
		var err error
		writer, err = os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0) // fails while nobody reads
		return err == nil
	}, testTimeout, 10*time.Millisecond)
	return writer
}

// TestPipesAsOutputs: a command that would put a file in the place of a pipe, or of a link to one, refuses.
func TestPipesAsOutputs(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	require.NoError(t, os.WriteFile(filepath.Join(u.dir, "talk.wav"), []byte("audio"), 0o600))
	u.mustRun("say", "Hello.", "-o", "a.wav")
	generation := u.history()[0]["id"].(string)
	require.NoError(t, os.Mkdir(filepath.Join(u.dir, "out"), 0o700))
	for _, name := range []string{"pipe", "pipe.wav", "pipe.zip", "pipe.csv", "pipe.txt", "pipe.mp3", "out/talk.txt"} {
		require.NoError(t, syscall.Mkfifo(filepath.Join(u.dir, name), 0o600))
	}
	require.NoError(t, os.Symlink("pipe.zip", filepath.Join(u.dir, "link.zip")))
	for _, args := range [][]string{
		{"backup", "pipe"},
		{"backup", "pipe.zip"},
		{"backup", "link.zip"},
		{"say", "Hello.", "-o", "pipe.wav"},
		{"history", "export", generation, "-o", "pipe.wav"},
		{"profiles", "export", "Built-in voice", "-o", "pipe.zip"},
		{"words", "export", "pipe.csv"},
		{"doctor", "--bundle", "pipe.zip"},
		{"doctor", "--bundle", "link.zip"},
		{"transcribe", "talk.wav", "-o", "pipe.txt"},
		{"transcribe", "talk.wav", "-o", "out"},
		{"hosted", "say", "Hello.", "--voice", "a", "-o", "pipe.mp3"},
	} {
		u.mustFail(exitUsage, []string{"is not a file"}, args...)
	}
	for _, name := range []string{"pipe", "pipe.wav", "pipe.zip", "pipe.csv", "pipe.txt", "pipe.mp3", "out/talk.txt"} {
		info, err := os.Lstat(filepath.Join(u.dir, name))
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeNamedPipe, name)
	}
}
