//go:build linux

// Quiet shows that the built program keeps to itself: it serves, imports a voice, speaks, and is watched for another while.
// In a network namespace whose every route and nameserver is its own loopback, no packet may leave; no file may appear in
// the home directory or the one for temporary files; no process may be started but those of allowedChildren. Its environment
// is PATH, HOME, LANG and TMPDIR, because libraries keep quiet by themselves on build servers.
//
//	go run ./build/quiet PROGRAM VOICE
//
// VOICE is a folder that `models import` takes. Where namespaces are not allowed it says so, and the addresses that the
// program connects to are read from strace instead.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// watched is how long the program is watched after it has spoken: the library's telemetry asks about every 10 s.
const watched = 30 * time.Second

// maxFaults is how many lines of what it should not have done are shown.
const maxFaults = 30

// allowedChildren are the programs that ours may start on this way.
var allowedChildren = []string{"espeak-ng", "ffmpeg"}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: quiet PROGRAM VOICE")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := watch(ctx, os.Args[1], os.Args[2])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "quiet:", err)
		os.Exit(1)
	}
}

// watch runs the check in a namespace, or without one where the system does not allow it.
func watch(ctx context.Context, program, voice string) error {
	if insideNamespace() {
		packets, err := isolate()
		if err != nil {
			fmt.Fprintln(os.Stderr, "quiet:", err)
			os.Exit(notIsolated)
		}
		return check(ctx, program, voice, packets)
	}
	err := runInNamespace(ctx)
	if !errors.Is(err, errNotIsolated) {
		return err
	}
	_, _ = fmt.Fprintf(os.Stdout, "quiet: %v; the addresses are read from strace instead\n", err)
	return check(ctx, program, voice, nil)
}

// check lets the program work and reports what it should not have done. packets is nil without a namespace.
func check(ctx context.Context, program, voice string, packets *packetLog) (err error) {
	work, err := os.MkdirTemp("", "quiet-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	p := &probe{program: program, dir: work}
	for _, dir := range []string{p.home(), p.temp()} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
	}
	if err := p.speak(ctx, voice); err != nil {
		return err
	}
	calls, err := readTrace(p.trace())
	if err != nil {
		return err
	}
	faults := slices.Concat(calls.strangeChildren(), p.strangeFiles())
	if packets != nil {
		faults = append(faults, packets.seen()...)
	} else {
		faults = append(faults, calls.addresses...)
	}
	if more := len(faults) - maxFaults; more > 0 {
		faults = append(faults[:maxFaults], fmt.Sprintf("and %d more", more))
	}
	if len(faults) > 0 {
		return fmt.Errorf("the program was not quiet:\n  %s", strings.Join(faults, "\n  "))
	}
	_, err = fmt.Fprintf(os.Stdout, "quiet: it spoke, and in %s nothing left the machine; it started %s\n",
		watched, strings.Join(calls.children, ", "))
	return err
}

// probe is the program at work in folders of its own.
type probe struct{ program, dir string }

func (p *probe) home() string  { return filepath.Join(p.dir, "home") }
func (p *probe) temp() string  { return filepath.Join(p.dir, "tmp") }
func (p *probe) trace() string { return filepath.Join(p.dir, "trace") }

func (p *probe) command(ctx context.Context, before []string, args ...string) *exec.Cmd {
	args = slices.Concat(before, []string{p.program, "--data", filepath.Join(p.dir, "data")}, args)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:forbidigo // its environment is the point
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home(), "LANG=C.UTF-8", "TMPDIR=" + p.temp()}
	cmd.Stderr = os.Stderr
	return cmd
}

// speak serves under strace, imports the voice, speaks with it, waits, and stops the server.
func (p *probe) speak(ctx context.Context, voice string) (err error) {
	server := p.command(ctx, []string{"strace", "-f", "-qq", "-o", p.trace(), "-e", "trace=execve,connect,sendto,sendmsg,sendmmsg"},
		"serve", "--addr", "127.0.0.1:0")
	out, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	server.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	server.Cancel = func() error { return syscall.Kill(-server.Process.Pid, syscall.SIGKILL) }
	if err := server.Start(); err != nil {
		return fmt.Errorf("start the program under strace (run: build/setup --trace): %w", err)
	}
	lines := bufio.NewReader(out)
	defer func() {
		// The signal goes to the group: strace leaves it to the program that it follows.
		_ = syscall.Kill(-server.Process.Pid, syscall.SIGTERM)
		_, _ = io.Copy(io.Discard, lines)
		err = errors.Join(err, server.Wait())
	}()
	if _, err := lines.ReadString('\n'); err != nil {
		return fmt.Errorf("the server did not start: %w", err)
	}
	for _, args := range [][]string{
		{"models", "import", voice, "--name", "quiet"},
		{"say", "Nothing that is said here leaves this machine.", "--voice", "quiet:", "-o", filepath.Join(p.dir, "said.wav")},
	} {
		if said, err := p.command(ctx, nil, args...).Output(); err != nil {
			return fmt.Errorf("%s: %w\n%s", args[0], err, said)
		}
	}
	select {
	case <-time.After(watched):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// strangeFiles lists what lies in the home directory and the one for temporary files.
func (p *probe) strangeFiles() []string {
	var found []string
	for _, dir := range []string{p.home(), p.temp()} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if path != dir {
				rest, _ := filepath.Rel(p.dir, path)
				found = append(found, "file "+rest)
			}
			return err
		})
		if err != nil {
			found = append(found, err.Error())
		}
	}
	return found
}
