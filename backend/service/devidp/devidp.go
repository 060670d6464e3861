// Package devidp is an OIDC issuer for trying the hosted service on one machine: authorization code with PKCE for one native
// client, and a sign-in page without a password. It serves loopback callers only, because anyone may sign in as anyone.
package devidp

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// How long things are valid.
const (
	tokenLifetime   = time.Hour
	refreshLifetime = 30 * 24 * time.Hour // since the last use
	requestLifetime = 10 * time.Minute    // until the user has signed in
	codeLifetime    = time.Minute
)

// Options configure the issuer.
type Options struct {
	Issuer   string           // for example http://127.0.0.1:8080/dev-idp; the handler is mounted at its path
	ClientID string           // of the public native client
	Audience string           // of the tokens
	File     string           // keeps the signing key and the sign-ins over a restart; in memory when empty
	Now      func() time.Time // time.Now when nil
	BodyTime time.Duration    // in which the body of a request must arrive; 0 = 10 s
}

// New returns the issuer. Errors: the options are not usable, or the file cannot be read.
func New(o Options) (http.Handler, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.ClientID == "" || o.Audience == "" {
		return nil, errors.New("client id and audience are needed")
	}
	issuer, err := url.Parse(o.Issuer)
	if err != nil || issuer.Scheme != "http" || !isLoopback(issuer.Hostname()) || issuer.RawQuery != "" || issuer.Fragment != "" ||
		len(issuer.Path) < 2 || issuer.Path[len(issuer.Path)-1] == '/' {
		return nil, fmt.Errorf("issuer %q: an http URL of a loopback address with a path is needed", o.Issuer)
	}
	saved, err := openState(o.File)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", o.File, err)
	}
	store := newStorage(o, saved)
	config := &op.Config{CodeMethodS256: true, GrantTypeRefreshToken: true, DefaultLogoutRedirectURI: o.Issuer + signedOutPath}
	_, _ = rand.Read(config.CryptoKey[:]) // encrypts codes; it never fails
	provider, err := op.NewProvider(config, store, op.StaticIssuer(o.Issuer),
		op.WithAllowInsecure(), op.WithCORSOptions(nil), op.WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		return nil, err
	}
	return http.StripPrefix(issuer.Path, inTime(cmp.Or(o.BodyTime, bodyTime), guard(routes(o.Issuer, provider, store)))), nil
}

// The paths below the issuer. Those of the protocol are the library's.
const (
	authorizePath = "/authorize"
	callbackPath  = "/authorize/callback"
	tokenPath     = "/oauth/token"
	userinfoPath  = "/userinfo"
	revokePath    = "/revoke"
	endPath       = "/end_session"
	keysPath      = "/keys"
	loginPath     = "/login"
	signedOutPath = "/signed-out"
)

// routes returns a mux of the endpoints that are offered. The library has more.
func routes(issuer string, provider http.Handler, store *storage) http.Handler {
	mux := http.NewServeMux()
	for _, pattern := range []string{
		"GET " + callbackPath, "POST " + tokenPath, "GET " + userinfoPath, "POST " + userinfoPath, "POST " + revokePath, "GET " + keysPath,
	} {
		mux.Handle(pattern, provider)
	}
	for _, method := range []string{"GET ", "POST "} {
		mux.Handle(method+authorizePath, withRedirect("redirect_uri", provider))
		mux.Handle(method+endPath, withRedirect("post_logout_redirect_uri", provider))
	}
	mux.Handle("GET "+oidc.DiscoveryEndpoint, discovery(issuer))
	pages := pages{issuer: issuer, storage: store}
	mux.HandleFunc("GET "+loginPath, pages.form)
	mux.HandleFunc("POST "+loginPath, pages.signIn)
	mux.HandleFunc("GET "+signedOutPath, pages.signedOut)
	return mux
}

// discovery answers with what is offered. The library's own document lists grants and endpoints that are not.
func discovery(issuer string) http.HandlerFunc {
	document := oidc.DiscoveryConfiguration{
		Issuer:                                 issuer,
		AuthorizationEndpoint:                  issuer + authorizePath,
		TokenEndpoint:                          issuer + tokenPath,
		UserinfoEndpoint:                       issuer + userinfoPath,
		RevocationEndpoint:                     issuer + revokePath,
		EndSessionEndpoint:                     issuer + endPath,
		JwksURI:                                issuer + keysPath,
		ScopesSupported:                        []string{oidc.ScopeOpenID, oidc.ScopeEmail, oidc.ScopeProfile, oidc.ScopeOfflineAccess},
		ResponseTypesSupported:                 []string{string(oidc.ResponseTypeCode)},
		ResponseModesSupported:                 []string{string(oidc.ResponseModeQuery)},
		GrantTypesSupported:                    []oidc.GrantType{oidc.GrantTypeCode, oidc.GrantTypeRefreshToken},
		SubjectTypesSupported:                  []string{"public"},
		IDTokenSigningAlgValuesSupported:       []string{string(signingAlgorithm)},
		TokenEndpointAuthMethodsSupported:      []oidc.AuthMethod{oidc.AuthMethodNone},
		RevocationEndpointAuthMethodsSupported: []oidc.AuthMethod{oidc.AuthMethodNone},
		ClaimsSupported:                        []string{"sub", "email", "name", "preferred_username"},
		CodeChallengeMethodsSupported:          []oidc.CodeChallengeMethod{oidc.CodeChallengeMethodS256},
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(document) // the client is gone
	}
}

func isLoopback(host string) bool { return net.ParseIP(host).IsLoopback() }
