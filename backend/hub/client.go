package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// Client fetches from one hub, and from mirrors, into one cache. It is safe for concurrent use.
type Client struct {
	cache *Cache
	o     Options
	http  *http.Client
	own   *http.Transport // nil when the transport was given

	unusable error // why the endpoint cannot be asked; nil when it can
}

// New makes a client. With an endpoint that is no http or https address it gives what is here, and each download that needs
// the hub fails. A mirror that is no such address is an error.
func New(cache *Cache, o Options) (*Client, error) {
	c := &Client{cache: cache, o: o.withDefaults()}
	if _, err := parseBase(c.o.Endpoint); err == nil {
		c.o.Endpoint = strings.TrimRight(c.o.Endpoint, "/")
	} else {
		c.unusable = backend.E(backend.CodeDownloadFailed, fmt.Sprintf("The hub's address in HF_ENDPOINT, %q, is not usable.", c.o.Endpoint),
			"Set HF_ENDPOINT to an address that starts with https://, or unset it.").With("variable", "HF_ENDPOINT").Because(err)
	}
	for _, mirror := range c.o.Mirrors {
		if _, err := parseBase(mirror); err != nil {
			return nil, fmt.Errorf("use the mirror %q: %w", mirror, err)
		}
	}
	if c.o.NoSymlinks {
		cache.Symlink = func(from, to string) error {
			return &os.LinkError{Op: "symlink", Old: from, New: to, Err: errors.ErrUnsupported}
		}
	}
	transport := c.o.Transport
	if transport == nil {
		c.own = ownTransport(c.o)
		transport = c.own
	}
	c.http = &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// Close drops idle connections.
func (c *Client) Close() {
	if c.own != nil {
		c.own.CloseIdleConnections()
	}
}

// Cache gives the cache into which the client fetches.
func (c *Client) Cache() *Cache { return c.cache }

func ownTransport(o Options) *http.Transport {
	t := &http.Transport{
		DisableCompression:  true, // the bytes and their count are those of the file
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 2,
		IdleConnTimeout:     time.Minute,
		TLSHandshakeTimeout: o.Stall,
		DialContext:         (&net.Dialer{Timeout: min(dialTimeout, o.Stall)}).DialContext,
	}
	if o.Proxy != nil {
		t.Proxy = func(r *http.Request) (*url.URL, error) { return o.Proxy(r.URL) }
	}
	return t
}

func parseBase(base string) (*url.URL, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, errors.New("it is not an http or https address")
	}
	return u, nil
}

// resolveURL is where a hub has a file. Branch names keep no slash, as the hub wants it.
func resolveURL(base, repo, revision, path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return fmt.Sprintf("%s/%s/resolve/%s/%s", base, repo, url.PathEscape(revision), strings.Join(parts, "/"))
}

// answer is the last response of a chain of redirects.
type answer struct {
	*http.Response
	hub  http.Header // of the last response of the hub's own host: X-Repo-Commit, X-Linked-Etag, ...
	away bool        // the response is another host's
}

const maxRedirects = 10

// send asks and follows redirects by hand: the token stays on the first host, a chain that meets itself or leaves TLS
// ends. With stay, a redirect to another host is the answer itself. The caller closes the body.
func (c *Client) send(ctx context.Context, method, address string, header http.Header, stay bool) (*answer, error) {
	if c.unusable != nil && strings.HasPrefix(address, c.o.Endpoint+"/") {
		return nil, c.unusable
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("read the address: %w", err)
	}
	first, a, seen := u, &answer{}, map[string]bool{}
	for range maxRedirects {
		if seen[u.String()] {
			return nil, &badAnswer{u.Host, "it redirects in a circle"}
		}
		seen[u.String()] = true
		a.Response, err = c.once(ctx, method, u, header, !a.away) //nolint:bodyclose // closed below, the last one by the caller
		if err != nil {
			return nil, err
		}
		if !a.away {
			a.hub = a.Header
		}
		a.Body = onlineBody{a.Body, c.o.Offline}
		next := redirect(a.Response)
		if next == nil {
			return a, nil
		}
		crosses := next.Host != first.Host || next.Scheme != first.Scheme
		if crosses && stay {
			return a, nil
		}
		_ = a.Body.Close()
		if (next.Scheme != "http" && next.Scheme != "https") || u.Scheme == "https" && next.Scheme == "http" {
			return nil, &badAnswer{u.Host, "it redirects to an address that is not safe"}
		}
		a.away = a.away || crosses
		u = next
	}
	return nil, &badAnswer{u.Host, "it redirects too often"}
}

// onlineBody is read no further once offline mode is on.
type onlineBody struct {
	io.ReadCloser
	offline func() bool
}

// Read gives what came, or errOffline.
func (b onlineBody) Read(p []byte) (int, error) {
	if b.offline() {
		return 0, errOffline()
	}
	return b.ReadCloser.Read(p)
}

// redirect gives where a response redirects to, nil when it does not.
func redirect(r *http.Response) *url.URL {
	next, err := r.Location()
	if r.StatusCode/100 != 3 || r.StatusCode == http.StatusNotModified || err != nil {
		return nil
	}
	return next
}

func (c *Client) once(ctx context.Context, method string, u *url.URL, header http.Header, home bool) (*http.Response, error) {
	if c.o.Offline() { // before each, as a redirect may lead to another host
		return nil, errOffline()
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}
	for k, v := range header {
		req.Header[k] = v
	}
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("User-Agent", "voicewright")
	if home && c.o.Token != "" && c.isEndpoint(u) {
		req.Header.Set("Authorization", "Bearer "+c.o.Token)
	}
	res, err := c.http.Do(req)
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = fmt.Errorf("ask %s: %w", u.Host, wrapped.Err) // without the address, which may be a signed one
	}
	return res, err
}

func (c *Client) isEndpoint(u *url.URL) bool {
	base, err := parseBase(c.o.Endpoint)
	return err == nil && base.Scheme == u.Scheme && base.Host == u.Host
}
