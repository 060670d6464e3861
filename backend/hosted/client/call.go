package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/voicewright/voicewright/backend"
)

const (
	wellKnownPath = "/.well-known/voicewright" // not below /api/v1
	maxJSON       = 8 << 20
	maxRetries    = 4               // after answers that ask to try again
	maxReconnects = 2               // after a connection that failed
	longestWait   = 2 * time.Minute // a longer Retry-After is shown to the user instead
)

var errTimeout = errors.New("the service did not answer in time")

// call is one call of the hosted API.
type call struct {
	method    string // "" is GET
	path      string // below /api/v1, or wellKnownPath
	body      any    // nil: none
	auth      Auth
	anonymous bool          // sends no credential
	speech    bool          // paid and slow
	free      bool          // may be repeated although it is no GET, also after a lost answer
	any       bool          // every proper answer is a success
	check     func() string // what is wrong with the decoded answer, "" for nothing; may be nil
	sending   Sending
}

func (k call) verb() string {
	if k.method == "" {
		return http.MethodGet
	}
	return k.method
}

// repeatable reports whether the call may be sent again after a lost answer.
func (k call) repeatable() bool { return k.free || k.verb() == http.MethodGet }

func (k call) url(base *url.URL) string {
	if k.path == wellKnownPath {
		return base.String() + k.path
	}
	return base.String() + api + k.path
}

// do sends a call, with a refreshed token after a 401, and again where that is safe. It returns the credential that was used.
func (c *Client) do(ctx context.Context, k call, answer any) (Credential, error) {
	base, err := c.base()
	if err != nil {
		return Credential{}, err
	}
	s := &sending{Client: c, call: k, base: base, lost: k.sending.Lost, delays: newBackoff(), end: c.o.Now().Add(c.o.Timeouts.Speech)}
	if k.body != nil {
		if s.body, err = json.Marshal(k.body); err != nil {
			return Credential{}, fmt.Errorf("encode the call: %w", err)
		}
	}
	if !k.anonymous {
		if s.used, err = s.credential(ctx, Credential{}); err != nil {
			return Credential{}, err
		}
	}
	if !s.resuming() { // its caller left while the credential was read
		return s.used, backend.ErrCancelled
	}
	err = s.attempts(ctx, answer)
	return s.used, err
}

// sending is a call that is being sent.
type sending struct {
	*Client
	call
	base   *url.URL
	body   []byte
	used   Credential
	lost   bool // an attempt was sent whose answer did not arrive
	delays *backoff.ExponentialBackOff
	end    time.Time // of the waits for an attempt whose answer was lost and that still runs
}

// attempts sends the call until it is answered, or should not be sent again.
func (s *sending) attempts(ctx context.Context, answer any) error {
	refreshed := false
	for retries := 0; ; retries++ {
		err := s.once(ctx, s.base, s.call, s.body, s.used, answer)
		var failed *Error
		if err == nil || !errors.As(err, &failed) {
			return err
		}
		s.lost = s.lost || failed.Outcome == Lost
		if failed.Status == http.StatusUnauthorized && s.used.Token != "" && !refreshed {
			refreshed = true
			if s.used, err = s.credential(ctx, s.used); err != nil {
				return s.errUnanswered(err)
			}
			retries--
			continue
		}
		s.weigh(failed)
		if ctx.Err() != nil || !s.again(failed, retries) || s.pause(ctx, s.call, failed, s.delays) != nil || !s.resuming() {
			return failed
		}
		if s.o.Offline() {
			return s.errUnanswered(errOffline)
		}
	}
}

// credential returns what the call is sent with, which is of the account that it was begun for.
func (s *sending) credential(ctx context.Context, rejected Credential) (Credential, error) {
	used, err := s.o.Credentials.Credential(ctx, Origin(s.base), s.auth, rejected)
	if err == nil && !s.sameAccount() {
		err = errOtherAccount()
	}
	return used, err
}

// resuming reports whether the caller of the call still wants it.
func (s *sending) resuming() bool { return s.sending.Resuming == nil || s.sending.Resuming() }

// pause waits as the service asked, else by backoff. It returns an error when ctx ends.
func (c *Client) pause(ctx context.Context, k call, failed *Error, delays *backoff.ExponentialBackOff) error {
	delay := delays.NextBackOff()
	if failed.RetryAfter != nil {
		delay = *failed.RetryAfter
	}
	c.o.Log.InfoContext(ctx, "retry a hosted call", "path", k.path, "status", failed.Status, "wait", delay)
	if waiting := k.sending.Waiting; waiting != nil && failed.Status != 0 {
		waiting(backend.Wait{Reason: "busy", Seconds: delay.Seconds(), Code: backend.HostedCode(failed.ServiceCode, failed.Status)})
	}
	return c.o.Wait(ctx, delay)
}

func newBackoff() *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.Multiplier, b.MaxInterval = time.Second, 2, 10*time.Second
	b.RandomizationFactor = 0.3
	b.Reset()
	return b
}

// once sends a call once and decodes its answer.
func (c *Client) once(ctx context.Context, base *url.URL, k call, body []byte, used Credential, answer any) error {
	client, limit := c.other, c.o.Timeouts.Answer
	if k.speech {
		client, limit = c.speech, c.o.Timeouts.Speech
	}
	timed, cancel := context.WithTimeoutCause(ctx, limit, errTimeout)
	defer cancel()
	connected := false // the trace is called by Do itself, before the first byte of the request
	req, err := http.NewRequestWithContext(httptrace.WithClientTrace(timed, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected = true },
	}), k.verb(), k.url(base), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("create the request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", strings.TrimSuffix("voicewright/"+c.o.Version, "/"))
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if !k.anonymous {
		req.Header.Set("Authorization", used.header())
	}
	if k.sending.IdempotencyKey != "" {
		req.Header.Set("Idempotency-Key", k.sending.IdempotencyKey)
	}
	res, err := client.Do(req)
	if err != nil {
		return errBrokenCall(timed, k, base, used, connected, err)
	}
	defer res.Body.Close()
	content, err := io.ReadAll(io.LimitReader(res.Body, maxJSON+1))
	if res.StatusCode/100 != 2 {
		return c.errRefused(k, base, used, res, content, err)
	}
	if err != nil {
		return errBrokenCall(timed, k, base, used, true, err)
	}
	return decode(k, base, res.StatusCode, content, answer)
}

// decode reads the answer of a success.
func decode(k call, base *url.URL, status int, content []byte, answer any) error {
	wrong := ""
	switch {
	case k.any || answer == nil:
		return nil
	case len(content) > maxJSON:
		wrong = "it is over 8 MiB"
	case json.Unmarshal(content, answer) != nil: // its error would repeat parts of the answer
		wrong = "it is not the JSON that the contract describes"
	case k.check != nil:
		wrong = k.check()
	}
	if wrong == "" {
		return nil
	}
	return &Error{Status: status, Outcome: Lost, call: k, host: base.Host, reason: badAnswer, Err: errors.New(wrong)}
}
