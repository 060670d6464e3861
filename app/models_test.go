package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines/enginetest"
)

const (
	lessac = "piper-en_US-lessac-medium"
	graph  = "en/en_US/lessac/medium/en_US-lessac-medium.onnx"
	toyID  = "acme/toys"
)

// toySize is the size of a model that is long enough to be stopped.
const toySize = 40_000_000

// model gives a model of the list, nil when there is none of this name.
func (p *person) model(name string) object {
	p.t.Helper()
	for _, m := range p.json("models", "list")["models"].([]any) {
		if m.(object)["model_name"] == name {
			return m.(object)
		}
	}
	return nil
}

// withHub gives a person a hub at which the voice lessac is the fixture whose sound spells what it was fed, and a model of
// the user's own: a long one, under a licence that must be accepted.
func withHub(t *testing.T) (*person, *hubtest.Server) {
	t.Helper()
	files := map[string]hubtest.Content{}
	for suffix, name := range map[string]string{"": ".onnx", ".json": ".onnx.json"} {
		raw, err := os.ReadFile(filepath.Join("testdata", "en_US-tone-medium", "en_US-tone-medium"+name))
		require.NoError(t, err)
		files[graph+suffix] = hubtest.Bytes(raw)
	}
	files["en/en_US/lessac/medium/MODEL_CARD"] = hubtest.Bytes([]byte("License: CC0"))
	server := hubtest.Start(
		hubtest.Repo{ID: registry.PiperRepo, Files: files},
		hubtest.Repo{ID: toyID, Files: map[string]hubtest.Content{"toy.onnx": hubtest.Zeros(toySize)}},
	)
	t.Cleanup(server.Close)
	p := newPerson(t)
	require.NoError(t, os.Mkdir(p.data, 0o700))
	raw, err := registry.Format([]registry.Entry{toy(server)})
	require.NoError(t, err)
	write(t, filepath.Join(p.data, "models.json"), string(raw))
	return p.with("HF_ENDPOINT=" + server.URL()), server
}

func toy(server *hubtest.Server) registry.Entry {
	return registry.Entry{
		Name: "toy", DisplayName: "Toy", Engine: "piper", Family: registry.Speech, Languages: []string{"en"}, SampleRate: 22050,
		License: registry.License{Name: "Toy Licence", URL: "https://example.com/toy-licence", AcceptRequired: true},
		Voices:  []registry.Voice{{ID: "0", Name: "Toy", Language: "en"}},
		Variants: []registry.Variant{{Name: "big", MemoryMB: 100, Files: []registry.File{{
			Repo: toyID, Revision: hubtest.CommitOf(toyID), Path: "toy.onnx", Bytes: toySize, SHA256: server.SHA256(toyID, "toy.onnx"),
			Role: "graph", Pinned: true,
		}}}},
	}
}

// slow makes the long model take a few seconds.
func slow(server *hubtest.Server) {
	server.Storage("toy.onnx", hubtest.Always, hubtest.Slow(400_000, 3*time.Millisecond))
}

func TestModelsDownload(t *testing.T) {
	p, server := withHub(t)
	require.Regexp(t, "(?m)^"+lessac+" +piper +en-US +1 +64 MB +not installed", p.does("models", "list"))
	o := p.run("models", "download", lessac)
	require.Equal(t, done, o.code, o.err)
	require.Contains(t, o.out, lessac+" is installed")
	require.Contains(t, o.out, "voicewright say --voice "+lessac+":")
	require.Contains(t, o.err, "Downloading "+lessac+": ", "plain lines where there is no terminal")
	require.Contains(t, o.err, "Downloading "+lessac+": complete")
	require.Regexp(t, "(?m)^"+lessac+" .* installed", p.does("models", "list"))
	before := len(server.Requests(""))
	require.Equal(t, true, p.json("models", "download", lessac)["downloaded"])
	require.Len(t, server.Requests(""), before, "what is here is not asked for again")
	require.Contains(t, p.does("models", "verify", lessac), lessac+" is intact: 3 files")
	require.Equal(t, true, p.json("models", "verify", lessac)["ok"])

	require.Contains(t, p.does("models", "rm", lessac), "is deleted. Freed 1 MB.")
	require.Equal(t, false, p.model(lessac)["downloaded"])
	require.Equal(t, false, p.json("models", "rm", lessac, "--force")["downloaded"])
	p.fails(notFound, []string{"There is no model"}, "models", "download", "none")
	p.fails(notFound, []string{"There is no model"}, "models", "rm", "none")
	p.fails(notFound, []string{"There is no model"}, "models", "verify", "none")
	p.fails(failed, []string{"not downloaded"}, "models", "verify", lessac)
	p.fails(wrongUse, []string{"needs: NAME"}, "models", "download")
}

func TestModelsVerifyFindsDamage(t *testing.T) {
	p, _ := withHub(t)
	p.does("models", "download", lessac)
	blobs, err := filepath.Glob(filepath.Join(p.data, "models", "models--rhasspy--piper-voices", "blobs", "*"))
	require.NoError(t, err)
	require.Len(t, blobs, 3)
	for _, blob := range blobs {
		raw, err := os.ReadFile(blob)
		require.NoError(t, err)
		raw[len(raw)/2] ^= 1
		require.NoError(t, os.Chmod(blob, 0o600))
		require.NoError(t, os.WriteFile(blob, raw, 0o600))
	}
	p.fails(failed, nil, "models", "verify", lessac)
	o := p.run("models", "verify", lessac, "--json")
	require.Equal(t, failed, o.code)
	p.does("models", "download", lessac)
	require.Equal(t, true, p.json("models", "verify", lessac)["ok"])
}

// TestFirstSayDownloads speaks with a model that is not here.
func TestFirstSayDownloads(t *testing.T) {
	p, server := withHub(t)
	o := p.run("say", "Hello.", "--voice", lessac+":0", "-o", "a.wav")
	require.Equal(t, done, o.code, o.err)
	require.Contains(t, o.err, "Downloading "+lessac+": complete")
	require.Contains(t, o.err, "Generating: complete")
	runs, err := enginetest.DecodeTones(p.sound("a.wav").Samples, 256)
	require.NoError(t, err)
	require.Len(t, runs, 1)
	before := len(server.Requests(""))
	p.does("say", "Hello.", "--profile", "Lessac", "-o", "b.wav")
	require.Equal(t, p.sound("a.wav"), p.sound("b.wav"), "the preset profile of the voice")
	require.Len(t, server.Requests(""), before)
	p.does("models", "rm", lessac)
	require.Contains(t, p.run("say", "Hello.", "--profile", "Lessac", "-o", "c.wav").err, "Downloading "+lessac)
}

func TestOfflineModels(t *testing.T) {
	p, server := withHub(t)
	offline := p.with("HF_HUB_OFFLINE=1")
	offline.fails(needed, []string{"offline"}, "models", "download", lessac)
	offline.fails(needed, []string{"offline"}, "say", "Hello.", "--voice", lessac+":0")
	offline.does("say", "Hello.", "-o", "a.wav")
	require.Empty(t, server.Requests(""))
	p.does("models", "download", lessac)
	offline.does("say", "Hello.", "--voice", lessac+":0", "-o", "b.wav")

	s := p.serve("--offline")
	status, body := s.ask("GET", "/models/catalogue", "")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, body, `"offline"`)
	before := len(server.Requests(""))
	p.fails(needed, []string{"offline"}, "models", "download", "piper-de_DE-thorsten-medium")
	require.Len(t, server.Requests(""), before)
	require.Equal(t, done, s.signal(syscall.SIGTERM))
}

// TestOfflineBySetting turns the network off and on while the program runs, and finds it off after the start.
func TestOfflineBySetting(t *testing.T) {
	p, server := withHub(t)
	s := p.serve()
	turn := func(on string) {
		status, body := s.ask("PUT", "/settings", `{"network.offline":`+on+`}`)
		require.Equal(t, http.StatusOK, status, body)
		_, body = s.ask("GET", "/system", "")
		require.Contains(t, body, `"offline":`+on)
	}
	turn("true")
	p.fails(needed, []string{"offline"}, "models", "download", lessac)
	require.Contains(t, p.does("doctor"), "offline mode is on")
	require.Equal(t, done, s.signal(syscall.SIGTERM))
	require.Contains(t, p.does("doctor"), "offline mode is on")
	p.fails(needed, []string{"offline"}, "models", "download", lessac)
	require.Empty(t, server.Requests(""))
	s = p.serve()
	turn("false")
	p.does("models", "download", lessac)
	require.Equal(t, done, s.signal(syscall.SIGTERM))
}

func TestUnreachableHub(t *testing.T) {
	p := newPerson(t).with("HF_ENDPOINT=hub.example")
	p.does("models", "list")
	p.does("say", "Hello.", "-o", "a.wav")
	p.fails(failed, []string{"HF_ENDPOINT"}, "models", "download", lessac)
}

func TestLicence(t *testing.T) {
	p, server := withHub(t)
	require.Regexp(t, `(?m)^toy .*Toy Licence \(not accepted\)`, p.does("models", "list"))
	for _, args := range [][]string{
		{"models", "download", "toy"}, {"say", "Hello.", "--voice", "toy:0"}, {"models", "verify", "toy", "--speak"},
	} {
		p.fails(needed, []string{"Toy Licence", "https://example.com/toy-licence", "models download toy --yes"}, args...)
	}
	require.Empty(t, server.Requests("toy.onnx"))
	require.Empty(t, p.history())
	p.does("models", "download", "toy", "--yes")
	require.Regexp(t, `(?m)^toy .*Toy Licence \(accepted\)`, p.does("models", "list"))
	p.does("models", "rm", "toy")
	p.does("models", "download", "toy")
}

// stalled lets the hub give the bytes of the long model up to one of them and then no more. fetched reports whether they are
// on the disk, open counts the downloads that wait for more.
func (p *person) stalled(server *hubtest.Server, most int64) (fetched func() bool, open *atomic.Int64) {
	open = &atomic.Int64{}
	server.Heal()
	server.Storage("toy.onnx", hubtest.Always, hubtest.Stall(most))
	server.Storage("toy.onnx", hubtest.Always, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			open.Add(1)
			defer open.Add(-1)
			next.ServeHTTP(w, r)
		})
	})
	return func() bool {
		parts, _ := filepath.Glob(filepath.Join(p.data, "models", "models--acme--toys", "blobs", "*.resume.incomplete"))
		if len(parts) != 1 {
			return false
		}
		info, err := os.Stat(parts[0])
		return err == nil && info.Size() == most
	}, open
}

// TestDownloadKilled kills the program in the middle of a download and starts it again: nothing is fetched twice.
func TestDownloadKilled(t *testing.T) {
	p, server := withHub(t)
	for _, most := range []int64{10_000_000, 20_000_000, 30_000_000} {
		fetched, _ := p.stalled(server, most)
		r := p.start("models", "download", "toy", "--yes")
		require.Eventually(t, fetched, patience, 5*time.Millisecond)
		require.Equal(t, -1, r.signal(syscall.SIGKILL))
		require.Equal(t, false, p.model("toy")["downloaded"], "what is not whole is not there")
	}
	require.Regexp(t, `(?m)^toy .* [0-9]+ MB downloaded`, p.does("models", "list"))
	server.Heal()
	o := p.run("models", "download", "toy")
	require.Equal(t, done, o.code, o.err)
	require.Contains(t, o.err, "Downloading toy: complete")
	require.EqualValues(t, toySize, server.Bytes("toy.onnx"))
	p.does("models", "verify", "toy")
}

// TestInterruptDownload stops in the middle: what was fetched is kept.
func TestInterruptDownload(t *testing.T) {
	for name, serve := range map[string]bool{"alone": false, "with a server": true} {
		t.Run(name, func(t *testing.T) {
			p, hub := withHub(t)
			fetched, open := p.stalled(hub, toySize/2)
			var s *server
			if serve {
				s = p.serve()
				defer func() { require.Equal(t, done, s.signal(syscall.SIGTERM), s.err.String()) }()
			}
			r := p.start("models", "download", "toy", "--yes")
			require.Eventually(t, fetched, patience, 5*time.Millisecond)
			require.Equal(t, interrupted, r.signal(syscall.SIGINT), r.err.String())
			require.Contains(t, r.err.String(), "Stopped.\n")
			require.Empty(t, r.out.String())
			require.Eventually(t, func() bool { return open.Load() == 0 }, patience, 5*time.Millisecond, "nobody waits for more")
			hub.Heal()
			if serve {
				now := s.events("/models/progress/toy")
				require.True(t, now.Scan())
				require.Contains(t, now.Text(), `"status":"paused"`)
			}
			require.EqualValues(t, toySize/2, hub.Bytes("toy.onnx"), "nobody goes on")
			p.does("models", "download", "toy")
			require.EqualValues(t, toySize, hub.Bytes("toy.onnx"), "nothing is fetched twice")
		})
	}
}

func TestLoadNeedsAServer(t *testing.T) {
	p, _ := withHub(t)
	p.fails(wrongUse, []string{"No server is running", "voicewright serve"}, "models", "load", lessac)
	p.fails(wrongUse, []string{"No server is running"}, "models", "unload", lessac)
	s := p.serve()
	p.fails(failed, []string{"not downloaded"}, "models", "load", lessac)
	p.fails(notFound, []string{"There is no model"}, "models", "load", "none")
	p.does("models", "download", lessac)
	require.Contains(t, p.does("models", "load", lessac), lessac+" is loaded: ")
	require.Regexp(t, "(?m)^"+lessac+" .* loaded +[1-9][0-9]*x1 ", p.does("models", "list"))
	require.Equal(t, true, p.json("models", "load", lessac, "--force")["loaded"])
	require.Contains(t, p.does("models", "unload", lessac), lessac+" is unloaded. Freed ")
	require.Equal(t, false, p.json("models", "unload", lessac, "--force")["loaded"])
	require.Equal(t, done, s.signal(syscall.SIGTERM))
}

// TestAcceptance runs what a user with a network would run for each model, with the fixture in its place.
func TestAcceptance(t *testing.T) {
	p, _ := withHub(t)
	o := p.run("models", "verify", lessac, "--speak")
	require.Equal(t, done, o.code, o.out+o.err)
	require.Contains(t, o.err, "Downloading "+lessac)
	require.Regexp(t, `(?m)^LANGUAGE +VOICE +CHARACTERS +SECONDS +RTF +LEVEL +AUDIBLE +RESULT$`, o.out)
	require.Regexp(t, `(?m)^en-US +0 +[0-9]+ +[0-9.]+ +[0-9.]+ +-[0-9.]+ dB +[0-9]+% +OK$`, o.out)
	require.Contains(t, o.out, "WER: not measured (no transcription engine in this build)\n")
	a := p.json("models", "verify", lessac, "--speak")
	require.Equal(t, true, a["ok"])
	require.Empty(t, a["skipped"])
	trial := a["trials"].([]any)[0].(object)
	require.Greater(t, trial["characters"], 50.0)
	require.Greater(t, trial["rtf"], 0.0)
	require.Empty(t, p.history(), "nothing of it stays")
	p.fails(wrongUse, []string{"only transcribes"}, "models", "verify", "whisper-tiny", "--speak")
}

// TestModelsSetting keeps models where the setting says; the flag wins.
func TestModelsSetting(t *testing.T) {
	p, _ := withHub(t)
	s := p.serve()
	to := filepath.Join(t.TempDir(), "models")
	status, body := s.ask("PUT", "/models/directory", fmt.Sprintf(`{"path":%q}`, to))
	require.Equal(t, http.StatusOK, status, body)
	_, body = s.ask("GET", "/system", "")
	require.Equal(t, to, parse(t, body)["paths"].(object)["models"])
	p.does("models", "download", lessac)
	require.Equal(t, done, s.signal(syscall.SIGTERM))
	require.DirExists(t, filepath.Join(to, "models--rhasspy--piper-voices"))
	require.Equal(t, true, p.model(lessac)["downloaded"], "also after a restart")
	require.Contains(t, p.does("doctor"), to+" can be written", "the doctor looks where the models are")
	other := t.TempDir()
	require.Equal(t, false, p.with("VOICEWRIGHT_MODELS_DIR=" + other).model(lessac)["downloaded"])

	given := p.serve("--models", other)
	status, body = given.ask("PUT", "/models/directory", fmt.Sprintf(`{"path":%q}`, filepath.Join(t.TempDir(), "x")))
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Contains(t, body, "VOICEWRIGHT_MODELS_DIR")
	_, body = given.ask("GET", "/models/directory", "")
	require.Equal(t, other, parse(t, body)["path"])
	require.Equal(t, done, given.signal(syscall.SIGTERM))
}

// TestSharedCache uses a file that another program has in the user's standard cache.
func TestSharedCache(t *testing.T) {
	p, server := withHub(t)
	home := t.TempDir()
	p.with("VOICEWRIGHT_MODELS_DIR="+filepath.Join(home, "hub")).does("models", "download", "toy", "--yes")
	fetched := server.Bytes("toy.onnx")
	p.with("HF_HOME="+home).does("models", "download", "toy")
	require.Equal(t, fetched, server.Bytes("toy.onnx"), "it is not fetched again")
}

// TestOwnModelsAppear adds a model to the list of a running server.
func TestOwnModelsAppear(t *testing.T) {
	p, server := withHub(t)
	s := p.serve()
	entry := toy(server)
	entry.Name = "toy-2"
	raw, err := json.Marshal(entry)
	require.NoError(t, err)
	status, body := s.ask("POST", "/models/register", string(raw))
	require.Equal(t, http.StatusCreated, status, body)
	require.True(t, strings.HasPrefix(p.model("toy-2")["repo_id"].(string), "acme/"))
	require.Equal(t, done, s.signal(syscall.SIGTERM))
	require.NotNil(t, p.model("toy-2"))
}

// TestImportFillsAModel gives a model of the list its files from a folder, with and without the right content.
func TestImportFillsAModel(t *testing.T) {
	p, server := withHub(t)
	folder := t.TempDir()
	write(t, filepath.Join(folder, "toy.onnx"), "something else")
	p.fails(failed, []string{"toy.onnx"}, "models", "import", folder, "--name", "toy")
	require.Equal(t, false, p.model("toy")["downloaded"])
	write(t, filepath.Join(folder, "toy.onnx"), strings.Repeat("\x00", toySize))
	require.Contains(t, p.does("models", "import", folder, "--name", "toy"), "Imported toy")
	require.Equal(t, true, p.model("toy")["downloaded"])
	require.Empty(t, server.Requests("toy.onnx"))
}

// TestDoctorAsksTheHub tells whether models can be downloaded.
func TestDoctorAsksTheHub(t *testing.T) {
	p, server := withHub(t)
	require.Contains(t, p.does("doctor"), server.URL()+" is reachable")
	before := len(server.Requests(""))
	require.Contains(t, p.with("HF_HUB_OFFLINE=1").does("doctor"), "offline mode is on")
	require.Len(t, server.Requests(""), before)
	alone := p.with("HF_ENDPOINT=http://127.0.0.1:9").run("doctor")
	require.Equal(t, done, alone.code, "the main job can be done without it")
	require.Regexp(t, `warning  model hub .*127\.0\.0\.1:9.*network`, alone.out)
}
