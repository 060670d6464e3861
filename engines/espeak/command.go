package espeak

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/subprocess"
)

const (
	program = backend.ProgramEspeak
	// waitDelay is how long a killed process may keep its pipes open.
	waitDelay = 100 * time.Millisecond
	// listTimeout is how long a command that prints a list may run.
	listTimeout = 10 * time.Second
	// hungFor is how long an espeak-ng that timed out is not called again, so that not every caller waits for it.
	hungFor = time.Minute
	// maxList is how many bytes such a command may print; the list of voices has 12 KB.
	maxList = 1 << 20
	// stallTimeout is how long a running process may print nothing before it counts as hung.
	stallTimeout = 10 * time.Second
	// byteTime is how long a process may compute for each byte of text beyond that: a hundred times what it needs.
	byteTime = 20 * time.Millisecond
)

// noSoundServer keeps espeak-ng, which only writes to its standard output, from connecting to PulseAudio. Otherwise each call
// opens a connection, or starts that server and leaves files in the home directory.
var noSoundServer = []string{"PULSE_SERVER=unix:/dev/null"}

var (
	errStalled = errors.New("no output in time")
	errEndless = errors.New("endless output")
)

// installation is the installed espeak-ng with its voices and its version. Both are cached; they are read without the lock, so
// that each caller can be cancelled. A missing program is looked for again on every call, so that installing it needs no
// restart.
type installation struct {
	timeout time.Duration // of each command, 0 = listTimeout

	mu      sync.Mutex
	voices  []listed
	version string
	hung    time.Time // when it last timed out
}

// locate returns the path of the program.
func locate() (string, error) {
	path, err := subprocess.Find(program)
	if err != nil {
		return "", errMissing(err)
	}
	return path, nil
}

// dataVariable names the folder with espeak-ng-data for espeak-ng.
const dataVariable = "ESPEAK_DATA_PATH"

// dataOf returns the variable for an espeak-ng that has its data beside it, as on Windows; nil when it has none there, or when the
// user names another folder. Without it, an espeak-ng that was unpacked and not installed does not find them: it only looks into
// the registry.
func dataOf(path string, getenv func(string) string) []string {
	if getenv(dataVariable) != "" {
		return nil
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // such as the links of winget
	}
	folder := filepath.Dir(path)
	if info, err := os.Stat(filepath.Join(folder, "espeak-ng-data")); err != nil || !info.IsDir() {
		return nil
	}
	return []string{dataVariable + "=" + folder}
}

// command returns an espeak-ng command that is killed when ctx ends.
func command(ctx context.Context, args ...string) (*exec.Cmd, error) {
	path, err := locate()
	if err != nil {
		return nil, err
	}
	cmd := subprocess.Tool(ctx, append(dataOf(path, os.Getenv), noSoundServer...), path, args...)
	ownGroup(cmd)
	cmd.WaitDelay = waitDelay
	return cmd, nil
}

func errMissing(cause error) error {
	return backend.MissingProgram(backend.ProgramEspeak).WithCause(cause)
}

// errFailed returns the error for a process that failed or printed what cannot be used: cancelled when ctx has ended.
func errFailed(ctx context.Context, cause error) error {
	if ctx.Err() != nil {
		return backend.ErrCancelled.WithCause(context.Cause(ctx))
	}
	sentence := "espeak-ng stopped before it finished."
	if errors.Is(cause, errStalled) {
		sentence = "espeak-ng does not respond."
	}
	return backend.E(backend.CodeEngineFailed, sentence,
		"Try again; if it happens again, reinstall espeak-ng or choose another voice.",
	).WithCause(cause)
}

// output returns what a short command prints. Errors: runtime_missing, engine_failed, cancelled.
func (in *installation) output(ctx context.Context, args ...string) (string, error) {
	return in.outputFor(ctx, "", args...)
}

// outputFor returns what a short command prints for an input. Errors: runtime_missing, engine_failed, cancelled.
func (in *installation) outputFor(ctx context.Context, input string, args ...string) (string, error) {
	in.mu.Lock()
	hung := time.Since(in.hung) < hungFor
	in.mu.Unlock()
	if hung {
		return "", errFailed(ctx, errStalled)
	}
	limited, cancel := context.WithTimeoutCause(ctx, cmp.Or(in.timeout, listTimeout), errStalled)
	defer cancel()
	cmd, err := command(limited, args...)
	if err != nil {
		return "", err
	}
	cmd.WaitDelay = listTimeout // the whole output is needed, also on a busy machine
	var list limitedList
	cmd.Stdin, cmd.Stdout = strings.NewReader(input), &list
	err = cmd.Run()
	if errors.Is(context.Cause(limited), errStalled) {
		in.mu.Lock()
		in.hung = time.Now()
		in.mu.Unlock()
	}
	if err != nil {
		return "", errFailed(ctx, fmt.Errorf("run espeak-ng %s: %w", args[0], errors.Join(context.Cause(limited), err)))
	}
	return list.buffer.String(), nil
}

// limitedList collects what a command prints. After maxList bytes it closes the pipe, which ends the command. The buffer is
// not embedded, because its ReadFrom would bypass the limit.
type limitedList struct{ buffer bytes.Buffer }

func (l *limitedList) Write(p []byte) (int, error) {
	if l.buffer.Len()+len(p) > maxList {
		return 0, errEndless
	}
	return l.buffer.Write(p)
}

// Version returns the version of the installed espeak-ng as it prints it, such as "1.51".
// Errors: runtime_missing, engine_failed, cancelled.
func (in *installation) Version(ctx context.Context) (string, error) {
	in.mu.Lock()
	version := in.version
	in.mu.Unlock()
	if version != "" {
		return version, nil
	}
	out, err := in.output(ctx, "--version")
	if err != nil {
		return "", err
	}
	_, after, found := strings.Cut(out, ": ")
	fields := strings.Fields(after)
	if !found || len(fields) == 0 {
		return "", errFailed(ctx, fmt.Errorf("read version from %.100q", out))
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.version = fields[0]
	return in.version, nil
}
