package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend/exit"
)

// fakeAPI is a local API whose answers a test writes, by method and path.
type fakeAPI struct {
	*testing.T
	mux   *http.ServeMux
	mu    sync.Mutex
	calls []string // method, path and body
}

func newFakeAPI(t *testing.T) *fakeAPI {
	t.Helper()
	return &fakeAPI{T: t, mux: http.NewServeMux()}
}

// on answers a request with a status and a body: JSON, or text as it is.
func (f *fakeAPI) on(pattern string, status int, body any) {
	f.handle(pattern, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		switch b := body.(type) {
		case nil:
		case string:
			_, _ = io.WriteString(w, b)
		default:
			_ = json.NewEncoder(w).Encode(b)
		}
	})
}

func (f *fakeAPI) handle(pattern string, h http.HandlerFunc) {
	f.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		f.mu.Lock()
		f.calls = append(f.calls, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+string(raw)))
		f.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(raw))
		h(w, r)
	})
}

func (f *fakeAPI) called() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.calls...)
}

// run runs a command line against the API.
func (f *fakeAPI) run(stdin string, args ...string) (code int, out, errs string) {
	f.Helper()
	return f.runUntil(f.Context(), stdin, args...)
}

func (f *fakeAPI) runUntil(ctx context.Context, stdin string, args ...string) (code int, out, errs string) {
	f.Helper()
	var stdout, stderr bytes.Buffer
	code = Run(ctx, append(args, "--data", f.TempDir()), Stdio{In: strings.NewReader(stdin), Out: &stdout, Err: &stderr}, f.app())
	return code, stdout.String(), stderr.String()
}

// app returns a program whose commands use the API.
func (f *fakeAPI) app() App {
	return App{Connect: func(context.Context, Options) (*client.Client, error) {
		return client.InMemory(f.mux, func() error { return nil }), nil
	}}
}

func problemBody(code, detail, remedy string) map[string]any {
	return map[string]any{"code": code, "detail": detail, "remedy": remedy, "params": map[string]any{}}
}

type object = map[string]any

// hostedAPI is a service with two voices and a profile.
func hostedAPI(t *testing.T) *fakeAPI {
	t.Helper()
	f := newFakeAPI(t)
	f.on("GET /hosted/voices", 200, object{"items": []object{
		{"id": "id-anna", "name": "Anna", "language": "en", "provider": "ProviderA", "credits_per_1000": 1890, "favorite": true, "stale": false},
		{"id": "id-ben", "name": "Ben", "language": "de", "provider": "ProviderC", "credits_per_1000": nil},
		{"id": "id-ben2", "name": "Ben", "language": "en", "provider": "ProviderC", "credits_per_1000": 360},
	}, "total": 3, "next_cursor": nil})
	f.on("GET /profiles", 200, object{"items": []object{{"id": "p", "name": "Built-in voice"}}, "total": 1, "next_cursor": nil})
	return f
}

func TestHostedKeyFromStandardInputOnly(t *testing.T) {
	t.Parallel()
	f := newFakeAPI(t)
	f.on("PUT /hosted/key", 200, object{"key_prefix": "svc_sk_abcde"})
	code, out, errs := f.run("svc_sk_abcdefgh\n", "hosted", "login", "--key-stdin")
	require.Equal(t, exit.Done, code, errs)
	require.Equal(t, "Stored the API key svc_sk_abcde…\n", out)
	require.Equal(t, []string{`PUT /hosted/key {"key":"svc_sk_abcdefgh"}`}, f.called())

	for _, args := range [][]string{{"hosted", "login", "svc_sk_abcdefgh"}, {"hosted", "login", "--key-stdin", "svc_sk_abcdefgh"}} {
		code, out, errs = f.run("", args...)
		require.Equal(t, exit.Usage, code)
		require.Contains(t, errs, "Use --key-stdin")
		require.NotContains(t, out+errs, "svc_sk_abcdefgh")
	}
	code, _, errs = f.run(" \n", "hosted", "login", "--key-stdin")
	require.Equal(t, exit.Usage, code)
	require.Contains(t, errs, "no API key")
	require.Len(t, f.called(), 1)
}

// signInAPI is a local API with a sign-in that ends when an address is pasted, or as end says.
func signInAPI(t *testing.T, end func() object) *fakeAPI {
	t.Helper()
	f := newFakeAPI(t)
	var done, begun bool
	f.handle("GET /hosted/status", func(w http.ResponseWriter, _ *http.Request) {
		f.mu.Lock()
		defer f.mu.Unlock()
		answer := object{"configured": true, "signed_in": done, "login": object{"status": "idle"}}
		switch {
		case begun && end != nil:
			answer["login"] = end()
		case begun && !done:
			answer["login"] = object{"status": "waiting"}
		case done:
			answer["account"], answer["email"], answer["signed_in_at"] = "Ann", "ann@example.org", "2026-01-02T03:04:05Z"
		}
		_ = json.NewEncoder(w).Encode(answer)
	})
	f.handle("POST /hosted/login", func(w http.ResponseWriter, _ *http.Request) {
		f.mu.Lock()
		defer f.mu.Unlock()
		begun = true
		w.WriteHeader(http.StatusAccepted)
		_ = json.NewEncoder(w).Encode(object{"authorization_url": "https://issuer.test/authorize?x", "expires_at": "2026-01-02T03:04:05Z"})
	})
	f.handle("POST /hosted/login/finish", func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		f.mu.Lock()
		defer f.mu.Unlock()
		if !strings.Contains(string(raw), "code=") {
			w.WriteHeader(http.StatusUnprocessableEntity)
			_ = json.NewEncoder(w).Encode(object{"detail": []object{{"loc": []string{"body", "url"}, "msg": "Input should be the address", "type": "value_error"}}})
			return
		}
		done = true
		w.WriteHeader(http.StatusNoContent)
	})
	f.on("DELETE /hosted/login", 204, nil)
	f.handle("GET /events", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "event: hosted\ndata: {}\n\n")
		<-r.Context().Done()
	})
	return f
}

// TestHostedLoginByPasting is the sign-in on a machine without a screen.
func TestHostedLoginByPasting(t *testing.T) {
	t.Parallel()
	f := signInAPI(t, nil)
	code, out, errs := f.run("what?\n\nhttp://127.0.0.1:1/signed-in?code=c&state=s\n", "hosted", "login", "--no-browser")
	require.Equal(t, exit.Done, code, errs)
	require.Equal(t, "Signed in as Ann <ann@example.org>\n", out)
	require.Contains(t, errs, "\n\nhttps://issuer.test/authorize?x\n\n")
	require.Contains(t, errs, "Input should be the address.\n")
	require.Contains(t, f.called(), `POST /hosted/login {"browser":false}`)
}

// TestHostedLoginThatFails or is interrupted.
func TestHostedLoginThatFails(t *testing.T) {
	t.Parallel()
	f := signInAPI(t, func() object {
		return object{"status": "failed", "error": object{"code": "hosted_sign_in_failed", "detail": "It was refused.", "remedy": "Sign in again."}}
	})
	code, out, errs := f.run("", "hosted", "login")
	require.Equal(t, exit.Failed, code)
	require.Empty(t, out)
	require.True(t, strings.HasSuffix(errs, "It was refused. Sign in again.\n"), errs)

	ctx, cancel := context.WithCancel(t.Context())
	f = signInAPI(t, func() object {
		cancel() // Ctrl-C while it waits
		return object{"status": "waiting"}
	})
	code, _, _ = f.runUntil(ctx, "", "hosted", "login")
	require.Equal(t, exit.Interrupted, code)
	require.Contains(t, f.called(), "DELETE /hosted/login")

	f = newFakeAPI(t)
	f.on("GET /hosted/status", 200, object{"login": object{"status": "idle"}})
	f.on("GET /events", 200, nil)
	f.on("POST /hosted/login", 503, problemBody("offline", "Offline mode is on.", "Turn it off."))
	code, _, errs = f.run("", "hosted", "login")
	require.Equal(t, exit.Needed, code, errs)
}

func TestHostedLogout(t *testing.T) {
	t.Parallel()
	f := newFakeAPI(t)
	f.on("POST /hosted/logout", 204, nil)
	code, out, errs := f.run("", "hosted", "logout")
	require.Equal(t, exit.Done, code)
	require.Equal(t, "Signed out\n", out)
	require.Empty(t, errs)

	f = newFakeAPI(t)
	f.on("POST /hosted/logout", 200, object{"notice": problemBody("offline", "It could not be told.", "Wait.")})
	code, out, errs = f.run("", "hosted", "logout")
	require.Equal(t, exit.Done, code)
	require.Equal(t, "Signed out\n", out)
	require.Equal(t, "It could not be told. Wait.\n", errs)
}

func TestHostedStatus(t *testing.T) {
	t.Parallel()
	f := newFakeAPI(t)
	f.on("GET /hosted/status", 200, object{
		"enabled": true, "configured": true, "base_url": "https://h.test", "signed_in": true, "account": "Ann", "email": "ann@example.org", "key_prefix": "svc_sk_abcde",
		"plan": "pro", "credits": 12, "payg_credits": 2, "expires_at": "2026-01-02T12:00:00Z", "secrets": object{"place": "keychain"},
		"error": object{"code": "hosted_unreachable", "detail": "It is down.", "remedy": "Wait."}, "login": object{"status": "idle"}, "extra": 1,
	})
	code, out, errs := f.run("", "hosted", "status")
	require.Equal(t, exit.Done, code)
	require.Equal(t, "Service: https://h.test\nSigned in: yes, as Ann <ann@example.org>\nAPI key: svc_sk_abcde…\nStored in: keychain\n"+
		"Plan: pro, until 2026-01-02\nCredits: 12 (2 of them pay-as-you-go)\n", out)
	require.Equal(t, "It is down. Wait.\n", errs)
	_, out, errs = f.run("", "hosted", "status", "--json")
	require.Contains(t, out, `"extra":1`)
	require.Empty(t, errs)
}

func TestHostedVoices(t *testing.T) {
	t.Parallel()
	f := hostedAPI(t)
	f.on("PUT /hosted/voices/{id}/favorite", 200, object{"id": "id-anna"})
	code, out, errs := f.run("", "hosted", "voices")
	require.Equal(t, exit.Done, code, errs)
	require.Contains(t, out, "Anna")
	require.Contains(t, out, "1890")
	require.Contains(t, out, "unknown")
	_, out, _ = f.run("", "hosted", "voices", "--json")
	require.Contains(t, out, `"stale":false`, "all fields")

	code, out, _ = f.run("", "hosted", "favorites", "add", "anna")
	require.Equal(t, exit.Done, code)
	require.Equal(t, "Added Anna to the favourites\n", out)
	require.Contains(t, f.called(), `PUT /hosted/voices/id-anna/favorite {"favorite":true}`)
	code, _, errs = f.run("", "hosted", "favorites", "rm", "Nobody")
	require.Equal(t, exit.NotFound, code)
	require.Contains(t, errs, `no voice "Nobody"`)
	code, _, errs = f.run("", "hosted", "favorites", "add", "Ben")
	require.Equal(t, exit.Usage, code)
	require.Contains(t, errs, "2 voices")
	code, _, _ = f.run("", "hosted", "favorites")
	require.Equal(t, exit.Done, code)
	code, _, _ = f.run("", "hosted", "favorites", "what")
	require.Equal(t, exit.Usage, code)
}

func TestHostedEnhance(t *testing.T) {
	t.Parallel()
	f := hostedAPI(t)
	f.on("POST /hosted/enhance", 200, object{"text": "[laughs] Hi.", "original": "Hi.", "fallback": false, "reason": nil})
	f.on("POST /text/extract", 200, object{"text": "Hi.", "title": "stdin", "format": "txt", "encoding": "UTF-8", "notes": []object{}})
	code, out, errs := f.run("Hi.", "hosted", "enhance", "-", "--voice", "id-ben")
	require.Equal(t, exit.Done, code, errs)
	require.Equal(t, "[laughs] Hi.\n", out)
	require.Empty(t, errs)
	require.Contains(t, f.called(), `POST /hosted/enhance {"text":"Hi.","voice":"id-ben"}`)

	f = hostedAPI(t)
	f.on("POST /hosted/enhance", 200, object{"text": "Hi.", "original": "Hi.", "fallback": true, "reason": "service"})
	code, out, errs = f.run("", "hosted", "enhance", "Hi.")
	require.Equal(t, exit.Done, code)
	require.Equal(t, "Hi.\n", out)
	require.Equal(t, "The service could not enhance the text, so the original is used.\n", errs)
	code, _, _ = f.run("", "hosted", "enhance")
	require.Equal(t, exit.Usage, code)
}

func TestHostedKeys(t *testing.T) {
	t.Parallel()
	f := newFakeAPI(t)
	f.on("GET /api/v1/user/api-keys", 200, object{"success": true, "apiKeys": []object{
		{"id": "k1", "keyPrefix": "svc_sk_aaaaa", "name": "laptop", "createdAt": "2026-01-02T12:00:00Z", "lastUsedAt": nil, "revokedAt": nil},
		{"id": "k0", "keyPrefix": "svc_sk_old00", "name": "old", "createdAt": "2026-01-01T12:00:00Z", "lastUsedAt": nil, "revokedAt": "2026-01-02T12:00:00Z"},
	}})
	f.on("DELETE /api/v1/user/api-keys/{id}", 200, object{"success": true})
	f.on("POST /api/v1/user/api-keys", 201, object{"success": true, "key": "svc_sk_secret", "apiKey": object{"id": "k2"}})
	f.on("POST /hosted/key", 201, object{"key_prefix": "svc_sk_bbbbb"})
	f.on("DELETE /hosted/key", 204, nil)
	_, out, _ := f.run("", "hosted", "keys", "list")
	require.Contains(t, out, "svc_sk_aaaaa…")
	require.Contains(t, out, "never")
	_, out, _ = f.run("", "hosted", "keys", "create", "desk")
	require.Contains(t, out, "svc_sk_bbbbb…")
	_, out, errs := f.run("", "hosted", "keys", "create", "--show")
	require.Equal(t, "svc_sk_secret\n", out)
	require.Contains(t, errs, "only time")
	for _, name := range []string{"k1", "svc_sk_aaaaa", "svc_sk_aaaa…", "Laptop"} {
		code, out, errs := f.run("", "hosted", "keys", "revoke", name)
		require.Equal(t, exit.Done, code, errs)
		require.Equal(t, "Revoked the API key svc_sk_aaaaa…\n", out)
	}
	for _, name := range []string{"svc_sk_zzzzz", "svc_sk_", "svc_sk_old", "old"} {
		code, _, _ := f.run("", "hosted", "keys", "revoke", name)
		require.Equal(t, exit.NotFound, code, name)
	}
	code, _, _ := f.run("", "hosted", "keys", "forget")
	require.Equal(t, exit.Done, code)

	f = newFakeAPI(t)
	f.on("GET /api/v1/user/api-keys", 403, object{"error": "CANARY", "code": "PAID_ACCESS_REQUIRED"})
	code, _, errs = f.run("", "hosted", "keys", "list")
	require.Equal(t, exit.Failed, code)
	require.NotContains(t, errs, "CANARY")
	f = newFakeAPI(t)
	f.on("GET /api/v1/user/api-keys", 401, problemBody("hosted_not_signed_in", "You are not signed in.", "Sign in."))
	code, _, _ = f.run("", "hosted", "keys", "list")
	require.Equal(t, exit.Needed, code)
}

const finished = `{"id":"g","status":"complete","text":"Hi.","duration":1.5,"credits":7,"model_name":"providerA-v3","audio_url":"/audio/g",` +
	`"receipt":{"hosted":{"credits_left":93}}}`

// speechAPI speaks one text.
func speechAPI(t *testing.T, quote object) *fakeAPI {
	t.Helper()
	f := hostedAPI(t)
	f.on("POST /hosted/quote", 200, quote)
	f.on("POST /generate", 202, `{"id":"g","status":"queued"}`)
	f.on("GET /generate/g/events", 200, "data: {\"status\":\"queued\",\"wait\":{\"reason\":\"queue\",\"place\":2}}\n\n"+
		"data: {\"status\":\"generating\",\"wait\":{\"reason\":\"rate\",\"seconds\":3.2}}\n\ndata: "+finished+"\n\n")
	f.on("GET /audio/g", 200, "audio")
	return f
}

func TestHostedSay(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "a.mp3")
	f := speechAPI(t, object{"credits": 7, "credits_left": 100, "ask": false})
	code, text, errs := f.run("", "hosted", "say", "Hi.", "--voice", "anna", "-o", out)
	require.Equal(t, exit.Done, code, errs)
	require.Contains(t, text, "Price: 7 credits, 93 left\n")
	require.Contains(t, text, "File:  "+out)
	require.Equal(t, "Price: 7 credits of 100\nGenerating: place 2 in the queue\nGenerating: waiting, 30 requests a minute are sent in 4 s\nGenerating: complete\n", errs)
	raw, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, "audio", string(raw))
	require.Contains(t, f.called(), `POST /generate {"profile_id":"p","text":"Hi.","title":"","voice":"hosted:id-anna"}`)

	code, text, errs = f.run("", "hosted", "say", "Hi.", "--voice", "anna", "--model", "m", "-o", out+".wav", "--json", "--accept-credits", "9")
	require.Equal(t, exit.Done, code, errs)
	require.Empty(t, errs)
	require.Contains(t, text, `"credits":7`)
	require.Contains(t, f.called(), `POST /generate {"accept_credits":9,"format":"wav","model_name":"m","profile_id":"p","text":"Hi.","title":"","voice":"hosted:id-anna"}`)

	for args, want := range map[string]int{
		"Hi.": exit.Usage, "Hi. --voice nobody": exit.NotFound, "Hi. --voice anna -o a.txt": exit.Usage, "Hi. --voice anna -o /no/such/a.mp3": exit.Usage,
	} {
		code, _, errs := f.run("", append([]string{"hosted", "say"}, strings.Fields(args)...)...)
		require.Equal(t, want, code, "%s: %s", args, errs)
	}
}

// TestHostedSayAsks: where nobody can answer, nothing is sent.
func TestHostedSayAsks(t *testing.T) {
	t.Parallel()
	f := speechAPI(t, object{"credits": 7, "credits_left": 100, "ask": true})
	code, _, errs := f.run("y\n", "hosted", "say", "Hi.", "--voice", "anna", "-o", filepath.Join(t.TempDir(), "a.mp3"))
	require.Equal(t, exit.Needed, code)
	require.Contains(t, errs, "--accept-credits")
	require.NotContains(t, strings.Join(f.called(), "\n"), "POST /generate")
}

func TestHostedDialogue(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, out := filepath.Join(dir, "d.txt"), filepath.Join(dir, "a.mp3")
	require.NoError(t, os.WriteFile(file, []byte("Ann: Hello: you.\nmore words\n\nBen: [laughs] Hi.\n"), 0o600))
	f := speechAPI(t, object{"credits": 7, "ask": false})
	f.on("POST /script", 202, `{"id":"s","turns":[{"id":"g"},{"id":"g"}]}`)
	f.on("POST /scripts/s/join", 200, `{"id":"s","duration":2.5}`)
	f.on("GET /scripts/s/export", 200, "joined")
	code, text, errs := f.run("", "hosted", "dialogue", file, "--voice", "ann=anna", "--voice", "Ben=id-ben2", "-o", out)
	require.Equal(t, exit.Done, code, errs)
	require.Contains(t, text, "Turns: 2\nAudio: 2.50 s\nPrice: 7 credits\n")
	raw, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, "joined", string(raw))
	require.Contains(t, f.called(), `POST /script {"title":"","turns":[{"profile_id":"p","text":"Hello: you.\nmore words","voice":"hosted:id-anna"},`+
		`{"profile_id":"p","text":"[laughs] Hi.","voice":"hosted:id-ben2"}]}`)

	code, _, errs = f.run(`{"turns":[{"voice":"Anna","text":"Hello."}]}`, "hosted", "dialogue", "-", "-o", out)
	require.Equal(t, exit.Done, code, errs)
	for stdin, words := range map[string]string{
		"": "is empty", "Ann: hi": "Ann has no voice", "hello": "must begin with a name", `{"turns":[{"text":"x"}]}`: "needs voice and text", "{": "not the JSON", "\xff": "not UTF-8",
	} {
		code, _, errs := f.run(stdin, "hosted", "dialogue", "-", "-o", out)
		require.Equal(t, exit.Usage, code, stdin)
		require.Contains(t, errs, words)
	}
	code, _, _ = f.run("", "hosted", "dialogue", filepath.Join(dir, "none"), "-o", out)
	require.Equal(t, exit.NotFound, code)
}

// TestSayHostedVoiceByName tests the names that say and lists accept for hosted voices.
func TestSayHostedVoiceByName(t *testing.T) {
	t.Parallel()
	f := newFakeAPI(t)
	f.on("GET /hosted/voices", 200, object{"items": []object{
		{"id": "id-wm", "name": "English (West Midlands)", "language": "en-GB", "provider": "ProviderC"},
		{"id": "id-zoe", "name": "Zoë", "language": "fr", "provider": "ProviderB", "profile_id": "00000000-0000-7000-8000-000000000001"},
		{"id": "id-ben", "name": "Ben", "language": "de", "provider": "ProviderA", "credits_per_1000": 2100},
		{"id": "id-ben2", "name": "Ben", "language": "en", "provider": "ProviderC"},
	}, "total": 4, "next_cursor": nil})
	f.on("GET /profiles", 200, object{"items": []object{{"id": "p", "name": "Built-in voice"}}, "total": 1, "next_cursor": nil})
	f.on("GET /profiles/00000000-0000-7000-8000-000000000001", 200, object{"id": "00000000-0000-7000-8000-000000000001", "name": "Zoë"})
	f.on("POST /hosted/quote", 200, object{"credits": 7, "ask": false})
	f.on("POST /generate", 202, `{"id":"g","status":"queued"}`)
	f.on("GET /generate/g/events", 200, "data: "+finished+"\n\n")
	f.on("GET /audio/g", 200, "audio")
	for name, want := range map[string][2]string{
		"hosted:English (West Midlands)":    {"p", "hosted:id-wm"},
		"hosted:  english (WEST midlands) ": {"p", "hosted:id-wm"},
		"Hosted:id-wm":                      {"p", "hosted:id-wm"},
		"hosted:zoe":                        {"00000000-0000-7000-8000-000000000001", "hosted:id-zoe"},
		"hosted:ZOË":                        {"00000000-0000-7000-8000-000000000001", "hosted:id-zoe"},
		"hosted:Zoe\u0308":                  {"00000000-0000-7000-8000-000000000001", "hosted:id-zoe"},
		"hosted:ID-BEN2":                    {"p", "hosted:id-ben2"},
	} {
		out := filepath.Join(t.TempDir(), "a.mp3")
		code, _, errs := f.run("", "say", "Hi.", "--voice", name, "-o", out)
		require.Equal(t, exit.Done, code, "%s: %s", name, errs)
		calls := f.called()
		require.Contains(t, strings.Join(calls, "\n"), `POST /generate {"format":"mp3","profile_id":"`+want[0]+`","text":"Hi.","voice":"`+want[1]+`"}`, name)
	}
	for name, want := range map[string]struct {
		code int
		says string
	}{
		"hosted:Ben": {exit.Usage, `2 voices are named "Ben"; use the ID of one: id-ben (ProviderA, de, 2100 credits per 1,000 characters); id-ben2 (ProviderC, en).`},
		"hosted:Bob": {exit.NotFound, `The hosted service has no voice "Bob".`},
		"hosted:":    {exit.NotFound, `The hosted service has no voice "".`},
	} {
		code, _, errs := f.run("", "say", "Hi.", "--voice", name, "-o", filepath.Join(t.TempDir(), "a.mp3"))
		require.Equal(t, want.code, code, errs)
		require.Contains(t, errs, want.says)
	}
}

// TestSayHostedVoiceWithoutService tests that a name of a hosted voice without a sign-in or a network is answered with that.
func TestSayHostedVoiceWithoutService(t *testing.T) {
	t.Parallel()
	for code, status := range map[string]int{"hosted_not_signed_in": 401, "offline": 503} {
		f := newFakeAPI(t)
		f.on("GET /hosted/voices", status, problemBody(code, "It is "+code+".", "Mend it."))
		ended, _, errs := f.run("", "say", "Hi.", "--voice", "hosted:English (West Midlands)", "-o", filepath.Join(t.TempDir(), "a.mp3"))
		require.Equal(t, exit.Needed, ended)
		require.Equal(t, "It is "+code+". Mend it.\n", errs)
	}
}
