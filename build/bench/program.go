package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// programRows is the package of rows that the built program has.
const programRows = "program"

// The names of those rows.
const (
	firstStart = "Program/first-start"
	ready      = "Program/ready"
	idle       = "Program/idle"
	idleOwn    = "Program/idle-own"
	size       = "Program/size"
	sizeWindow = "Program/size-window"
)

// The programs, as make builds them.
const (
	programPath = "bin/voicewright"
	windowPath  = "bin/voicewright-desktop"
)

// program measures the size of the programs, how long serve takes until it listens, and its memory when idle.
func (m *measurement) program(ctx context.Context, rows []row) {
	m.sizes(ctx, rows)
	if runtime.GOOS != "linux" {
		for _, name := range []string{firstStart, ready, idle, idleOwn} {
			m.miss(programRows, name, "only on Linux")
		}
		return
	}
	for range m.runs {
		if err := m.startTwice(ctx); err != nil {
			m.fail(fmt.Errorf("start %s: %w", programPath, err))
			return
		}
	}
}

// packages are the files of packages, as make package names them.
var packages = map[string]string{
	"Program/deb": "voicewright_*_amd64.deb", "Program/deb-window": "voicewright-desktop_*_amd64.deb",
	"Program/archive": "voicewright-*-linux-x64.tar.xz", "Program/installer": "voicewright-*-windows-x64-setup.exe",
}

func (m *measurement) sizes(ctx context.Context, rows []row) {
	for _, r := range rows {
		if pattern := packages[r.name]; pattern != "" {
			m.packageSize(r.name, pattern)
		}
		path := map[string]string{size: programPath, sizeWindow: windowPath}[r.name]
		if path == "" {
			continue
		}
		info, err := os.Stat(filepath.Join(m.root, path))
		switch {
		case err != nil:
			m.miss(programRows, r.name, path+" is not built")
		case path != programPath && m.version(ctx, path) != m.version(ctx, programPath):
			m.miss(programRows, r.name, path+" is of another version than "+programPath)
		default:
			m.add(programRows, r.name, "MB", float64(info.Size())/1e6)
		}
	}
}

// packageSize measures the only package whose name matches a pattern.
func (m *measurement) packageSize(name, pattern string) {
	found, _ := filepath.Glob(filepath.Join(m.root, "dist", pattern)) // fails for invalid patterns only
	if len(found) == 0 {
		m.miss(programRows, name, "`make package` has not made one")
		return
	}
	if len(found) > 1 {
		m.miss(programRows, name, "dist/ has several")
		return
	}
	info, err := os.Stat(found[0])
	if err != nil {
		m.fail(err)
		return
	}
	m.add(programRows, name, "MB", float64(info.Size())/1e6)
}

// version returns what a program says of itself.
func (m *measurement) version(ctx context.Context, path string) string {
	cmd := exec.CommandContext(ctx, filepath.Join(m.root, path), "version") //nolint:forbidigo // what is measured
	out, err := cmd.Output()
	if err != nil {
		return err.Error()
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return first
}

// startTwice starts serve in a new folder, reads its memory when nothing of the start is running any more, and starts it again.
func (m *measurement) startTwice(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	first, err := m.serve(ctx, dir)
	if err != nil {
		return err
	}
	m.add(programRows, firstStart, "ms", first.ready)
	select {
	case <-ctx.Done():
	case <-time.After(2 * time.Second):
	}
	memory, err := memoryMB(first.process, "VmRSS")
	own, errOwn := memoryMB(first.process, "RssAnon")
	if err := errors.Join(err, errOwn, first.stop()); err != nil {
		return err
	}
	m.add(programRows, idle, "MB", memory)
	m.add(programRows, idleOwn, "MB", own)
	again, err := m.serve(ctx, dir)
	if err != nil {
		return err
	}
	m.add(programRows, ready, "ms", again.ready)
	return again.stop()
}

// server is a program that listens.
type server struct {
	process *exec.Cmd
	ready   float64 // milliseconds from the start until it listened
}

func (m *measurement) serve(ctx context.Context, dir string) (server, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(m.root, programPath), //nolint:forbidigo // what is measured
		"--data", filepath.Join(dir, "library"), "serve", "--addr", "127.0.0.1:0")
	cmd.Dir, cmd.Stderr = dir, m.problems
	out, err := cmd.StdoutPipe()
	if err != nil {
		return server{}, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return server{}, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	s := server{process: cmd, ready: float64(time.Since(began).Microseconds()) / 1000}
	if err != nil || !strings.HasPrefix(line, "listening on ") {
		return s, errors.Join(fmt.Errorf("it did not say that it listens: %q", line), err, s.stop())
	}
	return s, nil
}

// stop ends the program as a service manager does, and waits for it.
func (s server) stop() error {
	err := s.process.Process.Signal(syscall.SIGTERM)
	var exit *exec.ExitError
	if waited := s.process.Wait(); waited != nil && !errors.As(waited, &exit) {
		err = errors.Join(err, waited)
	}
	return err
}

// memoryMB returns a kind of memory of a process, by its name in the file status.
func memoryMB(cmd *exec.Cmd, kind string) (float64, error) {
	status := text("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/status")
	kilobytes, err := strconv.ParseFloat(strings.TrimSuffix(field(status, kind), " kB"), 64)
	return kilobytes * 1024 / 1e6, err
}
