package devidp

import (
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
	"golang.org/x/text/unicode/norm"
)

// client is the public native client.
type client struct{ id, redirect, issuer string }

func (c client) GetID() string                       { return c.id }
func (c client) RedirectURIs() []string              { return []string{c.redirect} }
func (c client) PostLogoutRedirectURIs() []string    { return []string{c.redirect} }
func (c client) ApplicationType() op.ApplicationType { return op.ApplicationTypeNative }
func (c client) AuthMethod() oidc.AuthMethod         { return oidc.AuthMethodNone }
func (c client) ResponseTypes() []oidc.ResponseType {
	return []oidc.ResponseType{oidc.ResponseTypeCode}
}

func (c client) GrantTypes() []oidc.GrantType {
	return []oidc.GrantType{oidc.GrantTypeCode, oidc.GrantTypeRefreshToken}
}

func (c client) AccessTokenType() op.AccessTokenType { return op.AccessTokenTypeJWT }
func (c client) IDTokenLifetime() time.Duration      { return tokenLifetime }
func (c client) DevMode() bool                       { return false }
func (c client) IsScopeAllowed(string) bool          { return false } // beside those of OIDC
func (c client) ClockSkew() time.Duration            { return 0 }

func (c client) LoginURL(request string) string {
	return c.issuer + loginPath + "?" + url.Values{"id": {request}}.Encode()
}

// IDTokenUserinfoClaimsAssertion reports that ID tokens have the claims of their scopes.
func (c client) IDTokenUserinfoClaimsAssertion() bool { return true }

func (c client) RestrictAdditionalIdTokenScopes() func([]string) []string     { return unchanged }
func (c client) RestrictAdditionalAccessTokenScopes() func([]string) []string { return unchanged }

func unchanged(scopes []string) []string { return scopes }

// request is a sign-in until its code is exchanged.
type request struct {
	oidc.AuthRequest
	id       string
	audience []string
	expires  time.Time
	subject  string // empty until the user has signed in
	authTime time.Time
}

func (r *request) GetID() string          { return r.id }
func (r *request) GetACR() string         { return "" }
func (r *request) GetAMR() []string       { return nil }
func (r *request) GetAudience() []string  { return r.audience }
func (r *request) GetAuthTime() time.Time { return r.authTime }
func (r *request) GetClientID() string    { return r.ClientID }
func (r *request) GetNonce() string       { return r.Nonce }
func (r *request) GetScopes() []string    { return r.Scopes }
func (r *request) GetSubject() string     { return r.subject }
func (r *request) Done() bool             { return r.subject != "" }

func (r *request) GetCodeChallenge() *oidc.CodeChallenge {
	return &oidc.CodeChallenge{Challenge: r.CodeChallenge, Method: r.CodeChallengeMethod}
}

// refreshRequest is the use of a refresh token.
type refreshRequest struct {
	session
	clientID string
	audience []string
}

func (r *refreshRequest) GetAMR() []string            { return nil }
func (r *refreshRequest) GetAudience() []string       { return r.audience }
func (r *refreshRequest) GetAuthTime() time.Time      { return r.AuthTime }
func (r *refreshRequest) GetClientID() string         { return r.clientID }
func (r *refreshRequest) GetScopes() []string         { return r.Scopes }
func (r *refreshRequest) GetSubject() string          { return r.Subject }
func (r *refreshRequest) SetCurrentScopes(s []string) { r.Scopes = s }

// subjectOf returns the user of an email address or a name: the same for every way to write it. It is false for one that is
// empty, too long or not printable.
func subjectOf(name string) (string, bool) {
	subject := norm.NFC.String(strings.ToLower(strings.TrimSpace(name)))
	ok := subject != "" && utf8.ValidString(subject) && utf8.RuneCountInString(subject) <= 255 &&
		!strings.ContainsFunc(subject, func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError })
	return subject, ok
}

// emailOf returns the email address of a user, empty for one with a name only.
func emailOf(subject string) string {
	if strings.Contains(subject, "@") {
		return subject
	}
	return ""
}

// describe writes the claims that the scopes allow.
func describe(info *oidc.UserInfo, subject string, scopes []string) {
	info.Subject = subject
	if slices.Contains(scopes, oidc.ScopeEmail) {
		info.Email = emailOf(subject)
	}
	if slices.Contains(scopes, oidc.ScopeProfile) {
		info.Name, info.PreferredUsername = subject, subject
	}
}
