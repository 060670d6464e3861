package devidp

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"time"
)

// maxForm is the size of the largest form or query, in bytes.
const maxForm = 32 << 10

// bodyTime is how long the body of a request may take to arrive.
const bodyTime = 10 * time.Second

// inTime limits the time in which the bodies of requests must arrive, also of those that are refused unread.
func inTime(limit time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(limit)) // writers of tests have no deadlines
		}
		next.ServeHTTP(w, r)
	})
}

// guard lets in programs and pages of this machine, with forms that can be read in one way only.
func guard(next http.Handler) http.Handler {
	return http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Content-Security-Policy", pagePolicy(""))
		if !isLocal(r) {
			http.Error(w, "This sign-in is for trying the service on one computer, and only programs on that computer may use it. "+
				"Use http://127.0.0.1 or http://[::1].", http.StatusForbidden)
			return
		}
		if path.Clean(r.URL.Path) != r.URL.Path { // the mux would redirect it, to an address without our prefix
			http.NotFound(w, r)
			return
		}
		if kind := r.Header.Get("Content-Type"); kind != "" && !strings.HasPrefix(kind, "application/x-www-form-urlencoded") {
			http.Error(w, "Send the form as application/x-www-form-urlencoded.", http.StatusUnsupportedMediaType)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		err := r.ParseForm()
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, io.ErrUnexpectedEOF):
			h.Set("Connection", "close")
			http.Error(w, "The form did not arrive completely. Send it again.", http.StatusRequestTimeout)
			return
		case err != nil, len(r.URL.RawQuery) > maxForm:
			http.Error(w, "The form is too large or not valid.", http.StatusBadRequest)
			return
		}
		for _, values := range r.Form {
			if len(values) > 1 {
				http.Error(w, "A parameter is there twice. Send it once.", http.StatusBadRequest)
				return
			}
		}
		if !hasReadableClient(r) {
			http.Error(w, "The Authorization header is not valid.", http.StatusBadRequest)
			return
		}
		next.ServeHTTP(w, r)
	}))
}

// isLocal reports whether a request comes from this machine and was sent to it by its address. A page elsewhere, whose host name
// was changed to a loopback address, sends that name; a proxy says for whom it asks.
func isLocal(r *http.Request) bool {
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip"} {
		if r.Header.Get(name) != "" {
			return false
		}
	}
	caller, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil || !isLoopback(caller) {
		return false
	}
	host := (&url.URL{Host: r.Host}).Hostname()
	return isLoopback(host) || strings.EqualFold(host, "localhost")
}

// hasReadableClient reports whether the library can read the client's name of Basic authentication, if there is one. It goes on
// with nothing where it cannot, and panics.
func hasReadableClient(r *http.Request) bool {
	name, secret, ok := r.BasicAuth()
	if !ok {
		return true
	}
	_, errName := url.QueryUnescape(name)
	_, errSecret := url.QueryUnescape(secret)
	return errName == nil && errSecret == nil
}

type redirectKey struct{}

// withRedirect lets in requests whose parameter, if present, is an address of a program on this machine, which the client then
// has as its only one. The library's own check can be passed with an escaped host.
func withRedirect(parameter string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		target := r.Form.Get(parameter)
		if target != "" && !isLoopbackRedirect(target) {
			http.Error(w, "The "+parameter+" is not valid. Use http://127.0.0.1:PORT/PATH or http://[::1]:PORT/PATH.", http.StatusBadRequest)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), redirectKey{}, target)))
	})
}

// isLoopbackRedirect reports whether target is a redirect address of a native app on this machine, as of RFC 8252: any port of
// 127.0.0.1 or [::1], not localhost, which may be another address.
func isLoopbackRedirect(target string) bool {
	if strings.ContainsFunc(target, func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(`%+\#@"'<>;,`, c) }) {
		return false
	}
	u, err := url.Parse(target)
	return err == nil && u.Scheme == "http" && u.Opaque == "" && (u.Hostname() == "127.0.0.1" || u.Hostname() == "::1") && u.String() == target
}
