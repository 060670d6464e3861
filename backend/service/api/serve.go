package api

import (
	"errors"
	"log/slog"
	"net/http"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend/query"
	"github.com/voicewright/voicewright/backend/service"
)

// response is the writer of a request. It remembers what the log and the metrics report.
type response struct {
	http.ResponseWriter
	id       string
	status   int
	timeout  time.Duration // in which the client must read the answer
	bodyRead bool          // completely
	account  string        // of the caller; empty where it is not known
	err      error         // that was answered
}

// Unwrap makes http.ResponseController work.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader sends the status and remembers it. From here on the client has to read.
func (w *response) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.timeout)) // writers of tests have none
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends bytes, after status 200 if there was none.
func (w *response) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(p)
}

// ServeHTTP answers a request.
func (a *API) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	w := &response{ResponseWriter: to, id: a.newID(), timeout: a.answerTimeout}
	started := a.now()
	header := w.Header()
	header.Set("X-Request-Id", w.id)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	if strings.HasPrefix(r.URL.Path, "/api/") {
		header.Set("Cache-Control", "no-store")
	}
	if len(r.TransferEncoding) > 0 {
		// A proxy that goes by another length would send the rest of such a body as the next request.
		header.Set("Connection", "close")
	}
	defer a.finish(w, r, started)
	if !cleanPath(r.URL.Path) {
		a.fail(w, r, errNoRoute(r))
		return
	}
	a.mux.ServeHTTP(w, r)
}

// serve returns the handler of a route: who the caller is comes before everything else about the request.
func (a *API) serve(rt route) http.HandlerFunc {
	return func(writer http.ResponseWriter, r *http.Request) {
		w, _ := writer.(*response) // ServeHTTP passes nothing else
		expectBody(w, r)
		caller, err := a.guard.authorize(r, rt)
		if caller.Account.ID != 0 {
			w.account = caller.Account.LogID()
		}
		if err == nil && r.ContentLength > maxBody {
			err = errTooLarge
		}
		if err == nil {
			err = checkQuery(r.URL.RawQuery, rt.query)
		}
		if err == nil {
			r.URL.RawQuery = query.Readable(r.URL.RawQuery)
			err = rt.handle(w, r, caller)
		}
		if err != nil {
			a.fail(w, r, err)
		}
	}
}

// checkQuery returns an error for a parameter that cannot be read or is given more than once; known is a struct with the fields of
// the query, or nil.
func checkQuery(raw string, known any) error {
	if known == nil {
		return nil
	}
	faults := query.Faults(raw)
	for _, field := range reflect.VisibleFields(reflect.TypeOf(known)) {
		switch name := fieldName(field); faults[name] {
		case query.Malformed:
			return errBadRequest("The parameter %q is not valid text.", name)
		case query.Repeated:
			return errBadRequest("The parameter %q may be given once.", name)
		}
	}
	return nil
}

// finish logs a request and counts it. A panic becomes status 500, or ends the connection where the answer has begun.
func (a *API) finish(w *response, r *http.Request, started time.Time) {
	broken := recover()
	if broken != nil && broken != any(http.ErrAbortHandler) {
		a.log.ErrorContext(r.Context(), "panic in a handler", "request_id", w.id, "route", routeLabel(r), "panic", broken,
			"stack", string(debug.Stack()))
		if w.status == 0 {
			a.fail(w, r, errPanic)
			broken = nil
		}
	}
	took := a.now().Sub(started)
	a.metrics.request(routeLabel(r), w.status, took)
	a.logRequest(w, r, took)
	if broken != nil {
		panic(http.ErrAbortHandler)
	}
}

// logRequest writes one line a request. It has no path, query or header, which may hold secrets, and of the user only a number.
func (a *API) logRequest(w *response, r *http.Request, took time.Duration) {
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("request_id", w.id), slog.String("route", routeLabel(r)), slog.Int("status", w.status),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000),
	}
	if w.account != "" {
		attrs = append(attrs, slog.String("account", w.account))
	}
	switch {
	case errors.Is(w.err, service.ErrStopping) && quiet[r.Pattern]: // it is meant to say so
		level = slog.LevelDebug
	case w.status >= http.StatusInternalServerError:
		level = slog.LevelError
		attrs = append(attrs, slog.String("error", causeOf(w.err)))
	case w.status == http.StatusUnauthorized || w.status == http.StatusForbidden: // an operator looks here when somebody can't sign in
		attrs = append(attrs, slog.String("error", causeOf(w.err)))
	case quiet[r.Pattern]:
		level = slog.LevelDebug
	}
	a.log.LogAttrs(r.Context(), level, "request", attrs...)
}

// quiet are the routes that monitoring calls all the time.
var quiet = map[string]bool{"GET /health": true, "GET /ready": true, "GET /metrics": true}

// routeLabel returns the route of a request for log and metrics: a pattern of the route table, never the path.
func routeLabel(r *http.Request) string {
	if r.Pattern == "" || r.Pattern == "/" {
		return "unknown"
	}
	return r.Pattern
}
