package main_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"
)

// objectKeys are the keys of an object store, as a file has them. They must appear nowhere.
const objectKeys = "aws_access_key_id = AKIAOFTHETEST\naws_secret_access_key = wJalrOfTheTest\n"

// objectStore starts an object store with a bucket and returns what lists its content, and the address for --files.
func objectStore(t *testing.T) (names func() []string, address string) {
	t.Helper()
	content := s3mem.New()
	require.NoError(t, content.CreateBucket("team-audio"))
	server := httptest.NewServer(gofakes3.New(content).Server())
	t.Cleanup(server.Close)
	return func() (names []string) {
		list, err := content.ListBucket("team-audio", nil, gofakes3.ListBucketPage{})
		require.NoError(t, err)
		for _, object := range list.Contents {
			names = append(names, object.Key)
		}
		return names
	}, "s3://team-audio/voice?endpoint=" + server.URL
}

// TestFilesInAnObjectStore: two processes share the audio, and nothing of it is on the disk.
func TestFilesInAnObjectStore(t *testing.T) {
	t.Parallel()
	names, address := objectStore(t)
	l := newLab(t)
	keys := l.file("keys", objectKeys)
	l = &lab{operator: l.withEnv("VOICEWRIGHT_SERVICE_FILES=" + address), issuer: l.issuer, speech: l.speech}
	one, two := l.serve("--files-credentials", keys), (&lab{operator: l.withEnv("AWS_ACCESS_KEY_ID=AKIAOFTHETEST", "AWS_SECRET_ACCESS_KEY=wJalrOfTheTest")}).serve()
	ann := l.issuer.Token("ann")
	made := one.must("POST", "/api/v1/tts/synthesize", ann, one.synthesis(ann))["url"].(string)
	audio := two.call("GET", strings.Replace(made, one.url, two.url, 1), "", nil)
	require.Equal(t, http.StatusOK, audio.status)
	require.Equal(t, one.call("GET", made, "", nil).text, audio.text)
	require.Equal(t, http.StatusOK, two.call("GET", "/ready", "", nil).status)
	stored := strings.Join(names(), "\n")
	require.Regexp(t, `voice/20\d\d/\d\d/\d\d/`+filepath.Base(made), stored)
	require.NoDirExists(t, filepath.Join(l.data, "files"))

	require.Contains(t, l.mustRun("account", "delete", "ann", "--yes", "--files-credentials", keys), "1 audio file.")
	require.NotContains(t, strings.Join(names(), "\n"), filepath.Base(made))
	require.Equal(t, http.StatusGone, one.call("GET", made, "", nil).status)
	for _, r := range []*running{one, two} {
		require.Equal(t, exitDone, r.signal(syscall.SIGTERM), r.err.String())
		require.NotContains(t, r.err.String(), "OFTHETEST")
		require.NotContains(t, r.err.String(), "wJalrOfTheTest")
	}
}

// TestAnObjectStoreThatIsDown: nothing is ready, and nothing is charged.
func TestAnObjectStoreThatIsDown(t *testing.T) {
	t.Parallel()
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	l := newLab(t)
	r := l.serve("--files", "s3://team-audio/voice?endpoint="+down.URL, "--files-credentials", l.file("keys", objectKeys))
	ann := l.issuer.Token("ann")
	require.Equal(t, http.StatusServiceUnavailable, r.call("GET", "/ready", "", nil).status)
	require.Equal(t, http.StatusServiceUnavailable, r.call("POST", "/api/v1/tts/synthesize", ann, r.synthesis(ann)).status)
	require.InDelta(t, 10_000, r.credits(ann), 0)
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM), r.err.String())
	require.NotContains(t, r.err.String(), "OFTHETEST")
	require.Contains(t, l.mustRun("account", "check"), "1 accounts with 10000 plan")
}

// TestReadableSecrets: one rule for all files with secrets. Other users must not read them; a group may.
func TestReadableSecrets(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	keys, providers := l.file("keys", objectKeys), l.path("providers.yaml")
	for mode, warned := range map[os.FileMode]bool{0o600: false, 0o640: false, 0o604: true} {
		require.NoError(t, os.Chmod(keys, mode))
		require.NoError(t, os.Chmod(providers, mode))
		r := l.serve("--files", "s3://audio/voice?endpoint=http://127.0.0.1:1", "--files-credentials", keys)
		require.NoError(t, r.cmd.Process.Kill())
		<-r.ended
		for _, option := range []string{"--files-credentials", "--providers"} {
			require.Equal(t, warned, strings.Contains(r.err.String(), `chmod 600","option":"`+option+`"`), "%s with mode %o", option, mode)
		}
	}
}
