//go:build unix

package app_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"mime/multipart"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// recordEnvironment puts programs on PATH that write their environment and arguments to a file before they do their work. It
// returns a user who has them, and a function that returns what a program has written.
func recordEnvironment(t *testing.T, u *user, programs ...string) (*user, func(program string) string) {
	t.Helper()
	dir, records := t.TempDir(), t.TempDir()
	for _, name := range programs {
		work := "exit 0"
		if real, err := exec.LookPath(name); err == nil {
			work = "exec " + real + ` "$@"`
		}
		record := filepath.Join(records, name)
		script := "#!/bin/sh\n{ /usr/bin/env; printf '%s\\n' \"$@\"; } >>" + record + "\n" + work + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700))
	}
	return u.withEnv("PATH=" + dir + ":" + os.Getenv("PATH")), func(program string) string {
		raw, err := os.ReadFile(filepath.Join(records, program))
		require.NoError(t, err, "%s was not started", program)
		return string(raw)
	}
}

func TestChildrenGetNoTokens(t *testing.T) {
	u := newUser(t)
	u, environment := recordEnvironment(t, u, "espeak-ng", "ffmpeg", "pdftotext", "pw-play")
	u = u.withEnv("VOICEWRIGHT_TOKEN=first-secret", "HF_TOKEN=second-secret", "HUGGING_FACE_HUB_TOKEN=third-secret", "DISPLAY=:7")
	u.mustRun("say", "Hello.", "-o", "hello.mp3", "--play")
	s := u.serve()
	require.Equal(t, "first-secret", s.token)
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", "a.pdf")
	require.NoError(t, err)
	_, err = part.Write([]byte("%PDF-1.4\n"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	s.request("POST", "/text/extract", form.String(), "Content-Type: "+w.FormDataContentType())
	for _, program := range []string{"espeak-ng", "ffmpeg", "pdftotext", "pw-play"} {
		require.NotContains(t, environment(program), "-secret", program)
		require.Contains(t, environment(program), "PATH=", program)
	}
	require.Contains(t, environment("pw-play"), "DISPLAY=:7", "a desktop program")
	require.NotContains(t, environment("ffmpeg"), "DISPLAY=")
}

// TestEspeakLeavesNoFiles: by itself, espeak-ng connects to the sound server at each call and leaves files in the home directory.
func TestEspeakLeavesNoFiles(t *testing.T) {
	u := newUser(t)
	home, temp := t.TempDir(), t.TempDir()
	u.withEnv("HOME="+home, "TMPDIR="+temp).mustRun("say", "Hello.", "-o", "hello.wav")
	for _, dir := range []string{home, temp} {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, entries)
	}
}

func TestHelpShowsNoToken(t *testing.T) {
	u := newUser(t).withEnv("VOICEWRIGHT_TOKEN=first-secret")
	require.NotContains(t, u.mustRun("serve", "--help"), "first-secret")
	require.Equal(t, "first-secret", u.serve().token)
	require.Equal(t, "other", u.withEnv("VOICEWRIGHT_DATA_DIR="+t.TempDir()).serve("--token", "other").token)
}

// TestHangupEndsChildren closes the terminal while a child process runs.
func TestHangupEndsChildren(t *testing.T) {
	// Tests that nohup runs would pass on that this signal is ignored.
	handled := make(chan os.Signal, 1)
	signal.Notify(handled, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(handled) })
	u := newUser(t)
	dir := t.TempDir()
	started := filepath.Join(dir, "started")
	script := "#!/bin/sh\ncase \"$*\" in *--stdout*) echo $$ >" + started + ".new; mv " + started + ".new " + started +
		"; exec sleep 600;; esac\nexec " + lookPath(t, "espeak-ng") + " \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "espeak-ng"), []byte(script), 0o700))
	r := u.withEnv("PATH="+dir+":"+os.Getenv("PATH")).start("say", "Hello.", "-o", "hello.wav")
	var pid int
	require.Eventually(t, func() bool {
		raw, err := os.ReadFile(started)
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(raw)))
		return err == nil
	}, testTimeout, 5*time.Millisecond)
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
	require.Equal(t, exitInterrupted, r.signal(syscall.SIGHUP))
	require.Eventually(t, func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }, testTimeout, 5*time.Millisecond)
}

// TestNohup has a server that ignores the end of its terminal.
func TestNohup(t *testing.T) {
	u := newUser(t)
	cmd := exec.CommandContext(context.Background(), "/bin/sh", "-c", `trap '' HUP; exec "$0" serve --addr 127.0.0.1:0`, watched)
	s := u.startCommand(cmd).waitForAddress()
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGHUP))
	status, _ := s.request("GET", "/health", "")
	require.Equal(t, 200, status)
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
}

func lookPath(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	require.NoError(t, err)
	return path
}

func TestOutputKeepsTheUmask(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for umask, mode := range map[string]fs.FileMode{"077": 0o600, "022": 0o644, "002": 0o664} {
		for _, name := range []string{"hello.wav", "hello.mp3"} {
			ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
			cmd := exec.CommandContext(ctx, "/bin/sh", "-c", "umask "+umask+`; exec "$0" say Hello. -o `+umask+name, binary)
			cmd.Dir, cmd.Env = u.dir, u.env
			said, err := cmd.CombinedOutput()
			cancel()
			require.NoError(t, err, string(said))
			require.Equal(t, mode, permissions(t, filepath.Join(u.dir, umask+name)), umask)
		}
	}
}

func permissions(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Mode().Perm()
}

// TestDataIsPrivate has a data directory in which everyone may write, with a planted token.
func TestDataIsPrivate(t *testing.T) {
	u := newUser(t)
	require.NoError(t, os.Mkdir(u.data, 0o700))
	require.NoError(t, os.Chmod(u.data, 0o777))
	planted := filepath.Join(u.data, "token")
	require.NoError(t, os.WriteFile(planted, []byte("planted\n"), 0o600))
	require.NoError(t, os.Chmod(planted, 0o644))
	s := u.serve()
	require.NotEqual(t, "planted", s.token)
	for _, format := range []string{"wav", "mp3"} {
		status, body := s.request("POST", "/generate", `{"profile_id":"`+s.firstProfile()+`","text":"Hello.","format":"`+format+`"}`)
		require.Equal(t, 200, status, body)
	}
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
	require.Equal(t, s.token, u.serve().token, "the new one is saved")
	require.NoError(t, filepath.WalkDir(u.data, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		if path == u.data || !d.IsDir() {
			require.Zero(t, permissions(t, path)&0o077, path)
		}
		return nil
	}))
}

// TestDoctorWarnsOfAnOpenDataDirectory: a folder with other files keeps its permissions, and the doctor warns.
func TestDoctorWarnsOfAnOpenDataDirectory(t *testing.T) {
	u := newUser(t)
	require.NoError(t, os.Mkdir(u.data, 0o700))
	write(t, filepath.Join(u.data, "notes.txt"), "Not ours.")
	require.Contains(t, u.mustRun("doctor"), "ok       privacy")
	require.NoError(t, os.Chmod(u.data, 0o777))
	require.Regexp(t, "(?m)^warning  privacy .*Other users of this machine can write to .* chmod 700 "+u.data, u.mustRun("doctor"))
}
