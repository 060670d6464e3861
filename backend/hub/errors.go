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

// badAnswer is what a server must not do.
type badAnswer struct{ host, what string }

func (e *badAnswer) Error() string { return e.host + ": " + e.what }

// setback is an attempt that failed.
type setback struct {
	err   error         // what the user is told when it was the last one
	again bool          // another attempt makes sense
	wait  time.Duration // asked for by the hub; 0: by backoff
	soon  bool          // another attempt makes sense at once
	bad   bool          // the content was wrong
}

var errStalled = errors.New("the connection gave nothing for too long")

const networkRemedy = "Check the network connection and try again; what was fetched is kept."

func errOffline() error {
	return backend.E(backend.CodeOffline, "This needs the network, and offline mode is on.",
		"Turn offline mode off (in the settings, or --offline or HF_HUB_OFFLINE at the start), or import the files.")
}

// trouble judges an error of the connection.
func trouble(host, what string, err error) *setback {
	var known *backend.Error
	if errors.As(err, &known) {
		return &setback{err: known}
	}
	e := backend.E(backend.CodeDownloadFailed, fmt.Sprintf("Fetching %s from %s failed.", what, host), networkRemedy).
		With("host", host).With("file", what).Because(err)
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) {
		e.Remedy = "The connection is not safe. Check the clock of this computer and its proxy, then try again."
		return &setback{err: e}
	}
	var bad *badAnswer
	if errors.As(err, &bad) {
		e.Detail = fmt.Sprintf("Fetching %s from %s failed: %s.", what, host, bad.what)
	}
	if errors.Is(err, errStalled) {
		e.Detail = fmt.Sprintf("Fetching %s from %s failed: the connection stood still.", what, host)
	}
	return &setback{err: e, again: true}
}

// refusal judges a status other than success, and reads no more than the start of its body.
func (c *Client) refusal(a *answer, what string) *setback {
	_, _ = io.CopyN(io.Discard, a.Body, 4096)
	host := a.Request.URL.Host
	code := a.hub.Get("X-Error-Code")
	e := backend.E(backend.CodeDownloadFailed, fmt.Sprintf("%s answered %d to %s.", host, a.StatusCode, what), networkRemedy).
		With("host", host).With("file", what).With("status", a.StatusCode)
	switch {
	case a.away && (a.StatusCode == http.StatusForbidden || a.StatusCode == http.StatusUnauthorized):
		// a signed address that ran out: the hub gives a new one
		return &setback{err: e, again: true, soon: true}
	case a.StatusCode == http.StatusTooManyRequests:
		return c.limited(a, e)
	case a.StatusCode == http.StatusRequestTimeout, a.StatusCode >= 500:
		after, _ := c.retryAfter(a.Header)
		return &setback{err: e, again: true, wait: after}
	case code == "RepoNotFound":
		e.Detail, e.Remedy = "The hub does not have this repository, or does not show it without a token.", "Check the name, or set HF_TOKEN."
	case code == "RevisionNotFound":
		e.Detail, e.Remedy = "The hub does not have this revision of the repository any more.", "Update Voicewright, or choose another model."
	case code == "EntryNotFound", a.StatusCode == http.StatusNotFound:
		e.Detail, e.Remedy = fmt.Sprintf("The hub does not have %s.", what), "Update Voicewright, or choose another model."
	case code == "GatedRepo", a.StatusCode == http.StatusUnauthorized, a.StatusCode == http.StatusForbidden:
		e = backend.E(backend.CodeHubGated, "The hub gives these files only to those who accepted their licence there.",
			"Accept the licence on the page of the repository, make a token there, and set HF_TOKEN.").
			With("host", host).With("status", a.StatusCode)
	}
	return &setback{err: e.With("code", code)}
}

// limited is 429: the hub says by RateLimit or Retry-After when it goes on.
func (c *Client) limited(a *answer, cause *backend.Error) *setback {
	after, told := c.retryAfter(a.Header)
	seconds := int(after.Round(time.Second) / time.Second)
	if !told {
		seconds = 60
	}
	e := backend.E(backend.CodeHubRateLimited, "The hub has had too many requests from this address.",
		fmt.Sprintf("Wait %d seconds and try again, or set HF_TOKEN for a higher limit.", seconds)).
		With("retry_after", seconds).With("host", cause.Params["host"]).Because(cause)
	return &setback{err: e, again: true, wait: after}
}
