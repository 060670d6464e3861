package app

import (
	"context"
	"os"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/forward"
	"github.com/voicewright/voicewright/backend/hosted/signin"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/secrets"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/subprocess"
)

// hostedParts are what connects the app to the hosted service.
type hostedParts struct {
	forward *forward.Forwarder
	signIn  *signin.Manager
	service *hosted.Service
}

// openHosted creates the hosted service in the app. It contacts nobody and opens no keychain.
func (s *Studio) openHosted(c Config, events *events.Streams) (err error) {
	prefs := s.settings
	changed := func() { events.Publish("hosted", struct{}{}) }
	config := hosted.Config{
		BaseURL: func() string { return prefs.String(settings.HostedURL) },
		Enabled: func() bool { return prefs.Bool(settings.HostedEnabled) }, Offline: s.offline(c),
		AllowFile: func() bool { return prefs.Bool(settings.AllowSecretFile) },
		Warn:      func() int64 { return int64(prefs.Number(settings.HostedWarn)) },
		Ask:       func() int64 { return int64(prefs.Number(settings.HostedAsk)) },
	}
	stored, err := secrets.Open(secrets.Options{
		Dir: c.Data, AllowFile: config.AllowFile, Passphrase: passphrase, Ask: c.AskPassphrase, Log: c.Log,
	})
	if err != nil {
		return err
	}
	s.onClose(withoutContext(stored.Close))
	calls := client.Options{
		BaseURL: config.BaseURL, Offline: config.Offline, Enabled: config.Enabled, Version: Version(),
		FreeSpace: freeSpace, Now: time.Now, Log: c.Log,
	}
	anonymous := client.New(calls) // signing in needs it, and the credentials of the other need the sign-in
	signIn := signin.New(signin.Options{
		Secrets: stored, Discover: discovery{prefs, anonymous}.config, Service: config.BaseURL, Offline: config.Offline,
		Open: openBrowser, Changed: changed, Now: time.Now, After: after, Log: c.Log,
	})
	credentials := hosted.NewCredentials(stored, signedIn{signIn}, config)
	calls.Credentials = credentials
	account := client.New(calls)
	service := hosted.New(hosted.Options{
		Client: account, Credentials: credentials, Parts: s.db, Dir: c.Data, Profiles: s.hostedProfiles, Changed: changed,
		Now: time.Now, Sleep: hosted.Sleep, NewID: newID, Log: c.Log,
	})
	passed := forward.New(forward.Options{
		BaseURL: config.BaseURL, Credentials: credentials, Offline: config.Offline, Enabled: config.Enabled, Log: c.Log,
		Paid: service.Outdate,
	})
	s.onClose(func(ctx context.Context) error {
		err := service.Close(ctx)
		signIn.Close()
		anonymous.Close()
		account.Close()
		passed.Close()
		return err
	})
	watch := newHostedWatch(prefs, stored, changed, c.Log)
	s.onClose(watch.close)
	prefs.OnChange(watch.settingsChanged)
	s.hosted = &hostedParts{passed, signIn, service}
	return nil
}

// passphrase returns the passphrase of the encrypted file of secrets.
func passphrase() (string, bool) {
	value := os.Getenv(subprocess.PassphraseVariable)
	return value, value != ""
}

// after is time.AfterFunc in the form that package signin needs.
func after(d time.Duration, f func()) (stop func() bool) { return time.AfterFunc(d, f).Stop }

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

// hostedConfigured reports whether a hosted service is set up.
func (s *Studio) hostedConfigured() bool {
	return s.settings.Bool(settings.HostedEnabled) && s.settings.String(settings.HostedURL) != ""
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
