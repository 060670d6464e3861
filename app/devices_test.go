package app_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx/gpu"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// gpuServer is a server whose ONNX Runtime has this GPU, with an imported voice.
type gpuServer struct {
	t       *testing.T
	server  *httptest.Server
	log     backendtest.Log
	profile string
}

func newGPUServer(t *testing.T, fake *onnxtest.GPU) *gpuServer {
	t.Setenv("VOICEWRIGHT_ORT", enginetest.Library(t))
	s := &gpuServer{t: t}
	studio, err := app.Open(t.Context(), app.Config{
		Data: t.TempDir(), BuiltIn: enginetest.NewFixture(enginetest.FixtureOptions{}),
		Log: slog.New(slog.NewTextHandler(&s.log, nil)), Addr: func() net.Addr { return s.server.Listener.Addr() },
		Providers: map[string]gpu.Provider{"cuda": fake},
	})
	require.NoError(t, err)
	s.server = httptest.NewServer(studio.API.Handler())
	t.Cleanup(func() {
		s.server.Close()
		require.NoError(t, studio.Close(context.Background()))
	})
	folder, err := filepath.Abs(filepath.Join("testdata", toneFolder))
	require.NoError(t, err)
	s.call("POST", "/models/import", fmt.Sprintf(`{"path":%q,"name":%q}`, folder, toneModel))
	s.profile = s.call("POST", "/profiles", fmt.Sprintf(`{"name":"Ann","model_name":%q}`, toneModel))["id"].(string)
	return s
}

func (s *gpuServer) call(method, path, body string) object {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.server.URL+path, strings.NewReader(body))
	require.NoError(s.t, err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(s.t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(s.t, err)
	require.Less(s.t, resp.StatusCode, 300, "%s %s: %s", method, path, raw)
	return parseJSON(s.t, string(raw))
}

// speak returns the generation of a text.
func (s *gpuServer) speak() object {
	s.t.Helper()
	g := s.call("POST", "/generate", `{"profile_id":"`+s.profile+`","text":"The kettle is on. It sings.","seed":7}`)
	require.Equal(s.t, "complete", g["status"], g)
	return g
}

// reload loads the voice with this setting.
func (s *gpuServer) reload(device string) object {
	s.t.Helper()
	s.call("PUT", "/settings", `{"speech.device":"`+device+`"}`)
	s.call("POST", "/models/unload", `{"model_name":"`+toneModel+`"}`)
	return s.call("POST", "/models/load", `{"model_name":"`+toneModel+`"}`)
}

func (s *gpuServer) requireWarnings(n int) {
	s.t.Helper()
	require.Equal(s.t, n, strings.Count(s.log.String(), "in place of a GPU"), s.log.String())
}

func TestSpeechOnAGPU(t *testing.T) {
	s := newGPUServer(t, &onnxtest.GPU{})
	onCPU := s.speak()
	require.Equal(t, "cpu", onCPU["receipt"].(object)["device"], "auto takes no GPU that was not measured")
	loaded := s.reload("cuda")
	require.Equal(t, "cuda:0", loaded["device"])
	require.Nil(t, loaded["device_warning"])
	onGPU := s.speak()
	receipt := onGPU["receipt"].(object)
	require.Equal(t, "cuda:0", receipt["device"])
	require.Equal(t, false, receipt["reproducible"])
	require.Equal(t, onCPU["receipt"].(object)["audio_sha256"], receipt["audio_sha256"], "this GPU is the CPU by another name")
	m := s.call("GET", "/models/"+toneModel, "")
	require.Equal(t, "cuda", m["device_requested"])
	require.Equal(t, float64(1), m["shape"].(object)["workers"])
	s.requireWarnings(0)
}

// Whatever is wrong with the GPU, the text is spoken by the CPU, the model says why, and the log once a load.
func TestGPUThatCannotSpeak(t *testing.T) {
	from := func(first int) func(int) error {
		return func(n int) error {
			if n >= first {
				return errors.New("CUDA failure 2: out of memory")
			}
			return nil
		}
	}
	for reason, fake := range map[string]*onnxtest.GPU{
		"missing": {Lacking: true},
		"library": {Broken: errors.New("libcudnn.so.9: cannot open shared object file")},
		"load":    {Fails: from(1)},
		"run":     {Fails: from(2)},
	} {
		t.Run(reason, func(t *testing.T) {
			s := newGPUServer(t, fake)
			want := s.speak()
			loaded := s.reload("cuda")
			if reason == "run" {
				require.Equal(t, "cuda:0", loaded["device"])
			} else {
				require.Equal(t, reason, loaded["device_warning"].(object)["params"].(object)["reason"])
			}
			got := s.speak()
			require.Equal(t, want["duration"], got["duration"])
			require.Equal(t, want["receipt"].(object)["audio_sha256"], got["receipt"].(object)["audio_sha256"])
			s.speak()
			m := s.call("GET", "/models/"+toneModel, "")
			require.Equal(t, "cpu", m["device"])
			require.Equal(t, "cuda", m["device_requested"])
			warning := m["device_warning"].(object)
			require.Equal(t, "unsupported_gpu", warning["code"])
			require.Equal(t, reason, warning["params"].(object)["reason"])
			require.Equal(t, "cuda:0", warning["params"].(object)["device"])
			s.requireWarnings(1)
			require.Nil(t, s.reload("cpu")["device_warning"])
			s.requireWarnings(1)
		})
	}
}

// The settings of devices say what this installation can use.
func TestDeviceChoices(t *testing.T) {
	u := newUser(t)
	s := u.serve()
	families := map[string]bool{}
	for _, c := range s.must("GET", "/system", "", "")["device_choices"].([]any) {
		choice := c.(object)
		families[choice["family"].(string)] = true
		require.Equal(t, false, choice["available"], choice, "the libraries of the tests have no code for a GPU")
		require.Equal(t, "unsupported_gpu", choice["reason"].(object)["code"])
	}
	require.Equal(t, map[string]bool{"speech": true, "transcription": true}, families)
	s.must("PUT", "/settings", `{"speech.device":"cuda"}`, "")
	report := u.run("doctor", "--json")
	require.Contains(t, report.out, choiceReason(t, s))
	u.mustRun("models", "import", filepath.Join(enginetest.Root(t), "app", "testdata", toneFolder), "--name", toneModel)
	require.Contains(t, u.mustRun("models", "load", toneModel), "Warning: This build cannot run models on cuda:0.")
	require.Contains(t, u.mustRun("models", "list"), "\ntone runs on the CPU: This build cannot run models on cuda:0.")
	elsewhere := "directml"
	if runtime.GOOS == "windows" {
		elsewhere = "coreml"
	}
	s.must("PUT", "/settings", `{"speech.device":"auto","transcribe.device":"`+elsewhere+`"}`, "")
	u.mustRun("models", "unload", toneModel)
	require.Contains(t, u.run("doctor").out, "This machine has no GPU for "+elsewhere, "it is of another system")
}

// choiceReason returns why the first device that the settings can name cannot be used.
func choiceReason(t *testing.T, s *server) string {
	t.Helper()
	choice := s.must("GET", "/system", "", "")["device_choices"].([]any)[0].(object)
	return choice["reason"].(object)["detail"].(string)
}
