package hub

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// What stands between this machine and the hub: a proxy, a web filter, or a network that wants a sign-in first. The parameter
// reason names it, for the page.
const (
	reasonBlocked   = "blocked"
	reasonSignIn    = "sign_in"
	reasonProxyAuth = "proxy_auth"
	reasonProxy     = "proxy"
	reasonLegal     = "legal"
	reasonAuthority = "authority"
)

const (
	proxyAuthRemedy = "Put your name and password for the proxy into HTTPS_PROXY, as in http://NAME:PASSWORD@HOST:PORT, then start again."
	signInRemedy    = "Open any website in a browser and sign in to this network, then try again. Downloaded parts are kept."
	blockedRemedy   = "Ask who runs this network to allow it, try another network, or import the files of the model."
)

// proxyError is the refusal of a proxy to connect to the hub.
type proxyError struct {
	status int
	host   string // of the proxy
}

func (e *proxyError) Error() string {
	return fmt.Sprintf("the proxy %s refused the connection with the status %d", e.host, e.status)
}

// checkProxyAnswer returns an error unless a proxy has connected to the host.
func checkProxyAnswer(_ context.Context, proxy *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return &proxyError{answer.StatusCode, proxy.Host}
}

// proxyRefusal returns the attemptError of a proxy that refused a connection to host.
func proxyRefusal(e *backend.Error, host string, refusal *proxyError) *attemptError {
	e = e.With("proxy", refusal.host).With("status", refusal.status)
	switch {
	case refusal.status == http.StatusProxyAuthRequired:
		return &attemptError{err: proxyAuth(e, refusal.host)}
	case refusal.status >= http.StatusInternalServerError:
		e = e.With("reason", reasonProxy)
		e.Detail = fmt.Sprintf("The proxy %s could not connect to %s (%d).", refusal.host, host, refusal.status)
		e.Remedy = "Try again later, or check the proxy in HTTPS_PROXY. Downloaded parts are kept."
		return &attemptError{err: e, retry: true}
	default:
		e = e.With("reason", reasonBlocked)
		e.Detail = fmt.Sprintf("The proxy %s does not allow connections to %s (%d).", refusal.host, host, refusal.status)
		e.Remedy = blockedRemedy
		return &attemptError{err: e}
	}
}

// proxyAuth returns an error that asks for the credentials of a proxy.
func proxyAuth(e *backend.Error, proxy string) *backend.Error {
	e = e.With("reason", reasonProxyAuth).With("proxy", proxy)
	e.Detail, e.Remedy = "The proxy "+proxy+" requires a name and a password.", proxyAuthRemedy
	if proxy == "" {
		e.Detail = "The proxy requires a name and a password."
	}
	return e
}

// unreachableProxy returns the address of the proxy to which no connection could be made; ok is false for other errors.
func (c *Client) unreachableProxy(host string, err error) (proxy string, ok bool) {
	var op *net.OpError
	if !errors.As(err, &op) || op.Op != "proxyconnect" {
		return "", false
	}
	if c.o.Proxy == nil {
		return "", true
	}
	for _, scheme := range []string{"https", "http"} {
		if u, err := c.o.Proxy(&url.URL{Scheme: scheme, Host: host}); err == nil && u != nil {
			return u.Host, true
		}
	}
	return "", true
}

// errUntrusted returns the error about a connection whose certificate is not that of the hub.
func errUntrusted(e *backend.Error, host string, certificate *tls.CertificateVerificationError) *backend.Error {
	var authority x509.UnknownAuthorityError
	var other x509.HostnameError
	switch {
	case errors.As(certificate, &authority):
		e = e.With("reason", reasonAuthority)
		e.Detail = fmt.Sprintf("The certificate of %s comes from an authority that this computer does not trust: a proxy or a program may read "+
			"the connections of this network.", host)
		e.Remedy = "If that is wanted here, install its root certificate in the system or name its file in SSL_CERT_FILE. " +
			"Else use another network."
	case errors.As(certificate, &other):
		e = e.With("reason", reasonSignIn)
		e.Detail = fmt.Sprintf("Another server answers in the place of %s: the network may require a sign-in.", host)
		e.Remedy = signInRemedy
	default:
		e = e.With("reason", "certificate")
		e.Remedy = "The connection is not safe. Check the clock of this computer and its proxy, then try again."
	}
	return e
}

// notEncrypted reports whether a server answered without TLS where TLS was expected, as networks that want a sign-in do.
func notEncrypted(err error) bool {
	var record tls.RecordHeaderError
	return errors.As(err, &record) || strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// isWebPage reports whether a response is a page for people, in the place of the file or the list that was requested.
func isWebPage(h http.Header, what string) bool {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	extension := strings.ToLower(path.Ext(what))
	return err == nil && (kind == "text/html" || kind == "application/xhtml+xml") && extension != ".html" && extension != ".htm"
}

// beginsAsWebPage reports whether a body is a page for people, whatever its header says.
func beginsAsWebPage(body []byte) bool {
	return strings.HasPrefix(http.DetectContentType(bytes.TrimLeft(body, "\xef\xbb\xbf \t\r\n")), "text/html")
}

// signIn returns the error about a web page of host in the place of what was requested.
func signIn(e *backend.Error, host, what string) *backend.Error {
	e = e.With("reason", reasonSignIn).With("host", host)
	e.Detail = fmt.Sprintf("%s answered with a web page in the place of %s: the network may require a "+
		"sign-in, or block the model hub.", host, what)
	e.Remedy = signInRemedy
	return e
}

// webPage returns the attemptError of a web page in the place of what was requested.
func webPage(host, what string) *attemptError {
	return &attemptError{err: signIn(backend.E(backend.CodeDownloadFailed, "", "").With("host", host).With("file", what), host, what)}
}

// errFiltered returns the error about a status that a web filter, a proxy or a network that wants a sign-in gives; nil for those of
// the hub.
func (c *Client) errFiltered(res *response, e *backend.Error, what string) *backend.Error {
	host := res.Request.URL.Host
	page := isWebPage(res.Header, what)
	fromHub := res.hub.Get("X-Error-Code") != "" || res.hub.Get("X-Error-Message") != ""
	switch status := res.StatusCode; {
	case status == http.StatusProxyAuthRequired:
		proxy := ""
		if c.o.Proxy != nil {
			if u, err := c.o.Proxy(res.Request.URL); err == nil && u != nil {
				proxy = u.Host
			}
		}
		return proxyAuth(e, proxy)
	case status == http.StatusNetworkAuthenticationRequired, status == http.StatusUnauthorized && page && !fromHub:
		return signIn(e, host, what)
	case status == http.StatusUnavailableForLegalReasons:
		e = e.With("reason", reasonLegal)
		e.Detail, e.Remedy = fmt.Sprintf("%s may not deliver %s here, for legal reasons (451).", host, what), "Choose another model."
		return e
	case status == http.StatusForbidden && !fromHub && (!res.foreign || page):
		e = e.With("reason", reasonBlocked)
		e.Detail = fmt.Sprintf("Something between this computer and %s, such as a web filter, does not allow %s (403).", host, what)
		e.Remedy = blockedRemedy
		return e
	default:
		return nil
	}
}
