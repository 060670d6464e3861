package hosted

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

// How old plan and credits of the status may be, and how long it waits for newer ones.
const (
	statusAge     = 30 * time.Second
	statusTimeout = 5 * time.Second
)

var errSlow = backend.E(backend.CodeHostedUnreachable, "The hosted service has not answered for 5 seconds.",
	"Try again later. The values are the last known ones.")

// Status is what is known of the account. Texts are empty where they are unknown.
type Status struct {
	Enabled    bool   `json:"enabled"`
	Configured bool   `json:"configured" doc:"there is a base URL"`
	BaseURL    string `json:"base_url"`

	SignedIn   bool       `json:"signed_in" doc:"in the browser; an API key shows as key_prefix alone"`
	Account    string     `json:"account" doc:"name, email address or id of who is signed in"`
	Email      string     `json:"email"`
	SignedInAt *time.Time `json:"signed_in_at"`
	KeyPrefix  string     `json:"key_prefix" doc:"first characters of the stored API key"`

	Plan      string     `json:"plan" doc:"free, pro or max"`
	Credits   *int64     `json:"credits"`
	Payg      *int64     `json:"payg_credits" doc:"of credits: pay-as-you-go"`
	ExpiresAt *time.Time `json:"expires_at" doc:"when the credits of the plan expire; null on the free plan"`
	CheckedAt *time.Time `json:"checked_at" doc:"when plan and credits were read"`

	Error   *backend.Failure `json:"error" doc:"why plan and credits could not be read; the last known values stay"`
	Notice  *Notice          `json:"notice"`
	Login   LoginStatus      `json:"login"`
	Secrets SecretsStatus    `json:"secrets"`
}

// failure returns an error as part of a status, nil for none.
func failure(err error) *backend.Failure {
	if err == nil {
		return nil
	}
	return backend.FailureOf(client.AsError(err))
}

// Login is the state of a sign-in in the browser.
type Login struct {
	Status  string // idle, waiting, failed
	URL     string
	Expires time.Time
	Err     error
}

// LoginStatus is a Login in a status.
type LoginStatus struct {
	Status    string           `json:"status" enum:"idle,waiting,failed"`
	URL       string           `json:"authorization_url"`
	ExpiresAt *time.Time       `json:"expires_at"`
	Error     *backend.Failure `json:"error"`
}

// SecretsStatus is where sign-in and key are stored.
type SecretsStatus struct {
	Place       string `json:"place" enum:"keychain,file,none"`
	FileAllowed bool   `json:"file_allowed" doc:"the setting secrets.allow_file"`
}

// Status returns what is known of the account. Plan and credits that are older than 30 s are read again, for at most 5 s; when
// they cannot be read, the status says why.
func (s *account) Status(ctx context.Context) (Status, error) {
	c := s.o.Credentials
	st := Status{Enabled: c.config.Enabled(), BaseURL: c.config.BaseURL()}
	st.Configured = st.BaseURL != ""
	problem := s.readForStatus(ctx)
	if err := ctx.Err(); err != nil {
		return Status{}, err
	}
	s.addCredentials(&st)
	s.addBalance(&st)
	st.Error = failure(s.errorToShow(problem))
	place, err := c.secrets.Place(ctx)
	if err != nil {
		return Status{}, err
	}
	st.Secrets = SecretsStatus{Place: place, FileAllowed: c.config.AllowFile()}
	st.Login = loginStatus(c.signIn.Login())
	return st, nil
}

// readForStatus reads plan and credits where they are old, or were not read at the last attempt.
func (s *account) readForStatus(ctx context.Context) error {
	s.mu.Lock()
	failed := s.balance.err
	s.mu.Unlock()
	age := statusAge
	if failed != nil {
		age = 0
	}
	limited, cancel := context.WithTimeoutCause(ctx, s.statusTimeout, errSlow)
	defer cancel()
	b, err := s.readBalance(limited, age)
	if err == nil && s.ended(b) {
		err = s.renew(limited)
	}
	if err != nil && errors.Is(context.Cause(limited), errSlow) {
		return errSlow
	}
	return err
}

// errorToShow returns the error of a status: none where nobody is signed in and nothing is stored.
func (s *account) errorToShow(err error) error {
	c := s.o.Credentials
	_, hasKey := c.note()
	_, hasAccount := c.signIn.Account()
	if !hasKey && !hasAccount {
		return nil
	}
	return err
}

func (s *account) addCredentials(st *Status) {
	c := s.o.Credentials
	st.KeyPrefix, _ = c.KeyPrefix()
	a, ok := c.signIn.Account()
	at, err := originOf(c.config.BaseURL())
	if !ok || err != nil || a.Service != at {
		return
	}
	st.SignedIn, st.Account, st.Email = true, a.shown(), a.Email
	if !a.SignedInAt.IsZero() {
		st.SignedInAt = &a.SignedInAt
	}
}

func (s *account) addBalance(st *Status) {
	b, ok := s.lastBalance()
	if !ok {
		return
	}
	st.Plan, st.Credits, st.Payg, st.ExpiresAt, st.CheckedAt = b.Plan, &b.Credits, &b.Payg, b.ExpiresAt, &b.ReadAt
	s.mu.Lock()
	defer s.mu.Unlock()
	st.Notice = s.notice()
}

func loginStatus(l Login) LoginStatus {
	st := LoginStatus{Status: l.Status, URL: l.URL, Error: failure(l.Err)}
	if !l.Expires.IsZero() {
		st.ExpiresAt = &l.Expires
	}
	return st
}

// Test is the result of a test of the connection.
type Test struct {
	OK          bool             `json:"ok" doc:"a service answers at the address"`
	MS          int64            `json:"ms" doc:"how long its answer took"`
	KeyAccepted *bool            `json:"key_accepted" doc:"null where no key was sent, or no answer came"`
	Error       *backend.Failure `json:"error"`
}

// keyAccepted reports whether a call that failed with err, or nil, shows that its key is valid; nil where no answer came.
func keyAccepted(err error) *bool {
	if err == nil {
		return new(true)
	}
	var failed *client.Error
	if !errors.As(err, &failed) || failed.Status == 0 {
		return nil
	}
	return new(failed.Status != http.StatusUnauthorized)
}

// Test reports whether a service answers at an address, and whether it accepts the stored API key. An empty address is the one in
// the settings; no credential is sent to any other. Errors: hosted_not_configured, offline.
func (s *account) Test(ctx context.Context, address string) (Test, error) {
	c := s.o.Credentials
	own := address == "" || address == c.config.BaseURL()
	if address == "" {
		address = c.config.BaseURL()
	}
	if _, err := originOf(address); err != nil {
		return Test{}, err
	}
	took, err := s.o.Client.Ping(ctx, address)
	t := Test{OK: err == nil, MS: took.Milliseconds(), Error: failure(err)}
	if e := client.AsError(err); e != nil && e.Code == backend.CodeOffline {
		return Test{}, e
	}
	at, err := c.origin()
	if !t.OK || !own || err != nil || !c.hasKey(at) {
		return t, ctx.Err()
	}
	_, err = s.o.Client.Credits(ctx)
	t.KeyAccepted, t.Error = keyAccepted(err), failure(err)
	return t, ctx.Err()
}
