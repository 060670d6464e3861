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

// Client downloads from one hub and its mirrors into one cache. It is safe for concurrent use.
type Client struct {
	cache *Cache
	o     Options
	http  *http.Client
	own   *http.Transport // nil when Options has a transport

	unusable error // why the endpoint's address is invalid; nil when it is valid
}

// New returns a client. When the endpoint is not an http or https address, downloads that need the hub fail, and cached files
// are found. An invalid mirror is an error.
func New(cache *Cache, o Options) (*Client, error) {
	c := &Client{cache: cache, o: o.withDefaults()}
	if _, err := parseBase(c.o.Endpoint); err == nil {
		c.o.Endpoint = strings.TrimRight(c.o.Endpoint, "/")
	} else {
		c.unusable = backend.E(backend.CodeDownloadFailed, fmt.Sprintf("The hub's address in HF_ENDPOINT, %q, is not usable.", c.o.Endpoint),
			"Set HF_ENDPOINT to an address that starts with https://, or unset it.").With("variable", "HF_ENDPOINT").WithCause(err)
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

// Close closes idle connections.
func (c *Client) Close() {
	if c.own != nil {
		c.own.CloseIdleConnections()
	}
}

// Cache returns the cache into which the client downloads.
func (c *Client) Cache() *Cache { return c.cache }

func ownTransport(o Options) *http.Transport {
	t := &http.Transport{
		DisableCompression:  true, // else the number of bytes is not that of the file
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: 2,
		IdleConnTimeout:     time.Minute,
		TLSHandshakeTimeout: o.Stall,
		DialContext:         (&net.Dialer{Timeout: min(dialTimeout, o.Stall)}).DialContext,
	}
	if o.Proxy != nil {
		t.OnProxyConnectResponse = checkProxyAnswer
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

// resolveURL returns the address of a file at a hub. Slashes in branch names are escaped, as the hub expects.
func resolveURL(base, repo, revision, path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return fmt.Sprintf("%s/%s/resolve/%s/%s", base, repo, url.PathEscape(revision), strings.Join(parts, "/"))
}

// response is the last response of a chain of redirects.
type response struct {
	*http.Response
	hub     http.Header // of the last response of the hub's own host: X-Repo-Commit, X-Linked-Etag, ...
	foreign bool        // the response comes from another host
}

const maxRedirects = 10

// send sends a request and follows redirects itself: only the first host gets the token, and a redirect that forms a loop or
// leaves TLS is an error. With stay, a redirect to another host is returned as the response. The caller closes the body.
func (c *Client) send(ctx context.Context, method, address string, header http.Header, stay bool) (*response, error) {
	if c.unusable != nil && strings.HasPrefix(address, c.o.Endpoint+"/") {
		return nil, c.unusable
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("parse the address: %w", err)
	}
	first, res, seen := u, &response{}, map[string]bool{}
	for range maxRedirects {
		if seen[u.String()] {
			return nil, &protocolError{host: u.Host, what: "it redirects in a loop"}
		}
		seen[u.String()] = true
		res.Response, err = c.once(ctx, method, u, header, !res.foreign) //nolint:bodyclose // closed below, the last one by the caller
		if err != nil {
			return nil, err
		}
		if !res.foreign {
			res.hub = res.Header
		}
		res.Body = onlineBody{res.Body, c.o.Offline}
		next := redirect(res.Response)
		crosses := next != nil && !sameOrigin(next, first)
		if next == nil || crosses && stay {
			return res, nil
		}
		_ = res.Body.Close()
		if !safeRedirect(u, next) {
			return nil, &protocolError{host: u.Host, what: "it redirects to " + next.Host + " without encryption", signIn: true}
		}
		res.foreign = res.foreign || crosses
		u = next
	}
	return nil, &protocolError{host: u.Host, what: "it redirects too often"}
}

func sameOrigin(a, b *url.URL) bool { return a.Host == b.Host && a.Scheme == b.Scheme }

// safeRedirect reports whether a redirect stays with http or https, and does not leave https.
func safeRedirect(from, to *url.URL) bool {
	return to.Scheme == "https" || to.Scheme == "http" && from.Scheme != "https"
}

// onlineBody is a response body whose reads fail once offline mode is on.
type onlineBody struct {
	io.ReadCloser
	offline func() bool
}

// Read reads from the body. Error: offline.
func (b onlineBody) Read(p []byte) (int, error) {
	if b.offline() {
		return 0, errOffline()
	}
	return b.ReadCloser.Read(p)
}

// redirect returns the target of a redirect, nil for another response.
func redirect(r *http.Response) *url.URL {
	next, err := r.Location()
	if r.StatusCode/100 != 3 || r.StatusCode == http.StatusNotModified || err != nil {
		return nil
	}
	return next
}

// once sends one request. With home, the endpoint also gets the token.
func (c *Client) once(ctx context.Context, method string, u *url.URL, header http.Header, home bool) (*http.Response, error) {
	if c.o.Offline() { // before each, as a redirect may lead to another host
		return nil, errOffline()
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("create a request: %w", err)
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
		err = fmt.Errorf("request to %s: %w", u.Host, wrapped.Err) // without the address, which may be signed
	}
	return res, err
}

func (c *Client) isEndpoint(u *url.URL) bool {
	base, err := parseBase(c.o.Endpoint)
	return err == nil && sameOrigin(base, u)
}
