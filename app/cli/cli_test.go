package cli

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend/exit"
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
		require.Equal(t, exit.Done, code, errs)
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
	require.Equal(t, exit.Done, code, errs)
	require.Len(t, files, 1)
	require.True(t, filepath.IsAbs(files[0]))
	require.Equal(t, "a text.txt", filepath.Base(files[0]))
	for arg, says := range map[string]string{"sya": `Unknown command "sya"`, "gone.txt": `"gone.txt" is not a file`, "/": `"/" is not a file`} {
		code, _, errs = runWith(t, app, arg)
		require.Equal(t, exit.Usage, code)
		require.Contains(t, errs, says)
	}
}

func TestDoctorFailsWhenSomethingIsBroken(t *testing.T) {
	app := App{Examine: func(context.Context, Options) []system.Finding {
		return []system.Finding{{Name: "database", Level: system.Broken, Detail: "It is damaged.", Remedy: "Restore a backup."}, {Name: "server", Level: system.OK}}
	}}
	code, out, errs := runWith(t, app, "doctor")
	require.Equal(t, exit.Failed, code)
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
	require.Equal(t, exit.Done, code, errs)
	require.Equal(t, "listening on http://127.0.0.1:7411\nopen http://127.0.0.1:7411/#token=secret\n", out)
	require.Equal(t, "Warning: a test.\n", errs)
}

// TestArgumentErrors tests what commands say about missing and needless arguments: their name as it is typed, and what they need.
func TestArgumentErrors(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"restore"}, "restore needs a FILE."},
		{[]string{"restore", "a", "b"}, "restore takes only a FILE; put what has blanks in quotes."},
		{[]string{"backup"}, "backup needs a FILE."},
		{[]string{"transcribe"}, "transcribe needs a FILE."},
		{[]string{"say"}, "say needs one TEXT (in quotes), - for standard input, or --file."},
		{[]string{"hosted", "say"}, "hosted say needs one TEXT (in quotes), - for standard input, or --file."},
		{[]string{"history", "export"}, "history export needs an ID."},
		{[]string{"history", "search"}, "history search needs WORDS."},
		{[]string{"models", "import"}, "models import needs a PATH."},
		{[]string{"models"}, "models needs a command."},
		{[]string{"profiles", "rename", "Ann"}, "profiles rename needs a NAME-or-ID and a NEW-NAME."},
		{[]string{"words", "add"}, "words add needs a WORD and a RESPELLING."},
		{[]string{"words", "export", "a.csv", "b.csv"}, "words export takes only a FILE; put what has blanks in quotes."},
		{[]string{"profiles", "list", "now"}, `profiles list takes no argument "now".`},
	} {
		code, out, errs := runWith(t, App{}, c.args...)
		require.Equal(t, exit.Usage, code, c.args)
		require.Empty(t, out)
		require.Equal(t, c.says+" See --help.", lastLine(errs), c.args)
	}
}

// TestWordsAddNotesVoicesAfterwards tests that what the phonemes do not apply to is a note after the success.
func TestWordsAddNotesVoicesAfterwards(t *testing.T) {
	f := newFakeAPI(t)
	f.on("POST /pronunciations", http.StatusOK, object{"word": "nginx", "respelling": "/ɛndʒɪnˈɛks/"})
	var both bytes.Buffer
	require.Equal(t, exit.Done, Run(t.Context(), []string{"words", "add", "nginx", "/ɛndʒɪnˈɛks/", "--data", t.TempDir()},
		Stdio{In: &bytes.Buffer{}, Out: &both, Err: &both}, f.app()))
	require.Equal(t, "nginx will be read as “/ɛndʒɪnˈɛks/”\n"+
		"Note: Supertonic voices do not support phonemes; they read this word as it is written.\n", both.String())
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
