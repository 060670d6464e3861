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
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// recorded puts programs on PATH that write their environment to a file before they do their work, and returns a person
// who has them and a way to read what they wrote.
func recorded(t *testing.T, p *person, programs ...string) (*person, func(program string) string) {
	t.Helper()
	dir, records := t.TempDir(), t.TempDir()
	for _, name := range programs {
		work := "exit 0"
		if real, err := exec.LookPath(name); err == nil {
			work = "exec " + real + ` "$@"`
		}
		record := filepath.Join(records, name)
		script := "#!/bin/sh\n/usr/bin/env >>" + record + "\n" + work + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700))
	}
	return p.with("PATH=" + dir + ":" + os.Getenv("PATH")), func(program string) string {
		raw, err := os.ReadFile(filepath.Join(records, program))
		require.NoError(t, err, "%s was not started", program)
		return string(raw)
	}
}

func TestChildrenGetNoTokens(t *testing.T) {
	p := newPerson(t)
	p, environment := recorded(t, p, "espeak-ng", "ffmpeg", "pdftotext", "pw-play")
	p = p.with("VOICEWRIGHT_TOKEN=first-secret", "HF_TOKEN=second-secret", "HUGGING_FACE_HUB_TOKEN=third-secret", "DISPLAY=:7")
	p.does("say", "Hello.", "-o", "hello.mp3", "--play")
	s := p.serve()
	require.Equal(t, "first-secret", s.token)
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", "a.pdf")
	require.NoError(t, err)
	_, err = part.Write([]byte("%PDF-1.4\n"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	s.ask("POST", "/text/extract", form.String(), "Content-Type: "+w.FormDataContentType())
	for _, program := range []string{"espeak-ng", "ffmpeg", "pdftotext", "pw-play"} {
		require.NotContains(t, environment(program), "secret", program)
		require.Contains(t, environment(program), "PATH=", program)
	}
	require.Contains(t, environment("pw-play"), "DISPLAY=:7", "a program of the desktop")
	require.NotContains(t, environment("ffmpeg"), "DISPLAY=")
}

// espeak-ng would connect to the sound server of the desktop at each call, and leave files in the home directory.
func TestEspeakLeavesNoFiles(t *testing.T) {
	p := newPerson(t)
	home, temp := t.TempDir(), t.TempDir()
	p.with("HOME="+home, "TMPDIR="+temp).does("say", "Hello.", "-o", "hello.wav")
	for _, dir := range []string{home, temp} {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, entries)
	}
}

func TestHelpShowsNoToken(t *testing.T) {
	p := newPerson(t).with("VOICEWRIGHT_TOKEN=first-secret")
	require.NotContains(t, p.does("serve", "--help"), "first-secret")
	require.Equal(t, "first-secret", p.serve().token)
	require.Equal(t, "other", p.with("VOICEWRIGHT_DATA_DIR="+t.TempDir()).serve("--token", "other").token)
}

// TestHangupEndsChildren closes the terminal while a child works.
func TestHangupEndsChildren(t *testing.T) {
	p := newPerson(t)
	dir := t.TempDir()
	started := filepath.Join(dir, "started")
	script := "#!/bin/sh\ncase \"$*\" in *--stdout*) echo $$ >" + started + ".new; mv " + started + ".new " + started +
		"; exec sleep 600;; esac\nexec " + look(t, "espeak-ng") + " \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "espeak-ng"), []byte(script), 0o700))
	r := p.with("PATH="+dir+":"+os.Getenv("PATH")).start("say", "Hello.", "-o", "hello.wav")
	var pid int
	require.Eventually(t, func() bool {
		raw, err := os.ReadFile(started)
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(raw)))
		return err == nil
	}, patience, 5*time.Millisecond)
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
	require.Equal(t, interrupted, r.signal(syscall.SIGHUP))
	require.Eventually(t, func() bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }, patience, 5*time.Millisecond)
}

// TestNohup has a server that was told to survive the terminal.
func TestNohup(t *testing.T) {
	p := newPerson(t)
	cmd := exec.CommandContext(context.Background(), "/bin/sh", "-c", `trap '' HUP; exec "$0" serve --addr 127.0.0.1:0`, binary)
	s := p.begin(cmd).listening()
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGHUP))
	status, _ := s.ask("GET", "/health", "")
	require.Equal(t, 200, status)
	require.Equal(t, done, s.signal(syscall.SIGTERM))
}

func look(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	require.NoError(t, err)
	return path
}

func TestOutputKeepsTheUmask(t *testing.T) {
	p := newPerson(t)
	for umask, mode := range map[string]fs.FileMode{"077": 0o600, "022": 0o644, "002": 0o664} {
		for _, name := range []string{"hello.wav", "hello.mp3"} {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			cmd := exec.CommandContext(ctx, "/bin/sh", "-c", "umask "+umask+`; exec "$0" say Hello. -o `+umask+name, binary)
			cmd.Dir, cmd.Env = p.dir, p.env
			said, err := cmd.CombinedOutput()
			cancel()
			require.NoError(t, err, string(said))
			require.Equal(t, mode, perm(t, filepath.Join(p.dir, umask+name)), umask)
		}
	}
}

func perm(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Mode().Perm()
}

// TestDataIsPrivate has a data directory that everyone may write, with a token that somebody put there.
func TestDataIsPrivate(t *testing.T) {
	p := newPerson(t)
	require.NoError(t, os.Mkdir(p.data, 0o700))
	require.NoError(t, os.Chmod(p.data, 0o777))
	planted := filepath.Join(p.data, "token")
	require.NoError(t, os.WriteFile(planted, []byte("planted\n"), 0o600))
	require.NoError(t, os.Chmod(planted, 0o644))
	s := p.serve()
	require.NotEqual(t, "planted", s.token)
	for _, format := range []string{"wav", "mp3"} {
		status, body := s.ask("POST", "/generate", `{"profile_id":"`+s.profile()+`","text":"Hello.","format":"`+format+`"}`)
		require.Equal(t, 200, status, body)
	}
	require.Equal(t, done, s.signal(syscall.SIGTERM))
	require.Equal(t, s.token, p.serve().token, "the new one is kept")
	require.NoError(t, filepath.WalkDir(p.data, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		if path == p.data || !d.IsDir() {
			require.Zero(t, perm(t, path)&0o077, path)
		}
		return nil
	}))
}

// TestDoctorWarnsOfAnOpenDataDirectory: a folder with other things in it keeps its mode, and the user learns of it.
func TestDoctorWarnsOfAnOpenDataDirectory(t *testing.T) {
	p := newPerson(t)
	require.NoError(t, os.Mkdir(p.data, 0o700))
	write(t, filepath.Join(p.data, "notes.txt"), "Not ours.")
	require.Contains(t, p.does("doctor"), "ok       privacy")
	require.NoError(t, os.Chmod(p.data, 0o777))
	require.Regexp(t, "(?m)^warning  privacy .*Other users of this machine can write to .* chmod 700 "+p.data, p.does("doctor"))
}
