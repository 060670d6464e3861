//go:build linux

// Quiet checks that the built program connects to nothing: it serves, imports a voice and a transcription model, generates and
// transcribes speech, records and dictates from the microphone of a sound server on this machine, and is watched for some time.
// It runs in a network namespace whose routes and nameserver are all its own loopback, and no packet may leave. No file may
// appear in the home directory or the one for temporary files. No process may be started except those in allowedChildren. It has
// an API key of a hosted service, in its encrypted file, and may open neither the service nor the keychain. Its environment is
// PATH, HOME, LANG, TMPDIR, XDG_RUNTIME_DIR and DBUS_SESSION_BUS_ADDRESS: on build servers, libraries send no telemetry.
//
//	go run ./build/quiet PROGRAM VOICE LISTENER
//
// VOICE is a folder for `models import`, LISTENER a compressed model of Whisper. Where namespaces are not allowed, it prints
// that, and reads the addresses that the program connects to from strace instead.
package main

import (
	"bufio"
	"compress/gzip"
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

// watchTime is how long the program is watched after it has generated speech: the telemetry of the library connects about
// every 10 s.
const watchTime = 30 * time.Second

// maxFaults is how many faults are printed.
const maxFaults = 30

// allowedChildren are the programs that ours may start.
var allowedChildren = []string{"espeak-ng", "ffmpeg"}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: quiet PROGRAM VOICE LISTENER")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := watch(ctx, os.Args[1], models{os.Args[2], os.Args[3]})
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "quiet:", err)
		os.Exit(1)
	}
}

// watch runs the check in a namespace, or without one where the system does not allow it.
func watch(ctx context.Context, program string, from models) error {
	if insideNamespace() {
		packets, err := isolate()
		if err != nil {
			fmt.Fprintln(os.Stderr, "quiet:", err)
			os.Exit(notIsolated)
		}
		return check(ctx, program, from, packets)
	}
	err := runInNamespace(ctx)
	if !errors.Is(err, errNotIsolated) {
		return err
	}
	_, _ = fmt.Fprintf(os.Stdout, "quiet: %v; the addresses are read from strace instead\n", err)
	return check(ctx, program, from, nil)
}

// check runs the program and returns its faults as an error. packets is nil without a namespace.
func check(ctx context.Context, program string, from models, packets *packetLog) (err error) {
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
	if err := p.use(ctx, from); err != nil {
		return err
	}
	calls, err := readTrace(p.trace())
	if err != nil {
		return err
	}
	faults := slices.Concat(calls.unexpectedChildren(), calls.buses, p.unexpectedFiles())
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
	_, err = fmt.Fprintf(os.Stdout, "quiet: it generated and transcribed speech, recorded and dictated, and in %s nothing left the "+
		"machine; it started %s\n",
		watchTime, strings.Join(calls.children, ", "))
	return err
}

// models are what the program imports: a folder with a voice, and a compressed model of Whisper.
type models struct{ voice, listener string }

// probe runs the program in temporary folders.
type probe struct{ program, dir string }

func (p *probe) home() string  { return filepath.Join(p.dir, "home") }
func (p *probe) temp() string  { return filepath.Join(p.dir, "tmp") }
func (p *probe) trace() string { return filepath.Join(p.dir, "trace") }
func (p *probe) data() string  { return filepath.Join(p.dir, "data") }
func (p *probe) sound() string { return filepath.Join(p.dir, "sound") }

func (p *probe) command(ctx context.Context, before []string, args ...string) *exec.Cmd {
	args = slices.Concat(before, []string{p.program, "--data", p.data()}, args)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:forbidigo // it needs a minimal environment
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.home(), "LANG=C.UTF-8", "TMPDIR=" + p.temp(), "XDG_RUNTIME_DIR=" + p.sound(),
		"DBUS_SESSION_BUS_ADDRESS=unix:path=" + filepath.Join(p.dir, sessionBus),
	}
	cmd.Stderr = os.Stderr
	return cmd
}

// use stores an API key for a hosted service, and runs the server under strace: it imports the voice, generates speech with it,
// records, waits, and stops the server.
func (p *probe) use(ctx context.Context, from models) (err error) {
	if err := p.storeKey(ctx); err != nil {
		return fmt.Errorf("store an API key: %w", err)
	}
	url, stop, err := p.serve(ctx, "strace", "-f", "-qq", "-o", p.trace(), "-e", "trace=execve,connect,sendto,sendmsg,sendmmsg")
	if err != nil {
		return fmt.Errorf("start the program under strace (run: build/setup --trace): %w", err)
	}
	defer func() { err = errors.Join(err, stop()) }()
	speech, listener := filepath.Join(p.dir, "speech.wav"), filepath.Join(p.dir, "listener.bin")
	if err := unpack(from.listener, listener); err != nil {
		return fmt.Errorf("unpack the transcription model: %w", err)
	}
	for _, args := range [][]string{
		{"models", "import", from.voice, "--name", "quiet"},
		{"models", "import", listener, "--engine", "whisper", "--name", "listener"},
		{"say", "No word of this leaves the machine.", "--voice", "quiet:", "-o", speech},
		{"transcribe", speech, "--model", "listener"},
	} {
		if output, err := p.command(ctx, nil, args...).Output(); err != nil {
			return fmt.Errorf("%s: %w\n%s", args[0], err, output)
		}
	}
	if err := p.record(ctx, url); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	select {
	case <-time.After(watchTime):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// serve starts the server, by another program if before names one, and returns its address and a function that stops it.
func (p *probe) serve(ctx context.Context, before ...string) (url string, stop func() error, err error) {
	server := p.command(ctx, before, "serve", "--addr", "127.0.0.1:0")
	out, err := server.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	server.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	server.Cancel = func() error { return syscall.Kill(-server.Process.Pid, syscall.SIGKILL) }
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	lines := bufio.NewReader(out)
	stop = func() error {
		// The signal goes to the process group: strace does not end by it before its program does.
		_ = syscall.Kill(-server.Process.Pid, syscall.SIGTERM)
		_, _ = io.Copy(io.Discard, lines)
		return server.Wait()
	}
	line, err := lines.ReadString('\n')
	if err != nil {
		return "", nil, fmt.Errorf("the server did not start: %w", errors.Join(err, stop()))
	}
	return strings.TrimSpace(strings.TrimPrefix(line, "listening on ")), stop, nil
}

// unpack writes a file that gzip compressed.
func unpack(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	content, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	all, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	return os.WriteFile(to, all, 0o600)
}

// unexpectedFiles returns the files in the home directory and the one for temporary files.
func (p *probe) unexpectedFiles() []string {
	var findings []string
	for _, dir := range []string{p.home(), p.temp()} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if path != dir {
				relative, _ := filepath.Rel(p.dir, path)
				findings = append(findings, "file "+relative)
			}
			return err
		})
		if err != nil {
			findings = append(findings, err.Error())
		}
	}
	return findings
}
