package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/forward"
	"github.com/voicewright/voicewright/backend/hosted/signin"
	"github.com/voicewright/voicewright/backend/hosts"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/backend/secrets"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/subprocess"
)

// hostedParts are what connects the app to the hosted service.
type hostedParts struct {
	secrets *secrets.Store
	client  *client.Client
	forward *forward.Forwarder
	signIn  *signin.Manager
	service *hosted.Service

	settings *settings.Settings
	changed  func()
	log      *slog.Logger
	last     atomic.Pointer[hostedSettings]
	moves    sync.WaitGroup         // of secrets, see leaveFile
	life     func() context.Context // ends with close
	end      context.CancelFunc
}

// hostedSettings are the settings on which the account depends.
type hostedSettings struct {
	baseURL         string
	enabled, fileOK bool
	warn, ask       int64
	login           backend.Login
}

// openHosted creates the hosted service in the app. It contacts nobody and opens no keychain.
func (s *Studio) openHosted(c Config, events *httpapi.Events) (err error) {
	prefs := s.settings
	life, end := context.WithCancel(context.Background())
	h := &hostedParts{
		settings: prefs, changed: func() { events.Publish("hosted", struct{}{}) }, log: c.Log,
		life: func() context.Context { return life }, end: end,
	}
	h.last.Store(new(h.read()))
	config := hosted.Config{
		BaseURL: func() string { return prefs.String(settings.HostedURL) },
		Enabled: func() bool { return prefs.Bool(settings.HostedEnabled) }, Offline: s.offline(c),
		AllowFile: func() bool { return prefs.Bool(settings.AllowSecretFile) },
		Warn:      func() int64 { return int64(prefs.Number(settings.HostedWarn)) },
		Ask:       func() int64 { return int64(prefs.Number(settings.HostedAsk)) },
	}
	h.secrets, err = secrets.Open(secrets.Options{
		Dir: c.Data, AllowFile: config.AllowFile, Passphrase: passphrase, Ask: c.AskPassphrase, Log: c.Log,
	})
	if err != nil {
		return err
	}
	h.signIn = signin.New(signin.Options{
		Secrets: h.secrets, Discover: h.discover, Service: config.BaseURL, Offline: config.Offline,
		Open: openBrowser, Changed: h.changed, Now: time.Now, After: after, Log: c.Log,
	})
	credentials := hosted.NewCredentials(h.secrets, signedIn{h.signIn}, config)
	h.client = client.New(client.Options{
		BaseURL: config.BaseURL, Credentials: credentials, Offline: config.Offline, Enabled: config.Enabled, Version: Version(),
		FreeSpace: freeSpace, Now: time.Now, Log: c.Log,
	})
	h.forward = forward.New(forward.Options{
		BaseURL: config.BaseURL, Credentials: credentials, Offline: config.Offline, Enabled: config.Enabled, Log: c.Log,
		Paid: func() { h.service.Outdate() },
	})
	h.service = hosted.New(hosted.Options{
		Client: h.client, Credentials: credentials, Parts: s.db, Dir: c.Data, Profiles: s.hostedProfiles, Changed: h.changed,
		Now: time.Now, Sleep: hosted.Sleep, NewID: newID, Log: c.Log,
	})
	prefs.OnChange(h.settingsChanged)
	s.hosted = h
	return nil
}

// passphrase returns the passphrase of the encrypted file of secrets.
func passphrase() (string, bool) {
	value := os.Getenv(subprocess.PassphraseVariable)
	return value, value != ""
}

// after is time.AfterFunc in the form that package signin needs.
func after(d time.Duration, f func()) (stop func() bool) { return time.AfterFunc(d, f).Stop }

// discover returns where to sign in: the settings, and what they leave open from the service. A service elsewhere cannot send
// the program to a server on this machine.
func (h *hostedParts) discover(ctx context.Context) (signin.Config, error) {
	base, err := client.Ready(func() bool { return h.settings.Bool(settings.HostedEnabled) }, nil,
		func() string { return h.settings.String(settings.HostedURL) })
	if err != nil {
		return signin.Config{}, err
	}
	given := h.login()
	if given.Issuer != "" && given.ClientID != "" {
		return given, nil
	}
	found, err := h.client.Discover(ctx)
	if err != nil {
		return signin.Config{}, client.AsError(err)
	}
	if issuer, err := url.Parse(found.Issuer); err == nil && hosts.IsLoopback(issuer.Hostname()) && !hosts.IsLoopback(base.Hostname()) {
		return signin.Config{}, backend.E(backend.CodeHostedBadAnswer, "The hosted service names a sign-in server on this computer, which was not contacted.",
			"Enter the setting hosted.issuer, or ask the operator of the hosted service.").With("reason", "sign_in")
	}
	return complete(given, found), nil
}

// login returns how to sign in according to the settings.
func (h *hostedParts) login() backend.Login {
	s := h.settings
	return backend.Login{
		Issuer: s.String(settings.HostedIssuer), ClientID: s.String(settings.HostedClientID), Audience: s.String(settings.HostedAudience),
		Scopes: s.String(settings.HostedScopes), ClientSecret: s.String(settings.HostedSecret), UseIDToken: s.Bool(settings.HostedUseIDToken),
		Resource: s.String(settings.HostedResource), AuthParams: s.String(settings.HostedAuthParams),
	}
}

// complete returns what the settings say, and what they leave open from the service. A secret belongs to its client:
// neither that of the service nor that of the settings goes with the client of the other.
func complete(given, found backend.Login) signin.Config {
	secret := found.ClientSecret
	if given.ClientID != "" {
		secret = given.ClientSecret
	}
	return signin.Config{
		Issuer: cmp.Or(given.Issuer, found.Issuer), ClientID: cmp.Or(given.ClientID, found.ClientID),
		Audience: cmp.Or(given.Audience, found.Audience), Scopes: cmp.Or(given.Scopes, found.Scopes),
		ClientSecret: secret, UseIDToken: given.UseIDToken || found.UseIDToken,
		Resource: cmp.Or(given.Resource, found.Resource), AuthParams: cmp.Or(given.AuthParams, found.AuthParams),
	}
}

func (h *hostedParts) read() hostedSettings {
	s := h.settings
	return hostedSettings{
		baseURL: s.String(settings.HostedURL), enabled: s.Bool(settings.HostedEnabled), fileOK: s.Bool(settings.AllowSecretFile),
		warn: int64(s.Number(settings.HostedWarn)), ask: int64(s.Number(settings.HostedAsk)),
		login: h.login(),
	}
}

// settingsChanged announces a change of a setting of the hosted service.
func (h *hostedParts) settingsChanged() {
	now := h.read()
	before := *h.last.Swap(&now)
	if before != now {
		h.changed()
	}
	if before.fileOK && !now.fileOK {
		h.moves.Go(h.leaveFile)
	}
}

// leaveFile moves the secrets to the keychain when the encrypted file is no longer allowed. Where there is no keychain they stay.
func (h *hostedParts) leaveFile() {
	backend.Protect(h.log, "move secrets", func() {
		if err := h.secrets.Migrate(h.life(), secrets.Keychain); err != nil {
			h.log.Warn("the secrets stay in the encrypted file", "error", err)
		}
		h.changed()
	})
}

// close ends sign-in and work in the background; h may be nil.
func (h *hostedParts) close(ctx context.Context) error {
	if h == nil {
		return nil
	}
	moved := make(chan struct{})
	go func() {
		defer close(moved)
		h.moves.Wait()
	}()
	select {
	case <-moved:
	case <-ctx.Done():
	}
	h.end()
	<-moved
	err := h.service.Close(ctx)
	h.signIn.Close()
	h.client.Close()
	h.forward.Close()
	return errors.Join(err, h.secrets.Close())
}

// hostedProfiles returns the profiles with a hosted voice.
func (s *Studio) hostedProfiles(ctx context.Context) ([]backend.Profile, error) {
	var all []backend.Profile
	filter := backend.ProfileFilter{VoiceType: backend.VoiceHosted, All: true, Page: backend.Page{Limit: backend.MaxPageLimit}}
	for {
		list, err := s.db.Profiles(ctx, filter)
		if err != nil {
			return nil, err
		}
		all = append(all, list.Items...)
		if list.NextCursor == nil {
			return all, nil
		}
		filter.Cursor = *list.NextCursor
	}
}

// configured reports whether a hosted service is set up.
func (h *hostedParts) configured() bool {
	return h.settings.Bool(settings.HostedEnabled) && h.settings.String(settings.HostedURL) != ""
}

// signedIn is a sign-in as package hosted needs it.
type signedIn struct{ *signin.Manager }

var _ hosted.SignIn = signedIn{}

// Account returns who is signed in.
func (s signedIn) Account() (hosted.Account, bool) {
	a, ok := s.Manager.Account()
	return hosted.Account(a), ok
}

// Login returns the state of the sign-in in the browser.
func (s signedIn) Login() hosted.Login {
	state := s.State()
	l := hosted.Login{Status: string(state.Status), URL: state.URL, Expires: state.Expires}
	if state.Err != nil {
		l.Err = state.Err
	}
	return l
}
