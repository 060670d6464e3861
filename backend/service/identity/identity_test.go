package identity_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/identity"
	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The sentences of refusals.
const (
	invalid = "The token is not valid. Sign in again."
	expired = "The sign-in has expired. Sign in again."
	notYet  = "The sign-in is not valid yet. Check the clock of your computer, then sign in again."
	other   = "The token was made for another service. Sign in again for this one."
	down    = "Sign-ins cannot be checked now because the issuer is not responding. Try again in a few seconds."
)

func open(tb testing.TB, issuer *identitytest.Issuer) *identity.Verifier {
	tb.Helper()
	v, err := identity.New(tb.Context(), identity.Options{
		Issuer: issuer.URL, Audience: identitytest.Audience, HTTP: issuer.Client, Now: issuer.Now,
	})
	require.NoError(tb, err)
	tb.Cleanup(v.Close)
	return v
}

// requireRefused checks status and sentence of a refusal, and that nothing of it quotes the token.
func requireRefused(tb testing.TB, v *identity.Verifier, token string, status int, sentence string) {
	tb.Helper()
	id, err := v.Verify(tb.Context(), token)
	require.Empty(tb, id)
	var e *service.Error
	require.ErrorAs(tb, err, &e)
	require.Equal(tb, status, e.Status)
	require.Equal(tb, sentence, e.Sentence)
	require.Empty(tb, e.Code)
	require.Error(tb, e.Cause)
	for part := range strings.SplitSeq(token, ".") {
		if len(part) > 20 {
			require.NotContains(tb, e.Cause.Error(), part)
		}
	}
}

func TestVerify(t *testing.T) {
	issuer := identitytest.New(t)
	v := open(t, issuer)
	for _, c := range []struct {
		name   string
		change map[string]any
		want   service.Identity
	}{
		{"plain", nil, service.Identity{Subject: "ann", Email: "ann@example.com"}},
		{"audience in a list", map[string]any{"aud": []string{"x", identitytest.Audience}}, service.Identity{Subject: "ann", Email: "ann@example.com"}},
		{"no email", map[string]any{"email": nil}, service.Identity{Subject: "ann"}},
		{"email that is no string", map[string]any{"email": []string{"a@example.com"}}, service.Identity{Subject: "ann"}},
		{"email that would change a terminal", map[string]any{"email": "\x1b[2Ja@example.com"}, service.Identity{Subject: "ann"}},
		{"longest subject", map[string]any{"sub": strings.Repeat("ü", 255), "email": nil}, service.Identity{Subject: strings.Repeat("ü", 255)}},
		{"no iat", map[string]any{"iat": nil, "email": nil}, service.Identity{Subject: "ann"}},
		{"exp as a fraction", map[string]any{"exp": float64(time.Now().Unix()) + 9.5, "email": nil}, service.Identity{Subject: "ann"}},
		{"unknown claims", map[string]any{"azp": "other", "nested": map[string]any{"sub": "eve"}, "email": nil}, service.Identity{Subject: "ann"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			token := issuer.Token("ann", c.change)
			for range 2 { // a JWT is a bearer token: it may be used again
				got, err := v.Verify(t.Context(), token)
				require.NoError(t, err)
				require.Equal(t, c.want, got)
			}
		})
	}
}

func TestVerifyClaims(t *testing.T) {
	issuer := identitytest.New(t)
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	issuer.Now = func() time.Time { return now }
	v := open(t, issuer)
	at := func(seconds int64) int64 { return now.Unix() + seconds }
	for _, c := range []struct {
		name     string
		change   map[string]any
		sentence string // empty: accepted
	}{
		{"expired 60 s ago", map[string]any{"exp": at(-60)}, ""},
		{"expired 61 s ago", map[string]any{"exp": at(-61)}, expired},
		{"no exp", map[string]any{"exp": nil}, invalid},
		{"exp as text", map[string]any{"exp": fmt.Sprint(at(60))}, invalid},
		{"exp null", map[string]any{"exp": json.RawMessage("null")}, invalid},
		{"exp negative", map[string]any{"exp": -1}, invalid},
		{"exp beyond all times", map[string]any{"exp": json.RawMessage("1e300")}, invalid},
		{"exp overflows", map[string]any{"exp": json.RawMessage("1e999")}, invalid},
		{"valid in 60 s", map[string]any{"nbf": at(60)}, ""},
		{"valid in 61 s", map[string]any{"nbf": at(61)}, notYet},
		{"nbf as text", map[string]any{"nbf": "soon"}, invalid},
		{"made in 60 s", map[string]any{"iat": at(60)}, ""},
		{"made in 61 s", map[string]any{"iat": at(61)}, notYet},
		{"wrong audience", map[string]any{"aud": "another"}, other},
		{"part of the audience", map[string]any{"aud": identitytest.Audience + "-2"}, other},
		{"audiences in one text", map[string]any{"aud": "x " + identitytest.Audience}, other},
		{"list without the audience", map[string]any{"aud": []string{"another"}}, other},
		{"empty list of audiences", map[string]any{"aud": []string{}}, other},
		{"list with another type", map[string]any{"aud": []any{identitytest.Audience, 7}}, other},
		{"no audience", map[string]any{"aud": nil}, other},
		{"other issuer", map[string]any{"iss": "https://elsewhere.example"}, other},
		{"issuer with a slash", map[string]any{"iss": issuer.URL + "/"}, other},
		{"no issuer", map[string]any{"iss": nil}, other},
		{"issuer in a list", map[string]any{"iss": []string{issuer.URL}}, other},
		{"no subject", map[string]any{"sub": nil}, invalid},
		{"empty subject", map[string]any{"sub": ""}, invalid},
		{"subject as a number", map[string]any{"sub": 7}, invalid},
		{"long subject", map[string]any{"sub": strings.Repeat("ü", 256)}, invalid},
		{"subject with NUL", map[string]any{"sub": "ann\x00"}, invalid},
		{"subject with half a character", map[string]any{"sub": json.RawMessage(`"\ud800"`)}, invalid},
		{"names in capitals", map[string]any{"sub": nil, "SUB": "ann"}, invalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			token := issuer.Token("ann", c.change)
			if c.sentence == "" {
				_, err := v.Verify(t.Context(), token)
				require.NoError(t, err)
				return
			}
			requireRefused(t, v, token, http.StatusUnauthorized, c.sentence)
		})
	}
}

// TestAttacks are tokens that the issuer did not make.
func TestAttacks(t *testing.T) {
	issuer := identitytest.New(t)
	v := open(t, issuer)
	key := issuer.Key()
	payload, err := json.Marshal(issuer.Claims("ann"))
	require.NoError(t, err)
	good := issuer.SignPayload(payload, nil)
	part := strings.Split(good, ".")
	b64 := base64.RawURLEncoding.EncodeToString
	public, err := x509.MarshalPKIXPublicKey(key.Public().Key)
	require.NoError(t, err)
	foreign, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	foreignKey := jose.JSONWebKey{Key: foreign, KeyID: key.KeyID, Algorithm: "RS256"}
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	require.NoError(t, err)
	_, edwards, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	with := func(key any, algorithm, id string) string {
		return identitytest.SignWith(jose.JSONWebKey{Key: key, KeyID: id, Algorithm: algorithm}, payload, nil)
	}
	unsigned := func(header string) string { return b64([]byte(header)) + "." + part[1] + "." }
	json64 := func(header string) string { return b64([]byte(header)) + "." + part[1] + "." + part[2] }
	full, err := jose.ParseSignedCompact(good, []jose.SignatureAlgorithm{jose.RS256})
	require.NoError(t, err)
	encrypter, err := jose.NewEncrypter(jose.A128GCM, jose.Recipient{Algorithm: jose.RSA_OAEP, Key: key.Public().Key}, nil)
	require.NoError(t, err)
	sealed, err := encrypter.Encrypt(payload)
	require.NoError(t, err)
	jwe, err := sealed.CompactSerialize()
	require.NoError(t, err)
	eve, err := json.Marshal(issuer.Claims("eve"))
	require.NoError(t, err)

	for name, token := range map[string]string{
		"empty":                        "",
		"dots":                         "..",
		"no token":                     "hello",
		"alg none":                     unsigned(`{"alg":"none","typ":"JWT"}`),
		"alg NONE":                     unsigned(`{"alg":"nOnE","kid":"` + key.KeyID + `"}`),
		"no alg":                       unsigned(`{"typ":"JWT"}`),
		"signature removed":            part[0] + "." + part[1] + ".",
		"public key as secret, DER":    with(public, "HS256", key.KeyID),
		"public key as secret, N":      with(key.Public().Key.(*rsa.PublicKey).N.Bytes(), "HS256", key.KeyID),
		"public key as secret, JSON":   with(mustJSON(t, key.Public()), "HS256", key.KeyID),
		"RS512 of the issuer's key":    with(key.Key, "RS512", key.KeyID),
		"PS256 of the issuer's key":    with(key.Key, "PS256", key.KeyID),
		"ES384":                        with(p384, "ES384", key.KeyID),
		"EdDSA":                        with(edwards, "EdDSA", key.KeyID),
		"alg changed":                  json64(`{"alg":"ES256","kid":"` + key.KeyID + `"}`),
		"kid of nobody":                with(key.Key, "RS256", "nobody"),
		"kid as a path":                with(key.Key, "RS256", "../../dev/null"),
		"other key under our kid":      identitytest.SignWith(foreignKey, payload, nil),
		"key in the header":            identitytest.SignWith(foreignKey, payload, map[string]any{"jwk": foreignKey.Public()}),
		"jku":                          identitytest.SignWith(foreignKey, payload, map[string]any{"jku": "http://127.0.0.1:1/keys"}),
		"x5u":                          identitytest.SignWith(foreignKey, payload, map[string]any{"x5u": "http://127.0.0.1:1/cert"}),
		"payload changed":              part[0] + "." + b64(eve) + "." + part[2],
		"signature changed":            part[0] + "." + part[1] + "." + flip(part[2]),
		"header changed":               json64(`{"alg":"RS256","kid":"` + key.KeyID + `","typ":"JWT","x":1}`),
		"part appended":                good + ".e30",
		"JSON serialisation":           full.FullSerialize(),
		"encrypted":                    jwe,
		"nested":                       issuer.SignPayload([]byte(good), map[string]any{"cty": "JWT"}),
		"unknown crit":                 issuer.SignPayload(payload, map[string]any{"crit": []string{"exp"}, "exp": 1}),
		"b64 false":                    issuer.SignPayload(payload, map[string]any{"b64": true}),
		"another type":                 issuer.SignPayload(payload, map[string]any{"typ": "logout+jwt"}),
		"type that is no text":         issuer.SignPayload(payload, map[string]any{"typ": 7}),
		"payload is a list":            issuer.SignPayload([]byte("["+string(payload)+"]"), nil),
		"payload is null":              issuer.SignPayload([]byte("null"), nil),
		"payload is empty":             issuer.SignPayload(nil, nil),
		"payload twice":                issuer.SignPayload(append(payload[:len(payload):len(payload)], payload...), nil),
		"payload is not UTF-8":         issuer.SignPayload([]byte(strings.Replace(string(payload), "ann", "ann\xff", 1)), nil),
		"sub twice":                    issuer.SignPayload([]byte(strings.Replace(string(payload), "{", `{"sub":"eve",`, 1)), nil),
		"kid twice":                    json64(`{"alg":"RS256","kid":"x","kid":"` + key.KeyID + `"}`),
		"deep":                         issuer.SignPayload([]byte(`{"a":`+strings.Repeat("[", 9000)), nil),
		"over 16 KiB":                  issuer.Token("ann", map[string]any{"x": strings.Repeat("x", identity.MaxToken)}),
		"line break":                   part[0] + "." + part[1] + "\n." + part[2],
		"same bytes spelled otherwise": part[0] + "." + part[1] + "." + part[2][:len(part[2])-1] + string(part[2][len(part[2])-1]+1),
		"padding":                      good + "==",
		"space before":                 " " + good,
		"standard alphabet of base 64": part[0] + "." + part[1] + "." + strings.NewReplacer("-", "+", "_", "/").Replace(part[2]) + "+",
	} {
		t.Run(name, func(t *testing.T) { requireRefused(t, v, token, http.StatusUnauthorized, invalid) })
	}
	_, err = v.Verify(t.Context(), good)
	require.NoError(t, err, "the token that the attacks change")
}

// TestGoogleWithoutScheme: Google may call itself so, and nobody else may leave anything out.
func TestGoogleWithoutScheme(t *testing.T) {
	issuer := identitytest.InMemory(t)
	issuer.URL = "https://accounts.google.com"
	v := open(t, issuer)
	for _, name := range []string{"accounts.google.com", issuer.URL} {
		_, err := v.Verify(t.Context(), issuer.Token("ann", map[string]any{"iss": name}))
		require.NoError(t, err, name)
	}
	requireRefused(t, v, issuer.Token("ann", map[string]any{"iss": "http://accounts.google.com"}), http.StatusUnauthorized, other)
	issuer = identitytest.InMemory(t)
	for _, name := range []string{"issuer.test", "accounts.google.com", ""} {
		requireRefused(t, open(t, issuer), issuer.Token("ann", map[string]any{"iss": name}), http.StatusUnauthorized, other)
	}
}

// TestAttackByAnotherIssuer signs tokens that name another issuer, or ours, with the key of another.
func TestAttackByAnotherIssuer(t *testing.T) {
	issuer, evil := identitytest.New(t), identitytest.New(t)
	evil.Rotate()
	v := open(t, issuer)
	requireRefused(t, v, evil.Token("ann"), http.StatusUnauthorized, other)
	requireRefused(t, v, evil.Token("ann", map[string]any{"iss": issuer.URL}), http.StatusUnauthorized, invalid)
	require.Zero(t, evil.Fetches(identitytest.KeysPath))
}

// TestKeysThatMayNotSign publishes keys that an issuer may have for other purposes, or must not have.
func TestKeysThatMayNotSign(t *testing.T) {
	p256, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	require.NoError(t, err)
	public := func(key any, change map[string]any) map[string]any {
		var members map[string]any
		require.NoError(t, json.Unmarshal(mustJSON(t, jose.JSONWebKey{Key: key, KeyID: "k", Use: "sig"}), &members))
		for name, value := range change {
			members[name] = value
		}
		return members
	}
	for _, c := range []struct {
		name   string
		key    map[string]any
		accept bool
	}{
		{"plain", public(&p256.PublicKey, nil), true},
		{"without use", public(&p256.PublicKey, map[string]any{"use": ""}), true},
		{"for verifying", public(&p256.PublicKey, map[string]any{"key_ops": []string{"verify"}}), true},
		{"private part published", public(p256, nil), true},
		{"broken certificate beside it", public(&p256.PublicKey, map[string]any{"x5c": []string{"AAAA"}}), true},
		{"for encryption", public(&p256.PublicKey, map[string]any{"use": "enc"}), false},
		{"for wrapping keys", public(&p256.PublicKey, map[string]any{"key_ops": []string{"wrapKey"}}), false},
		{"for another algorithm", public(&p256.PublicKey, map[string]any{"alg": "ECDH-ES"}), false},
		{"another curve", public(&p384.PublicKey, map[string]any{"crv": "P-256"}), false},
		{"point off the curve", public(&p256.PublicKey, map[string]any{"x": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}), false},
		{"a secret", map[string]any{"kty": "oct", "kid": "k", "k": "c2VjcmV0"}, false},
		{"another kid", public(&p256.PublicKey, map[string]any{"kid": "K"}), false},
		{"no kid", public(&p256.PublicKey, map[string]any{"kid": ""}), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			issuer := identitytest.New(t)
			issuer.Handle(identitytest.KeysPath, serveJSON(map[string]any{"keys": []any{7, nil, "x", map[string]any{"kty": "new"}, c.key}}))
			v := open(t, issuer)
			token := identitytest.SignWith(jose.JSONWebKey{Key: p256, KeyID: "k", Algorithm: "ES256"}, mustJSON(t, issuer.Claims("ann")), nil)
			if !c.accept {
				requireRefused(t, v, token, http.StatusUnauthorized, invalid)
				return
			}
			_, err := v.Verify(t.Context(), token)
			require.NoError(t, err)
		})
	}
}

func TestWeakRSAKeysAreRefused(t *testing.T) {
	for bits, accept := range map[int]bool{1024: false, 2047: false, 2048: true} {
		t.Run(fmt.Sprint(bits), func(t *testing.T) {
			key, err := rsa.GenerateKey(rand.Reader, bits)
			require.NoError(t, err)
			issuer := identitytest.New(t)
			weak := jose.JSONWebKey{Key: key, KeyID: "weak", Algorithm: "RS256"}
			issuer.Handle(identitytest.KeysPath, serveJSON(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{weak.Public()}}))
			_, err = open(t, issuer).Verify(t.Context(), identitytest.SignWith(weak, mustJSON(t, issuer.Claims("ann")), nil))
			require.Equal(t, accept, err == nil)
		})
	}
}

// TestTokenWithoutKeyID: OIDC allows it while the issuer has one key.
func TestTokenWithoutKeyID(t *testing.T) {
	issuer := identitytest.New(t)
	v := open(t, issuer)
	key := issuer.Key()
	key.KeyID = ""
	token := identitytest.SignWith(key, mustJSON(t, issuer.Claims("ann")), nil)
	_, err := v.Verify(t.Context(), token)
	require.NoError(t, err)

	first := issuer.Key()
	issuer.Handle(identitytest.KeysPath, serveJSON(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{first.Public(), key.Public()}}))
	unknown := key
	unknown.KeyID = "unknown" // makes the verifier download the two keys
	requireRefused(t, v, identitytest.SignWith(unknown, mustJSON(t, issuer.Claims("ann")), nil), http.StatusUnauthorized, invalid)
	requireRefused(t, v, token, http.StatusUnauthorized, invalid)
}

func TestOptionsThatAreNotUsable(t *testing.T) {
	for _, issuer := range []string{
		"", "issuer.example", "http://issuer.example", "ftp://127.0.0.1", "https://", "https://a@issuer.example",
		"https://issuer.example?x=1", "https://issuer.example#x", "http://127.0.0.1.example", "http://localhost.example", ":",
	} {
		_, err := identity.New(t.Context(), identity.Options{Issuer: issuer, Audience: "a"})
		require.Error(t, err, issuer)
	}
	_, err := identity.New(t.Context(), identity.Options{Issuer: "https://issuer.example"})
	require.Error(t, err)
}

func TestAContextThatEnds(t *testing.T) {
	issuer := identitytest.New(t)
	release := make(chan struct{})
	issuer.Handle(identitytest.DiscoveryPath, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	v := open(t, issuer)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := v.Verify(ctx, issuer.Token("ann"))
	require.ErrorIs(t, err, ctx.Err())
	var answer *service.Error
	require.False(t, errors.As(err, &answer))
}
