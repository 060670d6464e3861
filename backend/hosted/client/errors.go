package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Outcome says what is known about a call that failed.
type Outcome int

const (
	// NotSent means that no byte of the call was sent.
	NotSent Outcome = iota
	// Refused means that the service answered properly, so nothing was charged.
	Refused
	// Lost means that the call was sent and its answer did not arrive, or was not understood: it may have been charged.
	Lost
)

// Error is why a call of the service failed. AsError words it.
type Error struct {
	Status      int            // of the answer, 0 without one
	ServiceCode string         // of the answer, "" without one
	Message     string         // the service's own sentence, for the log
	RetryAfter  *time.Duration // as the service asked, nil where it did not
	Outcome     Outcome
	Err         error // the cause, may be nil

	call   call
	host   string
	reason reason
	proper bool // the service itself answered, in the form of the contract
	key    bool // the call was made with an API key
}

// reason is the kind of an error without a status that explains it.
type reason int

const (
	answered reason = iota // the status and code explain it
	unreachable
	slow
	unsafeTLS
	badAnswer
	redirected
	expiredLink
	cancelled
)

// Error describes the error for the log.
func (e *Error) Error() string {
	text := fmt.Sprintf("hosted %s %s: status %d %s", e.call.verb(), e.call.path, e.Status, e.ServiceCode)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// retries returns how often the call may be sent again after e.
func (e *Error) retries(k call) int {
	switch {
	case k.any, e.hopeless():
		return 0
	case e.Status == http.StatusConflict && e.ServiceCode == "KEY_LIMIT_REACHED":
		return 0
	case e.Outcome == Refused &&
		(e.Status == http.StatusConflict || e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable):
		return maxRetries
	case e.Outcome == NotSent, e.Outcome == Lost && k.repeatable():
		return maxReconnects
	default:
		return 0
	}
}

// hopeless reports whether the next attempt would fail too, or comes too late for its caller.
func (e *Error) hopeless() bool {
	switch e.reason {
	case unsafeTLS, redirected, cancelled, badAnswer:
		return true
	default:
		return e.RetryAfter != nil && *e.RetryAfter > longestWait
	}
}

// errBrokenCall returns the Error of a call without an answer. ctx is that of the call, with its time limit.
func errBrokenCall(ctx context.Context, k call, base *url.URL, used Credential, connected bool, err error) *Error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // without the address
	}
	e := &Error{call: k, host: base.Host, key: used.Key != "", reason: unreachable, Err: err}
	if connected {
		e.Outcome = Lost
	}
	switch {
	case errors.Is(context.Cause(ctx), errTimeout):
		e.reason, e.Err = slow, errTimeout
	case ctx.Err() != nil:
		e.reason, e.Err = cancelled, ctx.Err()
	case unsafeHandshake(err):
		e.reason = unsafeTLS
	}
	return e
}

// Broken returns the Error of a request that the forwarder sent for another program and that got no answer. ctx is that of the
// request.
func Broken(ctx context.Context, r *http.Request, speech, connected bool, err error) *Error {
	return errBrokenCall(ctx, call{method: r.Method, path: r.URL.Path, speech: speech, free: !speech}, r.URL, Credential{}, connected, err)
}

// serviceCode is the shape of a code: others are not shown.
var serviceCode = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)

// errRefused returns the Error of an answer that is no success; readErr says why its body is incomplete.
func (c *Client) errRefused(k call, base *url.URL, used Credential, res *http.Response, content []byte, readErr error) error {
	e := &Error{Status: res.StatusCode, Outcome: Refused, call: k, host: base.Host, key: used.Key != "", Err: readErr}
	e.RetryAfter = c.retryAfter(res.Header)
	var body struct {
		Error any    `json:"error"`
		Code  string `json:"code"`
	}
	parsed := json.Unmarshal(content, &body) == nil
	e.Message, _ = body.Error.(string)
	e.proper = parsed && (e.Message != "" || body.Code != "") // gateways answer in JSON too, such as {"message": ...}
	if serviceCode.MatchString(body.Code) {
		e.ServiceCode = strings.ToUpper(body.Code)
	}
	switch {
	case res.StatusCode/100 == 3 || res.StatusCode < 200:
		e.reason, e.Err = redirected, errors.New("it redirects to "+redirectHost(res))
	case k.any:
		return nil
	case !e.proper && res.StatusCode >= 500 && res.StatusCode != http.StatusServiceUnavailable:
		e.Outcome = Lost // a gateway answers so when it has lost the service, which may have charged the call
	}
	return e
}

// redirectHost returns the host of a redirect, for the user to judge.
func redirectHost(res *http.Response) string {
	to, err := res.Location()
	if err != nil || to.Host == "" {
		return "an unknown host"
	}
	return to.Host
}

// retryAfter parses Retry-After, in seconds or as a date. A date counts from that of the answer, so that a wrong local clock
// does not matter. nil where there is none.
func (c *Client) retryAfter(h http.Header) *time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	var delay time.Duration
	if n, err := strconv.ParseUint(value, 10, 31); err == nil {
		delay = time.Duration(n) * time.Second
	} else {
		at, err := http.ParseTime(value)
		if err != nil {
			return nil
		}
		from, err := http.ParseTime(h.Get("Date"))
		if err != nil {
			from = c.o.Now()
		}
		delay = max(at.Sub(from), 0)
	}
	return &delay
}
