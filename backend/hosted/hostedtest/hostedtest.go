// Package hostedtest is a hosted service for tests: it answers as hosted-api.md and section 6 of decisions.md say, records every
// request, and fails as a test wants.
package hostedtest

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The credentials that the service accepts from the start.
const (
	Key   = "svc_sk_test0000000000000000000000000000000"
	Token = "header.token-1.signature"
)

// Options change the service from its defaults: a Pro account with 100,000 credits and nine voices.
type Options struct {
	Voices int            // how many, a third of each provider; 0: nine
	Prefix string         // a path that the base URL has, such as /api-root
	TLS    *tls.Config    // serves https with it; its certificate may be empty for one that ClientTLS trusts
	Issuer string         // in /.well-known/voicewright
	Login  map[string]any // more members of it
	Key    string         // accepted in the place of Key
	Keeps  bool           // keeps idempotency keys, and says so
}

// Service is a running hosted service.
type Service struct {
	URL string // the base URL

	t      testing.TB
	o      Options
	server *httptest.Server
	mux    *http.ServeMux
	done   chan struct{}

	mu       sync.Mutex
	faults   map[string][]Fault
	requests []Request
	account  account
	speaking int
	busiest  int
}

// Request is a request that the service has received.
type Request struct {
	Method string
	Path   string // without the prefix of the base URL
	Query  string
	Header http.Header
	Body   string
}

// Start starts a service, which ends with the test.
func Start(t testing.TB, o Options) *Service {
	t.Helper()
	s := &Service{t: t, o: o, mux: http.NewServeMux(), done: make(chan struct{}), faults: map[string][]Fault{}}
	s.account = newAccount(o)
	s.routes()
	s.server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.server.Config.ErrorLog = log.New(io.Discard, "", 0) // refused certificates and broken connections are wanted
	if o.TLS != nil {
		s.server.TLS = o.TLS
		s.server.StartTLS()
	} else {
		s.server.Start()
	}
	s.URL = s.server.URL + o.Prefix
	t.Cleanup(s.close)
	return s
}

func (s *Service) close() {
	close(s.done)
	s.server.CloseClientConnections()
	s.server.Close()
}

// ClientTLS returns a configuration that trusts the service's own certificate.
func (s *Service) ClientTLS() *tls.Config {
	return s.server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
}

// Keeps reports whether the service keeps idempotency keys.
func (s *Service) Keeps() bool { return s.o.Keeps }

// Requests returns the requests whose path begins with prefix, oldest first.
func (s *Service) Requests(prefix string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var matches []Request
	for _, r := range s.requests {
		if strings.HasPrefix(r.Path, prefix) {
			matches = append(matches, r)
		}
	}
	return matches
}

// Busiest returns how many calls of speech were made at the same time at most.
func (s *Service) Busiest() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.busiest
}

func (s *Service) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	at, ok := strings.CutPrefix(r.URL.Path, s.o.Prefix)
	if !ok {
		http.NotFound(w, r)
		return
	}
	r.Body, r.URL.Path, r.URL.RawPath = io.NopCloser(bytes.NewReader(body)), at, ""
	s.mu.Lock()
	s.requests = append(s.requests, Request{r.Method, at, r.URL.RawQuery, r.Header.Clone(), string(body)})
	fault, failing := s.nextFault(at)
	if speech := strings.HasPrefix(at, "/api/v1/tts/synthesize"); speech {
		s.speaking++
		s.busiest = max(s.busiest, s.speaking)
		defer s.spoken()
	}
	s.mu.Unlock()
	if !failing {
		s.mux.ServeHTTP(w, r)
		return
	}
	s.fail(w, r, fault)
}

func (s *Service) spoken() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.speaking--
}

// routes are the paths of the contract, of the files, and of the discovery.
func (s *Service) routes() {
	s.mux.HandleFunc("POST /api/v1/tts/synthesize", s.user(s.once(s.synthesize)))
	s.mux.HandleFunc("POST /api/v1/tts/synthesize-dialogue", s.user(s.once(s.dialogue)))
	s.mux.HandleFunc("POST /api/v1/tts/enhance", s.user(enhance))
	s.mux.HandleFunc("POST /api/v1/tts/enhance-dialogue", s.user(enhanceDialogue))
	s.mux.HandleFunc("GET /api/v1/tts/voices", s.user(s.voices))
	s.mux.HandleFunc("GET /api/v1/tts/filters", s.user(s.account.filters))
	s.mux.HandleFunc("GET /api/v1/tts/favorites", s.user(s.favorites))
	s.mux.HandleFunc("POST /api/v1/tts/favorites/toggle", s.user(s.account.toggle))
	s.mux.HandleFunc("GET /api/v1/tts/models", s.user(models))
	s.mux.HandleFunc("GET /api/v1/user/credits", s.user(s.account.balance))
	s.mux.HandleFunc("POST /api/v1/user/subscription/check-renewal", s.user(s.account.checkRenewal))
	s.mux.HandleFunc("POST /api/v1/user/api-keys", s.user(s.account.createKey))
	s.mux.HandleFunc("GET /api/v1/user/api-keys", s.user(s.account.listKeys))
	s.mux.HandleFunc("DELETE /api/v1/user/api-keys/{id}", s.user(s.account.revokeKey))
	s.mux.HandleFunc("GET /files/{name}", s.file)
	s.mux.HandleFunc("GET /previews/{name}", s.preview)
	s.mux.HandleFunc("GET /.well-known/voicewright", s.wellKnown)
}

func (s *Service) wellKnown(w http.ResponseWriter, _ *http.Request) {
	issuer := s.o.Issuer
	if issuer == "" {
		issuer = s.URL + "/issuer"
	}
	login := object{"issuer": issuer, "client_id": "voicewright", "audience": "voicewright"}
	if s.o.Keeps {
		login["idempotency_key"] = true
	}
	maps.Copy(login, s.o.Login)
	answer(w, http.StatusOK, login)
}

// link returns the address of a file of the service.
func (s *Service) link(dir, name string) string { return s.URL + path.Join("/", dir, name) }

// Closed returns a base URL on which nothing listens until the test ends: its port is that of the client of a connection, which the
// system gives to no server of another test.
func Closed(t testing.TB) string {
	t.Helper()
	listener := httptest.NewUnstartedServer(nil).Listener
	client, err := new(net.Dialer).DialContext(t.Context(), "tcp", listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	server, err := listener.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	require.NoError(t, listener.Close())
	return "http://" + client.LocalAddr().String()
}

// instant returns a time as the service writes it.
func instant(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

func uuid(kind, n int) string { return fmt.Sprintf("%08x-0000-4000-8000-%012x", kind, n) }
