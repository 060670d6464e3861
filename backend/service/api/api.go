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

// API is the HTTP API: the route table over the handlers of each resource. It is safe for concurrent use.
type API struct {
	service Service
	links   links
	login   backend.Login
	metrics *Metrics
	hidden  bool // of the metrics
	log     *slog.Logger
	now     func() time.Time
	newID   func() string
	version string

	answerTimeout time.Duration

	guard   *guard
	speech  *speechHandlers
	voices  *voiceHandlers
	user    *userHandlers
	keys    *keyHandlers
	audio   *audioHandlers
	openAPI []byte
	mux     *http.ServeMux
}

// New returns the API.
func New(o Options) *API {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = rand.Text
	}
	shown := links{strings.TrimRight(o.PublicURL, "/")}
	read := bodies{cmp.Or(o.BodyTimeout, defaultBodyTimeout)}
	seen := &clients{o.TrustedProxies, o.Now}
	a := &API{
		service: o.Service, links: shown, login: o.Login, metrics: o.Metrics, hidden: o.HideMetrics, log: o.Log, now: o.Now,
		newID: o.NewID, version: o.Version, answerTimeout: cmp.Or(o.AnswerTimeout, defaultAnswerTimeout),
		guard:  &guard{o.Service, o.Tokens, seen, newThrottle()},
		speech: &speechHandlers{read, o.Service, shown},
		voices: &voiceHandlers{read, o.Service, shown, o.Now},
		user:   &userHandlers{o.Service, shown},
		keys:   &keyHandlers{read, o.Service},
		audio:  &audioHandlers{o.Service, seen, newThrottle()},
		mux:    http.NewServeMux(),
	}
	a.openAPI = a.document()
	a.register()
	return a
}

// links are the addresses that the API hands out.
type links struct{ publicURL string }

// file returns the address of generated audio.
func (l links) file(name string) string { return l.publicURL + "/files/" + name }

// preview returns the address of a sample of a voice.
func (l links) preview(voiceID string) string {
	return l.publicURL + "/previews/" + voiceID + previewSuffix
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
