package identity

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/voicewright/voicewright/backend/hosts"
)

// maxDocument is the size of the largest document that is read of an issuer, in bytes.
const maxDocument = 512 << 10

// source downloads the keys of an issuer.
type source struct {
	issuer *url.URL
	name   string // of the issuer as configured
	http   *http.Client
}

func newSource(issuer string, client *http.Client) (*source, error) {
	u, err := url.Parse(issuer)
	switch {
	case err != nil:
		return nil, errors.New("it is not a URL")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.User != nil:
		return nil, errors.New("a URL without user, query and fragment is needed")
	case !isSafe(u, u):
		return nil, errors.New("an https URL is needed, or http on a loopback address")
	}
	own := *client // with our rule for redirects
	own.CheckRedirect = sameHost
	return &source{issuer: u, name: issuer, http: &own}, nil
}

// keys downloads the key set that the discovery document of the issuer names.
func (s *source) keys(ctx context.Context) ([]key, error) {
	var doc struct {
		Issuer  string `json:"issuer"`
		KeysURL string `json:"jwks_uri"`
	}
	if err := s.get(ctx, strings.TrimSuffix(s.name, "/")+"/.well-known/openid-configuration", &doc); err != nil {
		return nil, fmt.Errorf("download the discovery document: %w", err)
	}
	if doc.Issuer != s.name {
		return nil, fmt.Errorf("the discovery document is of the issuer %.200q", doc.Issuer)
	}
	at, err := url.Parse(doc.KeysURL)
	if err != nil || !isSafe(at, s.issuer) {
		return nil, fmt.Errorf("the discovery document has an unusable jwks_uri, %.200q", doc.KeysURL)
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := s.get(ctx, doc.KeysURL, &set); err != nil {
		return nil, fmt.Errorf("download the keys: %w", err)
	}
	if set.Keys == nil {
		return nil, errors.New("the document of keys has no list of keys")
	}
	return usableKeys(set.Keys), nil
}

func (s *source) get(ctx context.Context, address string, v any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	res, err := s.http.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the issuer answers %d", res.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxDocument+1))
	if err != nil {
		return err
	}
	if len(body) > maxDocument {
		return fmt.Errorf("the answer is larger than %d bytes", maxDocument)
	}
	return json.Unmarshal(body, v)
}

// isSafe reports whether nobody on the way can change what u answers: https, or this machine for an issuer on it, so that a
// service that must not connect to others does not.
func isSafe(u, issuer *url.URL) bool {
	if isLoopback(issuer) {
		return isLoopback(u) && (u.Scheme == "https" || u.Scheme == "http")
	}
	return u.Scheme == "https" && u.Hostname() != ""
}

func isLoopback(u *url.URL) bool { return hosts.IsLoopback(u.Hostname()) }

// sameHost follows up to three redirects, within the host of the first request.
func sameHost(req *http.Request, via []*http.Request) error {
	if first := via[0].URL; len(via) > 3 || req.URL.Scheme != first.Scheme || req.URL.Host != first.Host {
		return errors.New("the redirect is not followed: it leads to another host, or there are too many")
	}
	return nil
}
