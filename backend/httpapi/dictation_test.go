package httpapi_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/dictation"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/engines"
)

// spoken is a microphone, a model and a text field for one sentence.
type spoken struct {
	engines.Transcriber
	enabled    atomic.Bool
	microphone error
	typed      chan string
}

func (*spoken) Samples() []float32         { return make([]float32, engines.TranscriberRate) }
func (*spoken) Done() <-chan struct{}      { return nil }
func (*spoken) Stop(context.Context) error { return nil }
func (*spoken) Show()                      {}
func (*spoken) Hide()                      {}

func (s *spoken) Insert(_ context.Context, text string) error { s.typed <- text; return nil }
func (s *spoken) Copy(_ context.Context, text string) error   { s.typed <- "copied " + text; return nil }

func (*spoken) Speech(_ context.Context, samples []float32) ([]engines.Span, error) {
	return []engines.Span{{End: len(samples)}}, nil
}

func (*spoken) Transcribe(
	_ context.Context, _ []float32, _ engines.TranscribeOptions, emit func(backend.Segment) error,
) (string, error) {
	return "en", emit(backend.Segment{Text: " Hello there."})
}

func dictate(t *testing.T, s *spoken) func(method, path, body string) (int, map[string]any) {
	t.Helper()
	s.typed = make(chan string, 4)
	service := dictation.New(dictation.Options{
		Preferences: func() dictation.Preferences {
			return dictation.Preferences{Enabled: s.enabled.Load(), Target: dictation.Field}
		},
		Ready:   func(context.Context) error { return nil },
		Capture: func(context.Context, string) (dictation.Capture, error) { return s, s.microphone },
		Transcriber: func(context.Context) (*engines.LoadedTranscriber, error) {
			return &engines.LoadedTranscriber{Transcriber: s, Release: func() {}}, nil
		},
		Speech: s, Typist: s, Indicator: s, Now: func() time.Time { return time.Unix(0, 0) }, Log: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(service.Close)
	r := start(t, func(o *httpapi.Options) { o.Dictation = service })
	return func(method, path, body string) (int, map[string]any) {
		headers := []string{}
		if body != "" {
			headers = append(headers, "Content-Type: application/json")
		}
		got := r.do(method, path, body, headers...)
		var out map[string]any
		require.NoError(t, json.Unmarshal([]byte(got.body), &out), got.body)
		return got.StatusCode, out
	}
}

func TestDictationRoutes(t *testing.T) {
	t.Parallel()
	s := &spoken{}
	call := dictate(t, s)
	code, body := call("POST", "/dictation/start", "")
	require.Equal(t, http.StatusConflict, code)
	require.Equal(t, "dictation_off", body["code"])
	_, body = call("GET", "/dictation", "")
	require.Equal(t, map[string]any{"status": "off", "shortcut": "", "error": nil}, body)

	s.enabled.Store(true)
	code, body = call("GET", "/dictation/last", "")
	require.Equal(t, http.StatusNotFound, code)
	require.Equal(t, "not_found", body["code"])
	code, body = call("POST", "/dictation/stop", "")
	require.Equal(t, http.StatusConflict, code)
	require.Equal(t, "not_in_progress", body["code"])
	code, _ = call("POST", "/dictation/start", `{"target":"ceiling"}`)
	require.Equal(t, http.StatusUnprocessableEntity, code)

	code, body = call("POST", "/dictation/start", "")
	require.Equal(t, http.StatusAccepted, code)
	require.Equal(t, "recording", body["status"])
	code, body = call("POST", "/dictation/start", "{}")
	require.Equal(t, http.StatusConflict, code)
	require.Equal(t, "recording_busy", body["code"])
	code, body = call("POST", "/dictation/stop", "")
	require.Equal(t, http.StatusOK, code)
	require.Equal(t, map[string]any{"text": "Hello there.", "at": "1970-01-01T00:00:00Z"}, body)
	require.Equal(t, "Hello there.", <-s.typed)
	_, last := call("GET", "/dictation/last", "")
	require.Equal(t, body, last)

	code, _ = call("POST", "/dictation/start", `{"target":"clipboard"}`)
	require.Equal(t, http.StatusAccepted, code)
	_, _ = call("POST", "/dictation/stop", "")
	require.Equal(t, "copied Hello there.", <-s.typed)
	code, _ = call("POST", "/dictation/start", `{"target":"page"}`)
	require.Equal(t, http.StatusAccepted, code)
	code, body = call("POST", "/dictation/cancel", "")
	require.Equal(t, http.StatusOK, code)
	require.Equal(t, "idle", body["status"])
	require.Empty(t, s.typed)
}

func TestDictationWithoutAMicrophone(t *testing.T) {
	t.Parallel()
	s := &spoken{microphone: backend.E(backend.CodeNoAudioDevice, "There is no microphone.", "Connect one.")}
	s.enabled.Store(true)
	call := dictate(t, s)
	code, body := call("POST", "/dictation/start", "")
	require.Equal(t, http.StatusServiceUnavailable, code)
	require.Equal(t, "no_audio_device", body["code"])
}
