package client

import (
	"errors"
	"net/url"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosts"
)

var (
	errDisabled = backend.E(backend.CodeHostedNotConfigured, "Hosted voices are turned off.",
		"Turn them on in the settings with hosted.enabled.")
	errNotConfigured = backend.E(backend.CodeHostedNotConfigured, "The address of the hosted service is not set.",
		"Enter it on the Account screen, or set hosted.base_url in the settings.")
	errUnsafeBase = backend.E(backend.CodeHostedNotConfigured,
		"The address of the hosted service must begin with https://, unless it is on this computer.",
		"Correct it on the Account screen, or set hosted.base_url in the settings.")
	errOffline = backend.E(backend.CodeOffline, "The hosted service needs the network, and offline mode is on.",
		"Turn offline mode off in the settings, or start Voicewright without --offline.").With("hosted", true)
)

// ParseBase returns the address of the service without a slash at its end. It must be https, or http on this machine, because
// credentials are sent to it. Error: hosted_not_configured.
func ParseBase(address string) (*url.URL, error) {
	if address == "" {
		return nil, errNotConfigured
	}
	u, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil {
		return nil, errUnsafeBase.WithCause(errors.New("it is not an address")) // an error of url.Parse repeats the address
	}
	if u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || !safe(u, true) {
		return nil, errUnsafeBase
	}
	return u, nil
}

// Origin returns scheme, host and port of an address, to which a credential belongs.
func Origin(u *url.URL) string { return u.Scheme + "://" + strings.ToLower(u.Host) }

// safe reports whether something may be requested from u: https, and on this machine, if local, also http.
func safe(u *url.URL, local bool) bool {
	if u.Hostname() == "" || hosts.IsLoopback(u.Hostname()) && !local {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && hosts.IsLoopback(u.Hostname())
}

// Ready returns the address for a call, before anything is opened. The functions are those of Options. Errors: offline,
// hosted_not_configured.
func Ready(enabled, offline func() bool, baseURL func() string) (*url.URL, error) {
	switch {
	case offline != nil && offline():
		return nil, errOffline
	case enabled != nil && !enabled():
		return nil, errDisabled
	default:
		return ParseBase(baseURL())
	}
}

func (c *Client) base() (*url.URL, error) { return Ready(c.o.Enabled, c.o.Offline, c.o.BaseURL) }
