package hosted_test

import (
	"context"
	"log/slog"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// kit is a service in the app on a hosted service for tests.
type kit struct {
	*hosted.Service
	credentials *hosted.Credentials
	server      *hostedtest.Service
	client      *client.Client
	secrets     *secrets
	signIn      *signIn
	parts       *partStore
	dir         string

	mu      sync.Mutex
	asleep  func(ctx context.Context, d time.Duration) // called by sleep; may be nil
	config  settings
	now     time.Time
	waits   []time.Duration // of Sleep
	changes int
	saved   []backend.Profile
}

// settings are those of the hosted service.
type settings struct {
	base      string
	off       bool
	offline   bool
	warn, ask int64
}

// newKit returns a kit with an API key for the service.
func newKit(t testing.TB) *kit {
	t.Helper()
	k := newBareKit(t)
	_, err := k.credentials.SetKey(t.Context(), hostedtest.Key)
	require.NoError(t, err)
	return k
}

// newBareKit returns a kit without a credential.
func newBareKit(t testing.TB) *kit {
	t.Helper()
	return newKitOn(t, hostedtest.Options{})
}

// newKeepingKit returns a kit with an API key for a service that keeps the answers of calls with their idempotency keys.
func newKeepingKit(t testing.TB) *kit {
	t.Helper()
	k := newKitOn(t, hostedtest.Options{Keeps: true})
	_, err := k.credentials.SetKey(t.Context(), hostedtest.Key)
	require.NoError(t, err)
	return k
}

// newKitOn returns a kit without a credential on a service with these options.
func newKitOn(t testing.TB, o hostedtest.Options) *kit {
	t.Helper()
	k := &kit{
		server: hostedtest.Start(t, o), secrets: &secrets{values: map[string][2]string{}}, signIn: &signIn{},
		parts: &partStore{}, dir: t.TempDir(), now: time.Now(),
	}
	k.config.base = k.server.URL
	k.open(t)
	return k
}

// open creates the service, as a start of the program does.
func (k *kit) open(t testing.TB) {
	t.Helper()
	k.credentials = hosted.NewCredentials(k.secrets, k.signIn, hosted.Config{
		BaseURL: func() string { return k.set().base }, Enabled: func() bool { return !k.set().off },
		Offline: func() bool { return k.set().offline }, AllowFile: func() bool { return false },
		Warn: func() int64 { return k.set().warn }, Ask: func() int64 { return k.set().ask },
	})
	k.client = client.New(client.Options{
		BaseURL: func() string { return k.set().base }, Credentials: k.credentials, Offline: func() bool { return k.set().offline },
		Now: k.Now, Wait: k.sleep,
	})
	k.Service = hosted.New(k.options())
	service, c := k.Service, k.client
	t.Cleanup(func() {
		require.NoError(t, service.Close(context.Background()))
		c.Close()
	})
}

func (k *kit) options() hosted.Options {
	return hosted.Options{
		Client: k.client, Credentials: k.credentials, Dir: k.dir, Parts: k.parts,
		Profiles: func(context.Context) ([]backend.Profile, error) { return k.saved, nil },
		Changed: func() {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.changes++
		},
		Now: k.Now, Sleep: k.sleep, NewID: uuid.NewString, Log: slog.New(slog.DiscardHandler),
	}
}

func (k *kit) set() settings {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.config
}

// origin returns the origin of the service that is configured.
func (k *kit) origin() string {
	u, err := url.Parse(k.set().base)
	if err != nil {
		return ""
	}
	return client.Origin(u)
}

// change changes the settings.
func (k *kit) change(f func(s *settings)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f(&k.config)
}

// Now returns the time of the kit's clock.
func (k *kit) Now() time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.now
}

// pass moves the clock.
func (k *kit) pass(d time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.now = k.now.Add(d)
}

// sleep moves the clock and returns at once; a day is waited for in earnest.
func (k *kit) sleep(ctx context.Context, d time.Duration) error {
	if d >= time.Hour {
		<-ctx.Done()
		return ctx.Err()
	}
	k.pass(d)
	k.mu.Lock()
	asleep := k.asleep
	k.mu.Unlock()
	if asleep != nil {
		asleep(ctx, d)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.waits = append(k.waits, d)
	return ctx.Err()
}

// events returns how often a change was announced.
func (k *kit) events() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.changes
}

// secrets is a keychain in memory that counts how often it is opened.
type secrets struct {
	mu     sync.Mutex
	values map[string][2]string // value and note
	opened int
	err    error

	onGet func() // called by Get, which holds mu; may be nil
}

func (s *secrets) Get(_ context.Context, name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened++
	if s.onGet != nil {
		s.onGet()
	}
	v, ok := s.values[name]
	if !ok {
		return "", backend.E(backend.CodeSecretNotFound, "It is not there.", "")
	}
	return v[0], s.err
}

func (s *secrets) Set(_ context.Context, name, value, note string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened++
	if s.err != nil {
		return s.err
	}
	s.values[name] = [2]string{value, note}
	return nil
}

func (s *secrets) Delete(_ context.Context, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.values, name)
	return s.err
}

func (s *secrets) Note(name string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.values[name]
	return v[1], ok
}

func (s *secrets) Place(context.Context) (string, error) { return "keychain", nil }

// signIn is a sign-in that is there or not.
type signIn struct {
	mu      sync.Mutex
	account hosted.Account
	token   string
	fresh   string // the token after a refresh
	onToken func() // called by Token; may be nil

	nameless bool // Account returns no subject
}

func (s *signIn) Token(_ context.Context, rejected string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.onToken != nil {
		s.onToken()
	}
	if rejected != "" && rejected == s.token {
		s.token = s.fresh
	}
	if s.token == "" {
		return "", backend.E(backend.CodeHostedNotSignedIn, "The sign-in has ended.", "Sign in again.")
	}
	return s.token, nil
}

func (s *signIn) Account() (hosted.Account, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.account
	if s.nameless {
		a.Subject = ""
	}
	return a, s.account.Subject != ""
}

func (s *signIn) Login() hosted.Login { return hosted.Login{Status: "idle"} }

// signInAs signs in at the service of the kit.
func (k *kit) signInAs() {
	k.signIn.mu.Lock()
	defer k.signIn.mu.Unlock()
	k.signIn.account = hosted.Account{
		Name: "Ada", Email: "ada@example.com", Subject: "ada", Service: k.server.URL, SignedInAt: time.Unix(1_700_000_000, 0),
	}
	k.signIn.token = hostedtest.Token
}
