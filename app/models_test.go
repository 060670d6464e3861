package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestModelsDownload(t *testing.T) {
	t.Parallel()
	u, server := newUserWithHub(t)
	require.Regexp(t, "(?m)^"+lessac+" +piper +en-US +1 +64 MB +not installed", u.mustRun("models", "list"))
	o := u.run("models", "download", lessac)
	require.Equal(t, exitDone, o.code, o.err)
	require.Contains(t, o.out, lessac+" is installed")
	require.Contains(t, o.out, "voicewright say --voice "+lessac+":")
	require.Contains(t, o.err, "Downloading "+lessac+": ", "plain lines without a terminal")
	require.Contains(t, o.err, "Downloading "+lessac+": complete")
	require.Regexp(t, "(?m)^"+lessac+" .* installed", u.mustRun("models", "list"))
	before := len(server.Requests(""))
	require.Equal(t, true, u.mustRunJSON("models", "download", lessac)["downloaded"])
	require.Len(t, server.Requests(""), before, "installed files are not requested again")
	require.Contains(t, u.mustRun("models", "verify", lessac), lessac+" is intact: 3 files")
	require.Equal(t, true, u.mustRunJSON("models", "verify", lessac)["ok"])

	require.Contains(t, u.mustRun("models", "rm", lessac), "Deleted "+lessac+". Freed 1 MB.")
	require.Equal(t, false, u.model(lessac)["downloaded"])
	require.Equal(t, false, u.mustRunJSON("models", "rm", lessac, "--force")["downloaded"])
	u.mustFail(exitNotFound, []string{"There is no model"}, "models", "download", "none")
	u.mustFail(exitNotFound, []string{"There is no model"}, "models", "rm", "none")
	u.mustFail(exitNotFound, []string{"There is no model"}, "models", "verify", "none")
	u.mustFail(exitFailed, []string{"not downloaded"}, "models", "verify", lessac)
	u.mustFail(exitUsage, []string{"models download needs a NAME."}, "models", "download")
}

// TestModelsAdopt uses the models of another program's cache, which are then not downloaded again.
func TestModelsAdopt(t *testing.T) {
	t.Parallel()
	u, server := newUserWithHub(t)
	u.mustRun("models", "download", lessac)
	cache := filepath.Join(t.TempDir(), "hub")
	require.NoError(t, os.CopyFS(cache, os.DirFS(filepath.Join(u.data, "models"))))
	u.mustRun("models", "rm", lessac)
	before := len(server.Requests(""))

	require.Equal(t, "Voicewright now uses the models in "+cache+".\n", u.mustRun("models", "adopt", cache))
	require.Equal(t, true, u.model(lessac)["downloaded"])
	u.mustRun("say", "Hello.", "--voice", lessac+":0", "-o", "a.wav")
	require.Len(t, server.Requests(""), before)
	u.mustFail(exitUsage, []string{"This folder has no models.", "Choose a folder that holds models."}, "models", "adopt", t.TempDir())
	u.mustFail(exitUsage, []string{"This folder is inside the current one."}, "models", "adopt", cache)
	u.mustFail(exitNotFound, []string{"The folder ", "none does not exist"}, "models", "adopt", filepath.Join(u.data, "none"))
	u.mustFail(exitUsage, []string{"models adopt needs a FOLDER."}, "models", "adopt")
	u.withEnv("VOICEWRIGHT_MODELS_DIR="+cache).
		mustFail(exitUsage, []string{"The models folder was set when Voicewright started"}, "models", "adopt", cache)
}

func TestModelsVerifyFindsDamage(t *testing.T) {
	t.Parallel()
	u, _ := newUserWithHub(t)
	u.mustRun("models", "download", lessac)
	blobs, err := filepath.Glob(filepath.Join(u.data, "models", "models--rhasspy--piper-voices", "blobs", "*"))
	require.NoError(t, err)
	require.Len(t, blobs, 3)
	for _, blob := range blobs {
		raw, err := os.ReadFile(blob)
		require.NoError(t, err)
		raw[len(raw)/2] ^= 1
		require.NoError(t, os.Chmod(blob, 0o600))
		require.NoError(t, os.WriteFile(blob, raw, 0o600))
	}
	u.mustFail(exitFailed, nil, "models", "verify", lessac)
	o := u.run("models", "verify", lessac, "--json")
	require.Equal(t, exitFailed, o.code)
	u.mustRun("models", "download", lessac)
	require.Equal(t, true, u.mustRunJSON("models", "verify", lessac)["ok"])
}

// TestFirstSayDownloads speaks with a model that is not installed.
func TestFirstSayDownloads(t *testing.T) {
	t.Parallel()
	u, server := newUserWithHub(t)
	o := u.run("say", "Hello.", "--voice", lessac+":0", "-o", "a.wav")
	require.Equal(t, exitDone, o.code, o.err)
	require.Contains(t, o.err, "Downloading "+lessac+": complete")
	require.Contains(t, o.err, "Generating: complete")
	runs, err := enginetest.DecodeTones(u.readWAV("a.wav").Samples, 256)
	require.NoError(t, err)
	require.Len(t, runs, 1)
	before := len(server.Requests(""))
	u.mustRun("say", "Hello.", "--profile", "Lessac", "-o", "b.wav")
	require.Equal(t, u.readWAV("a.wav"), u.readWAV("b.wav"), "the preset profile of the voice")
	require.Len(t, server.Requests(""), before)
	u.mustRun("models", "rm", lessac)
	require.Contains(t, u.run("say", "Hello.", "--profile", "Lessac", "-o", "c.wav").err, "Downloading "+lessac)
}

func TestOfflineModels(t *testing.T) {
	t.Parallel()
	u, server := newUserWithHub(t)
	offline := u.withEnv("HF_HUB_OFFLINE=1")
	offline.mustFail(exitNeeded, []string{"offline"}, "models", "download", lessac)
	offline.mustFail(exitNeeded, []string{"offline"}, "say", "Hello.", "--voice", lessac+":0")
	offline.mustRun("say", "Hello.", "-o", "a.wav")
	require.Empty(t, server.Requests(""))
	u.mustRun("models", "download", lessac)
	offline.mustRun("say", "Hello.", "--voice", lessac+":0", "-o", "b.wav")

	s := u.serve("--offline")
	status, body := s.request("GET", "/models/catalogue", "")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, body, `"offline"`)
	before := len(server.Requests(""))
	u.mustFail(exitNeeded, []string{"offline"}, "models", "download", "piper-de_DE-thorsten-medium")
	require.Len(t, server.Requests(""), before)
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
}

// TestOfflineBySetting switches offline mode on and off while the program runs; it also holds after a restart.
func TestOfflineBySetting(t *testing.T) {
	t.Parallel()
	u, server := newUserWithHub(t)
	s := u.serve()
	turn := func(on string) {
		status, body := s.request("PUT", "/settings", `{"network.offline":`+on+`}`)
		require.Equal(t, http.StatusOK, status, body)
		_, body = s.request("GET", "/system", "")
		require.Contains(t, body, `"offline":`+on)
	}
	turn("true")
	u.mustFail(exitNeeded, []string{"offline"}, "models", "download", lessac)
	require.Contains(t, u.mustRun("doctor"), "offline mode is on")
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
	require.Contains(t, u.mustRun("doctor"), "offline mode is on")
	u.mustFail(exitNeeded, []string{"offline"}, "models", "download", lessac)
	require.Empty(t, server.Requests(""))
	s = u.serve()
	turn("false")
	u.mustRun("models", "download", lessac)
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
}

func TestUnreachableHub(t *testing.T) {
	u := newUser(t).withEnv("HF_ENDPOINT=hub.example")
	u.mustRun("models", "list")
	u.mustRun("say", "Hello.", "-o", "a.wav")
	u.mustFail(exitFailed, []string{"HF_ENDPOINT"}, "models", "download", lessac)
}

func TestLicence(t *testing.T) {
	t.Parallel()
	u, server := newUserWithHub(t)
	require.Regexp(t, `(?m)^toy .*Toy Licence \(not accepted\)`, u.mustRun("models", "list"))
	for _, args := range [][]string{
		{"models", "download", "toy"}, {"say", "Hello.", "--voice", "toy:0"}, {"models", "verify", "toy", "--speak"},
	} {
		u.mustFail(exitNeeded, []string{"Toy Licence", "https://example.com/toy-licence", "models download toy --yes"}, args...)
	}
	require.Empty(t, server.Requests("toy.onnx"))
	require.Empty(t, u.history())
	u.mustRun("models", "download", "toy", "--yes")
	require.Regexp(t, `(?m)^toy .*Toy Licence \(accepted\)`, u.mustRun("models", "list"))
	u.mustRun("models", "rm", "toy")
	u.mustRun("models", "download", "toy")
}

// TestKilledDownload kills the program during a download and starts it again: nothing is downloaded twice.
func TestKilledDownload(t *testing.T) {
	u, server := newUserWithHub(t)
	for _, limit := range []int64{10_000_000, 20_000_000, 30_000_000} {
		fetched, _ := u.stallDownload(server, limit)
		r := u.start("models", "download", "toy", "--yes")
		require.Eventually(t, fetched, testTimeout, 5*time.Millisecond)
		require.Equal(t, -1, r.signal(syscall.SIGKILL))
		require.Equal(t, false, u.model("toy")["downloaded"], "an incomplete model is not installed")
	}
	require.Regexp(t, `(?m)^toy .* [0-9]+ MB downloaded`, u.mustRun("models", "list"))
	server.Heal()
	o := u.run("models", "download", "toy")
	require.Equal(t, exitDone, o.code, o.err)
	require.Contains(t, o.err, "Downloading toy: complete")
	require.EqualValues(t, toySize, server.Bytes("toy.onnx"))
	u.mustRun("models", "verify", "toy")
}

// TestInterruptDownload interrupts a download: the downloaded part is kept.
func TestInterruptDownload(t *testing.T) {
	for name, serve := range map[string]bool{"alone": false, "with a server": true} {
		t.Run(name, func(t *testing.T) {
			u, hub := newUserWithHub(t)
			fetched, open := u.stallDownload(hub, toySize/2)
			var s *server
			if serve {
				s = u.serve()
				defer func() { require.Equal(t, exitDone, s.signal(syscall.SIGTERM), s.err.String()) }()
			}
			r := u.start("models", "download", "toy", "--yes")
			require.Eventually(t, fetched, testTimeout, 5*time.Millisecond)
			require.Equal(t, exitInterrupted, r.signal(syscall.SIGINT), r.err.String())
			require.Contains(t, r.err.String(), "Stopped.\n")
			require.Empty(t, r.out.String())
			require.Eventually(t, func() bool { return open.Load() == 0 }, testTimeout, 5*time.Millisecond, "no download is left open")
			hub.Heal()
			if serve {
				now := s.followEvents("/models/progress/toy")
				require.True(t, now.Scan())
				require.Contains(t, now.Text(), `"status":"paused"`)
			}
			require.EqualValues(t, toySize/2, hub.Bytes("toy.onnx"), "nothing more is downloaded")
			u.mustRun("models", "download", "toy")
			require.EqualValues(t, toySize, hub.Bytes("toy.onnx"), "nothing is downloaded twice")
		})
	}
}

func TestLoadNeedsAServer(t *testing.T) {
	u, _ := newUserWithHub(t)
	u.mustFail(exitUsage, []string{"No server is running", "voicewright serve"}, "models", "load", lessac)
	u.mustFail(exitUsage, []string{"No server is running"}, "models", "unload", lessac)
	s := u.serve()
	u.mustFail(exitFailed, []string{"not downloaded"}, "models", "load", lessac)
	u.mustFail(exitNotFound, []string{"There is no model"}, "models", "load", "none")
	u.mustRun("models", "download", lessac)
	require.Contains(t, u.mustRun("models", "load", lessac), lessac+" is loaded: ")
	require.Regexp(t, "(?m)^"+lessac+" .* loaded +[1-9][0-9]*x1 ", u.mustRun("models", "list"))
	require.Equal(t, true, u.mustRunJSON("models", "load", lessac, "--force")["loaded"])
	require.Contains(t, u.mustRun("models", "unload", lessac), "Unloaded "+lessac+". Freed ")
	require.Equal(t, false, u.mustRunJSON("models", "unload", lessac, "--force")["loaded"])
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
}

// TestSpeechTest runs the speech test of a model, with the fixture in its place.
func TestSpeechTest(t *testing.T) {
	t.Parallel()
	u, _ := newUserWithHub(t)
	o := u.run("models", "verify", lessac, "--speak")
	require.Equal(t, exitDone, o.code, o.out+o.err)
	require.Contains(t, o.err, "Downloading "+lessac)
	require.Regexp(t, `(?m)^LANGUAGE +VOICE +CHARACTERS +SECONDS +RTF +LEVEL +AUDIBLE +RESULT$`, o.out)
	require.Regexp(t, `(?m)^en-US +0 +[0-9]+ +[0-9.]+ +[0-9.]+ +-[0-9.]+ dB +[0-9]+% +OK$`, o.out)
	require.Contains(t, o.out, "WER: not measured (download whisper-base to measure it)\n")
	a := u.mustRunJSON("models", "verify", lessac, "--speak")
	require.Equal(t, true, a["ok"])
	require.Empty(t, a["skipped"])
	trial := a["trials"].([]any)[0].(object)
	require.Greater(t, trial["characters"], 50.0)
	require.Greater(t, trial["rtf"], 0.0)
	require.Empty(t, u.history(), "nothing stays in the history")
	u.mustFail(exitUsage, []string{"does not speak"}, "models", "verify", "whisper-tiny", "--speak")
}

// TestModelsSetting stores models where the setting says. The flag overrides it.
func TestModelsSetting(t *testing.T) {
	t.Parallel()
	u, _ := newUserWithHub(t)
	s := u.serve()
	to := filepath.Join(t.TempDir(), "models")
	status, body := s.request("PUT", "/models/directory", fmt.Sprintf(`{"path":%q}`, to))
	require.Equal(t, http.StatusOK, status, body)
	_, body = s.request("GET", "/system", "")
	require.Equal(t, to, parseJSON(t, body)["paths"].(object)["models"])
	u.mustRun("models", "download", lessac)
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
	require.DirExists(t, filepath.Join(to, "models--rhasspy--piper-voices"))
	require.Equal(t, true, u.model(lessac)["downloaded"], "also after a restart")
	require.Contains(t, u.mustRun("doctor"), to+" can be written", "the doctor checks the current directory")
	other := t.TempDir()
	require.Equal(t, false, u.withEnv("VOICEWRIGHT_MODELS_DIR=" + other).model(lessac)["downloaded"])

	given := u.serve("--models", other)
	status, body = given.request("PUT", "/models/directory", fmt.Sprintf(`{"path":%q}`, filepath.Join(t.TempDir(), "x")))
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Contains(t, body, "VOICEWRIGHT_MODELS_DIR")
	_, body = given.request("GET", "/models/directory", "")
	require.Equal(t, other, parseJSON(t, body)["path"])
	require.Equal(t, exitDone, given.signal(syscall.SIGTERM))
}

// TestSharedCache uses a file of another program in the user's standard cache.
func TestSharedCache(t *testing.T) {
	u, server := newUserWithHub(t)
	home := t.TempDir()
	u.withEnv("VOICEWRIGHT_MODELS_DIR="+filepath.Join(home, "hub")).mustRun("models", "download", "toy", "--yes")
	fetched := server.Bytes("toy.onnx")
	u.withEnv("HF_HOME="+home).mustRun("models", "download", "toy")
	require.Equal(t, fetched, server.Bytes("toy.onnx"), "it is not downloaded again")
}

// TestRegisteredModelIsListed adds a model to the list of a running server.
func TestRegisteredModelIsListed(t *testing.T) {
	u, server := newUserWithHub(t)
	s := u.serve()
	entry := toyModel(server)
	entry.Name = "toy-2"
	raw, err := json.Marshal(entry)
	require.NoError(t, err)
	status, body := s.request("POST", "/models/register", string(raw))
	require.Equal(t, http.StatusCreated, status, body)
	require.True(t, strings.HasPrefix(u.model("toy-2")["repo_id"].(string), "acme/"))
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
	require.NotNil(t, u.model("toy-2"))
}

// TestImportFillsAModel installs a listed model from a folder, with wrong and with right content.
func TestImportFillsAModel(t *testing.T) {
	t.Parallel()
	u, server := newUserWithHub(t)
	folder := t.TempDir()
	write(t, filepath.Join(folder, "toy.onnx"), "something else")
	u.mustFail(exitFailed, []string{"toy.onnx"}, "models", "import", folder, "--name", "toy")
	require.Equal(t, false, u.model("toy")["downloaded"])
	write(t, filepath.Join(folder, "toy.onnx"), strings.Repeat("\x00", toySize))
	require.Contains(t, u.mustRun("models", "import", folder, "--name", "toy"), "Imported toy")
	require.Equal(t, true, u.model("toy")["downloaded"])
	require.Empty(t, server.Requests("toy.onnx"))
}

// TestDoctorChecksTheHub reports whether models can be downloaded.
func TestDoctorChecksTheHub(t *testing.T) {
	u, server := newUserWithHub(t)
	require.Contains(t, u.mustRun("doctor"), server.URL()+" is reachable")
	before := len(server.Requests(""))
	require.Contains(t, u.withEnv("HF_HUB_OFFLINE=1").mustRun("doctor"), "offline mode is on")
	require.Len(t, server.Requests(""), before)
	alone := u.withEnv("HF_ENDPOINT=http://127.0.0.1:9").run("doctor")
	require.Equal(t, exitDone, alone.code, "speech works without it")
	require.Regexp(t, `warning  model hub .*127\.0\.0\.1:9.*network`, alone.out)
}
