package signin

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
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosts"
)

const (
	answerLimit    = 15 * time.Second // of one answer of the issuer
	maxAnswer      = 512 << 10        // bytes
	documentMaxAge = time.Hour        // of the discovery document
	maxRedirects   = 3
)

// issuer is what the discovery document says.
type issuer struct {
	endpoint oauth2.Endpoint
	revoke   string // URL; empty when there is none
	keys     string
	scopes   []string
	signing  []string // algorithms of ID tokens
	readAt   time.Time
}

// issuers makes the requests to issuers and keeps their discovery documents in memory.
type issuers struct {
	json  *http.Client // lets only JSON objects pass
	plain *http.Client
	now   func() time.Time

	mu    sync.Mutex
	known map[string]*issuer
}

// get returns an issuer. Errors: hosted_not_configured for an address that is not safe, hosted_unreachable, hosted_bad_answer.
func (s *issuers) get(ctx context.Context, address string) (*issuer, error) {
	u, err := url.Parse(address)
	if err != nil || !isSafe(u, u) || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, errUnsafeIssuer(address)
	}
	s.mu.Lock()
	found := s.known[address]
	s.mu.Unlock()
	if found != nil && s.now().Sub(found.readAt).Abs() < documentMaxAge {
		return found, nil
	}
	if found, err = s.read(ctx, u, address); err != nil {
		return nil, issuerError(u.Host, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = map[string]*issuer{address: found} // one is enough
	return found, nil
}

func (s *issuers) read(ctx context.Context, u *url.URL, address string) (*issuer, error) {
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, s.json), answerLimit)
	defer cancel()
	provider, err := oidc.NewProvider(ctx, address)
	if err != nil {
		return nil, err
	}
	var more struct {
		Revoke string   `json:"revocation_endpoint"`
		Keys   string   `json:"jwks_uri"`
		Scopes []string `json:"scopes_supported"`
		Algs   []string `json:"id_token_signing_alg_values_supported"`
	}
	if err := provider.Claims(&more); err != nil {
		return nil, &answerError{err: err}
	}
	endpoint := provider.Endpoint()
	endpoint.AuthStyle = oauth2.AuthStyleInParams // trying another style would use a refresh token twice
	for _, at := range []string{endpoint.AuthURL, endpoint.TokenURL, more.Keys, more.Revoke} {
		if target, err := url.Parse(at); err != nil || at != "" && !isSafe(target, u) {
			return nil, &answerError{err: fmt.Errorf("the discovery document has an unusable address, %.200q", at)}
		}
	}
	if endpoint.AuthURL == "" || endpoint.TokenURL == "" {
		return nil, &answerError{err: errors.New("the discovery document lacks authorization_endpoint or token_endpoint")}
	}
	return &issuer{
		endpoint: endpoint, revoke: more.Revoke, keys: more.Keys, scopes: more.Scopes,
		signing: slices.DeleteFunc(more.Algs, isSymmetric), readAt: s.now(),
	}, nil
}

// isSymmetric reports whether an algorithm needs no key of the issuer alone: none and those of HMAC.
func isSymmetric(algorithm string) bool {
	return algorithm == "none" || strings.HasPrefix(algorithm, "HS")
}

// requested returns the scopes to ask for. Those that somebody chose are left as they are; of the default ones, offline_access is
// left out where the issuer does not list it, as some refuse unknown scopes.
func (i *issuer) requested(scopes string) []string {
	if chosen := chosen(scopes); chosen != "" {
		return strings.Fields(chosen)
	}
	return slices.DeleteFunc(strings.Fields(backend.DefaultScopes), func(scope string) bool {
		return scope == oidc.ScopeOfflineAccess && len(i.scopes) > 0 && !slices.Contains(i.scopes, scope)
	})
}

// chosen returns the scopes that somebody chose, empty for the default ones.
func chosen(scopes string) string {
	if scopes == backend.DefaultScopes {
		return ""
	}
	return scopes
}

// isSafe reports whether nobody on the way can change what u answers: https, or this machine for an issuer on it.
func isSafe(u, issuer *url.URL) bool {
	if hosts.IsLoopback(issuer.Hostname()) {
		return hosts.IsLoopback(u.Hostname()) && (u.Scheme == "https" || u.Scheme == "http")
	}
	return u.Scheme == "https" && u.Hostname() != ""
}

// answerError is an answer that is not what the protocol says.
type answerError struct {
	status int // 0 where the failure is no matter of one answer
	err    error
}

func (e *answerError) Error() string {
	return fmt.Sprintf("unusable answer (status %d): %v", e.status, e.err)
}
func (e *answerError) Unwrap() error { return e.err }

// sentError is a failure after the request was sent: the issuer may have acted on it.
type sentError struct{ error }

func (e sentError) Unwrap() error { return e.error }

// tokenError returns the error of a request for a token so that isLost can classify it: what package oauth2 says in words only
// is about an answer that is not one.
func tokenError(err error) error {
	var answer *answerError
	var refused *oauth2.RetrieveError
	var network *url.Error
	if err == nil || errors.As(err, &answer) || errors.As(err, &refused) || errors.As(err, &network) {
		return err
	}
	return &answerError{status: http.StatusOK, err: err}
}

// newIssuers returns issuers that keep no connections, as they are needed about once an hour.
func newIssuers(now func() time.Time) *issuers {
	transport := client.NewTransport(nil, client.ConnectTimeout)
	transport.DisableKeepAlives = true
	return &issuers{
		json:  &http.Client{Transport: jsonTransport{transport}, CheckRedirect: checkRedirect},
		plain: &http.Client{Transport: transport, CheckRedirect: checkRedirect},
		now:   now,
	}
}

// checkRedirect follows redirects of GET within one host: no token is sent elsewhere.
func checkRedirect(req *http.Request, via []*http.Request) error {
	first := via[0]
	if first.Method != http.MethodGet || len(via) > maxRedirects || req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host {
		return &answerError{err: fmt.Errorf("it redirects to %.200s", req.URL.Host)}
	}
	return nil
}

// jsonTransport lets only JSON objects of limited size pass. Its errors say whether the request was sent.
type jsonTransport struct{ http.RoundTripper }

// withScopes returns a client that sends scopes with a renewal, if there are any. Microsoft Entra needs them: without, it renews the
// token for another service than the one of the sign-in.
func (s *issuers) withScopes(scopes string) *http.Client {
	if scopes == "" {
		return s.json
	}
	return &http.Client{Transport: scopedTransport{s.json.Transport, scopes}, CheckRedirect: checkRedirect}
}

// scopedTransport adds scopes to a form, which package oauth2 does not do.
type scopedTransport struct {
	http.RoundTripper
	scopes string
}

// RoundTrip makes a request.
func (t scopedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body == nil {
		return t.RoundTripper.RoundTrip(req)
	}
	form, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	scoped := req.Clone(req.Context())
	body := string(form) + "&" + url.Values{"scope": {t.scopes}}.Encode()
	scoped.Body, scoped.ContentLength, scoped.GetBody = io.NopCloser(strings.NewReader(body)), int64(len(body)), nil
	return t.RoundTripper.RoundTrip(scoped)
}

// RoundTrip makes a request.
func (t jsonTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	var sent atomic.Bool // set in a goroutine of the transport
	ctx := httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }})
	req = req.Clone(ctx)
	req.Header.Set("Accept", "application/json")
	res, err := t.RoundTripper.RoundTrip(req)
	if err != nil {
		if sent.Load() {
			return nil, sentError{err}
		}
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode >= 300 && res.StatusCode < 400 {
		res.Body = http.NoBody
		return res, nil
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	var object map[string]json.RawMessage
	switch {
	case err != nil:
		return nil, sentError{err}
	case len(body) > maxAnswer:
		err = fmt.Errorf("the answer is larger than %d bytes", maxAnswer)
	case req.Method == http.MethodGet && res.StatusCode != http.StatusOK:
		err = errors.New("the status is not 200")
	case json.Unmarshal(body, &object) != nil:
		err = errors.New("the answer is not a JSON object")
	}
	if err != nil {
		return nil, &answerError{status: res.StatusCode, err: err}
	}
	res.Header.Set("Content-Type", "application/json") // package oauth2 reads other types as a form
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}
