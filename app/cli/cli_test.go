package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend/system"
)

// runWith runs a command line with an app, and returns its exit code and output.
func runWith(t *testing.T, app App, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = Run(t.Context(), append(args, "--data", t.TempDir()), Stdio{In: &bytes.Buffer{}, Out: &stdout, Err: &stderr}, app)
	return code, stdout.String(), stderr.String()
}

// TestWindowOrHelp opens the window without a command, and prints the help where there is none.
func TestWindowOrHelp(t *testing.T) {
	for _, installed := range []bool{true, false} {
		app := App{OpenWindow: func(_ context.Context, o Options, _ Stdio) (bool, error) {
			require.NotEmpty(t, o.Data)
			require.Equal(t, "warn", o.LogLevel)
			return installed, nil
		}}
		code, out, errs := runWith(t, app)
		require.Equal(t, exitDone, code, errs)
		require.Equal(t, installed, out == "", out)
		if !installed {
			require.Contains(t, out, "Available Commands:")
		}
	}
}

// TestOpenFiles opens files in the window by their absolute paths.
func TestOpenFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("a text.txt", []byte("Hello."), 0o600))
	var files []string
	app := App{OpenWindow: func(_ context.Context, o Options, _ Stdio) (bool, error) {
		files = o.Files
		return true, nil
	}}
	code, _, errs := runWith(t, app, "a text.txt")
	require.Equal(t, exitDone, code, errs)
	require.Len(t, files, 1)
	require.True(t, filepath.IsAbs(files[0]))
	require.Equal(t, "a text.txt", filepath.Base(files[0]))
	for arg, says := range map[string]string{"sya": `Unknown command "sya"`, "gone.txt": `"gone.txt" is not a file`, "/": `"/" is not a file`} {
		code, _, errs = runWith(t, app, arg)
		require.Equal(t, exitUsage, code)
		require.Contains(t, errs, says)
	}
}

func TestDoctorFailsWhenSomethingIsBroken(t *testing.T) {
	app := App{Examine: func(context.Context, Options) []system.Finding {
		return []system.Finding{{Name: "database", Level: system.Broken, Detail: "It is damaged.", Remedy: "Restore a backup."}, {Name: "server", Level: system.OK}}
	}}
	code, out, errs := runWith(t, app, "doctor")
	require.Equal(t, exitFailed, code)
	require.Contains(t, out, "broken   database         It is damaged. Restore a backup.\n")
	require.Equal(t, "1 of 2 checks failed.\n", errs)
}

// TestServePrintsItsAddress passes the flags on, and prints the lines that other programs read.
func TestServePrintsItsAddress(t *testing.T) {
	app := App{Serve: func(_ context.Context, _ Options, s ServeOptions, ready func(client.Address) error) error {
		require.True(t, s.AddrGiven)
		require.Equal(t, "127.0.0.1:0", s.Addr)
		require.Equal(t, []string{"https://a.example", "https://b.example"}, s.AllowOrigins)
		s.Warn("Warning: a test.")
		return ready(client.Address{URL: "http://127.0.0.1:7411", Token: "secret"})
	}}
	code, out, errs := runWith(t, app, "serve", "--addr", "127.0.0.1:0", "--allow-origin", "https://a.example,https://b.example")
	require.Equal(t, exitDone, code, errs)
	require.Equal(t, "listening on http://127.0.0.1:7411\nopen http://127.0.0.1:7411/#token=secret\n", out)
	require.Equal(t, "Warning: a test.\n", errs)
}
