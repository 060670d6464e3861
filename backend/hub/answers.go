package hub

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
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

const maxWait = 10 * time.Minute // no answer of a hub makes us wait longer

var windowLeft = regexp.MustCompile(`(?:^|;)\s*t=(\d{1,6})\s*(?:;|,|$)`)

// retryAfter reads `RateLimit: "resolvers";r=0;t=55` (one second more than it says) or Retry-After, in seconds or as a
// date, which counts from the answer's own date, so that a wrong clock of ours does not matter.
func (c *Client) retryAfter(h http.Header) (time.Duration, bool) {
	if m := windowLeft.FindStringSubmatch(h.Get("RateLimit")); m != nil {
		n, _ := strconv.Atoi(m[1]) // six digits always fit
		return min(time.Duration(n+1)*time.Second, maxWait), true
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseUint(value, 10, 31); err == nil {
		return min(time.Duration(n)*time.Second, maxWait), true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	from, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		from = c.o.Now()
	}
	return min(max(at.Sub(from), 0), maxWait), true
}

var contentRange = regexp.MustCompile(`^bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)$`)

// parseContentRange reads `bytes 5-9/10`; total is -1 for `*`. ok is false for anything that cannot be.
func parseContentRange(v string) (start, end, total int64, ok bool) {
	m := contentRange.FindStringSubmatch(v)
	if m == nil {
		return 0, 0, 0, false
	}
	start, _ = strconv.ParseInt(m[1], 10, 64) // eighteen digits always fit
	end, _ = strconv.ParseInt(m[2], 10, 64)
	total = -1
	if m[3] != "*" {
		total, _ = strconv.ParseInt(m[3], 10, 64)
	}
	return start, end, total, end >= start && (total < 0 || end < total)
}

// etagOf gives the hub's name of the content: X-Linked-Etag, or ETag of the hub's own host, without quotes.
func etagOf(h http.Header) string {
	for _, name := range []string{"X-Linked-Etag", "Etag"} {
		if v := h.Get(name); v != "" {
			return strings.Trim(strings.TrimPrefix(v, "W/"), `"`)
		}
	}
	return ""
}
