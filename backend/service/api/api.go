// Package api serves package service over HTTP: docs/contract/hosted-api.md, and what decisions.md section 6 adds to it.
package api

import (
	"cmp"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// Options are what New needs.
type Options struct {
	Service        Service
	Tokens         Tokens         // nil: no JWT is valid
	PublicURL      string         // begins every link: the operator's, else the listening address
	Login          backend.Login  // of /.well-known/voicewright; without an issuer that path is 404
	TrustedProxies []netip.Prefix // whose X-Forwarded-For counts
	Metrics        *Metrics       // nil: none are counted, and no /metrics
	HideMetrics    bool           // no /metrics, as they are served elsewhere
	Log            *slog.Logger   // nil: no log
	Now            func() time.Time
	NewID          func() string // the id of a request
	Version        string        // of the program, in /health and /openapi.json
	BodyTimeout    time.Duration // for the body of a request; 0: 20 s
	AnswerTimeout  time.Duration // for the client to read an answer, and a second more for each 16 KiB of audio; 0: 30 s
}

// API is the HTTP API. It is safe for concurrent use.
type API struct {
	service   Service
	tokens    Tokens
	publicURL string
	login     backend.Login
	proxies   []netip.Prefix
	metrics   *Metrics
	hidden    bool // of the metrics
	log       *slog.Logger
	now       func() time.Time
	newID     func() string
	version   string

	bodyTimeout, answerTimeout time.Duration

	credentials *throttle // failed credentials
	guesses     *throttle // links of files that do not exist
	openAPI     []byte
	mux         *http.ServeMux
}

// New returns the API.
func New(o Options) *API {
	a := &API{
		service: o.Service, tokens: o.Tokens, publicURL: strings.TrimRight(o.PublicURL, "/"), login: o.Login,
		proxies: o.TrustedProxies, metrics: o.Metrics, hidden: o.HideMetrics, log: o.Log, now: o.Now, newID: o.NewID, version: o.Version,
		bodyTimeout: cmp.Or(o.BodyTimeout, defaultBodyTimeout), answerTimeout: cmp.Or(o.AnswerTimeout, defaultAnswerTimeout),
		credentials: newThrottle(), guesses: newThrottle(), mux: http.NewServeMux(),
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if a.now == nil {
		a.now = time.Now
	}
	if a.newID == nil {
		a.newID = rand.Text
	}
	a.openAPI = a.document()
	a.register()
	return a
}

// Limits of a connection.
const (
	defaultBodyTimeout   = 20 * time.Second
	defaultAnswerTimeout = 30 * time.Second
	headerTimeout        = 10 * time.Second
	idleTimeout          = 2 * time.Minute
	maxHeaderBytes       = 32 << 10
)

// Server returns a server of the API, with limits on headers and idle connections.
func (a *API) Server() *http.Server {
	return &http.Server{
		Handler: a, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelDebug),
	}
}
