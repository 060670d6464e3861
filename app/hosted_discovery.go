package app

import (
	"cmp"
	"context"
	"net/url"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/signin"
	"github.com/voicewright/voicewright/backend/hosts"
	"github.com/voicewright/voicewright/backend/settings"
)

// discovery finds out where to sign in to the hosted service.
type discovery struct {
	settings *settings.Settings
	client   *client.Client // without credentials
}

// config returns where to sign in: the settings, and what they leave open from the service. A service elsewhere cannot send
// the program to a server on this machine.
func (d discovery) config(ctx context.Context) (signin.Config, error) {
	base, err := client.Ready(func() bool { return d.settings.Bool(settings.HostedEnabled) }, nil,
		func() string { return d.settings.String(settings.HostedURL) })
	if err != nil {
		return signin.Config{}, err
	}
	given := loginOf(d.settings)
	if given.Issuer != "" && given.ClientID != "" {
		return given, nil
	}
	login, err := d.client.Discover(ctx)
	if err != nil {
		return signin.Config{}, client.AsError(err)
	}
	if issuer, err := url.Parse(login.Issuer); err == nil && hosts.IsLoopback(issuer.Hostname()) && !hosts.IsLoopback(base.Hostname()) {
		return signin.Config{}, backend.E(backend.CodeHostedBadAnswer,
			"The hosted service names a sign-in server on this computer, which was not contacted.",
			"Enter the setting hosted.issuer, or ask the operator of the hosted service.").With("reason", "sign_in")
	}
	return complete(given, login), nil
}

// loginOf returns how to sign in according to the settings.
func loginOf(s *settings.Settings) backend.Login {
	return backend.Login{
		Issuer: s.String(settings.HostedIssuer), ClientID: s.String(settings.HostedClientID), Audience: s.String(settings.HostedAudience),
		Scopes: s.String(settings.HostedScopes), ClientSecret: s.String(settings.HostedSecret), UseIDToken: s.Bool(settings.HostedUseIDToken),
		Resource: s.String(settings.HostedResource), AuthParams: s.String(settings.HostedAuthParams),
	}
}

// complete returns what the settings say, and what they leave open from the service. A secret belongs to its client:
// neither that of the service nor that of the settings goes with the client of the other.
func complete(given, login backend.Login) signin.Config {
	secret := login.ClientSecret
	if given.ClientID != "" {
		secret = given.ClientSecret
	}
	return signin.Config{
		Issuer: cmp.Or(given.Issuer, login.Issuer), ClientID: cmp.Or(given.ClientID, login.ClientID),
		Audience: cmp.Or(given.Audience, login.Audience), Scopes: cmp.Or(given.Scopes, login.Scopes),
		ClientSecret: secret, UseIDToken: given.UseIDToken || login.UseIDToken,
		Resource: cmp.Or(given.Resource, login.Resource), AuthParams: cmp.Or(given.AuthParams, login.AuthParams),
	}
}
