package app_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// panics is an engine that panics.
type panics struct{ *enginetest.Fixture }

func (panics) Speak(context.Context, engines.Utterance, func(audio.Buffer) error) error {
	panic("the engine is broken")
}

// TestPanicOfAJobShowsNoSecret: the stack in the log is that of a program which holds an API key.
func TestPanicOfAJobShowsNoSecret(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none")) // not the keychain of who runs this
	t.Setenv("VOICEWRIGHT_PASSPHRASE", canaryPassphrase)
	service := hostedtest.Start(t, hostedtest.Options{Key: canaryKey})
	var log backendtest.Log
	var server *httptest.Server
	studio, err := app.Open(t.Context(), app.Config{
		Data: t.TempDir(), BuiltIn: panics{enginetest.NewFixture(enginetest.FixtureOptions{})},
		Log:  slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Addr: func() net.Addr { return server.Listener.Addr() },
	})
	require.NoError(t, err)
	server = httptest.NewServer(studio.API.Handler())
	call := func(method, path, body string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer func() { _ = resp.Body.Close() }()
		raw, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, string(raw)
	}
	status, answer := call("PUT", "/settings", `{"hosted.base_url":"`+service.URL+`","secrets.allow_file":true}`)
	require.Equal(t, 200, status, answer)
	status, answer = call("PUT", "/hosted/key", `{"key":"`+canaryKey+`"}`)
	require.Equal(t, 200, status, answer)
	status, answer = call("GET", "/hosted/voices", "")
	require.Equal(t, 200, status, answer)
	_, answer = call("GET", "/profiles", "")
	profile := parseJSON(t, answer)["items"].([]any)[0].(object)["id"].(string)
	status, answer = call("POST", "/generate", `{"profile_id":"`+profile+`","text":"Hello."}`)
	require.Equal(t, 500, status, answer)
	server.Close()
	require.NoError(t, studio.Close(context.Background()))

	require.Contains(t, log.String(), "the engine is broken")
	require.Contains(t, log.String(), "goroutine")
	all := newCanaries(t, canaryKey, canaryPassphrase)
	all.requireNone("log", []byte(log.String()))
	all.requireNone("answer", []byte(answer))
}
