package espeak

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

const (
	program = "espeak-ng"
	// waitDelay bounds how long a killed process may hold our ends of its pipes.
	waitDelay = 100 * time.Millisecond
	// listTimeout bounds the commands that print a list and end.
	listTimeout = 10 * time.Second
	// hungFor is how long an espeak-ng that did not answer in time is not asked again, so that not every caller waits for it.
	hungFor = time.Minute
	// maxList bounds what such a command may print, in bytes; the list of voices has 12 KB.
	maxList = 1 << 20
	// stallTimeout is how long a running process may give no byte before it counts as hung.
	stallTimeout = 20 * time.Second
)

// noSoundServer keeps espeak-ng, which only writes to its standard output, from connecting to PulseAudio: each call would
// otherwise open a connection, or start that server and leave files in the home directory.
var noSoundServer = []string{"PULSE_SERVER=unix:/dev/null"}

var (
	errStalled = errors.New("no output in time")
	errEndless = errors.New("endless answer")
)

// installation is the espeak-ng on PATH: what it can speak, and which version it is. Both are asked for without the
// lock, so that each caller can be cancelled, and kept; a missing program is looked for again on every call, so that
// installing it needs no restart.
type installation struct {
	wait time.Duration // for each answer, 0 = listTimeout

	mu      sync.Mutex
	voices  []listed
	version string
	hung    time.Time // when it last did not answer
}

// locate finds the program on PATH.
func locate() (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return "", missing(err)
	}
	return path, nil
}

// command prepares an espeak-ng process that dies with ctx.
func command(ctx context.Context, args ...string) (*exec.Cmd, error) {
	path, err := locate()
	if err != nil {
		return nil, err
	}
	cmd := backend.ToolCommand(ctx, noSoundServer, path, args...)
	ownGroup(cmd)
	cmd.WaitDelay = waitDelay
	return cmd, nil
}

func missing(cause error) error {
	return backend.E(backend.CodeRuntimeMissing,
		"The program espeak-ng was not found.",
		"Install it: `sudo apt install espeak-ng` (Debian, Ubuntu), `sudo dnf install espeak-ng` (Fedora), "+
			"`sudo pacman -S espeak-ng` (Arch), `brew install espeak-ng` (macOS), `winget install eSpeak-NG.eSpeak-NG` (Windows).",
	).With("program", "espeak-ng").WithCause(cause)
}

// failed is the error of a process that ended badly or gave what cannot be used. When ctx has ended, that is the reason.
func failed(ctx context.Context, cause error) error {
	if ctx.Err() != nil {
		return backend.ErrCancelled.WithCause(context.Cause(ctx))
	}
	return backend.E(backend.CodeEngineFailed,
		"espeak-ng stopped before it was done.",
		"Try again; if it happens again, install espeak-ng anew or choose another voice.",
	).WithCause(cause)
}

// output returns what a short command prints. Errors: runtime_missing, engine_failed, cancelled.
func (in *installation) output(ctx context.Context, args ...string) (string, error) {
	return in.answer(ctx, "", args...)
}

// answer returns what a short command prints for an input. Errors: runtime_missing, engine_failed, cancelled.
func (in *installation) answer(ctx context.Context, input string, args ...string) (string, error) {
	in.mu.Lock()
	hung := time.Since(in.hung) < hungFor
	in.mu.Unlock()
	if hung {
		return "", failed(ctx, errStalled)
	}
	limited, cancel := context.WithTimeoutCause(ctx, cmp.Or(in.wait, listTimeout), errStalled)
	defer cancel()
	cmd, err := command(limited, args...)
	if err != nil {
		return "", err
	}
	cmd.WaitDelay = listTimeout // all of the output counts, also on a busy machine
	var list limitedList
	cmd.Stdin, cmd.Stdout = strings.NewReader(input), &list
	err = cmd.Run()
	if errors.Is(context.Cause(limited), errStalled) {
		in.mu.Lock()
		in.hung = time.Now()
		in.mu.Unlock()
	}
	if err != nil {
		return "", failed(ctx, fmt.Errorf("run espeak-ng %s: %w", args[0], err))
	}
	return list.kept.String(), nil
}

// limitedList keeps what a command prints. With more than maxList bytes it closes the pipe, which ends the command. The
// buffer is no embedded one: its ReadFrom would pass the limit by.
type limitedList struct{ kept bytes.Buffer }

func (l *limitedList) Write(p []byte) (int, error) {
	if l.kept.Len()+len(p) > maxList {
		return 0, errEndless
	}
	return l.kept.Write(p)
}

// Version gives the version of the installed espeak-ng as it prints it, such as "1.51".
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
	_, rest, found := strings.Cut(out, ": ")
	fields := strings.Fields(rest)
	if !found || len(fields) == 0 {
		return "", failed(ctx, fmt.Errorf("read version from %.100q", out))
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.version = fields[0]
	return in.version, nil
}
