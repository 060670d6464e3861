package signin

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"

	"github.com/voicewright/voicewright/backend"
)

// attempt is one sign-in in the browser.
type attempt struct {
	cancel   context.CancelFunc
	service  string // origin
	config   Config
	issuer   *issuer
	oauth    oauth2.Config
	state    string
	nonce    string
	verifier string // of PKCE
	host     string // of the redirect address

	claimed atomic.Bool   // the browser came back
	answers chan answer   // at most one
	timeout chan struct{} // closed at the end of TimeLimit
	ended   chan struct{} // closed when nothing is answered any more
	stop    func() bool   // stops the timer
}

// answer is what the browser brought back.
type answer struct {
	query url.Values
	reply chan error
}

// Start begins a sign-in, which replaces an earlier one, and returns the address to open in a browser. With browser it is also
// opened on this machine. Errors: offline, hosted_not_configured, secrets_unavailable, hosted_unreachable,
// hosted_bad_answer, cancelled, those of Options.Discover.
func (m *Manager) Start(ctx context.Context, browser bool) (address string, err error) {
	if m.o.Offline() {
		return "", errOffline()
	}
	// The sign-in outlives the request that starts it, but what comes before the browser ends with that request.
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	a := &attempt{
		cancel: cancel, service: m.service(), state: rand.Text(), nonce: rand.Text(), verifier: oauth2.GenerateVerifier(),
		answers: make(chan answer, 1), timeout: make(chan struct{}), ended: make(chan struct{}),
	}
	if err := m.replace(a); err != nil {
		cancel()
		return "", err
	}
	stop := context.AfterFunc(ctx, cancel)
	listener, err := m.prepare(life, a)
	if !stop() && err == nil {
		err = errors.Join(backend.ErrCancelled, listener.Close())
	}
	if err != nil {
		cancel()
		m.finish(a, State{Status: Idle})
		return "", err
	}
	options := append(extra(a.config), oauth2.S256ChallengeOption(a.verifier), oauth2.SetAuthURLParam("nonce", a.nonce))
	address = a.oauth.AuthCodeURL(a.state, append(options, target(a.config, true)...)...)
	if err := m.wait(life, a, address, listener, browser); err != nil {
		_ = listener.Close()
		cancel()
		return "", err
	}
	return address, nil
}

// replace makes a the present attempt and ends the one before.
func (m *Manager) replace(a *attempt) error {
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return backend.ErrCancelled
	}
	before := m.attempt
	m.attempt, m.state = a, State{Status: Waiting, Expires: m.o.Now().Add(TimeLimit)}
	m.mu.Unlock()
	if before != nil {
		before.cancel()
	}
	m.o.Changed()
	return nil
}

// prepare finds out where to sign in and opens the listener for the browser.
func (m *Manager) prepare(ctx context.Context, a *attempt) (net.Listener, error) {
	config, err := m.o.Discover(ctx)
	if err != nil {
		return nil, err
	}
	if config.Issuer == "" || config.ClientID == "" {
		return nil, backend.E(backend.CodeHostedNotConfigured, "The hosted service doesn't say where to sign in.",
			"Enter the settings hosted.issuer and hosted.client_id, or use an API key.")
	}
	if member, should := config.Problem(); member != "" {
		return nil, errUnusable(member, should)
	}
	if place, err := m.o.Secrets.Place(ctx); err != nil || place == "none" { // before the user signs in for nothing
		return nil, cmp.Or(err, errNoPlace())
	}
	if a.issuer, err = m.issuers.get(ctx, config.Issuer); err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	a.config, a.host = config, listener.Addr().String()
	a.oauth = a.issuer.oauth(config)
	a.oauth.RedirectURL = "http://" + a.host + callbackPath
	return listener, nil
}

// oauth returns the configuration of the client.
func (i *issuer) oauth(c Config) oauth2.Config {
	return oauth2.Config{ClientID: c.ClientID, ClientSecret: c.ClientSecret, Endpoint: i.endpoint, Scopes: i.requested(c.Scopes)}
}

// extra returns the parameters that the service asks for beyond those of the protocol. Config.Problem has checked them.
func extra(c Config) []oauth2.AuthCodeOption {
	values, err := url.ParseQuery(c.AuthParams)
	if err != nil {
		return nil
	}
	var options []oauth2.AuthCodeOption
	for name := range values {
		options = append(options, oauth2.SetAuthURLParam(name, values.Get(name)))
	}
	return options
}

// target returns the parameters that name the service for which a token is made. audience is what many issuers read,
// resource the standard (RFC 8707), whose values are absolute URIs. Requests for tokens have the latter only.
func target(c Config, authorize bool) []oauth2.AuthCodeOption {
	if c.Resource == backend.NoResource {
		return nil
	}
	var options []oauth2.AuthCodeOption
	if c.Audience != "" && authorize {
		options = append(options, oauth2.SetAuthURLParam("audience", c.Audience))
	}
	resource := cmp.Or(c.Resource, c.Audience)
	if u, err := url.Parse(resource); err == nil && u.IsAbs() && u.Fragment == "" {
		options = append(options, oauth2.SetAuthURLParam("resource", resource))
	}
	return options
}

// wait opens the browser, if it is to, and answers it in the background until the sign-in ends.
func (m *Manager) wait(ctx context.Context, a *attempt, address string, listener net.Listener, browser bool) error {
	m.mu.Lock()
	defer m.o.Changed()
	defer m.mu.Unlock()
	if m.attempt != a || m.closed {
		return backend.ErrCancelled
	}
	m.state.URL = address
	a.stop = m.o.After(TimeLimit, func() { close(a.timeout) })
	if browser {
		m.work.Go(func() {
			if err := backend.Contain(func() error { return m.o.Open(ctx, address) }); err != nil {
				m.o.Log.Info("no browser was opened for the sign-in", "error", err)
			}
		})
	}
	server := newServer(a)
	m.work.Go(func() { _ = server.Serve(listener) }) // until it is closed
	m.work.Go(func() {
		defer shutDown(server)
		defer close(a.ended)
		defer a.cancel()
		defer a.stop()
		backend.Protect(m.o.Log, "sign-in", func() { m.run(ctx, a) })
	})
	return nil
}

// run waits for the browser and completes the sign-in.
func (m *Manager) run(ctx context.Context, a *attempt) {
	select {
	case <-ctx.Done():
	case <-a.timeout:
		m.finish(a, State{Status: Failed, Err: errTimeout()})
	case back := <-a.answers:
		err := m.complete(ctx, a, back.query)
		state := State{Status: Idle}
		if err != nil {
			state = State{Status: Failed, Err: backend.LogFailure(ctx, m.o.Log, err, "sign in")}
			err = state.Err
		}
		m.finish(a, state)
		back.reply <- err
	}
}

// finish ends an attempt, unless another one or Cancel has replaced it.
func (m *Manager) finish(a *attempt, s State) {
	m.mu.Lock()
	if m.attempt != a {
		m.mu.Unlock()
		return
	}
	m.attempt, m.state = nil, s
	if a.claimed.Load() {
		m.used = a.state
	}
	m.mu.Unlock()
	m.o.Changed()
}

// Cancel ends the waiting sign-in. Errors: not_in_progress.
func (m *Manager) Cancel() error {
	m.mu.Lock()
	a := m.attempt
	if a == nil {
		m.mu.Unlock()
		return backend.E(backend.CodeNotInProgress, "No sign-in is in progress.", signInRemedy)
	}
	m.attempt, m.state = nil, State{Status: Idle}
	m.mu.Unlock()
	a.cancel()
	m.o.Changed()
	return nil
}

// Finish completes the waiting sign-in with the address at which a browser on another machine ended, or with its query. It
// returns when the sign-in has ended. Errors: a ValidationError for another address, not_in_progress for one that was used or
// whose sign-in has ended, hosted_sign_in_failed, and those of storing the session.
func (m *Manager) Finish(ctx context.Context, pasted string) error {
	query, err := parsePasted(pasted)
	if err != nil {
		return err
	}
	m.mu.Lock()
	a, used := m.attempt, m.used
	m.mu.Unlock()
	state := query.Get("state")
	switch {
	case used != "" && sameText(state, used):
		return errUsed()
	case a == nil:
		return backend.E(backend.CodeNotInProgress, "The sign-in of this address has ended.", "Start the sign-in again.")
	case !sameText(state, a.state):
		return errInvalidURL("Input should be the address of the sign-in that is in progress; this one is of another")
	}
	return a.answer(ctx, query)
}

// answer passes on what the browser brought back and waits for the outcome. Errors: those of complete, not_in_progress.
func (a *attempt) answer(ctx context.Context, query url.Values) error {
	if !a.claimed.CompareAndSwap(false, true) {
		return errUsed()
	}
	reply := make(chan error, 1)
	a.answers <- answer{query, reply}
	select {
	case err := <-reply:
		return err
	case <-ctx.Done():
		return backend.ErrCancelled.WithCause(ctx.Err())
	case <-a.ended:
	}
	select {
	case err := <-reply: // sent before the end
		return err
	default:
		return backend.ErrCancelled
	}
}

func errUsed() *backend.Error {
	return backend.E(backend.CodeNotInProgress, "This address was used already.", "If you are not signed in, start the sign-in again.").
		With("reason", "used")
}

// parsePasted returns the query of an address at which a browser ended, or of its query alone.
func parsePasted(pasted string) (url.Values, error) {
	text := strings.Trim(strings.TrimSpace(pasted), `"'<>`)
	if before, query, found := strings.Cut(text, "?"); found {
		u, err := url.Parse(before)
		if err != nil || u.Host != "" && u.Hostname() != "127.0.0.1" {
			return nil, errInvalidURL("Input should be the address at which the browser ended; it begins with http://127.0.0.1")
		}
		text = query
	}
	text, _, _ = strings.Cut(text, "#")
	query, err := url.ParseQuery(text)
	if err != nil || !query.Has("state") || !query.Has("code") && !query.Has("error") {
		return nil, errInvalidURL("Input should be the address at which the browser ended; " +
			"it begins with http://127.0.0.1 and contains code= and state=")
	}
	return query, nil
}

func errInvalidURL(message string) error {
	return backend.Invalid("value_error", message, "body", "url")
}

func sameText(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// shutdownLimit is how long the last page may take to reach the browser.
const shutdownLimit = 500 * time.Millisecond

func shutDown(server *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownLimit)
	defer cancel()
	if server.Shutdown(ctx) != nil {
		_ = server.Close()
	}
}
