package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/api"
)

// A server waits for half a second before it closes a connection that it refused, longer than goleak does.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

const (
	key       = service.KeyPrefix + "the-key-of-the-test-user"
	token     = "the.token.of-the-test-user"
	voiceID   = "11111111-2222-5333-8444-555555555555"
	audioName = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AbCdE.mp3"
	publicURL = "https://voices.example"
)

var (
	noon    = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	account = service.Account{
		ID: 1, Subject: "user-1", Plan: service.Pro, ActivePlan: service.Pro, PlanExpires: noon.Add(24 * time.Hour), PlanCredits: 900, PaygCredits: 100,
	}
	record = service.Key{ID: voiceID, Prefix: "svc_sk_the-k", Name: "laptop", CreatedAt: noon}
	voice  = service.Voice{
		ID: voiceID, Name: "Alba", Gender: "female", Provider: service.ProviderA, Accent: "United Kingdom", Language: "en",
		Category: "narrator",
	}
)

// stub is a service of one user, whose calls succeed unless fail is set.
type stub struct {
	fail  error
	panic any
	audio io.ReadSeeker // in the place of ten digits
	seen  struct {
		synthesize service.SynthesizeRequest
		dialogue   service.DialogueRequest
		turns      []service.EnhanceTurn
		keyName    string
		cursor     string
		limit      int
	}
}

func (s *stub) KeyCaller(_ context.Context, k string) (service.Caller, error) {
	if k != key {
		return service.Caller{}, &service.Error{Status: http.StatusUnauthorized, Sentence: "The key is not valid."}
	}
	return service.Caller{Account: account, Key: &record}, nil
}

func (s *stub) TokenCaller(context.Context, service.Identity) (service.Caller, error) {
	return service.Caller{Account: account}, nil
}

func (s *stub) Verify(_ context.Context, t string) (service.Identity, error) {
	if t != token {
		return service.Identity{}, errors.New("bad signature")
	}
	return service.Identity{Subject: account.Subject}, nil
}

func (s *stub) result() (service.Result, error) {
	if s.panic != nil {
		panic(s.panic)
	}
	return service.Result{File: service.NewFile{Name: audioName}, RemainingCredits: 990, ProjectCreated: true}, s.fail
}

func (s *stub) Synthesize(_ context.Context, _ service.Caller, q service.SynthesizeRequest) (service.Result, error) {
	s.seen.synthesize = q
	return s.result()
}

func (s *stub) SynthesizeDialogue(_ context.Context, _ service.Caller, q service.DialogueRequest) (service.Result, error) {
	s.seen.dialogue = q
	return s.result()
}

func (s *stub) Enhance(_ context.Context, _ service.Caller, q service.EnhanceRequest) (service.Enhanced, error) {
	return service.Enhanced{Text: "[laughs] " + q.Text, Original: q.Text}, s.fail
}

func (s *stub) EnhanceDialogue(_ context.Context, _ service.Caller, turns []service.EnhanceTurn) ([]service.EnhanceTurn, bool, error) {
	s.seen.turns = turns
	return turns, true, s.fail
}

func (s *stub) Voices(context.Context) ([]service.Voice, error) {
	return []service.Voice{voice}, s.fail
}

func (s *stub) Filters(context.Context) (service.Filters, error) {
	return service.Filters{
		Providers: []string{"ProviderA"}, Genders: []string{}, Languages: []string{}, Accents: []string{}, Categories: []string{},
	}, s.fail
}

func (s *stub) Models() []service.Model {
	pro := service.Pro
	return []service.Model{
		{ID: "providerA-v3", Name: "v3", Provider: service.ProviderA, Description: "d", Category: "Expressive", PlanRequired: &pro, Rate: 2100},
		{ID: "providerC-neural2", Name: "Neural2", Provider: service.ProviderC, Description: "e", Category: "Standard", Rate: 400},
		{ID: "providerC-wavenet", Name: "Wavenet", Provider: service.ProviderC, Description: "f", Category: "Standard"},
	}
}
func (s *stub) SupportedModels(service.Voice) []string { return []string{"providerA-v3"} }
func (s *stub) Favourites(context.Context, service.Caller) ([]service.Voice, error) {
	return nil, s.fail
}

func (s *stub) ToggleFavourite(context.Context, service.Caller, string) (bool, error) {
	return true, s.fail
}

func (s *stub) CheckRenewal(context.Context, service.Caller) (service.Renewal, error) {
	return service.Renewal{
		Action: service.RenewalReset, Account: service.Account{Plan: service.Free, PlanCredits: 10000, PaygCredits: 5},
	}, s.fail
}

func (s *stub) Usage(_ context.Context, _ service.Caller, cursor string, limit int) ([]service.Usage, string, error) {
	s.seen.cursor, s.seen.limit = cursor, limit
	next := ""
	if cursor == "" {
		next = "c2"
	}
	return []service.Usage{{
		ID: voiceID, At: noon, Kind: "synthesize", Provider: service.ProviderA, Model: "providerA-v3", Title: "t", Characters: 12,
		Seconds: 1.5, Credits: 26, Status: "charged", File: audioName,
	}}, next, s.fail
}

func (s *stub) CreateKey(_ context.Context, _ service.Caller, name string) (string, service.Key, error) {
	s.seen.keyName = name
	return key, record, s.fail
}

func (s *stub) Keys(context.Context, service.Caller) ([]service.Key, error) {
	k := record
	k.LastUsedAt, k.RevokedAt = noon, noon.Add(time.Hour)
	return []service.Key{k}, s.fail
}
func (s *stub) RevokeKey(context.Context, service.Caller, string) error { return s.fail }

func (s *stub) OpenFile(_ context.Context, name string) (io.ReadSeekCloser, service.File, error) {
	if s.fail != nil {
		return nil, service.File{}, s.fail
	}
	if name != audioName {
		return nil, service.File{}, &service.Error{Status: http.StatusNotFound, Sentence: "There is no such file."}
	}
	content := s.audio
	if content == nil {
		content = strings.NewReader("0123456789")
	}
	return readable{content}, service.File{NewFile: service.NewFile{Name: name, Bytes: 10}, CreatedAt: noon}, nil
}

func (s *stub) Preview(context.Context, string) (io.ReadSeekCloser, int64, error) {
	return readable{strings.NewReader("preview")}, 7, s.fail
}
func (s *stub) Ready(context.Context) error { return s.fail }

type readable struct{ io.ReadSeeker }

func (readable) Close() error { return nil }

// clock is a time that tests move.
type clock struct{ offset atomic.Int64 }

func (c *clock) now() time.Time           { return noon.Add(time.Duration(c.offset.Load())) }
func (c *clock) advance(by time.Duration) { c.offset.Add(int64(by)) }

// fixture is an API over a stub.
type fixture struct {
	*api.API
	stub  *stub
	clock *clock
	log   *backendtest.Log
}

func newFixture(change ...func(*api.Options)) *fixture {
	f := &fixture{stub: &stub{}, clock: &clock{}, log: &backendtest.Log{}}
	options := api.Options{
		Service: f.stub, Tokens: f.stub, PublicURL: publicURL + "/", Now: f.clock.now, Version: "test", Metrics: api.NewMetrics(),
		Login: backend.Login{Issuer: "https://issuer.example", ClientID: "voicewright", Audience: "voices"},
		Log:   slog.New(slog.NewJSONHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	for _, c := range change {
		c(&options)
	}
	f.API = api.New(options)
	return f
}

// send answers a request in memory. Headers come in pairs.
func (f *fixture) send(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w
}

func (f *fixture) sendWithKey(method, path, body string) *httptest.ResponseRecorder {
	return f.send(method, path, body, "X-API-Key", key)
}

// requireError checks status, code and shape of an error.
func requireError(t *testing.T, w *httptest.ResponseRecorder, status int, code string) {
	t.Helper()
	require.Equal(t, status, w.Code, w.Body.String())
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	var body struct{ Error, Code string }
	decoder := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&body), w.Body.String())
	require.NotEmpty(t, body.Error)
	require.Equal(t, code, body.Code)
	require.Equal(t, code != "", strings.Contains(w.Body.String(), `"code"`), "the code is absent, not empty")
}

func withoutIssuer(o *api.Options) { o.Login = backend.Login{} }
