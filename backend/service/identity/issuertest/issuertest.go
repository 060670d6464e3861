// Package issuertest has stubs of issuers that are in wide use, each shaped after the documents of the real one: its addresses, its
// answers, its tokens, and what it refuses. They sign in whoever comes, and were not compared with the real ones.
package issuertest

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
)

// Subject is the `sub` of who signs in, and Email the address.
const (
	Subject = "110169484474386276334"
	Email   = "ann@example.org"
)

// Issuer is a running stub. It is safe for concurrent use.
type Issuer struct {
	Kind
	URL string // `iss` of its tokens

	keys  *identitytest.Issuer
	host  string // scheme, host and port
	other string // the same of a second server, where Google has its tokens

	mu       sync.Mutex
	grants   map[string]grant // by code and by refresh token
	short    int              // how many of the next answers have tokens that end soon
	noID     bool             // whether refreshed tokens come without an ID token
	refusals []string
	ended    int
	renewed  int
}

// grant is what a user has permitted an app.
type grant struct {
	redirect, challenge, nonce string
	scopes                     []string
	offline                    bool // there is a refresh token
}

// Start starts a stub until the test ends.
func Start(tb testing.TB, kind Kind) *Issuer {
	tb.Helper()
	i := &Issuer{Kind: kind, keys: identitytest.New(tb), grants: map[string]grant{}}
	if kind.ecdsa {
		i.keys.Rotate()
		i.keys.RemoveOld()
	}
	second := httptest.NewServer(i.keys)
	tb.Cleanup(second.Close)
	i.host, i.other = i.keys.URL, second.URL
	i.URL = i.host + kind.issuer
	document := i.document()
	i.keys.Handle(strings.TrimSuffix(kind.issuer, "/")+identitytest.DiscoveryPath, func(w http.ResponseWriter, _ *http.Request) {
		respond(w, http.StatusOK, document)
	})
	i.keys.Handle(kind.authorize, i.serveAuthorize)
	i.keys.Handle(kind.token, i.serveToken)
	i.keys.Handle(kind.jwks, func(w http.ResponseWriter, _ *http.Request) { respond(w, http.StatusOK, i.keySet()) })
	if kind.revoke != "" {
		i.keys.Handle(kind.revoke, i.serveRevoke)
	}
	return i
}

// document returns the discovery document.
func (i *Issuer) document() object {
	at := i.host
	if i.Name == Google {
		at = i.other
	}
	d := object{
		"issuer": i.URL, "authorization_endpoint": i.host + i.authorize, "token_endpoint": at + i.token, "jwks_uri": at + i.jwks,
		"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"}, "scopes_supported": i.scopes,
		"id_token_signing_alg_values_supported": []string{i.keys.Key().Algorithm},
	}
	if i.revoke != "" {
		d["revocation_endpoint"] = at + i.revoke
	}
	return d
}

// ShortTokens makes the next n answers have tokens that end within half a minute: an app renews them before it uses them.
func (i *Issuer) ShortTokens(n int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.short = n
}

// WithoutIDTokens makes it renew sign-ins without a new ID token, as OpenID Connect permits (Core, 12.2).
func (i *Issuer) WithoutIDTokens() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.noID = true
}

// Refusals returns what the stub has refused.
func (i *Issuer) Refusals() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.refusals)
}

// Ended returns how many sign-ins were ended by the app.
func (i *Issuer) Ended() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.ended
}

// Refreshed returns how many times a sign-in was renewed.
func (i *Issuer) Refreshed() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.renewed
}

// Revokes reports whether an app can end a sign-in.
func (i *Issuer) Revokes() bool { return i.revoke != "" }

// serveAuthorize signs in who opens the address, and sends the browser back to the app.
func (i *Issuer) serveAuthorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	redirect, err := url.Parse(q.Get("redirect_uri"))
	switch {
	case q.Get("client_id") != i.ClientID:
		i.refuse(w, refusal{http.StatusBadRequest, "invalid_client", "The client is unknown."})
		return
	case err != nil || !i.registered(redirect):
		i.refuse(w, refusal{http.StatusBadRequest, "redirect_uri_mismatch", "The redirect URI is not registered."})
		return
	}
	back := url.Values{"state": {q.Get("state")}}
	if no := i.checkAuthorize(q); no != nil {
		if i.page { // shown to the user; the app learns nothing
			i.refuse(w, *no)
			return
		}
		i.note(*no)
		back.Set("error", no.code)
		back.Set("error_description", no.text)
	} else {
		code := rand.Text()
		scopes := strings.Fields(q.Get("scope"))
		i.mu.Lock()
		i.grants[code] = grant{q.Get("redirect_uri"), q.Get("code_challenge"), q.Get("nonce"), scopes, i.offline(q)}
		i.mu.Unlock()
		back.Set("code", code)
		for _, extra := range i.back {
			back.Set(extra, map[string]string{"iss": i.URL, "session_state": rand.Text(), "scope": q.Get("scope")}[extra])
		}
	}
	redirect.RawQuery = back.Encode()
	http.Redirect(w, r, redirect.String(), http.StatusFound)
}

// registered reports whether an address is the one that a recipe registers, at any port.
func (i *Issuer) registered(u *url.URL) bool {
	return u.Scheme == "http" && u.Hostname() == "127.0.0.1" && u.Port() != "" && u.User == nil && u.RawQuery == "" && u.Path == "/signed-in"
}

// checkAuthorize returns why an authorization request is refused, nil for one that is good.
func (i *Issuer) checkAuthorize(q url.Values) *refusal {
	for name := range q {
		if i.params != nil && !slices.Contains(i.params, name) {
			return &refusal{http.StatusBadRequest, "invalid_request", "Parameter not allowed for this message type: " + name}
		}
	}
	requested := strings.Fields(q.Get("scope"))
	unknown := slices.ContainsFunc(requested, func(scope string) bool { return !slices.Contains(append(i.scopes, i.more...), scope) })
	switch {
	case q.Get("response_type") != "code":
		return &refusal{http.StatusBadRequest, "unsupported_response_type", "The response type is not code."}
	case q.Get("code_challenge") == "" || q.Get("code_challenge_method") != "S256":
		return &refusal{http.StatusBadRequest, "invalid_request", "A code challenge with S256 is needed."}
	case q.Has("resource") && i.noResource:
		return &refusal{http.StatusBadRequest, "invalid_request", errResource}
	case unknown && !i.ignoresScopes:
		return &refusal{http.StatusBadRequest, "invalid_scope", "Some requested scopes were invalid."}
	}
	return nil
}

// offline reports whether a request asks for a refresh token.
func (i *Issuer) offline(q url.Values) bool {
	if i.Name == Google {
		return q.Get("access_type") == "offline" && q.Get("prompt") == "consent"
	}
	return slices.Contains(strings.Fields(q.Get("scope")), "offline_access")
}

// serveToken answers requests for tokens.
func (i *Issuer) serveToken(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.ParseForm() != nil {
		i.refuse(w, refusal{http.StatusMethodNotAllowed, "invalid_request", "A form is needed."})
		return
	}
	form := r.PostForm
	if no := i.checkClient(form); no != nil {
		i.refuse(w, *no)
		return
	}
	refresh := form.Get("grant_type") == "refresh_token"
	g, ok := i.redeem(form, refresh)
	if !ok {
		i.refuse(w, refusal{http.StatusBadRequest, "invalid_grant", i.badGrant})
		return
	}
	requested := strings.Fields(form.Get("scope"))
	switch more := slices.ContainsFunc(requested, func(scope string) bool { return !slices.Contains(g.scopes, scope) }); {
	case more:
		i.refuse(w, refusal{http.StatusBadRequest, "invalid_scope", "The scope is wider than that of the sign-in."})
		return
	case refresh && i.Name == Entra && !slices.Contains(requested, entraScope):
		i.refuse(w, refusal{http.StatusBadRequest, "invalid_request", errItself})
		return
	}
	respond(w, http.StatusOK, i.answer(g, refresh))
}

// checkClient returns why a request for a token is refused, nil for one that is good.
func (i *Issuer) checkClient(form url.Values) *refusal {
	secret := form.Get("client_secret")
	switch {
	case form.Get("client_id") != i.ClientID:
		return &refusal{http.StatusUnauthorized, "invalid_client", "The client is unknown."}
	case i.Secret != "" && secret == "":
		return &refusal{http.StatusBadRequest, "invalid_request", "client_secret is missing."}
	case i.Secret != "" && secret != i.Secret:
		return &refusal{http.StatusUnauthorized, "invalid_client", "Unauthorized"}
	case i.noSecret && secret != "":
		return &refusal{
			http.StatusUnauthorized, "invalid_client",
			"AADSTS700025: Client is public so neither 'client_assertion' nor 'client_secret' should be presented.",
		}
	case form.Has("resource") && i.noResource:
		return &refusal{http.StatusBadRequest, "invalid_request", errResource}
	}
	return nil
}

// redeem uses up a code, or uses a refresh token.
func (i *Issuer) redeem(form url.Values, refresh bool) (grant, bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if refresh {
		g, ok := i.grants[form.Get("refresh_token")]
		if ok {
			i.renewed++
		}
		if i.rotates {
			delete(i.grants, form.Get("refresh_token"))
		}
		return g, ok
	}
	g, ok := i.grants[form.Get("code")]
	delete(i.grants, form.Get("code"))
	sum := sha256.Sum256([]byte(form.Get("code_verifier")))
	return g, ok && form.Get("grant_type") == "authorization_code" && form.Get("redirect_uri") == g.redirect &&
		base64.RawURLEncoding.EncodeToString(sum[:]) == g.challenge
}

// answer returns the answer with tokens.
func (i *Issuer) answer(g grant, refresh bool) object {
	i.mu.Lock()
	defer i.mu.Unlock()
	life := time.Hour
	if i.short > 0 {
		i.short--
		life = 20 * time.Second
	}
	a := object{
		"access_token": i.accessToken(g, life), "token_type": "Bearer", "expires_in": int(life.Seconds()), "scope": strings.Join(g.scopes, " "),
	}
	maps.Copy(a, i.members)
	if slices.Contains(g.scopes, "openid") && (!refresh || !i.noID) {
		nonce := g.nonce
		if refresh {
			nonce = ""
		}
		a["id_token"] = i.idToken(nonce, life)
	}
	if !g.offline {
		return a
	}
	if !refresh || i.rotates || i.renews {
		next := rand.Text()
		i.grants[next] = g
		a["refresh_token"] = next
	}
	return a
}

// serveRevoke ends a sign-in (RFC 7009).
func (i *Issuer) serveRevoke(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if r.ParseForm() == nil {
		if _, ok := i.grants[r.PostForm.Get("token")]; ok {
			i.ended++
		}
		delete(i.grants, r.PostForm.Get("token"))
	}
	respond(w, http.StatusOK, object{})
}

// refusal is an answer of OAuth that refuses something.
type refusal struct {
	status     int
	code, text string
}

func (i *Issuer) note(r refusal) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.refusals = append(i.refusals, r.code+": "+r.text)
}

func (i *Issuer) refuse(w http.ResponseWriter, r refusal) {
	i.note(r)
	respond(w, r.status, object{"error": r.code, "error_description": r.text})
}

type object = map[string]any

func respond(w http.ResponseWriter, status int, body object) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client sees a body that is cut short
}
