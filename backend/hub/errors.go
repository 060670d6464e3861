package hub

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// protocolError is a response that breaks the rules of HTTP or of the hub.
type protocolError struct {
	host, what string
	signIn     bool // as of a network that wants a sign-in
}

func (e *protocolError) Error() string { return e.host + ": " + e.what }

// attemptError is why an attempt failed, and whether to try again.
type attemptError struct {
	err          error         // what the caller gets after the last attempt
	retry        bool          // another attempt may succeed
	wait         time.Duration // as the hub asked; 0: by backoff
	atOnce       bool          // the first retry need not wait
	wrongContent bool          // the received content was wrong
}

var errStalled = errors.New("the connection delivered nothing for too long")

const networkRemedy = "Check the network connection and try again. Downloaded parts are kept."

func errOffline() error {
	return backend.E(backend.CodeOffline, "This needs the network, and offline mode is on.",
		"Turn offline mode off (in the settings, or --offline or HF_HUB_OFFLINE at the start), or import the files.")
}

// connectionError returns the attemptError of a failed connection.
func (c *Client) connectionError(host, what string, err error) *attemptError {
	var known *backend.Error
	if errors.As(err, &known) {
		return &attemptError{err: known}
	}
	e := backend.E(backend.CodeDownloadFailed, fmt.Sprintf("Downloading %s from %s failed.", what, host), networkRemedy).
		With("host", host).With("file", what).WithCause(err)
	var certificate *tls.CertificateVerificationError
	var refusal *proxyError
	var bad *protocolError
	proxy, unreachable := c.unreachableProxy(host, err)
	switch {
	case errors.As(err, &certificate):
		return &attemptError{err: errUntrusted(e, host, certificate)}
	case errors.As(err, &refusal):
		return proxyRefusal(e, host, refusal)
	case unreachable:
		e = e.With("reason", reasonProxy).With("proxy", proxy)
		e.Detail = fmt.Sprintf("The proxy %s cannot be reached.", proxy)
		e.Remedy = "Check the network connection and the proxy in HTTPS_PROXY, then try again. Downloaded parts are kept."
	case notEncrypted(err):
		return webPage(host, what)
	case errors.As(err, &bad):
		e.Detail = fmt.Sprintf("Downloading %s from %s failed: %s.", what, host, bad.what)
		if bad.signIn {
			e.Remedy = signInRemedy
			return &attemptError{err: e.With("reason", reasonSignIn)}
		}
	case errors.Is(err, errStalled):
		e.Detail = fmt.Sprintf("Downloading %s from %s failed: the connection delivered nothing for too long.", what, host)
	}
	return &attemptError{err: e, retry: true}
}

// statusError returns the attemptError of a status other than success. It reads only the start of the body.
func (c *Client) statusError(res *response, what string) *attemptError {
	_, _ = io.CopyN(io.Discard, res.Body, 4096)
	host := res.Request.URL.Host
	code := res.hub.Get("X-Error-Code")
	e := backend.E(backend.CodeDownloadFailed, fmt.Sprintf("%s answered %d to %s.", host, res.StatusCode, what), networkRemedy).
		With("host", host).With("file", what).With("status", res.StatusCode)
	if blocked := c.errFiltered(res, e, what); blocked != nil {
		return &attemptError{err: blocked}
	}
	switch {
	case res.foreign && (res.StatusCode == http.StatusForbidden || res.StatusCode == http.StatusUnauthorized):
		// a signed address has expired: the hub issues a new one
		return &attemptError{err: e, retry: true, atOnce: true}
	case res.StatusCode == http.StatusTooManyRequests:
		return c.rateLimited(res, e)
	case res.StatusCode == http.StatusRequestTimeout, res.StatusCode >= 500:
		after, _ := c.retryAfter(res.Header)
		return &attemptError{err: e.With("reason", "server"), retry: true, wait: after}
	case code == "RepoNotFound":
		e = e.With("reason", "repository")
		e.Detail, e.Remedy = "The hub does not have this repository, or does not show it without a token.", "Check the name, or set HF_TOKEN."
	case code == "RevisionNotFound":
		e = e.With("reason", "gone")
		e.Detail, e.Remedy = "The hub no longer has this revision of the repository.", "Update Voicewright, or choose another model."
	case code == "EntryNotFound", res.StatusCode == http.StatusNotFound:
		e = e.With("reason", "gone")
		e.Detail, e.Remedy = fmt.Sprintf("The hub does not have %s.", what), "Update Voicewright, or choose another model."
	case res.StatusCode == http.StatusUnauthorized && code == "" && c.o.Token != "":
		e = backend.E(backend.CodeHubGated, "The model hub does not accept the access token in HF_TOKEN.",
			"Create a new token on its website and set HF_TOKEN, or unset it.").
			With("host", host).With("status", res.StatusCode).With("reason", "token")
	case code == "GatedRepo", res.StatusCode == http.StatusUnauthorized, res.StatusCode == http.StatusForbidden:
		e = backend.E(backend.CodeHubGated, "The model hub requires you to accept this model's licence on its website first.",
			"Accept the licence on the model's page, create an access token there, and set HF_TOKEN.").
			With("host", host).With("status", res.StatusCode)
	}
	return &attemptError{err: e.With("code", code)}
}

// rateLimited returns the attemptError of a 429, whose RateLimit or Retry-After header says how long to wait.
func (c *Client) rateLimited(res *response, cause *backend.Error) *attemptError {
	after, known := c.retryAfter(res.Header)
	seconds := int(after.Round(time.Second) / time.Second)
	if !known {
		seconds = 60
	}
	e := backend.E(backend.CodeHubRateLimited, "The model hub received too many requests from this address.",
		fmt.Sprintf("Wait %d seconds and try again, or set HF_TOKEN for a higher limit.", seconds)).
		With("retry_after", seconds).With("host", cause.Params["host"]).WithCause(cause)
	return &attemptError{err: e, retry: true, wait: after}
}
