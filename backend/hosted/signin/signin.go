// Package signin signs the user in to the hosted service: OAuth 2 authorization code with PKCE and OpenID Connect in the
// system browser (RFC 8252). The refresh token is stored in the secrets; access tokens are in memory only.
package signin

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

// Secret is the name of the secret with the refresh token. Its note is the Account as JSON.
const Secret = "hosted.session"

// TimeLimit is how long the user may take to sign in.
const TimeLimit = 2 * time.Minute

// Config says where to sign in, and how. Its issuer must be https, or http on loopback; the members after ClientID may be empty.
type Config = backend.Login

// Secrets stores the session.
type Secrets interface {
	// Get returns a secret. Errors: secret_not_found, secrets_unavailable.
	Get(ctx context.Context, name string) (string, error)
	// Set stores a secret with a note that is no secret. Errors: secrets_unavailable.
	Set(ctx context.Context, name, value, note string) error
	// Delete removes a secret; one that does not exist is no error.
	Delete(ctx context.Context, name string) error
	// Note returns the note of a secret without opening the place where secrets are stored.
	Note(name string) (note string, ok bool)
	// Place returns where secrets are stored: keychain, file or none. It does not open that place.
	Place(ctx context.Context) (string, error)
}

// Options configure a Manager. All are needed.
type Options struct {
	Secrets  Secrets
	Discover func(ctx context.Context) (Config, error) // where to sign in to the present service
	Service  func() string                             // the base URL of the present service; a sign-in is valid for its origin
	Offline  func() bool
	Open     func(ctx context.Context, url string) error // opens the browser; an error is logged only
	Changed  func()                                      // State or Account has changed
	Now      func() time.Time
	After    func(d time.Duration, f func()) (stop func() bool) // time.AfterFunc outside tests
	Log      *slog.Logger
}

// Status is what a sign-in is doing.
type Status string

// The statuses of a sign-in.
const (
	Idle    Status = "idle"
	Waiting Status = "waiting" // for the user, in the browser
	Failed  Status = "failed"
)

// State is the present or last sign-in.
type State struct {
	Status  Status
	URL     string    // to open in a browser, while waiting; empty while the issuer is asked
	Expires time.Time // when waiting ends
	Err     *backend.Error
}

// Account is the user who is signed in.
type Account struct {
	Name       string    `json:"name"`
	Email      string    `json:"email"`
	Subject    string    `json:"subject"`
	Service    string    `json:"service"` // origin of the service that the sign-in is for
	SignedInAt time.Time `json:"signed_in_at"`
}

// Manager signs in and out, and returns access tokens. It is safe for concurrent use.
type Manager struct {
	o       Options
	issuers *issuers
	gate    chan struct{} // held while the stored session changes
	work    sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	attempt *attempt // waiting for the user
	used    string   // state parameter of the last attempt that was completed
	state   State
	access  access
	flight  *flight
	unsaved *session // could not be stored; the stored one has been used up
}

// New returns a Manager. It opens nothing.
func New(o Options) *Manager {
	return &Manager{o: o, issuers: newIssuers(o.Now), gate: make(chan struct{}, 1), state: State{Status: Idle}}
}

// State returns the present or last sign-in.
func (m *Manager) State() State {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state
}

// Account returns who is signed in, be it to another service than the present one; ok is false when nobody is. It does not
// open the secrets.
func (m *Manager) Account() (a Account, ok bool) {
	note, ok := m.o.Secrets.Note(Secret)
	if !ok || json.Unmarshal([]byte(note), &a) != nil {
		return Account{}, false
	}
	return a, true
}

// service returns scheme, host and port of the present service, empty without one.
func (m *Manager) service() string {
	u, err := url.Parse(m.o.Service())
	if err != nil || u.Host == "" {
		return ""
	}
	return client.Origin(u)
}

// Close ends a waiting sign-in and a running refresh, and waits for them.
func (m *Manager) Close() {
	m.mu.Lock()
	m.closed = true
	a, f := m.attempt, m.flight
	m.attempt = nil
	m.mu.Unlock()
	if a != nil {
		a.cancel()
	}
	if f != nil {
		m.endSoon(f)
	}
	m.work.Wait()
}

// closeLimit is how long Close waits for an answer that may replace the refresh token, before it cancels the request.
const closeLimit = 2 * time.Second

func (m *Manager) endSoon(f *flight) {
	stop := m.o.After(closeLimit, f.cancel)
	<-f.done
	stop()
}

// lock waits for the gate. Errors: cancelled.
func (m *Manager) lock(ctx context.Context) (unlock func(), err error) {
	if err := ctx.Err(); err != nil { // a sign-in that a sign-out has ended stores nothing any more
		return nil, backend.ErrCancelled.WithCause(err)
	}
	select {
	case m.gate <- struct{}{}:
		return func() { <-m.gate }, nil
	case <-ctx.Done():
		return nil, backend.ErrCancelled.WithCause(ctx.Err())
	}
}

// setState publishes the outcome of a sign-in or a refresh.
func (m *Manager) setState(s State) {
	m.mu.Lock()
	m.state = s
	m.mu.Unlock()
	m.o.Changed()
}
