package forward

import (
	"cmp"
	"io"
	"maps"
	"net/http"
	"net/http/httputil"
	"slices"
	"strings"
)

// private are headers of the caller that the service does not get: credentials, also of this server, and whose page called.
var private = []string{
	"Authorization", "X-Api-Key", "Cookie", "Cookie2", "Origin", "Referer", "Forwarded", "X-Real-Ip", authHeader,
	"Connection", "Te", "Trailer", "Upgrade", "Http2-Settings", "Expect",
}

// ours are headers that say something about this server, which the service may not set.
var ours = []string{
	"Authorization", "X-Api-Key", "Set-Cookie", "Set-Cookie2", "Trailer", "Alt-Svc", "Clear-Site-Data", "Strict-Transport-Security",
	"X-Content-Type-Options", "Referrer-Policy",
}

// rewrite turns the request of the caller into that for the service: same method, path, query and body, other credentials. Hop-
// by-hop headers are gone already, except those in private.
func (x *exchange) rewrite(p *httputil.ProxyRequest) {
	out := p.Out
	out.URL.Scheme, out.URL.Host, out.Host = x.base.Scheme, x.base.Host, ""
	out.URL.Path, out.URL.RawPath = x.base.Path+p.In.URL.Path, ""
	if x.base.RawPath != "" {
		out.URL.RawPath = x.base.RawPath + p.In.URL.EscapedPath()
	}
	out.URL.RawQuery, out.URL.ForceQuery = p.In.URL.RawQuery, p.In.URL.ForceQuery
	out.Trailer = nil
	for _, name := range private {
		out.Header.Del(name)
	}
	for name := range out.Header {
		if strings.HasPrefix(name, "X-Forwarded-") || strings.HasPrefix(name, "Proxy-") {
			delete(out.Header, name)
		}
	}
	out.Header.Set("Authorization", "Bearer "+cmp.Or(x.used.Key, x.used.Token))
}

// answer writes the answer of the service with headers of its own, so that those of this server stay until it begins.
type answer struct {
	http.ResponseWriter
	header http.Header
}

// Unwrap lets http.ResponseController reach the connection.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// Header returns the headers of the service.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader sends the headers of the service over those of this server. Those of an informational answer count for it alone.
func (a *answer) WriteHeader(status int) {
	clean(a.header)
	to := a.ResponseWriter.Header()
	if status < http.StatusOK {
		before := maps.Clone(to)
		clear(to)
		maps.Copy(to, a.header)
		a.ResponseWriter.WriteHeader(status)
		clear(to)
		maps.Copy(to, before)
		return
	}
	a.header["Vary"] = slices.Concat(to["Vary"], a.header["Vary"])
	maps.Copy(to, a.header)
	if to["Content-Type"] == nil {
		to["Content-Type"] = nil // else one is guessed
	}
	a.ResponseWriter.WriteHeader(status)
}

// clean removes what is not for the caller from the headers of an answer.
func clean(h http.Header) {
	for _, name := range ours {
		h.Del(name)
	}
	for name := range h {
		if strings.HasPrefix(name, "Access-Control-") || strings.HasPrefix(name, "Proxy-") {
			delete(h, name)
		}
	}
}

// withoutTrailer is a body whose trailers are dropped at its end.
type withoutTrailer struct {
	io.ReadCloser
	res *http.Response
}

// Read reads from the body.
func (b *withoutTrailer) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.res.Trailer = nil
	}
	return n, err
}
