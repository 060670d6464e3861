package identity_test

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/identity"
	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
)

// start opens a verifier of an issuer in memory, and waits for its first download.
func start(t *testing.T, issuer *identitytest.Issuer) *identity.Verifier {
	v := open(t, issuer)
	synctest.Wait()
	return v
}

func requireAccepted(t *testing.T, v *identity.Verifier, token string) {
	t.Helper()
	_, err := v.Verify(t.Context(), token)
	require.NoError(t, err)
}

// signedBy returns a valid token but for the kid in its header.
func signedBy(t *testing.T, issuer *identitytest.Issuer, kid string) string {
	key := issuer.Key()
	key.KeyID = kid
	return identitytest.SignWith(key, mustJSON(t, issuer.Claims("ann")), nil)
}

func TestRotatedKeyIsDownloadedAtItsFirstToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := identitytest.InMemory(t)
		v := start(t, issuer)
		old := issuer.Token("ann")
		requireAccepted(t, v, old)

		issuer.Rotate()
		requireAccepted(t, v, issuer.Token("ann"))
		requireAccepted(t, v, old)

		issuer.Rotate()
		issuer.RemoveOld()
		requireAccepted(t, v, issuer.Token("ann"))
		requireRefused(t, v, old, http.StatusUnauthorized, invalid)
	})
}

func TestRemovedKeyDiesWithoutAnyTokenOfTheNewOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := identitytest.InMemory(t)
		v := start(t, issuer)
		old := issuer.Token("ann")
		issuer.Rotate()
		issuer.RemoveOld()
		time.Sleep(5*time.Minute + time.Second)
		requireRefused(t, v, old, http.StatusUnauthorized, invalid)
	})
}

// TestNewKeyUnderTheOldID: an issuer that is set up anew may use the same id again.
func TestNewKeyUnderTheOldID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := identitytest.InMemory(t)
		v := start(t, issuer)
		issuer.Rotate()
		key := issuer.Key()
		key.KeyID = "key-0"
		issuer.Handle(identitytest.KeysPath, serveJSON(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key.Public()}}))
		requireAccepted(t, v, identitytest.SignWith(key, mustJSON(t, issuer.Claims("ann")), nil))
	})
}

func TestIssuerThatIsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := identitytest.InMemory(t)
		issuer.SetDown(true)
		v := start(t, issuer)
		requireRefused(t, v, issuer.Token("ann"), http.StatusServiceUnavailable, down)
		requireRefused(t, v, "no token", http.StatusUnauthorized, invalid)
		_, err := v.Verify(t.Context(), issuer.Token("ann"))
		var e *service.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, 5*time.Second, e.RetryAfter)

		issuer.SetDown(false)
		time.Sleep(e.RetryAfter)
		requireAccepted(t, v, issuer.Token("ann"))

		issuer.SetDown(true) // its keys stay known for a day
		time.Sleep(23 * time.Hour)
		requireAccepted(t, v, issuer.Token("ann"))
		requireRefused(t, v, signedBy(t, issuer, "new"), http.StatusServiceUnavailable, down)
		requireRefused(t, v, issuer.Token("ann", map[string]any{"exp": 0}), http.StatusUnauthorized, expired)
		time.Sleep(2 * time.Hour)
		requireRefused(t, v, issuer.Token("ann"), http.StatusServiceUnavailable, down)
		issuer.SetDown(false)
		time.Sleep(11 * time.Second)
		requireAccepted(t, v, issuer.Token("ann"))
	})
}

// TestDocumentsThatAreNotUsable: with them at the start no key is known; later the old keys stay.
func TestDocumentsThatAreNotUsable(t *testing.T) {
	text := func(s string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(s)) }
	}
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	redirect := func(answer http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Host == "elsewhere.test" {
				answer(w, r)
				return
			}
			http.Redirect(w, r, "https://elsewhere.test"+r.URL.Path, http.StatusFound)
		}
	}
	discovery := func(issuer, keys string) http.HandlerFunc {
		return serveJSON(map[string]any{"issuer": issuer, "jwks_uri": keys})
	}
	public := identitytest.InMemory(t).Key() // of every issuer before it rotates
	keys := string(mustJSON(t, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{public.Public()}}))
	for _, c := range []struct {
		name, path string
		handler    http.HandlerFunc
	}{
		{"keys are HTML", identitytest.KeysPath, text("<html>Not now</html>")},
		{"keys are empty", identitytest.KeysPath, text("")},
		{"keys are another object", identitytest.KeysPath, text(`{"error":"x"}`)},
		{"keys are a list", identitytest.KeysPath, text(`[]`)},
		{"keys are cut off", identitytest.KeysPath, text(`{"keys":[{"kty":"RSA"`)},
		{"keys are deep", identitytest.KeysPath, text(`{"keys":` + strings.Repeat("[", 100_000))},
		{"keys are huge", identitytest.KeysPath, text(keys + strings.Repeat(" ", 1<<20))},
		{"keys are slow", identitytest.KeysPath, hang},
		{"keys are elsewhere", identitytest.KeysPath, redirect(text(keys))},
		{"keys move in a circle", identitytest.KeysPath, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}},
		{"keys fail", identitytest.KeysPath, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			text(keys)(w, r)
		}},
		{"handler of keys panics", identitytest.KeysPath, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
		{"discovery is garbage", identitytest.DiscoveryPath, text("\x00\xff")},
		{"discovery is slow", identitytest.DiscoveryPath, hang},
		{"discovery is elsewhere", identitytest.DiscoveryPath, redirect(discovery("https://issuer.test", "https://issuer.test/keys"))},
		{"discovery of another issuer", identitytest.DiscoveryPath, discovery("https://elsewhere.test", "https://issuer.test/keys")},
		{"discovery with a slash", identitytest.DiscoveryPath, discovery("https://issuer.test/", "https://issuer.test/keys")},
		{"keys without TLS", identitytest.DiscoveryPath, discovery("https://issuer.test", "http://issuer.test/keys")},
		{"keys of this machine", identitytest.DiscoveryPath, discovery("https://issuer.test", "http://127.0.0.1:1/keys")},
		{"keys in a file", identitytest.DiscoveryPath, discovery("https://issuer.test", "file:///etc/passwd")},
		{"no address of keys", identitytest.DiscoveryPath, discovery("https://issuer.test", "")},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				issuer := identitytest.InMemory(t)
				issuer.Handle(c.path, c.handler)
				v := start(t, issuer)
				requireRefused(t, v, issuer.Token("ann"), http.StatusServiceUnavailable, down)

				issuer.Handle(c.path, nil)
				time.Sleep(20 * time.Second)
				requireAccepted(t, v, issuer.Token("ann"))
				issuer.Handle(c.path, c.handler)
				time.Sleep(6 * time.Minute)
				requireAccepted(t, v, issuer.Token("ann"))
			})
		})
	}
}

// TestIssuerOfThisMachineLeadsNowhereElse: with it, a service needs no network.
func TestIssuerOfThisMachineLeadsNowhereElse(t *testing.T) {
	issuer := identitytest.New(t)
	issuer.Handle(identitytest.DiscoveryPath, serveJSON(map[string]any{"issuer": issuer.URL, "jwks_uri": "https://elsewhere.test/keys"}))
	var elsewhere atomic.Bool
	inner := issuer.Client.Transport
	issuer.Client.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.URL.Hostname() != "127.0.0.1" {
			elsewhere.Store(true)
		}
		return inner.RoundTrip(r)
	})
	requireRefused(t, open(t, issuer), issuer.Token("ann"), http.StatusServiceUnavailable, down)
	require.False(t, elsewhere.Load())
}

func TestRedirectsWithinTheHostAreFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := identitytest.InMemory(t)
		first := issuer.Key()
		issuer.Handle(identitytest.KeysPath, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/v2/keys", http.StatusMovedPermanently)
		})
		issuer.Handle("/v2/keys", serveJSON(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{first.Public()}}))
		requireAccepted(t, start(t, issuer), issuer.Token("ann"))
	})
}

// TestEmptyKeySet: an issuer whose keys were stolen may remove them all.
func TestEmptyKeySet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := identitytest.InMemory(t)
		v := start(t, issuer)
		requireAccepted(t, v, issuer.Token("ann"))
		issuer.Handle(identitytest.KeysPath, serveJSON(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{}}))
		time.Sleep(5*time.Minute + time.Second)
		requireRefused(t, v, issuer.Token("ann"), http.StatusUnauthorized, invalid)
	})
}

// TestBadTokensCauseFewDownloads sends 1,000 tokens a second with keys that nobody has.
func TestBadTokensCauseFewDownloads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := identitytest.InMemory(t)
		issuer.Rotate() // ES256 signs faster
		v := start(t, issuer)
		bad, good := make([]string, 1000), issuer.Token("ann")
		for i := range bad {
			bad[i] = signedBy(t, issuer, "random-"+strings.Repeat("x", i))
		}
		before := issuer.Fetches(identitytest.KeysPath)
		for range 5 { // seconds
			var wg sync.WaitGroup
			for _, token := range bad[:100] { // at once
				wg.Go(func() { requireUnauthorized(t, v, token) })
			}
			wg.Wait()
			for _, token := range bad[100:] { // and one after another
				requireUnauthorized(t, v, token)
			}
			requireAccepted(t, v, good)
			time.Sleep(time.Second)
		}
		require.LessOrEqual(t, issuer.Fetches(identitytest.KeysPath)-before, 3)

		issuer.Rotate() // after a while, the attack hinders no new key
		time.Sleep(30 * time.Second)
		requireAccepted(t, v, issuer.Token("ann"))
	})
}

func requireUnauthorized(t *testing.T, v *identity.Verifier, token string) {
	_, err := v.Verify(t.Context(), token)
	if service.StatusOf(err) != http.StatusUnauthorized {
		t.Errorf("the answer is %v", err)
	}
}

// TestAHangingIssuerKeepsFewWaiting: tokens of unknown keys wait for a download, but not thousands of them.
func TestAHangingIssuerKeepsFewWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := identitytest.InMemory(t)
		issuer.Rotate()
		v := start(t, issuer)
		issuer.Handle(identitytest.KeysPath, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		token := signedBy(t, issuer, "random")
		var answered atomic.Int64
		var wg sync.WaitGroup
		for range 1000 {
			wg.Go(func() {
				_, err := v.Verify(t.Context(), token)
				if err == nil {
					t.Error("accepted")
				}
				answered.Add(1)
			})
		}
		synctest.Wait()
		require.Equal(t, int64(1000-256), answered.Load())
		requireAccepted(t, v, issuer.Token("ann"))
		wg.Wait()
	})
}

// TestOneDownloadServesAllThatWait: tokens of a new key that come together cause one download.
func TestOneDownloadServesAllThatWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := identitytest.InMemory(t)
		v := start(t, issuer)
		before := issuer.Fetches(identitytest.KeysPath)
		issuer.Rotate()
		token := issuer.Token("ann")
		issuer.Handle(identitytest.DiscoveryPath, func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(time.Second)
			serveJSON(map[string]any{"issuer": issuer.URL, "jwks_uri": issuer.URL + identitytest.KeysPath})(w, nil)
		})
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				if _, err := v.Verify(t.Context(), token); err != nil {
					t.Errorf("refused: %v", err)
				}
			})
		}
		wg.Wait()
		require.Equal(t, 1, issuer.Fetches(identitytest.KeysPath)-before)
	})
}

// TestOnlyTheIssuersTokensExpire: a forged one is not valid, whatever its times; the API limits guesses only.
func TestOnlyTheIssuersTokensExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := identitytest.InMemory(t)
		v := start(t, issuer)
		old := issuer.Token("ann", map[string]any{"exp": 0})
		requireRefused(t, v, old, http.StatusUnauthorized, expired)
		_, err := v.Verify(t.Context(), old)
		require.ErrorIs(t, err, service.ErrTokenExpired)
		part := strings.Split(old, ".")
		requireRefused(t, v, part[0]+"."+part[1]+"."+flip(part[2]), http.StatusUnauthorized, invalid)
	})
}

// TestClockChanges moves the clock of the service: tokens follow it, downloads do not.
func TestClockChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := identitytest.InMemory(t)
		offset := time.Duration(0)
		v, err := identity.New(t.Context(), identity.Options{
			Issuer: issuer.URL, Audience: identitytest.Audience, HTTP: issuer.Client,
			Now: func() time.Time { return time.Now().Round(0).Add(offset) },
		})
		require.NoError(t, err)
		defer v.Close()
		token := issuer.Token("ann")
		requireAccepted(t, v, token)
		offset = 2 * time.Hour
		requireRefused(t, v, token, http.StatusUnauthorized, expired)
		offset = -2 * time.Hour
		requireRefused(t, v, token, http.StatusUnauthorized, notYet)
		issuer.Rotate()
		issuer.RemoveOld()
		requireAccepted(t, v, issuer.Token("ann", map[string]any{"iat": nil}))
		offset = 0
		requireRefused(t, v, token, http.StatusUnauthorized, invalid)
	})
}
