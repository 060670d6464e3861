package identity

import (
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/json" // reads names exactly as written and refuses a name that comes twice

	"github.com/voicewright/voicewright/backend/service"
)

// The signature algorithms that are accepted.
var algorithms = []jose.SignatureAlgorithm{jose.RS256, jose.ES256}

// The limits of what a token says about its user.
const (
	maxSubject = 255 // characters
	maxEmail   = 320 // characters; a longer one is ignored
)

// token is a JWT whose signature is not verified yet.
type token struct {
	signed    *jose.JSONWebSignature
	keyID     string // empty where the header names none
	algorithm jose.SignatureAlgorithm
}

func parse(text string) (token, error) {
	if len(text) > MaxToken {
		return token{}, errInvalid("longer than 16 KiB")
	}
	if !isCompact(text) {
		return token{}, errInvalid("not a JWS in compact serialisation")
	}
	signed, err := jose.ParseSignedCompact(text, algorithms)
	if err != nil { // its text may quote the token
		return token{}, errInvalid("not a JWS with RS256 or ES256")
	}
	header := signed.Signatures[0].Protected
	for _, name := range []jose.HeaderKey{"crit", "b64"} { // no extension is supported
		if _, ok := header.ExtraHeaders[name]; ok {
			return token{}, errInvalid("header has " + string(name))
		}
	}
	if kind, ok := header.ExtraHeaders[jose.HeaderType]; ok && !isTokenType(kind) {
		return token{}, errInvalid("typ is neither JWT nor at+jwt")
	}
	return token{signed: signed, keyID: header.KeyID, algorithm: jose.SignatureAlgorithm(header.Algorithm)}, nil
}

// isCompact reports whether text is three parts of base64url, each in its one spelling. The decoder alone would skip line breaks.
func isCompact(text string) bool {
	parts := strings.SplitN(text, ".", 4)
	for _, part := range parts {
		if _, err := base64.RawURLEncoding.Strict().DecodeString(part); err != nil || strings.ContainsAny(part, "\r\n") {
			return false
		}
	}
	return len(parts) == 3
}

// isTokenType reports whether a JWT of this `typ` is for signing in; issuers also sign logout tokens and others.
func isTokenType(kind any) bool {
	s, ok := kind.(string)
	s = strings.TrimPrefix(strings.ToLower(s), "application/")
	return ok && (s == "jwt" || s == "at+jwt")
}

// claims are the members of a payload.
type claims map[string]json.RawMessage

func readClaims(payload []byte) (claims, error) {
	var c claims
	if !utf8.Valid(payload) || json.Unmarshal(payload, &c) != nil || c == nil {
		return nil, errInvalid("payload is not a JSON object with unique names")
	}
	return c, nil
}

// user returns the user whom a token for this service names.
func (v *Verifier) user(c claims) (service.Identity, error) {
	if issuer, ok := c.text("iss"); !ok || !v.isIssuer(issuer) {
		return service.Identity{}, errOther("another issuer")
	}
	if !c.audience(v.audience) {
		return service.Identity{}, errOther("another audience")
	}
	subject, ok := c.text("sub")
	if !ok || subject == "" || !isName(subject, maxSubject) {
		return service.Identity{}, errInvalid("sub is missing or not usable")
	}
	email, _ := c.text("email")
	if !isName(email, maxEmail) {
		email = ""
	}
	return service.Identity{
		Subject: subject, Email: email, EmailUnverified: !c.emailVerified(), Groups: c.groups(v.groups),
	}, nil
}

// isIssuer reports whether `iss` of a token names the issuer. Google may leave out https:// there, as its documents say.
func (v *Verifier) isIssuer(name string) bool {
	return name == v.issuer || name == "accounts.google.com" && v.issuer == "https://"+name
}

// text returns a claim that is a string.
func (c claims) text(name string) (string, bool) {
	var s *string
	if json.Unmarshal(c[name], &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// audience reports whether `aud`, a string or a list of strings, contains want.
func (c claims) audience(want string) bool {
	if one, ok := c.text("aud"); ok {
		return one == want
	}
	var list []string
	if json.Unmarshal(c["aud"], &list) != nil {
		return false
	}
	return slices.Contains(list, want)
}

// checkTimes checks exp, which is required, nbf and iat.
func (c claims) checkTimes(now time.Time) error {
	if _, ok := c["exp"]; !ok {
		return errInvalid("exp is missing")
	}
	for _, name := range []string{"exp", "nbf", "iat"} {
		raw, ok := c[name]
		if !ok {
			continue
		}
		at, ok := numericDate(raw)
		switch {
		case !ok:
			return errInvalid(name + " is not a time")
		case name == "exp" && now.After(at.Add(Skew)):
			return errExpired()
		case name != "exp" && at.After(now.Add(Skew)):
			return errNotYet(name + " is in the future")
		}
	}
	return nil
}

// numericDate reads seconds since 1970, until the year 9999.
func numericDate(raw []byte) (time.Time, bool) {
	seconds, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !(seconds >= 0 && seconds < 253402300800) {
		return time.Time{}, false
	}
	whole, fraction := math.Modf(seconds)
	return time.Unix(int64(whole), int64(fraction*1e9)), true
}

// isName reports whether s is short and has no control characters, which could change a log or a terminal, nor replacements of
// characters that were not valid.
func isName(s string, limit int) bool {
	return utf8.RuneCountInString(s) <= limit &&
		!strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError })
}
