//go:build linux

// Package sound starts a PulseAudio server for tests, with two outputs whose monitors are microphones. It uses nothing of the
// system's or the user's sound settings.
package sound

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// The outputs of a server, and their monitors, which are its microphones. Microphone is the default.
const (
	Output          = "first"
	Microphone      = Output + ".monitor"
	OtherOutput     = "second"
	OtherMicrophone = OtherOutput + ".monitor"
)

// HasCard reports whether this machine has a microphone of its own, which programs find without a server.
func HasCard() bool {
	cards, err := os.ReadFile("/proc/asound/pcm")
	return err == nil && strings.Contains(string(cards), "capture")
}

// Server is a running PulseAudio server.
type Server struct {
	dir    string
	cancel context.CancelFunc
	ended  chan error
}

// Start starts a server whose files are in dir, and returns when it accepts connections. It must be closed.
func Start(ctx context.Context, dir string) (*Server, error) {
	if err := os.MkdirAll(filepath.Join(dir, "pulse"), 0o700); err != nil {
		return nil, err
	}
	s := &Server{dir: dir, ended: make(chan error, 1)}
	ctx, s.cancel = context.WithCancel(ctx)
	args := []string{"-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disable-shm=yes"}
	for _, module := range []string{
		"module-native-protocol-unix auth-anonymous=1 socket=" + s.Socket(),
		output(Output, "Test", "rate=48000 channels=1"),
		output(OtherOutput, "Other", "rate=44100 channels=2"),
	} {
		args = append(args, "-L", module)
	}
	cmd := exec.CommandContext(ctx, "pulseaudio", args...) //nolint:forbidigo // it needs an environment of its own
	cmd.Env = append(s.Env(), "PATH="+os.Getenv("PATH"), "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent")
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var messages strings.Builder
	cmd.Stderr = &messages
	if err := cmd.Start(); err != nil {
		s.cancel()
		return nil, fmt.Errorf("start PulseAudio (run: build/setup --sound): %w", err)
	}
	go func() { s.ended <- cmd.Wait() }()
	for {
		_, err := s.Control(ctx, "set-default-source", Microphone)
		if err == nil {
			return s, nil
		}
		select {
		case e := <-s.ended:
			s.ended <- e
			return nil, errors.Join(fmt.Errorf("the server ended: %w: %s", err, messages.String()), s.Close())
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), s.Close())
		default: // not ready yet: pactl took its time to find out
		}
	}
}

func output(name, description, format string) string {
	return fmt.Sprintf("module-null-sink sink_name=%s sink_properties=device.description=%s %s", name, description, format)
}

// Socket returns the path of the server's socket.
func (s *Server) Socket() string { return filepath.Join(s.dir, "pulse", "native") }

// Env returns the environment with which programs find the server as they find that of a session.
func (s *Server) Env() []string { return []string{"XDG_RUNTIME_DIR=" + s.dir, "HOME=" + s.dir} }

// Control runs pactl and returns its output.
func (s *Server) Control(ctx context.Context, args ...string) (string, error) {
	return s.run(ctx, "pactl", args)
}

// Play plays a file on an output and returns at its end.
func (s *Server) Play(ctx context.Context, output, path string) error {
	_, err := s.run(ctx, "paplay", []string{"--device=" + output, path})
	return err
}

// Unplug removes an output with its microphone.
func (s *Server) Unplug(ctx context.Context, output string) error {
	list, err := s.Control(ctx, "list", "short", "modules")
	if err != nil {
		return err
	}
	for line := range strings.Lines(list) {
		if number, module, _ := strings.Cut(line, "\t"); strings.Contains(module, "sink_name="+output+" ") {
			_, err := s.Control(ctx, "unload-module", number)
			return err
		}
	}
	return fmt.Errorf("no output %s in: %s", output, list)
}

func (s *Server) run(ctx context.Context, name string, args []string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...) //nolint:forbidigo // it needs an environment of its own
	cmd.Env = append(s.Env(), "PATH="+os.Getenv("PATH"), "PULSE_SERVER=unix:"+s.Socket(), "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %v: %w: %s", name, args, err, out)
	}
	return string(out), nil
}

// Close ends the server.
func (s *Server) Close() error {
	s.cancel()
	var exit *exec.ExitError
	if err := <-s.ended; err != nil && !errors.As(err, &exit) && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
