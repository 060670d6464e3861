package httpapi

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

var (
	errWrongHost = backend.E(backend.CodeWrongHost, "Voicewright doesn't accept this host name.",
		"Use the address that the server printed, or allow this name in the settings or with --allow-host.")
	errOrigin = backend.E(backend.CodeOriginNotAllowed, "This website isn't allowed to use Voicewright.",
		"If you trust it, allow its origin in the settings or with --allow-origin.")
	errUnauthorized = backend.E(backend.CodeUnauthorized, "The access token is missing or incorrect.",
		"Send `Authorization: Bearer TOKEN` with the token that the server printed.")
	errNoRoute  = backend.E(backend.CodeNotFound, "This address does not exist.", "See /docs for all addresses.")
	errNoMethod = backend.E(backend.CodeMethodNotAllowed, "This address does not support this method.",
		"See /docs for the methods of each address.")
)

// Handler returns the complete API with its access control: host, origin, preflight and token are checked in this order,
// before the body is read.
func (a *API) Handler() http.Handler {
	return a.lingering(a.recovering(a.access(http.HandlerFunc(a.dispatch))))
}

// recovering assigns the request id and turns a panic into an `internal` error; its text is logged, not shown.
func (a *API) recovering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(backend.WithRequestID(r.Context(), a.opts.NewID()))
		tracked := &trackedWriter{ResponseWriter: w}
		defer func() {
			p := recover()
			err, _ := p.(error)
			switch {
			case p == nil:
			case errors.Is(err, http.ErrAbortHandler):
				panic(p)
			case tracked.wrote:
				a.opts.Log.ErrorContext(r.Context(), "response aborted", slog.String("request_id", backend.RequestID(r.Context())),
					slog.String("method", r.Method), slog.String("route", r.Pattern), slog.Any("error", p))
				panic(http.ErrAbortHandler)
			default:
				a.fail(w, r, &backend.PanicError{Value: p, Stack: debug.Stack()})
			}
		}()
		next.ServeHTTP(tracked, r)
	})
}

// trackedWriter records whether the response has begun.
type trackedWriter struct {
	http.ResponseWriter
	wrote bool
}

// Unwrap lets http.ResponseController reach the connection.
func (w *trackedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader records that the response has begun, which an informational one has not.
func (w *trackedWriter) WriteHeader(code int) {
	if code == http.StatusNoContent {
		w.Header().Del("Content-Type") // huma has set one, of a body that is not there
	}
	w.wrote = w.wrote || code >= http.StatusOK
	w.ResponseWriter.WriteHeader(code)
}

// Write records that the response has begun.
func (w *trackedWriter) Write(p []byte) (int, error) {
	w.wrote = true
	return w.ResponseWriter.Write(p)
}

// Flush sends buffered data, if the connection supports it.
func (w *trackedWriter) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// access checks host, origin and token.
func (a *API) access(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Add("Vary", "Origin")
		expectBody(w, r)
		if !a.guard.allowsHost(r.Host) {
			a.refuseBody(w, r, errWrongHost)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" {
			if !a.guard.allowsOrigin(origin, r) {
				a.refuseBody(w, r, errOrigin)
				return
			}
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Expose-Headers",
				"Retry-After, Content-Range, Accept-Ranges, Content-Length, Content-Disposition, Preference-Applied, "+
					"X-Generation-Id, X-Sample-Rate, X-Channels, X-New-From")
			if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
				preflight(w, r)
				return
			}
		}
		if !a.public(r) && !a.hasToken(r) {
			a.refuseBody(w, r, errUnauthorized)
			return
		}
		if a.hasToken(r) {
			a.pace(w, r)
		}
		next.ServeHTTP(w, r)
	})
}

// preflight answers the preflight request of a browser from an allowed origin.
func preflight(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Prefer, Range, Last-Event-ID, X-Voicewright-Auth, Idempotency-Key")
	h.Set("Access-Control-Max-Age", "600")
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
	w.WriteHeader(http.StatusNoContent)
}

// public reports whether the request needs no token.
func (a *API) public(r *http.Request) bool {
	if a.forwarder.forwarded(r) {
		return false
	}
	switch _, pattern := a.router.mux.Handler(r); pattern {
	case "GET /health", "GET /docs":
		return true
	case "GET /audio/{id}", "GET " + sampleAudioRoute, "GET " + coverRoute:
		return a.links.signed(r.URL)
	case "":
		_, ok := a.ui.Find(r)
		return ok
	default:
		return false
	}
}

// hasToken reports whether the request has the token. It compares in constant time, also for tokens of another length.
func (a *API) hasToken(r *http.Request) bool {
	if a.opts.Token == "" {
		return true
	}
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, want := sha256.Sum256([]byte(strings.TrimSpace(given))), sha256.Sum256([]byte(a.opts.Token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// dispatch passes the request to its route or the UI, or responds with what is wrong with its address.
func (a *API) dispatch(w http.ResponseWriter, r *http.Request) {
	if a.forwarder.forwarded(r) {
		a.forwarder.forward(w, r)
		return
	}
	r = withoutSlash(r)
	if allow := a.router.methods(r.URL.Path); len(allow) > 0 && !slices.Contains(allow, r.Method) {
		w.Header().Set("Allow", strings.Join(allow, ", "))
		a.fail(w, r, errNoMethod)
		return
	}
	h, pattern := a.router.mux.Handler(r)
	if pattern != "" {
		defer removeUpload(r)
		a.router.mux.ServeHTTP(w, r)
		return
	}
	if name, ok := a.ui.Find(r); ok {
		if err := a.ui.Serve(w, r, name); err != nil {
			a.fail(w, r, err)
		}
		return
	}
	// The mux lists the allowed methods in the header of its own response.
	probe := &probeWriter{header: http.Header{}}
	h.ServeHTTP(probe, r)
	if allow := probe.header.Get("Allow"); allow != "" {
		w.Header().Set("Allow", allow)
		a.fail(w, r, errNoMethod)
		return
	}
	a.fail(w, r, errNoRoute)
}

// withoutSlash returns a request of a route in OpenAI's shape without a slash at the end of its path, which some clients write.
func withoutSlash(r *http.Request) *http.Request {
	path := strings.TrimRight(r.URL.Path, "/")
	if !strings.HasPrefix(path, openAIPrefix) || path == r.URL.Path {
		return r
	}
	same, address := *r, *r.URL
	address.Path, address.RawPath = path, strings.TrimRight(address.RawPath, "/")
	same.URL = &address
	return &same
}

// removeUpload deletes the files of a form. net/http does so only for the request that it created itself.
func removeUpload(r *http.Request) {
	if r.MultipartForm != nil {
		_ = r.MultipartForm.RemoveAll()
	}
}

// probeWriter records the headers of a response that is not sent.
type probeWriter struct{ header http.Header }

// Header returns the headers.
func (p *probeWriter) Header() http.Header { return p.header }

// Write discards the body.
func (p *probeWriter) Write(b []byte) (int, error) { return len(b), nil }

// WriteHeader discards the status.
func (p *probeWriter) WriteHeader(int) {}
