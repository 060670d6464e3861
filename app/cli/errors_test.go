package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestPrintError(t *testing.T) {
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
		{"wrong use", nil, usage.Errorf("the flag %s is odd", "--x"), exit.Usage, "The flag --x is odd. See --help."},
		{"wrong use beyond ASCII", nil, usage.Errorf("ähnlich"), exit.Usage, "Ähnlich. See --help."},
		{"wrapped", nil, fmt.Errorf("do it: %w", known), exit.Failed, "It is full. Wait."},
		{"no remedy", nil, backend.E(backend.CodeInternal, "It failed.", ""), exit.Failed, "It failed."},
		{"invalid", nil, backend.Invalid("missing", "Field required", "body", "text"), exit.Usage, "Text: Field required."},
		{"two at once", nil, errors.Join(known, errors.New("close")), exit.Failed, "It is full. Wait."},
		{"unknown command", nil, errors.New(`unknown command "x" for "voicewright"`), exit.Usage, `Unknown command "x" for "voicewright". See --help.`},
		{"plain", nil, errors.New("disk on fire"), exit.Failed, "Disk on fire."},
		{"no server", nil, fmt.Errorf("ask: %w", &net.OpError{Op: "dial", Err: errors.New("refused")}), exit.Failed, "The server is not responding. Restart it with voicewright serve."},
		{"stopped", stopped, known, exit.Interrupted, "Stopped."},
	} {
		t.Run(c.name, func(t *testing.T) {
			var said bytes.Buffer
			ctx := c.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			p := &program{io: Stdio{Err: &said}}
			require.Equal(t, c.code, p.printError(ctx, c.err))
			require.Equal(t, c.said+"\n", said.String())
		})
	}
}

// TestExitCodes is the table of decisions.md section 1.
func TestExitCodes(t *testing.T) {
	for code, want := range map[backend.Code]int{
		backend.CodeProfileNotFound: exit.NotFound, backend.CodeGenerationNotFound: exit.NotFound,
		backend.CodeModelUnknown: exit.NotFound, backend.CodeNotFound: exit.NotFound, backend.CodeAudioMissing: exit.NotFound,
		backend.CodeWordNotFound: exit.NotFound, backend.CodeDraftNotFound: exit.NotFound, backend.CodeScriptNotFound: exit.NotFound,
		backend.CodeNothingToSpeak: exit.Usage, backend.CodeRuntimeMissing: exit.Needed, backend.CodeOffline: exit.Needed,
		backend.CodeLicenseNotAccepted: exit.Needed, backend.CodeHostedNotConfigured: exit.Needed,
		backend.CodeDataDirLocked: exit.Failed, backend.CodeQueueFull: exit.Failed, backend.CodeInternal: exit.Failed,
		backend.CodeDatabaseCorrupt: exit.Failed, backend.CodeAddressInUse: exit.Failed, backend.CodeCancelled: exit.Failed,
		backend.CodeInsufficientDisk: exit.Failed, backend.CodeNotPermitted: exit.Failed,
	} {
		require.Equal(t, want, exit.CodeOf(code), code)
	}
}

// TestInterruptReading stops a command that waits for its text.
func TestInterruptReading(t *testing.T) {
	in, typing := io.Pipe()
	defer func() { require.NoError(t, typing.Close()) }()
	ctx, interrupt := context.WithCancel(t.Context())
	var out, said bytes.Buffer
	code := make(chan int)
	go func() {
		code <- Run(ctx, []string{"say", "-", "--data", t.TempDir()}, Stdio{In: in, Out: &out, Err: &said}, App{})
	}()
	_, err := typing.Write([]byte("Hello")) // it is reading now
	require.NoError(t, err)
	interrupt()
	require.Equal(t, exit.Interrupted, <-code)
	require.Equal(t, "Stopped.\n", said.String())
	require.Empty(t, out.String())
}

// TestFolderErrors holds the reasons why a folder cannot be adopted against those of the page.
func TestFolderErrors(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(enginetest.Root(t), "frontend", "src", "i18n", "en", "models.json"))
	require.NoError(t, err)
	var page struct {
		Move struct {
			Refused map[string]struct{ Title string }
		}
	}
	require.NoError(t, json.Unmarshal(raw, &page))
	for reason, text := range folderErrors {
		require.Equal(t, page.Move.Refused[reason].Title, text.title, reason)
	}
}
