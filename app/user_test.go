package app_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// The exit codes of decisions.md section 1.
const (
	exitDone        = exit.Done
	exitFailed      = exit.Failed
	exitUsage       = exit.Usage
	exitNotFound    = exit.NotFound
	exitNeeded      = exit.Needed
	exitInterrupted = exit.Interrupted
)

// testTimeout is how long anything may take on a busy machine.
const testTimeout = programtest.Timeout

// user runs the program with an empty home directory.
type user struct {
	t    *testing.T
	dir  string // the working directory of the commands
	data string // the data directory
	env  []string
}

func newUser(t *testing.T) *user {
	t.Helper()
	u := &user{t: t, dir: t.TempDir(), data: filepath.Join(t.TempDir(), "data")}
	u.env = append(programtest.Environment(t.TempDir()),
		"VOICEWRIGHT_DATA_DIR="+programtest.Path(u.data),
		"HF_ENDPOINT=http://127.0.0.1:9", // nothing listens there: no test uses the network
	)
	if !programtest.IsWindows() { // there the library is beside the program
		u.env = append(u.env, "VOICEWRIGHT_ORT="+enginetest.Library(t))
	}
	return u
}

// withEnv returns the same user with more environment variables.
func (u *user) withEnv(env ...string) *user {
	other := *u
	other.env = append(append([]string{}, u.env...), env...)
	return &other
}

// result is the exit code and the output of a command.
type result struct {
	code     int
	out, err string
}

// run runs a command until it ends.
func (u *user) run(args ...string) result { return u.runWithInput(nil, args...) }

func (u *user) runWithInput(stdin io.Reader, args ...string) result {
	u.t.Helper()
	code, out, err := u.terminal().Run(u.t, binary, stdin, args)
	return result{code, out, err}
}

func (u *user) terminal() programtest.Shell { return programtest.Shell{Dir: u.dir, Env: u.env} }

func (u *user) command(ctx context.Context, args []string) *exec.Cmd {
	return u.terminal().Command(ctx, binary, args)
}

// mustRun runs a command that must succeed, and returns its output.
func (u *user) mustRun(args ...string) string {
	u.t.Helper()
	o := u.run(args...)
	require.Equal(u.t, exitDone, o.code, "%v: %s", args, o.err)
	return o.out
}

// object is a JSON object.
type object = programtest.Object

// mustRunJSON runs a command with --json, which must print one JSON object, and returns it.
func (u *user) mustRunJSON(args ...string) object {
	u.t.Helper()
	return parseJSON(u.t, u.mustRun(append(args, "--json")...))
}

func parseJSON(t *testing.T, text string) object {
	t.Helper()
	return programtest.ParseJSON(t, text)
}

// mustFail runs a command that must end with this code, print nothing to standard output, and one line with these words to
// standard error.
func (u *user) mustFail(code int, words []string, args ...string) {
	u.t.Helper()
	o := u.run(args...)
	require.Equal(u.t, code, o.code, "%v: %s%s", args, o.out, o.err)
	require.Empty(u.t, o.out, "%v", args)
	requireErrorLine(u.t, o.err, words)
}

// requireErrorLine requires one readable line with these words, after lines of progress.
func requireErrorLine(t *testing.T, output string, words []string) {
	t.Helper()
	lines := strings.Split(strings.TrimRight(output, "\n"), "\n")
	last := lines[len(lines)-1]
	for _, line := range lines[:len(lines)-1] {
		require.Regexp(t, "^(Generating|Listening|Exporting|Reading|Downloading [^ ]+|Transcribing .+): ", line, output)
	}
	require.NotEmpty(t, last)
	require.Regexp(t, `(\.|: voicewright history retry [0-9a-f-]+)$`, last)
	require.NotContains(t, last, "goroutine")
	for _, word := range words {
		require.Contains(t, last, word)
	}
}

// history returns the rows of the history, newest first.
func (u *user) history() []object {
	u.t.Helper()
	var rows []object
	for _, item := range u.mustRunJSON("history", "list")["items"].([]any) {
		rows = append(rows, item.(object))
	}
	return rows
}

// audioFiles returns the files in the audio directory, without what is stored of stopped and failed generations.
func (u *user) audioFiles() []string {
	u.t.Helper()
	var files []string
	err := filepath.WalkDir(filepath.Join(u.data, "audio"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) != ".journal" {
			files = append(files, path)
		}
		return err
	})
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(u.t, err)
	}
	return files
}

// outputFiles returns the names in the working directory of the commands.
func (u *user) outputFiles() []string {
	u.t.Helper()
	entries, err := os.ReadDir(u.dir)
	require.NoError(u.t, err)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names
}
