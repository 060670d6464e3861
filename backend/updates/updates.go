// Package updates asks, when the user wants to know, whether there is a newer version of the program. It reads a small document at
// an address that is set when the program is built, downloads nothing else and installs nothing: the user opens the page of the new
// version in the browser.
package updates

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosts"
)

const (
	maxDocument  = 64 << 10 // bytes
	maxRedirects = 3
	// defaultTimeout is how long a check may take altogether.
	defaultTimeout = 10 * time.Second
)

// Options say what is asked.
type Options struct {
	Address  string        // of the document: https, or http on this machine; empty where the program was built without one
	Version  string        // of this program
	Platform string        // GOOS-GOARCH
	Offline  func() bool   // whether the network must not be used
	Timeout  time.Duration // of a whole check; 0 = 10 s
}

// ErrNotConfigured means that the program was built without an address for new versions.
var ErrNotConfigured = backend.E(backend.CodeUpdatesNotConfigured,
	"This copy of Voicewright was built without an address for new versions.", "Look for new versions where you got it.")

// Checker reads what the newest version is. It is safe for concurrent use, and connects to nothing but in Check.
type Checker struct {
	o       Options
	address *url.URL // nil where there is none that can be used
	http    *http.Client
}

// New returns a Checker. An address that must not be used, such as one with http of another machine, counts as none.
func New(o Options) *Checker {
	c := &Checker{o: o}
	c.o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	if u, err := url.Parse(o.Address); err == nil && usable(u) && u.RawQuery == "" && !u.ForceQuery && u.Fragment == "" {
		c.address = u
	}
	c.http = &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DisableCompression: true, DisableKeepAlives: true, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: c.o.Timeout, MaxResponseHeaderBytes: maxDocument,
		},
		CheckRedirect: c.follow,
	}
	return c
}

// Address returns the address that Check asks, "" where the program was built without one.
func (c *Checker) Address() string {
	if c.address == nil {
		return ""
	}
	return c.address.String()
}

// Check returns the newest version for this platform. It sends nothing but the request: no version, no cookie, no query.
// Errors: updates_not_configured, offline, updates_unreachable, updates_bad_answer, cancelled.
func (c *Checker) Check(ctx context.Context) (NewestVersion, error) {
	if c.address == nil {
		return NewestVersion{}, ErrNotConfigured
	}
	if c.o.Offline() {
		return NewestVersion{}, errOffline()
	}
	limited, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	raw, err := c.read(limited)
	var known *backend.Error
	switch {
	case ctx.Err() != nil:
		return NewestVersion{}, backend.ErrCancelled.WithCause(ctx.Err())
	case errors.As(err, &known):
		return NewestVersion{}, known
	case err != nil:
		reason := "network"
		if limited.Err() != nil {
			reason = "timeout"
		}
		return NewestVersion{}, c.unreachable(reason).WithCause(err)
	}
	return c.answer(raw)
}

// read returns the document.
func (c *Checker) read(ctx context.Context) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.address.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "voicewright")
	req.Header.Set("Accept", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return nil, c.unreachable("status").With("status", res.StatusCode)
	}
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxDocument+1))
	if err == nil && len(raw) > maxDocument {
		err = c.bad("it is too large")
	}
	return raw, err
}

// follow refuses redirects to other hosts, and those that would send something along.
func (c *Checker) follow(req *http.Request, via []*http.Request) error {
	switch {
	case c.o.Offline():
		return errOffline()
	case len(via) > maxRedirects:
		return c.bad("it redirects too often")
	case !usable(req.URL) || !sameOrigin(req.URL, c.address) || req.URL.RawQuery != "":
		return c.bad("it redirects to another server")
	}
	req.Header.Del("Referer")
	return nil
}

// usable reports whether an address may be asked or opened: https, or http on this machine.
func usable(u *url.URL) bool {
	if u.Host == "" || u.Hostname() == "" || u.User != nil || u.Opaque != "" {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && hosts.IsLoopback(u.Hostname())
}

// sameOrigin reports whether two addresses have the same scheme, host and port.
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if u.Port() == "" && u.Scheme == "https" {
		return "443"
	}
	return cmp.Or(u.Port(), "80")
}

func errOffline() *backend.Error {
	return backend.E(backend.CodeOffline, "Checking for a new version needs the network, and offline mode is on.",
		"Turn offline mode off in the settings, or start Voicewright without --offline.").With("updates", true)
}

// unreachable returns the error of a server that gives no document. reason is network, timeout or status.
func (c *Checker) unreachable(reason string) *backend.Error {
	return backend.E(backend.CodeUpdatesUnreachable, "The server for new versions, "+c.address.Host+", didn't answer as expected.",
		"Check the network connection, and try again later.").With("reason", reason).With("host", c.address.Host)
}

// bad returns the error of a document that is not what was asked for.
func (c *Checker) bad(what string) *backend.Error {
	return backend.E(backend.CodeUpdatesBadAnswer, "What the server for new versions, "+c.address.Host+", says can't be used: "+what+".",
		"Try again later, or look for new versions where you got Voicewright.").With("host", c.address.Host)
}
