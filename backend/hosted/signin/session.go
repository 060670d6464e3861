package signin

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/voicewright/voicewright/backend"
)

// session is what is stored of a sign-in.
type session struct {
	RefreshToken string  `json:"refresh_token"` // empty where the issuer gave none
	Issuer       string  `json:"issuer"`
	ClientID     string  `json:"client_id"`
	ClientSecret string  `json:"client_secret,omitempty"`
	UseIDToken   bool    `json:"use_id_token,omitempty"` // the service takes the ID token
	Scopes       string  `json:"scopes,omitempty"`       // sent with each renewal; empty: none, which means those of the sign-in
	Account      Account `json:"account"`
}

// access is what the service takes: an access token, or the ID token where that is wanted.
type access struct {
	token    string
	service  string    // origin
	expires  time.Time // zero where the issuer does not say
	replaced time.Time // when it replaced one that the service had rejected; else zero
}

const (
	expiryMargin = 30 * time.Second // a token that ends soon is renewed before it is used
	// rejectedPause is how long a token that replaced a rejected one is not replaced when it is rejected too: a service that
	// rejects everything gets no request for each call.
	rejectedPause = 10 * time.Second
)

func (m *Manager) accessOf(t *oauth2.Token, id identity, s session) access {
	if s.UseIDToken {
		return access{token: id.token, service: s.Account.Service, expires: id.Expiry}
	}
	a := access{token: t.AccessToken, service: s.Account.Service}
	if t.ExpiresIn > 0 {
		a.expires = m.o.Now().Add(time.Duration(min(t.ExpiresIn, 1<<31)) * time.Second)
	}
	return a
}

func (a access) usable(now time.Time, service string) bool {
	return a.token != "" && a.service == service && (a.expires.IsZero() || now.Add(expiryMargin).Before(a.expires))
}

// flight is a refresh that several callers wait for.
type flight struct {
	cancel context.CancelFunc
	done   chan struct{}
	token  string
	err    error
}

// Token returns the token for the present service. It is refreshed when it has expired, or when rejected, a token that
// the service did not accept, is the present one; all callers share one refresh, which goes on when they leave. Errors:
// hosted_not_signed_in, offline, hosted_unreachable, hosted_bad_answer, secrets_unavailable, cancelled.
func (m *Manager) Token(ctx context.Context, rejected string) (string, error) {
	if m.o.Offline() {
		return "", errOffline()
	}
	service, now := m.service(), m.o.Now()
	m.mu.Lock()
	again := rejected != "" && m.access.token == rejected
	switch {
	case m.closed:
		m.mu.Unlock()
		return "", backend.ErrCancelled
	case !again && m.access.usable(now, service):
		defer m.mu.Unlock()
		return m.access.token, nil
	case again && !m.access.replaced.IsZero() && now.Sub(m.access.replaced).Abs() < rejectedPause:
		m.mu.Unlock()
		return "", backend.E(backend.CodeHostedNotSignedIn, "The hosted service does not accept your sign-in.", signInRemedy)
	}
	f := m.flight
	if f == nil {
		f = m.startRefresh(ctx, again)
	}
	m.mu.Unlock()
	select {
	case <-f.done:
		return f.token, f.err
	case <-ctx.Done():
		return "", backend.ErrCancelled.WithCause(ctx.Err())
	}
}

// startRefresh begins a refresh, which no caller may interrupt, as the answer has the next refresh token. m.mu is held.
func (m *Manager) startRefresh(ctx context.Context, rejected bool) *flight {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight{cancel: cancel, done: make(chan struct{})}
	m.flight = f
	m.work.Go(func() {
		defer cancel()
		err := backend.Contain(func() (err error) {
			f.token, err = m.refresh(ctx, rejected)
			return err
		})
		if err != nil {
			f.err = backend.LogFailure(ctx, m.o.Log, err, "renew the sign-in")
		}
		m.mu.Lock()
		m.flight = nil
		m.mu.Unlock()
		close(f.done)
	})
	return f
}

// stopRefresh cancels a refresh of the session that is about to end.
func (m *Manager) stopRefresh() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.flight != nil {
		m.flight.cancel()
	}
}

// refresh renews the stored session and returns the token for the service. The new refresh token is stored first.
func (m *Manager) refresh(ctx context.Context, rejected bool) (string, error) {
	unlock, err := m.lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	s, err := m.load(ctx)
	if err != nil {
		return "", err
	}
	if s.Account.Service != m.service() {
		return "", errNotSignedIn() // the tokens of one service are not sent to another
	}
	token, err := m.renew(ctx, s)
	if err != nil {
		return "", err
	}
	if token.RefreshToken != s.RefreshToken {
		s.RefreshToken = token.RefreshToken
		if err := m.save(ctx, s); err != nil {
			return "", err
		}
	}
	id, err := m.renewed(ctx, s, token)
	if err != nil {
		return "", err
	}
	next := m.accessOf(token, id, s)
	if rejected {
		next.replaced = m.o.Now()
	}
	m.mu.Lock()
	m.access = next
	m.mu.Unlock()
	return next.token, nil
}

// renewed returns the identity of the new ID token, where the service takes that one. It must be of the same user; one without a
// new token cannot go on.
func (m *Manager) renewed(ctx context.Context, s session, token *oauth2.Token) (identity, error) {
	if !s.UseIDToken {
		return identity{}, nil
	}
	i, err := m.issuers.get(ctx, s.Issuer)
	if err != nil {
		return identity{}, err
	}
	id, err := m.read(ctx, i, s.Issuer, s.ClientID, token)
	switch {
	case err != nil:
		return identity{}, issuerError(hostOf(s.Issuer), err)
	case id.IDToken == nil:
		m.abandon(ctx, s)
		return identity{}, m.end(ctx, errNotRenewed())
	case clean(id.Subject) != s.Account.Subject:
		return identity{}, errWrongToken(errors.New("it is of another user"))
	}
	return id, nil
}

// renew requests new tokens from the issuer. A request whose answer is lost is sent once more: an issuer that does not accept the
// same refresh token twice ends the session then.
func (m *Manager) renew(ctx context.Context, s session) (*oauth2.Token, error) {
	if s.RefreshToken == "" {
		return nil, m.end(ctx, errEnded(false, errors.New("there is no refresh token")))
	}
	i, err := m.issuers.get(ctx, s.Issuer)
	if err != nil {
		return nil, err
	}
	token, err := m.post(ctx, i, s)
	lost := isLost(err)
	if lost && ctx.Err() == nil {
		token, err = m.post(ctx, i, s)
	}
	var refused *oauth2.RetrieveError
	switch {
	case err == nil:
		return token, nil
	case ctx.Err() != nil:
		return nil, backend.ErrCancelled.WithCause(err)
	case errors.As(err, &refused) && refused.ErrorCode == "invalid_grant":
		return nil, m.end(ctx, errEnded(lost, err))
	case isLost(err):
		e := errLost(err)
		m.setState(State{Status: Failed, Err: e})
		return nil, e
	default:
		return nil, issuerError(hostOf(s.Issuer), err)
	}
}

func (m *Manager) post(ctx context.Context, i *issuer, s session) (*oauth2.Token, error) {
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, m.issuers.withScopes(s.Scopes)), answerLimit)
	defer cancel()
	config := i.oauth(Config{ClientID: s.ClientID, ClientSecret: s.ClientSecret})
	token, err := config.TokenSource(ctx, &oauth2.Token{RefreshToken: s.RefreshToken}).Token()
	return token, tokenError(err)
}

// isLost reports whether the issuer may have acted on a request without a usable answer.
func isLost(err error) bool {
	var sent sentError
	var answer *answerError
	return errors.As(err, &sent) || errors.As(err, &answer) && answer.status == http.StatusOK
}

// end forgets a session that cannot be renewed, and returns why.
func (m *Manager) end(ctx context.Context, why *backend.Error) error {
	err := m.o.Secrets.Delete(ctx, Secret)
	m.forget()
	m.setState(State{Status: Failed, Err: why})
	if err != nil {
		m.o.Log.Warn("the ended sign-in could not be deleted", "error", err)
	}
	return why
}

// forget forgets what is in memory.
func (m *Manager) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.access, m.unsaved = access{}, nil
}

// load returns the stored session. Errors: hosted_not_signed_in, secrets_unavailable.
func (m *Manager) load(ctx context.Context) (session, error) {
	m.mu.Lock()
	unsaved := m.unsaved
	m.mu.Unlock()
	if unsaved != nil {
		return *unsaved, nil
	}
	var s session
	text, err := m.o.Secrets.Get(ctx, Secret)
	switch {
	case backend.CodeOf(err) == backend.CodeSecretNotFound:
		return s, errNotSignedIn()
	case err != nil:
		return s, err
	case json.Unmarshal([]byte(text), &s) != nil:
		return s, errNotSignedIn()
	}
	return s, nil
}

// save stores a session. One that cannot be stored stays in memory, as the issuer does not accept the stored one any more.
func (m *Manager) save(ctx context.Context, s session) error {
	value, err := json.Marshal(s)
	if err != nil {
		return err
	}
	note, err := json.Marshal(s.Account)
	if err != nil {
		return err
	}
	if err := m.o.Secrets.Set(ctx, Secret, string(value), string(note)); err != nil {
		m.setUnsaved(&s)
		return err
	}
	m.setUnsaved(nil)
	return nil
}

func (m *Manager) setUnsaved(s *session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unsaved = s
}

// SignOut forgets the session on this machine and tells the issuer to end it. notice says why the issuer could not be told,
// else it is nil. Without a session it does nothing. Errors: those of deleting the secret; then the session is still stored.
func (m *Manager) SignOut(ctx context.Context) (notice *backend.Error, err error) {
	_ = m.Cancel() // a sign-in that waits
	m.stopRefresh()
	unlock, err := m.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	s, loadErr := m.load(ctx)
	if err := m.o.Secrets.Delete(ctx, Secret); err != nil && backend.CodeOf(err) != backend.CodeSecretNotFound {
		return nil, err
	}
	m.forget()
	m.setState(State{Status: Idle})
	if loadErr != nil || s.RefreshToken == "" {
		return nil, nil
	}
	if err := m.revoke(ctx, s); err != nil {
		return errNotTold(err), nil
	}
	return nil, nil
}

func errNotTold(cause error) *backend.Error {
	e := backend.AsError(cause)
	return backend.E(e.Code, "You are signed out on this computer, but the sign-in server could not be told.",
		"Your sign-in there ends by itself; to end it now, use the sign-in server's own page.").WithCause(cause)
}

// abandonLimit is how long the end of a session that nobody uses may take.
const abandonLimit = 3 * time.Second

// abandon ends a session of which nothing is stored any more, or never was, if the issuer can be reached.
func (m *Manager) abandon(ctx context.Context, s session) {
	if s.RefreshToken == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abandonLimit)
	defer cancel()
	if err := m.revoke(ctx, s); err != nil {
		m.o.Log.Info("a sign-in that is not used any more could not be ended", "error", err)
	}
}

// revoke ends the refresh token at the issuer (RFC 7009), if that has an endpoint for it.
func (m *Manager) revoke(ctx context.Context, s session) error {
	if m.o.Offline() {
		return errOffline()
	}
	i, err := m.issuers.get(ctx, s.Issuer)
	if err != nil || i.revoke == "" {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	form := url.Values{"token": {s.RefreshToken}, "token_type_hint": {"refresh_token"}, "client_id": {s.ClientID}}
	if s.ClientSecret != "" {
		form.Set("client_secret", s.ClientSecret)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, i.revoke, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := m.issuers.plain.Do(req)
	if err != nil {
		return issuerError(hostOf(s.Issuer), err)
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, maxAnswer))
	if res.StatusCode != http.StatusOK {
		return issuerError(hostOf(s.Issuer), &answerError{status: res.StatusCode, err: errors.New("the token was not revoked")})
	}
	return nil
}
