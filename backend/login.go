package backend

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Login says how to sign in to a hosted service: the document at /.well-known/voicewright. Services of before give the first
// three members only.
type Login struct {
	Issuer   string `json:"issuer" doc:"OIDC issuer whose tokens are accepted"`
	ClientID string `json:"client_id" doc:"client id to sign in with"`
	Audience string `json:"audience" doc:"audience that tokens must have"`
	// Scopes are separated by spaces. With DefaultScopes, and with none, offline_access is requested only where the issuer has it.
	Scopes       string `json:"scopes" doc:"scopes to request, separated by spaces"`
	ClientSecret string `json:"client_secret,omitempty" doc:"of issuers that give one to clients which cannot keep it secret"`
	UseIDToken   bool   `json:"use_id_token" doc:"the service takes the ID token, not the access token"`
	Resource     string `json:"resource,omitempty" doc:"resource to request (RFC 8707), or none: neither resource nor audience"`
	AuthParams   string `json:"auth_params,omitempty" doc:"more parameters of the authorization request, as a query"`
}

// DefaultScopes are requested where nobody chose others.
const DefaultScopes = "openid profile email offline_access"

// NoResource is the Resource of issuers that refuse a request which names a resource or an audience.
const NoResource = "none"

// The limits of what may be in a Login, in bytes.
const (
	maxLoginText   = 1000
	maxLoginSecret = 255
)

// Problem returns the first member that is not usable, by its name in JSON, and what it should be; both are empty for a Login
// without one. The document comes from a server that may want to do harm, so nothing of it is quoted. Issuer is checked where
// it is used, and may be missing here, as ClientID may.
func (l Login) Problem() (member, should string) {
	for _, m := range []struct {
		name, value string
		check       func(string) string
	}{
		{"issuer", l.Issuer, CheckLoginText},
		{"client_id", l.ClientID, CheckLoginText},
		{"audience", l.Audience, CheckLoginText},
		{"scopes", l.Scopes, CheckScopes},
		{"client_secret", l.ClientSecret, CheckClientSecret},
		{"resource", l.Resource, CheckResource},
		{"auth_params", l.AuthParams, CheckAuthParams},
	} {
		if should := m.check(m.value); m.value != "" && should != "" {
			return m.name, should
		}
	}
	if l.UseIDToken && l.Scopes != "" && !slices.Contains(strings.Fields(l.Scopes), "openid") {
		return "scopes", "should contain openid, without which there is no ID token"
	}
	return "", ""
}

// CheckLoginText returns what any text of a Login should be, "" for one that is valid.
func CheckLoginText(s string) string {
	if len(s) > maxLoginText || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return "should be at most 1,000 characters without control characters"
	}
	return ""
}

// CheckScopes returns what a list of scopes should be, "" for one that is valid (RFC 6749, 3.3).
func CheckScopes(s string) string {
	wrong := func(r rune) bool { return r < 0x21 || r > 0x7e || r == '"' || r == '\\' }
	for scope := range strings.SplitSeq(s, " ") {
		if len(s) > maxLoginText || scope == "" || strings.ContainsFunc(scope, wrong) {
			return "should be scopes such as openid email, separated by single spaces, at most 1,000 characters"
		}
	}
	return ""
}

// CheckClientSecret returns what the secret of a client should be, "" for one that is valid.
func CheckClientSecret(s string) string {
	if s == "" || len(s) > maxLoginSecret || strings.ContainsFunc(s, func(r rune) bool { return r < 0x21 || r > 0x7e }) {
		return "should be at most 255 visible ASCII characters"
	}
	return ""
}

// CheckResource returns what a resource should be, "" for one that is valid (RFC 8707, 2).
func CheckResource(s string) string {
	u, err := url.Parse(s)
	if s == NoResource || err == nil && u.IsAbs() && !strings.Contains(s, "#") && CheckLoginText(s) == "" {
		return ""
	}
	return "should be none or a URI such as https://voice.example.org, without #"
}

// reservedParams are the parameters of an authorization request that AuthParams may not set: with them a service could have
// the answer sent elsewhere, or take away what protects the sign-in.
var reservedParams = []string{
	"audience", "client_id", "client_secret", "code", "code_challenge", "code_challenge_method", "code_verifier", "grant_type",
	"id_token_hint", "nonce", "redirect_uri", "registration", "request", "request_uri", "resource", "response_mode", "response_type",
	"scope", "state",
}

// notInParam reports whether a character cannot be part of the name of a parameter.
func notInParam(r rune) bool {
	return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// CheckAuthParams returns what AuthParams should be, "" for ones that are valid.
func CheckAuthParams(s string) string {
	const should = "should be parameters such as access_type=offline&prompt=consent, each once"
	values, err := url.ParseQuery(s)
	if err != nil || len(s) > maxLoginText || len(values) == 0 {
		return should
	}
	for name, all := range values {
		switch {
		case slices.Contains(reservedParams, strings.ToLower(name)):
			return "should not set parameters of the sign-in itself, such as redirect_uri, state and scope"
		case name == "" || strings.ContainsFunc(name, notInParam) || len(all) != 1 || CheckLoginText(all[0]) != "":
			return should
		}
	}
	return ""
}
