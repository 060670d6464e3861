package app_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
)

// newInstalledWithHub returns a user with the stand-in for espeak-ng and with the hub of newUserWithHub.
func newInstalledWithHub(t *testing.T) (*user, *hubtest.Server) {
	t.Helper()
	u, server := newUserWithHub(t)
	return u.withEnv(standInPath(t)...), server
}

// TestAnySystemDownload interrupts a download by Ctrl-C, a crash and a lost connection; it goes on where it stopped.
func TestAnySystemDownload(t *testing.T) {
	t.Parallel()
	u, server := newInstalledWithHub(t)
	for i, end := range []syscall.Signal{syscall.SIGINT, syscall.SIGKILL} {
		fetched, _ := u.stallDownload(server, int64(i+1)*10_000_000)
		r := u.start("models", "download", "toy", "--yes")
		require.Eventually(t, fetched, testTimeout, 5*time.Millisecond)
		if code := r.signal(end); end == syscall.SIGINT {
			require.Equal(t, exitInterrupted, code, r.err.String())
			require.Contains(t, r.err.String(), "Stopped.")
		}
		require.Equal(t, false, u.model("toy")["downloaded"], "an incomplete model is not installed")
	}
	require.Regexp(t, `(?m)^toy .* [0-9]+ MB downloaded`, u.mustRun("models", "list"))
	server.Heal()
	server.Storage("toy.onnx", 1, hubtest.Cut(30_000_000))
	u.mustRun("models", "download", "toy")
	require.EqualValues(t, toySize, server.Bytes("toy.onnx"), "nothing is downloaded twice")
	u.mustRun("models", "verify", "toy")
	u.mustRun("models", "rm", "toy")
	require.Equal(t, false, u.model("toy")["downloaded"])
}

// TestAnySystemCacheWithoutLinks downloads and uses a model where no symbolic links can be made, which is usual on Windows, and
// lets another installation adopt the folder.
func TestAnySystemCacheWithoutLinks(t *testing.T) {
	t.Parallel()
	u, server := newInstalledWithHub(t)
	if !programtest.IsWindows() {
		u = u.withEnv("HF_HUB_DISABLE_SYMLINKS=1")
	}
	const text = "No links."
	u.mustRun("say", text, "--voice", lessac+":0", "-o", "a.wav")
	u.requireSpoken(text, "a.wav")
	u.mustRun("models", "verify", lessac)
	models := filepath.Join(u.data, "models")
	var files int
	require.NoError(t, filepath.WalkDir(models, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		require.Zero(t, d.Type()&fs.ModeSymlink, path)
		if in, err := filepath.Match(filepath.Join(models, "*", "snapshots", "*"), path); err == nil && in {
			require.FileExists(t, filepath.Join(path, filepath.FromSlash(graph)), "where other programs look for it")
			files++
		}
		return nil
	}))
	require.Equal(t, 1, files)

	before := len(server.Requests(""))
	cache := filepath.Join(u.dir, "Cache für alle")
	require.NoError(t, os.CopyFS(cache, os.DirFS(models)))
	u.mustRun("models", "rm", lessac)
	require.Equal(t, false, u.model(lessac)["downloaded"])
	u.mustRun("models", "adopt", programtest.Path(cache))
	u.mustRun("say", text, "--voice", lessac+":0", "-o", "b.wav")
	require.Equal(t, u.readWAV("a.wav"), u.readWAV("b.wav"))
	require.Len(t, server.Requests(""), before, "nothing is downloaded again")
}

// TestAnySystemHeldModel deletes a model while a virus scanner has a file of it open.
func TestAnySystemHeldModel(t *testing.T) {
	t.Parallel()
	u, _ := newInstalledWithHub(t)
	u.mustRun("models", "download", lessac)
	found, err := filepath.Glob(filepath.Join(u.data, "models", "models--*", "snapshots", "*", filepath.FromSlash(graph)))
	require.NoError(t, err)
	require.Len(t, found, 1)
	u.held(found[0], "models", "verify", lessac)
	release := u.hold(found[0])
	o := u.run("models", "rm", lessac)
	release()
	if o.code != exitDone {
		require.Contains(t, o.err, "Another program is using ")
		u.mustRun("models", "rm", lessac)
	}
	require.Equal(t, false, u.model(lessac)["downloaded"])
	u.mustRun("models", "download", lessac)
	u.mustRun("models", "verify", lessac)
}
