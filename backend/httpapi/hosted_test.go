package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/settings"
)

// openHosted creates the hosted service in the app, with a keychain in memory and without a sign-in.
func openHosted(t testing.TB, dir string, db hosted.Parts, prefs *settings.Settings, events *events.Streams) *hosted.Service {
	credentials := hosted.NewCredentials(&keychain{notes: map[string][2]string{}}, nobody{}, hosted.Config{
		BaseURL: func() string { return prefs.String(settings.HostedURL) },
		Enabled: func() bool { return prefs.Bool(settings.HostedEnabled) }, Offline: func() bool { return prefs.Bool(settings.Offline) },
		AllowFile: func() bool { return false },
		Warn:      func() int64 { return int64(prefs.Number(settings.HostedWarn)) },
		Ask:       func() int64 { return int64(prefs.Number(settings.HostedAsk)) },
	})
	c := client.New(client.Options{
		BaseURL: func() string { return prefs.String(settings.HostedURL) }, Credentials: credentials, Wait: noWait,
		Offline: func() bool { return prefs.Bool(settings.Offline) }, Enabled: func() bool { return prefs.Bool(settings.HostedEnabled) },
	})
	s := hosted.New(hosted.Options{
		Client: c, Credentials: credentials, Parts: db, Dir: dir,
		Profiles: func(context.Context) ([]backend.Profile, error) { return nil, nil },
		Changed:  func() { events.Publish("hosted", struct{}{}) }, Now: time.Now, Sleep: hosted.Sleep, Log: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(func() {
		require.NoError(t, s.Close(context.Background()))
		c.Close()
	})
	return s
}

// keychain is a keychain in memory.
type keychain struct {
	mu    sync.Mutex
	notes map[string][2]string // value and note
}

func (k *keychain) Get(_ context.Context, name string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if v, ok := k.notes[name]; ok {
		return v[0], nil
	}
	return "", backend.E(backend.CodeSecretNotFound, "There is none.", "Store one.")
}

func (k *keychain) Set(_ context.Context, name, value, note string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.notes[name] = [2]string{value, note}
	return nil
}

func (k *keychain) Delete(_ context.Context, name string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.notes, name)
	return nil
}

func (k *keychain) Note(name string) (string, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	v, ok := k.notes[name]
	return v[1], ok
}

func (k *keychain) Place(context.Context) (string, error) { return "keychain", nil }

// nobody is not signed in.
type nobody struct{}

func (nobody) Token(context.Context, string) (string, error) {
	return "", backend.E(backend.CodeHostedNotSignedIn, "You are not signed in.", "Sign in.")
}
func (nobody) Account() (hosted.Account, bool) { return hosted.Account{}, false }
func (nobody) Login() hosted.Login             { return hosted.Login{Status: "idle"} }

// TestHostedRoutes calls each route of the account with and without what it needs.
func TestHostedRoutes(t *testing.T) {
	t.Parallel()
	service := hostedtest.Start(t, hostedtest.Options{})
	s := newStudio(t, studioOptions{})
	call := func(method, path, body string, status int) object {
		t.Helper()
		a := s.do(method, path, body)
		require.Equal(t, status, a.StatusCode, "%s %s: %s", method, path, a.body)
		if a.body == "" {
			return nil
		}
		return a.object(t)
	}
	require.Equal(t, "hosted_not_configured", call("GET", "/hosted/voices", "", 409)["code"])
	call("PUT", "/settings", `{"hosted.base_url":"`+service.URL+`"}`, 200)
	require.Equal(t, "hosted_not_signed_in", call("GET", "/hosted/voices", "", 401)["code"])
	require.Equal(t, "not_found", call("GET", "/hosted/key", "", 404)["code"])
	detail := call("PUT", "/hosted/key", `{"key":"sk-123"}`, 422)["detail"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"body", "key"}, detail["loc"])
	require.Empty(t, service.Requests("/"), "nothing was contacted so far")

	require.Equal(t, object{"key_prefix": "svc_sk_test"}, call("PUT", "/hosted/key", `{"key":" `+hostedtest.Key+`\n"}`, 200))
	require.Empty(t, service.Requests("/"), "a key is stored without the service")
	require.Equal(t, object{"key_prefix": "svc_sk_test"}, call("GET", "/hosted/key", "", 200))
	st := call("GET", "/hosted/status", "", 200)
	require.Equal(t, "pro", st["plan"])
	require.Equal(t, false, st["signed_in"])
	require.Equal(t, "svc_sk_test", st["key_prefix"])
	require.Nil(t, st["error"])
	require.Nil(t, st["notice"])

	list := call("GET", "/hosted/voices?limit=2&provider=ProviderA", "", 200)
	require.Len(t, list["items"], 2)
	require.Equal(t, json.Number("3"), list["total"])
	first := list["items"].([]any)[0].(map[string]any)
	require.Equal(t, "providerA-v3", first["model"])
	require.Equal(t, json.Number("1890"), first["credits_per_1000"])
	next := call("GET", "/hosted/voices?limit=2&provider=ProviderA&cursor="+list["next_cursor"].(string), "", 200)
	require.Len(t, next["items"], 1)
	require.Nil(t, next["next_cursor"])
	require.Len(t, call("GET", "/hosted/models", "", 200)["items"], 7)

	voice := "/hosted/voices/" + first["id"].(string)
	require.Equal(t, true, call("PUT", voice+"/favorite", `{"favorite":true}`, 200)["favorite"])
	require.Equal(t, "hosted_voice_not_found", call("PUT", "/hosted/voices/nobody/favorite", `{"favorite":true}`, 404)["code"])
	preview := s.do("GET", voice+"/preview", "", "Range: bytes=0-9")
	require.Equal(t, 206, preview.StatusCode, preview.body)
	require.True(t, strings.HasPrefix(preview.Header.Get("Content-Type"), "audio/"))
	require.Len(t, preview.body, 10)

	test := call("POST", "/hosted/test", "", 200)
	require.Equal(t, true, test["ok"])
	require.Equal(t, true, test["key_accepted"])
	id := first["id"].(string)
	quote := object{
		"credits": json.Number("12"), "characters": json.Number("6"), "calls": json.Number("1"), "credits_per_1000": json.Number("1890"),
		"credits_left": json.Number("100000"), "warn": false, "ask": false,
	}
	require.Equal(t, quote, call("GET", "/hosted/quote?text=Hello.&voice="+id+"&model=providerA-v3", "", 200))
	require.Equal(t, quote, call("POST", "/hosted/quote", `{"text":"Hello.","voice":"hosted:`+id+`","title":"not counted"}`, 200))
	require.Equal(t, quote, call("POST", "/hosted/quote", s.fill(`{"turns":[{"profile_id":"{profile}","text":"Hello.","voice":"hosted:`+id+`"}],"gap_ms":1}`), 200))
	local := call("POST", "/hosted/quote", s.fill(`{"profile_id":"{profile}","text":"Hello."}`), 200)
	require.Equal(t, json.Number("0"), local["credits"])
	call("GET", "/hosted/quote?text=Hello.", "", 422)
	words := `"text":"Hello.","voice":"hosted:` + id + `","pronunciations":{"Hello":"a|b"}`
	call("POST", "/hosted/quote", "{"+words+"}", 422)
	wrong := call("POST", "/hosted/quote", `{"turns":[{"text":"Hi."},{`+words+`}]}`, 422)
	require.Contains(t, fmt.Sprint(wrong), "[body turns 1 pronunciations Hello]")
	call("GET", "/hosted/quote?text=Hello.&profile_id=00000000-0000-4000-8000-000000000000", "", 404)
	require.Equal(t, object{"text": "[excited] Hi.", "original": "Hi.", "fallback": false, "reason": nil},
		call("POST", "/hosted/enhance", `{"text":"Hi."}`, 200))
	require.Equal(t, object{"turns": []any{
		map[string]any{"id": "7", "text": "[excited] Hi.", "original": "Hi.", "fallback": false, "reason": nil},
	}, "fallback": false}, call("POST", "/hosted/enhance", `{"turns":[{"id":"7","text":"Hi."}]}`, 200))
	call("POST", "/hosted/enhance", `{}`, 422)
	call("POST", "/hosted/enhance", `{"text":"Hi.","turns":[{"id":"7","text":"Hi."}]}`, 422)
	call("DELETE", "/hosted/key", "", 204)
	call("GET", "/hosted/key", "", 404)
}
