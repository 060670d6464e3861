package main_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestHostedPage runs the commands of docs/hosted.md, in one shell, with both programs: the app signs in to the service, makes a key
// and forwards requests. It compares what they print with the page. With -update it writes that into the page.
func TestHostedPage(t *testing.T) {
	t.Parallel()
	page := filepath.Join(enginetest.Root(t), "docs", "hosted.md")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	parts := splitPage(string(text))
	o := newOperator(t)
	programs := t.TempDir()
	app, err := appProgram()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(app, filepath.Join(programs, "voicewright")))
	require.NoError(t, os.Symlink(binary, filepath.Join(programs, "voicewright-service")))
	o.env = append(o.env, "VOICEWRIGHT_ORT="+o.file("no-runtime", ""), "PATH="+programs+":"+os.Getenv("PATH"), "HF_ENDPOINT=http://127.0.0.1:9", "TZ=UTC")
	service := o.serve("--dev-idp")
	address, stop := o.serveApp(app)
	answers := o.shell(service.url, address, parts)
	stop()
	require.Equal(t, exitDone, service.signal(syscall.SIGTERM))

	written := join(parts, answers, func(answer string) string {
		return shorten(strings.NewReplacer(address, "http://127.0.0.1:7411", o.dir, "/home/ann").Replace(answer), service.url)
	})
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(written), 0o644))
		return
	}
	require.Equal(t, string(text), written, "go test ./app/voicewright-service -run TestHostedPage -update writes the page again")
}

// serveApp starts the app's server, and returns its address and a function that stops it.
func (o *operator) serveApp(app string) (address string, stop func()) {
	o.t.Helper()
	address, process := o.startApp(app)
	return address, func() {
		require.NoError(o.t, process.Process.Signal(syscall.SIGTERM))
		require.NoError(o.t, process.Wait())
	}
}

// startApp starts the app's server, and returns its address and its process, which ends with the test.
func (o *operator) startApp(app string) (address string, process *exec.Cmd) {
	o.t.Helper()
	cmd := exec.CommandContext(o.t.Context(), app, "serve", "--addr", "127.0.0.1:0", "--token", "local")
	cmd.Dir, cmd.Env = o.dir, o.env
	out, err := cmd.StdoutPipe()
	require.NoError(o.t, err)
	require.NoError(o.t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(o.t, err)
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	require.True(o.t, ok, line)
	return address, cmd
}
