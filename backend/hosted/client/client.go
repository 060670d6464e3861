package client

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"golang.org/x/net/http/httpproxy"

	"github.com/voicewright/voicewright/backend/hosts"
)

// Auth says which credential a call uses.
type Auth int

// Auto is the API key where there is one, else the token of the sign-in.
const (
	Auto Auth = iota
	Key
	Token
)

// Credential is an API key or the access token of a sign-in; the other field is empty.
type Credential struct{ Key, Token string }

// header returns the value of Authorization.
func (c Credential) header() string { return "Bearer " + cmp.Or(c.Key, c.Token) }

// Credentials returns the credential of a call to the service at an origin, which is that of Origin. The setting may have changed
// since the call began; the credential of another service is then an error. rejected is what the service has just refused with
// 401, so a token is refreshed; it is zero before that. Errors: hosted_not_signed_in, and those of the secret store.
type Credentials interface {
	Credential(ctx context.Context, origin string, auth Auth, rejected Credential) (Credential, error)
}

// ConnectTimeout is how long TCP and TLS may take each.
const ConnectTimeout = 10 * time.Second

// Timeouts limit how long the service may take. Zero fields have the defaults in brackets.
type Timeouts struct {
	Connect time.Duration // TCP and TLS each (ConnectTimeout)
	Answer  time.Duration // of a call that speaks nothing, and the longest silence of a download (30 s)
	Speech  time.Duration // of synthesis, which answers when the audio is finished (10 min)
}

// Options are the dependencies of a Client. BaseURL is required, Credentials where more is called than Discover, KeepsKeys and Ping.
type Options struct {
	BaseURL     func() string // the setting, read at each call
	Credentials Credentials
	Enabled     func() bool // nil: always; while false no call is made
	Offline     func() bool // nil: never; while true no connection is opened
	Version     string      // of the program, for User-Agent
	Timeouts    Timeouts
	Proxy       func(*url.URL) (*url.URL, error) // nil: that of the environment
	Transport   func(*http.Transport)            // adapts the transport in tests, such as trusted certificates; may be nil
	FreeSpace   func(ctx context.Context, dir string) (free int64, known bool)
	Now         func() time.Time
	Wait        func(context.Context, time.Duration) error // waits between attempts; nil: a timer
	Log         *slog.Logger
}

// Client calls the hosted service. It is safe for concurrent use.
type Client struct {
	o      Options
	speech *http.Client // a new connection for each call, so that a stale one never makes a paid call uncertain
	other  *http.Client
}

// New returns a client; nothing is contacted.
func New(o Options) *Client {
	o.fill()
	speech, other := NewTransport(o.Proxy, o.Timeouts.Connect), NewTransport(o.Proxy, o.Timeouts.Connect)
	speech.DisableKeepAlives = true
	if o.Transport != nil {
		o.Transport(speech)
		o.Transport(other)
	}
	return &Client{o: o, speech: httpClient(speech), other: httpClient(other)}
}

func (o *Options) fill() {
	if o.Offline == nil {
		o.Offline = func() bool { return false }
	}
	if o.FreeSpace == nil {
		o.FreeSpace = func(context.Context, string) (int64, bool) { return 0, false }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Timeouts.Connect = cmp.Or(o.Timeouts.Connect, ConnectTimeout)
	o.Timeouts.Answer = cmp.Or(o.Timeouts.Answer, 30*time.Second)
	o.Timeouts.Speech = cmp.Or(o.Timeouts.Speech, 10*time.Minute)
}

// Close closes idle connections.
func (c *Client) Close() {
	c.speech.CloseIdleConnections()
	c.other.CloseIdleConnections()
}

// NewTransport returns the transport for connections to the service and its files. proxy is that of the environment when nil;
// it is used for https alone, as plain requests are those of this machine. connect limits TCP and TLS each.
func NewTransport(proxy func(*url.URL) (*url.URL, error), connect time.Duration) *http.Transport {
	if proxy == nil {
		environment := httpproxy.FromEnvironment()
		environment.HTTPSProxy = cmp.Or(environment.HTTPSProxy, os.Getenv("ALL_PROXY"), os.Getenv("all_proxy"))
		proxy = environment.ProxyFunc()
	}
	return &http.Transport{
		Proxy: func(r *http.Request) (*url.URL, error) {
			if r.URL.Scheme != "https" || hosts.IsLoopback(r.URL.Hostname()) {
				return nil, nil
			}
			return proxy(r.URL)
		},
		ForceAttemptHTTP2:     true,
		MaxIdleConnsPerHost:   2,
		IdleConnTimeout:       time.Minute,
		ExpectContinueTimeout: time.Second,
		TLSHandshakeTimeout:   connect,
		DialContext:           (&net.Dialer{Timeout: connect}).DialContext,
	}
}

// httpClient returns a client that follows no redirect.
func httpClient(t *http.Transport) *http.Client {
	return &http.Client{
		Transport:     t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
