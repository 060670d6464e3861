// Package identitytest is an OIDC issuer for tests: discovery, a key set, and tokens with the claims that a test wants.
package identitytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Audience is the audience of the tokens that Token returns.
const Audience = "voicewright-service"

// The paths of an Issuer below its URL.
const (
	DiscoveryPath = "/.well-known/openid-configuration"
	KeysPath      = "/keys"
)

// Issuer is an OIDC issuer with one signing key. It is safe for concurrent use.
type Issuer struct {
	URL    string
	Client *http.Client     // reaches the issuer
	Now    func() time.Time // of the times in Claims; time.Now unless a test sets it before its first use

	mu       sync.Mutex
	keys     []jose.JSONWebKey // private; the last one signs
	rotated  int
	down     bool
	override map[string]http.HandlerFunc
	fetches  map[string]int
}

// New starts an issuer on a loopback port until the test ends.
func New(tb testing.TB) *Issuer {
	tb.Helper()
	i := newIssuer(tb)
	server := httptest.NewServer(i)
	tb.Cleanup(server.Close)
	i.URL, i.Client = server.URL, server.Client()
	return i
}

// InMemory returns an issuer without a port, which only its Client reaches: for tests with the clock of testing/synctest.
func InMemory(tb testing.TB) *Issuer {
	tb.Helper()
	i := newIssuer(tb)
	i.URL, i.Client = "https://issuer.test", &http.Client{Transport: transport{i}}
	return i
}

func newIssuer(tb testing.TB) *Issuer {
	tb.Helper()
	key, err := firstKey()
	if err != nil {
		tb.Fatalf("make the issuer's key: %v", err)
	}
	return &Issuer{
		Now:      time.Now,
		keys:     []jose.JSONWebKey{{Key: key, KeyID: "key-0", Algorithm: string(jose.RS256), Use: "sig"}},
		override: map[string]http.HandlerFunc{},
		fetches:  map[string]int{},
	}
}

// firstKey returns one RSA key for all issuers, because making one is slow.
var firstKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// ServeHTTP answers discovery and keys.
func (i *Issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	i.fetches[r.URL.Path]++
	down, handler, keys := i.down, i.override[r.URL.Path], i.public()
	i.mu.Unlock()
	switch {
	case down:
		panic(http.ErrAbortHandler) // closes the connection without an answer
	case handler != nil:
		handler(w, r)
	case r.URL.Path == DiscoveryPath:
		writeJSON(w, map[string]any{"issuer": i.URL, "jwks_uri": i.URL + KeysPath})
	case r.URL.Path == KeysPath:
		writeJSON(w, jose.JSONWebKeySet{Keys: keys})
	default:
		http.NotFound(w, r)
	}
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the client sees a body that is cut short
}

func (i *Issuer) public() []jose.JSONWebKey {
	keys := make([]jose.JSONWebKey, 0, len(i.keys))
	for _, k := range i.keys {
		keys = append(keys, k.Public())
	}
	return keys
}

// SetDown makes the issuer close each connection without an answer, or answer again.
func (i *Issuer) SetDown(down bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.down = down
}

// Handle answers requests for path with handler, nil for the issuer's own answer.
func (i *Issuer) Handle(path string, handler http.HandlerFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.override[path] = handler
}

// Fetches returns how many requests for path were received.
func (i *Issuer) Fetches(path string) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.fetches[path]
}

// Rotate adds an ES256 key with a new id, which signs from now on. The old keys stay until RemoveOld.
func (i *Issuer) Rotate() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(fmt.Sprintf("make a P-256 key: %v", err)) // never with crypto/rand
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.rotated++
	id := fmt.Sprintf("key-%d", i.rotated)
	i.keys = append(i.keys, jose.JSONWebKey{Key: key, KeyID: id, Algorithm: string(jose.ES256), Use: "sig"})
}

// RemoveOld removes every key but the one that signs.
func (i *Issuer) RemoveOld() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = i.keys[len(i.keys)-1:]
}

// Key returns the private key that signs now.
func (i *Issuer) Key() jose.JSONWebKey {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.keys[len(i.keys)-1]
}

// Claims returns valid claims of a token for Audience that lives an hour. Changes replace or add claims; nil removes one.
func (i *Issuer) Claims(subject string, changes ...map[string]any) map[string]any {
	now := i.Now()
	claims := map[string]any{
		"iss": i.URL, "aud": Audience, "sub": subject, "email": subject + "@example.com",
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	}
	for _, change := range changes {
		maps.Copy(claims, change)
	}
	maps.DeleteFunc(claims, func(_ string, v any) bool { return v == nil })
	return claims
}

// Token returns a signed token for Audience that lives an hour. Changes are as in Claims.
func (i *Issuer) Token(subject string, changes ...map[string]any) string {
	return i.Sign(i.Claims(subject, changes...))
}

// Sign returns a token with exactly these claims, signed with the present key.
func (i *Issuer) Sign(claims map[string]any) string {
	payload, err := json.Marshal(claims)
	if err != nil {
		panic(fmt.Sprintf("encode claims: %v", err))
	}
	return i.SignPayload(payload, nil)
}

// SignPayload returns a token with this payload and more members in its header, signed with the present key.
func (i *Issuer) SignPayload(payload []byte, header map[string]any) string {
	return SignWith(i.Key(), payload, header)
}

// SignWith returns a token signed with key, whose Algorithm and KeyID go into the header beside `header`.
func SignWith(key jose.JSONWebKey, payload []byte, header map[string]any) string {
	options := (&jose.SignerOptions{}).WithType("JWT")
	for name, value := range header {
		options = options.WithHeader(jose.HeaderKey(name), value)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.SignatureAlgorithm(key.Algorithm), Key: key}, options)
	if err != nil {
		panic(fmt.Sprintf("make a signer: %v", err))
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		panic(fmt.Sprintf("sign: %v", err))
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		panic(fmt.Sprintf("serialize: %v", err))
	}
	return token
}

// transport calls the issuer in the goroutine of the request.
type transport struct{ issuer *Issuer }

var errRefused = errors.New("connection refused")

func (t transport) RoundTrip(r *http.Request) (res *http.Response, err error) {
	defer func() {
		if p := recover(); p != nil {
			if p != http.ErrAbortHandler { //nolint:errorlint // the value of a panic, as net/http compares it
				panic(p)
			}
			err = errRefused
		}
	}()
	recorder := httptest.NewRecorder()
	t.issuer.ServeHTTP(recorder, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	res = recorder.Result()
	res.Request = r
	return res, nil
}
