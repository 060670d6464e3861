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

// policy makes a document of the service one of no origin that runs and loads nothing: without a token, an answer opened in a browser
// would be a page of this server.
const policy = "sandbox; default-src 'none'"

// passed are the headers of HTTP that answers of the service need. Others are not for the caller: they are about this server or one
// connection, or make browsers load, store or run something.
var passed = map[string]bool{
	"Accept-Ranges": true, "Age": true, "Allow": true, "Cache-Control": true, "Content-Digest": true, "Content-Disposition": true,
	"Content-Encoding": true, "Content-Language": true, "Content-Length": true, "Content-Range": true, "Content-Type": true,
	"Date": true, "Deprecation": true, "Etag": true, "Expires": true, "Idempotency-Key": true, "Last-Modified": true, "Location": true,
	"Ratelimit": true, "Ratelimit-Policy": true, "Retry-After": true, "Server": true, "Sunset": true, "Vary": true, "Via": true,
	"Www-Authenticate": true,
}

// refused begin the headers with X- on which browsers, caches or servers in front of this one act.
var refused = []string{
	"X-Accel-", "X-Api-Key", "X-Content-", "X-Dns-Prefetch-Control", "X-Download-Options", "X-Forwarded-", "X-Frame-Options",
	"X-Lighttpd-", "X-Permitted-", "X-Real-Ip", "X-Sendfile", "X-Sourcemap", "X-Ua-Compatible", "X-Webkit-", "X-Xss-Protection",
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
	to := a.ResponseWriter.Header()
	if status < http.StatusOK {
		clean(a.header, nil, false)
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

// clean leaves the headers of an answer that are for the caller: those in passed, even where Connection names one of them, as they
// are about the content, and those with X- that are not refused. Of the latter those end with the connection that its header
// Connection names (RFC 9110, section 7.6.1); where these names are not known, all do.
func clean(h http.Header, connection []string, known bool) {
	hops := map[string]bool{}
	for _, name := range strings.Split(strings.Join(connection, ","), ",") {
		hops[http.CanonicalHeaderKey(strings.Trim(name, " \t"))] = true
	}
	for name := range h {
		extension := known && strings.HasPrefix(name, "X-") && !hops[name] &&
			!slices.ContainsFunc(refused, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
		if !passed[name] && !extension {
			delete(h, name)
		}
	}
	if h["Www-Authenticate"] != nil {
		h.Set("Www-Authenticate", "Bearer") // for others, a browser would ask for a password of this server
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
