package app

import (
	"context"
	"net/url"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/signin"
	"github.com/voicewright/voicewright/backend/settings"
)

// newSignIn creates the sign-in to the hosted service that service calls.
func (s *Studio) newSignIn(c Config, secrets signin.Secrets, service *client.Client, changed func()) *signin.Manager {
	prefs := s.settings
	return signin.New(signin.Options{
		Secrets: secrets, Service: func() string { return prefs.String(settings.HostedURL) }, Offline: s.offline(c),
		Discover: func(ctx context.Context) (signin.Config, error) { return s.discover(ctx, service) },
		Open:     openBrowser, Changed: changed, Now: time.Now,
		After: func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop }, Log: c.Log,
	})
}

// discover returns where to sign in: the settings, and for those that are empty what the hosted service says.
func (s *Studio) discover(ctx context.Context, service *client.Client) (signin.Config, error) {
	prefs := s.settings
	base, err := client.Ready(func() bool { return prefs.Bool(settings.HostedEnabled) }, nil, func() string { return prefs.String(settings.HostedURL) })
	if err != nil {
		return signin.Config{}, err
	}
	config := signin.Config{
		Issuer: prefs.String(settings.HostedIssuer), ClientID: prefs.String(settings.HostedClientID), Audience: prefs.String(settings.HostedAudience),
	}
	if config.Issuer != "" && config.ClientID != "" {
		return config, nil
	}
	found, err := service.Discover(ctx)
	if err != nil {
		return signin.Config{}, client.AsError(err)
	}
	if config.Issuer == "" {
		if isLocal(found.Issuer) && !backend.IsLoopback(base.Hostname()) {
			return signin.Config{}, backend.E(backend.CodeHostedBadAnswer, "The hosted service names a sign-in server on this computer, which was not asked.",
				"Enter the setting hosted.issuer, or ask who runs the hosted service.").With("reason", "sign_in")
		}
		config.Issuer = found.Issuer
	}
	if config.ClientID == "" {
		config.ClientID = found.ClientID
	}
	if config.Audience == "" {
		config.Audience = found.Audience
	}
	return config, nil
}

func isLocal(address string) bool {
	u, err := url.Parse(address)
	return err == nil && backend.IsLoopback(u.Hostname())
}
