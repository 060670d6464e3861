package desktop

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func TestResolveIn(t *testing.T) {
	root := t.TempDir()
	data, models := filepath.Join(root, "data"), filepath.Join(root, "models")
	for _, name := range []string{"data/audio/a.wav", "models/m.onnx", "data-of-others/x", "outside"} {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, nil, 0o600))
	}
	require.NoError(t, os.Symlink(filepath.Join(root, "outside"), filepath.Join(data, "link")))
	for _, name := range []string{"data/audio/a.wav", "models/m.onnx", "data", "data/../models/m.onnx"} {
		got, err := resolveIn(root+"/"+name, data, models, filepath.Join(root, "missing"))
		require.NoError(t, err, name)
		require.FileExists(t, filepath.Join(root, "outside"))
		require.True(t, strings.HasPrefix(got, filepath.Clean(filepath.Dir(data))), name)
	}
	for _, path := range []string{
		"", "data/audio/a.wav", "/etc/passwd", root, root + "/outside", root + "/data/../outside", root + "/data/link",
		root + "/data-of-others/x", root + "/data/missing", root + "/data/\x00",
	} {
		_, err := resolveIn(path, data, models)
		require.Equal(t, backend.CodeNotFound, backend.CodeOf(err), path)
	}
}

func TestRevealers(t *testing.T) {
	linux := revealers("linux", "/home/me/a b,c%#ü.wav", true)
	require.Equal(t, "array:string:file:///home/me/a%20b%2Cc%25%23%C3%BC.wav", linux[0][len(linux[0])-2])
	require.Equal(t, []string{"xdg-open", "/home/me"}, linux[1])
	require.Equal(t, linux[1:], revealers("linux", "/home/me/a b,c%#ü.wav", false), "no session bus, and none is started")
	require.Equal(t, [][]string{{"open", "-R", "/a.wav"}}, revealers("darwin", "/a.wav", false))
	require.Equal(t, [][]string{{"explorer", `/select,C:\a.wav`}}, revealers("windows", `C:\a.wav`, false))
}

// revealSlowly is reveal with a longer timeout, for a busy machine.
func revealSlowly(t *testing.T, system, path string) error {
	t.Helper()
	return revealWithin(t.Context(), system, path, func(program string) time.Duration { return 20 * revealTimeout(program) })
}

// TestReveal has a file manager that fails, one that shows the folder, and one that stays until the user closes it.
func TestReveal(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the programs here are shell scripts")
	}
	programs := t.TempDir()
	t.Setenv("PATH", programs)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
	program := func(name, script string) {
		require.NoError(t, os.WriteFile(filepath.Join(programs, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	}
	err := reveal(t.Context(), "linux", "/data/a.wav")
	require.Equal(t, backend.CodeNotPermitted, backend.CodeOf(err), "no command is installed")
	require.Equal(t, "/data/a.wav", backend.AsError(err).Params["path"])

	seen := filepath.Join(programs, "seen")
	program("xdg-open", `echo "$1" >`+seen)
	require.NoError(t, revealSlowly(t, "linux", "/data/a b.wav"), "no file manager service")
	raw, err := os.ReadFile(seen)
	require.NoError(t, err)
	require.Equal(t, "/data\n", string(raw))

	program("dbus-send", "exit 1")
	program("xdg-open", "exit 3")
	require.Equal(t, backend.CodeNotPermitted, backend.CodeOf(revealSlowly(t, "linux", "/data/a.wav")), "neither works")

	program("open", "exit 0")
	require.NoError(t, revealSlowly(t, "darwin", "/data/a.wav"))
	program("dbus-send", "exit 0")
	require.NoError(t, revealSlowly(t, "linux", "/data/a.wav"), "the service has shown it, so the second command is not run")
}

func TestSessionBus(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", folder)
	require.False(t, sessionBus())
	require.NoError(t, os.WriteFile(filepath.Join(folder, "bus"), nil, 0o600))
	require.True(t, sessionBus())
	t.Setenv("XDG_RUNTIME_DIR", "")
	require.False(t, sessionBus())
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/1/bus")
	require.True(t, sessionBus())
}

// TestCopyCommands checks that a path is never read as a command.
func TestCopyCommands(t *testing.T) {
	const path = `/tmp/a"; do shell script "x`
	for _, system := range []string{"darwin", "windows"} {
		args := copyCommand(system, path)
		for _, arg := range args[1:] {
			require.True(t, arg == path || !strings.Contains(arg, "shell script"), arg)
		}
		require.Equal(t, system == "darwin", args[len(args)-1] == path)
	}
}
