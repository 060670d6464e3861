package signin_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/signin"
	"github.com/voicewright/voicewright/backend/service/devidp/devidptest"
	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const clientID = devidptest.ClientID

// secrets are in memory.
type secrets struct {
	mu    sync.Mutex
	value map[string]string
	note  map[string]string
	fail  error // of Set
	reads int
	place string
}

func (s *secrets) Get(_ context.Context, name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	if v, ok := s.value[name]; ok {
		return v, nil
	}
	return "", backend.E(backend.CodeSecretNotFound, "There is no such secret.", "Store it first.")
}

func (s *secrets) Set(_ context.Context, name, value, note string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	s.value[name], s.note[name] = value, note
	return nil
}

func (s *secrets) Delete(_ context.Context, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.value, name)
	delete(s.note, name)
	return nil
}

func (s *secrets) Note(name string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	note, ok := s.note[name]
	return note, ok
}

func (s *secrets) Place(context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.place, nil
}

func (s *secrets) setFailure(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = err
}

func (s *secrets) refreshToken(t *testing.T) string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	var session struct {
		RefreshToken string `json:"refresh_token"`
	}
	if s.value[signin.Secret] == "" {
		return ""
	}
	require.NoError(t, json.Unmarshal([]byte(s.value[signin.Secret]), &session))
	return session.RefreshToken
}

// timers fire when a test says so.
type timers struct {
	mu  sync.Mutex
	due []func()
}

func (c *timers) after(_ time.Duration, f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due = append(c.due, f)
	i := len(c.due) - 1
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		active := c.due[i] != nil
		c.due[i] = nil
		return active
	}
}

func (c *timers) fire() {
	c.mu.Lock()
	due := slices.Clone(c.due)
	clear(c.due)
	c.mu.Unlock()
	for _, f := range due {
		if f != nil {
			f()
		}
	}
}

// lab is a Manager with what it needs.
type lab struct {
	*testing.T
	*signin.Manager
	secrets *secrets
	timers  *timers
	config  signin.Config
	service atomic.Pointer[string]
	offline atomic.Bool
	changes atomic.Int32
	now     atomic.Pointer[time.Time]
	opened  chan string
}

func newLab(t *testing.T, config signin.Config) *lab {
	t.Helper()
	l := &lab{
		T: t, secrets: &secrets{place: "keychain", value: map[string]string{}, note: map[string]string{}}, timers: &timers{}, config: config,
		opened: make(chan string, 8),
	}
	l.setService("https://service.test")
	l.Manager = signin.New(signin.Options{
		Secrets: l.secrets, Discover: func(context.Context) (signin.Config, error) { return l.config, nil },
		Service: func() string { return *l.service.Load() }, Offline: l.offline.Load,
		Open:    func(_ context.Context, url string) error { l.opened <- url; return nil },
		Changed: func() { l.changes.Add(1) },
		Now: func() time.Time {
			if now := l.now.Load(); now != nil {
				return *now
			}
			return time.Now()
		},
		After: l.timers.after, Log: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(l.Close)
	return l
}

func (l *lab) setService(address string) { l.service.Store(&address) }

func (l *lab) setNow(now time.Time) { l.now.Store(&now) }

// start begins a sign-in and returns the query of the address for the browser.
func (l *lab) start() (address string, query url.Values) {
	l.Helper()
	address, err := l.Start(l.Context(), false)
	require.NoError(l, err)
	u, err := url.Parse(address)
	require.NoError(l, err)
	return address, u.Query()
}

// come opens the redirect address as a browser does, with the changes to its query.
func (l *lab) come(query url.Values, back url.Values) (int, string, http.Header) {
	l.Helper()
	return l.open(query.Get("redirect_uri") + "?" + back.Encode())
}

func (l *lab) open(address string) (int, string, http.Header) {
	l.Helper()
	req, err := http.NewRequestWithContext(l.Context(), http.MethodGet, address, nil)
	require.NoError(l, err)
	return l.do(req)
}

func (l *lab) do(req *http.Request) (int, string, http.Header) {
	l.Helper()
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	require.NoError(l, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	require.NoError(l, err)
	return res.StatusCode, string(body), res.Header
}

// issuer is an issuer whose answers a test writes.
type issuer struct {
	*identitytest.Issuer
	mu      sync.Mutex
	claims  map[string]any // changes of the next ID tokens
	refresh string         // the refresh token that is accepted
	count   int
	forms   []url.Values // of requests for tokens and revocations
	nonce   string
}

// newIssuer starts an issuer that accepts the code "good" and replaces refresh tokens.
func newIssuer(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{Issuer: identitytest.New(t)}
	i.Handle(identitytest.DiscoveryPath, func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, i.document())
	})
	i.Handle("/token", i.token)
	i.Handle("/revoke", func(w http.ResponseWriter, r *http.Request) { i.record(r) })
	return i
}

func (i *issuer) document() map[string]any {
	return map[string]any{
		"issuer": i.URL, "jwks_uri": i.URL + identitytest.KeysPath, "authorization_endpoint": i.URL + "/authorize",
		"token_endpoint": i.URL + "/token", "revocation_endpoint": i.URL + "/revoke",
	}
}

func (i *issuer) config() signin.Config {
	return signin.Config{Issuer: i.URL, ClientID: clientID, Audience: "https://service.test/"}
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func (i *issuer) record(r *http.Request) url.Values {
	_ = r.ParseForm()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.forms = append(i.forms, r.PostForm)
	return r.PostForm
}

// token answers with numbered tokens.
func (i *issuer) token(w http.ResponseWriter, r *http.Request) {
	form := i.record(r)
	i.mu.Lock()
	defer i.mu.Unlock()
	ok := form.Get("grant_type") == "authorization_code" && form.Get("code") == "good" && form.Get("code_verifier") != "" ||
		form.Get("grant_type") == "refresh_token" && form.Get("refresh_token") == i.refresh
	if !ok {
		writeJSON(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	i.count++
	number := strings.Repeat("i", i.count)
	i.refresh = "refresh-" + number
	answer := map[string]any{"access_token": "access-" + number, "token_type": "Bearer", "expires_in": 3600, "refresh_token": i.refresh}
	if form.Get("grant_type") == "authorization_code" {
		changes := map[string]any{"aud": clientID, "nonce": i.nonce, "name": "Ann Example"}
		for k, v := range i.claims {
			changes[k] = v
		}
		answer["id_token"] = i.Token("ann", changes)
	}
	writeJSON(w, http.StatusOK, answer)
}

func (i *issuer) requests() []url.Values {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]url.Values(nil), i.forms...)
}

// set changes claims of the next ID tokens.
func (i *issuer) set(claims map[string]any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.claims = claims
}

func (i *issuer) setNonce(nonce string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.nonce = nonce
}

// signedIn returns a Manager that has signed in to i.
func signedIn(t *testing.T, i *issuer) *lab {
	t.Helper()
	l := newLab(t, i.config())
	_, query := l.start()
	i.setNonce(query.Get("nonce"))
	status, body, _ := l.come(query, url.Values{"code": {"good"}, "state": {query.Get("state")}})
	require.Equal(t, http.StatusOK, status, body)
	return l
}
