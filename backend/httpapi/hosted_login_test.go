package httpapi_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/signin"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/backend/service/devidp/devidptest"
)

// memorySecrets are secrets in memory of one goroutine at a time.
type memorySecrets map[string]string

func (m memorySecrets) Get(_ context.Context, name string) (string, error) {
	if v, ok := m[name]; ok {
		return v, nil
	}
	return "", backend.E(backend.CodeSecretNotFound, "There is none.", "Store one.")
}

func (m memorySecrets) Set(_ context.Context, name, value, _ string) error {
	m[name] = value
	return nil
}

func (m memorySecrets) Delete(_ context.Context, name string) error {
	delete(m, name)
	return nil
}

func (m memorySecrets) Place(context.Context) (string, error) { return "keychain", nil }
func (m memorySecrets) Note(string) (string, bool)            { return "", false }

// TestHostedLogin: sign in, cancel, paste and sign out, with the status of each answer.
func TestHostedLogin(t *testing.T) {
	t.Parallel()
	issuer, server := devidptest.Start(t)
	var offline atomic.Bool
	opened := make(chan string, 4)
	var discovery error
	manager := signin.New(signin.Options{
		Secrets: memorySecrets{}, Service: func() string { return "https://service.test" }, Offline: offline.Load,
		Discover: func(context.Context) (signin.Config, error) {
			return signin.Config{Issuer: issuer, ClientID: devidptest.ClientID}, discovery
		},
		Open: func(_ context.Context, url string) error { opened <- url; return nil }, Changed: func() {}, Now: time.Now,
		After: func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }, Log: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(manager.Close)
	r := start(t, func(o *httpapi.Options) { o.SignIn = manager })
	call := func(method, path, body string) (int, map[string]any) {
		t.Helper()
		res := r.do(method, path, body, "Content-Type: application/json")
		var out map[string]any
		if res.StatusCode != http.StatusNoContent {
			require.NoError(t, json.Unmarshal([]byte(res.body), &out), res.body)
		}
		return res.StatusCode, out
	}
	problem := func(wantStatus int, wantCode, method, path, body string) {
		t.Helper()
		status, out := call(method, path, body)
		require.Equal(t, wantStatus, status)
		require.Equal(t, wantCode, out["code"])
	}
	begin := func(body string) string {
		t.Helper()
		status, out := call(http.MethodPost, "/hosted/login", body)
		require.Equal(t, http.StatusAccepted, status, out)
		require.NotEmpty(t, out["expires_at"])
		return out["authorization_url"].(string)
	}
	finish := func(address string) (int, map[string]any) {
		t.Helper()
		body, err := json.Marshal(map[string]string{"url": address})
		require.NoError(t, err)
		return call(http.MethodPost, "/hosted/login/finish", string(body))
	}

	problem(http.StatusConflict, "not_in_progress", http.MethodDelete, "/hosted/login", "")
	require.Equal(t, begin(""), <-opened)
	status, _ := call(http.MethodDelete, "/hosted/login", "")
	require.Equal(t, http.StatusNoContent, status)

	address := begin(`{"browser":false}`)
	require.Empty(t, opened)
	status, out := finish("https://example.com")
	require.Equal(t, http.StatusUnprocessableEntity, status)
	require.Equal(t, []any{"body", "url"}, out["detail"].([]any)[0].(map[string]any)["loc"])
	end := devidptest.Browse(t, address, "ann")
	status, out = finish(end)
	require.Equal(t, http.StatusNoContent, status, out)
	status, out = finish(end)
	require.Equal(t, http.StatusConflict, status)
	require.Equal(t, "used", out["params"].(map[string]any)["reason"])

	back, err := url.Parse(begin(`{}`))
	require.NoError(t, err)
	status, out = finish("error=access_denied&state=" + back.Query().Get("state"))
	require.Equal(t, http.StatusConflict, status)
	require.Equal(t, "hosted_sign_in_failed", out["code"])

	status, _ = call(http.MethodPost, "/hosted/logout", "")
	require.Equal(t, http.StatusNoContent, status)
	_, _ = finish(devidptest.Browse(t, begin(`{"browser":false}`), "ann"))
	offline.Store(true)
	status, out = call(http.MethodPost, "/hosted/logout", "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "offline", out["notice"].(map[string]any)["code"])
	problem(http.StatusServiceUnavailable, "offline", http.MethodPost, "/hosted/login", "")

	offline.Store(false)
	discovery = backend.E(backend.CodeHostedNotConfigured, "There is no address.", "Enter it.")
	problem(http.StatusConflict, "hosted_not_configured", http.MethodPost, "/hosted/login", "")
	discovery = nil
	server.Close()
	issuer = "http://127.0.0.1:1"
	problem(http.StatusBadGateway, "hosted_unreachable", http.MethodPost, "/hosted/login", "")
}
