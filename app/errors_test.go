package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func TestExplain(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	known := backend.E(backend.CodeQueueFull, "It is full.", "Wait.")
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		code int
		said string
	}{
		{"wrong use", nil, usage("the flag %s is odd", "--x"), exitUsage, "The flag --x is odd. See --help."},
		{"wrong use beyond ASCII", nil, usage("ähnlich"), exitUsage, "Ähnlich. See --help."},
		{"wrapped", nil, fmt.Errorf("do it: %w", known), exitFailed, "It is full. Wait."},
		{"no remedy", nil, backend.E(backend.CodeInternal, "It failed.", ""), exitFailed, "It failed."},
		{"invalid", nil, backend.Invalid("missing", "Field required", "body", "text"), exitUsage, "Text: Field required."},
		{"two at once", nil, errors.Join(known, errors.New("close")), exitFailed, "It is full. Wait."},
		{"unknown command", nil, errors.New(`unknown command "x" for "voicewright"`), exitUsage, `Unknown command "x" for "voicewright". See --help.`},
		{"plain", nil, errors.New("disk on fire"), exitFailed, "Disk on fire."},
		{"no server", nil, fmt.Errorf("ask: %w", &net.OpError{Op: "dial", Err: errors.New("refused")}), exitFailed, "The server does not answer. Start it again with voicewright serve."},
		{"stopped", stopped, known, exitInterrupted, "Stopped."},
	} {
		t.Run(c.name, func(t *testing.T) {
			var said bytes.Buffer
			ctx := c.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			p := &program{io: Stdio{Err: &said}}
			require.Equal(t, c.code, p.explain(ctx, c.err))
			require.Equal(t, c.said+"\n", said.String())
		})
	}
}

// TestExitCodes is the table of decisions.md section 1.
func TestExitCodes(t *testing.T) {
	for code, want := range map[backend.Code]int{
		backend.CodeProfileNotFound: exitNotFound, backend.CodeGenerationNotFound: exitNotFound,
		backend.CodeModelUnknown: exitNotFound, backend.CodeNotFound: exitNotFound, backend.CodeAudioMissing: exitNotFound,
		backend.CodeWordNotFound: exitNotFound, backend.CodeDraftNotFound: exitNotFound, backend.CodeScriptNotFound: exitNotFound,
		backend.CodeNothingToSpeak: exitUsage, backend.CodeRuntimeMissing: exitNeeded, backend.CodeOffline: exitNeeded,
		backend.CodeLicenseNotAccepted: exitNeeded, backend.CodeHostedNotConfigured: exitNeeded,
		backend.CodeDataDirLocked: exitFailed, backend.CodeQueueFull: exitFailed, backend.CodeInternal: exitFailed,
		backend.CodeDatabaseCorrupt: exitFailed, backend.CodeAddressInUse: exitFailed, backend.CodeCancelled: exitFailed,
		backend.CodeInsufficientDisk: exitFailed, backend.CodeNotPermitted: exitFailed,
	} {
		require.Equal(t, want, exitCode(code), code)
	}
}

// TestProblemOf reads the errors of the API, and what is none.
func TestProblemOf(t *testing.T) {
	read := func(body string) error {
		return problemOf(&http.Response{Status: "500 Oops", Body: io.NopCloser(strings.NewReader(body))})
	}
	err := read(`{"detail":"It failed.","code":"engine_failed","remedy":"Retry.","params":{"stage":"speak"},"generation_id":"g"}`)
	var known *backend.Error
	require.ErrorAs(t, err, &known)
	require.Equal(t, backend.CodeEngineFailed, known.Code)
	require.Equal(t, map[string]any{"stage": "speak", "generation_id": "g"}, known.Params)
	var invalid *backend.ValidationError
	require.ErrorAs(t, read(`{"detail":[{"loc":["body","text"],"msg":"m","type":"missing"}]}`), &invalid)
	require.Equal(t, []string{"body", "text"}, invalid.Fields[0].Loc)
	for _, body := range []string{"", "<html>", "{}", `{"detail":5}`, `[]`} {
		require.ErrorAs(t, read(body), &known, body)
		require.Equal(t, "The server answered 500 Oops.", known.Detail)
	}
	require.ErrorIs(t, problemOf(&http.Response{Body: io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF))}), io.ErrUnexpectedEOF)
}

func TestSystemLanguage(t *testing.T) {
	for _, c := range []struct{ all, messages, lang, want string }{
		{"", "", "", "en"},
		{"", "", "C", "en"},
		{"", "", "C.UTF-8", "en"},
		{"", "", "POSIX", "en"},
		{"", "", "de_DE.UTF-8", "de-DE"},
		{"", "", "pt_BR", "pt-BR"},
		{"", "fr_FR.UTF-8", "de_DE.UTF-8", "fr-FR"},
		{"C", "fr_FR.UTF-8", "de_DE.UTF-8", "en"},
		{"es", "", "de_DE", "es"},
		{"", "", "ca_ES@valencia", "ca-ES"},
		{"", "", "de_DE.ISO-8859-15@euro", "de-DE"},
		{"", "", "xx_YY.UTF-8", "en"}, // nothing that the built-in voice speaks
		{"", "", "not a locale", "en"},
	} {
		t.Setenv("LC_ALL", c.all)
		t.Setenv("LC_MESSAGES", c.messages)
		t.Setenv("LANG", c.lang)
		require.Equal(t, c.want, Config{}.builtInLanguage(), c)
	}
}

func TestLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "data")
	lock, err := lockDir(dir)
	require.NoError(t, err)
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	_, err = lockDir(dir)
	require.Equal(t, backend.CodeDataDirLocked, backend.CodeOf(err))
	require.NoError(t, lock.release())
	lock, err = lockDir(dir)
	require.NoError(t, err)
	require.NoError(t, lock.release())
	require.NoError(t, (*dirLock)(nil).release())

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, dir := range []string{file, filepath.Join(file, "data")} {
		_, err = lockDir(dir)
		require.Equal(t, backend.CodeNotPermitted, backend.CodeOf(err), dir)
	}
}

// TestAnnounce writes the address for others of the same user only, and finds no server where none answers.
func TestAnnounce(t *testing.T) {
	dir := t.TempDir()
	_, ok := serverOf(t.Context(), dir)
	require.False(t, ok)
	require.NoError(t, announce(dir, address{URL: "http://127.0.0.1:1", Token: "secret"}))
	info, err := os.Stat(addressFile(dir))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	raw, err := os.ReadFile(addressFile(dir))
	require.NoError(t, err)
	var a address
	require.NoError(t, json.Unmarshal(raw, &a))
	require.Equal(t, address{URL: "http://127.0.0.1:1", Token: "secret"}, a)
	_, ok = serverOf(t.Context(), dir)
	require.False(t, ok, "nothing listens there")
	require.NoError(t, os.WriteFile(addressFile(dir), []byte("{"), 0o600))
	_, ok = serverOf(t.Context(), dir)
	require.False(t, ok)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "no temporary file stays")
}

// TestTokenIsMadeOnce keeps the first token, and makes one anew only where the file is empty.
func TestTokenIsMadeOnce(t *testing.T) {
	dir := t.TempDir()
	first, err := serverToken(dir, serveFlags{})
	require.NoError(t, err)
	require.Len(t, first, 43)
	again, err := serverToken(dir, serveFlags{})
	require.NoError(t, err)
	require.Equal(t, first, again)
	given, err := serverToken(dir, serveFlags{token: "given"})
	require.NoError(t, err)
	require.Equal(t, "given", given)
	none, err := serverToken(dir, serveFlags{token: "given", noToken: true})
	require.NoError(t, err)
	require.Empty(t, none)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "token"), []byte("\n"), 0o600))
	other, err := serverToken(dir, serveFlags{})
	require.NoError(t, err)
	require.NotEqual(t, first, other)
	require.Len(t, other, 43)
}

// TestInterruptReading stops a command that waits for its text.
func TestInterruptReading(t *testing.T) {
	in, typing := io.Pipe()
	defer func() { require.NoError(t, typing.Close()) }()
	ctx, interrupt := context.WithCancel(t.Context())
	var out, said bytes.Buffer
	code := make(chan int)
	go func() {
		code <- Main(ctx, []string{"say", "-", "--data", t.TempDir()}, Stdio{In: in, Out: &out, Err: &said})
	}()
	_, err := typing.Write([]byte("Hello")) // it is reading now
	require.NoError(t, err)
	interrupt()
	require.Equal(t, exitInterrupted, <-code)
	require.Equal(t, "Stopped.\n", said.String())
	require.Empty(t, out.String())
}
