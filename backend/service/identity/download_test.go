package identity_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
)

func TestCloseEndsADownload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := identitytest.InMemory(t)
		issuer.Handle(identitytest.KeysPath, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		v := start(t, issuer)
		refused := make(chan error)
		go func() {
			_, err := v.Verify(t.Context(), issuer.Token("ann"))
			refused <- err
		}()
		synctest.Wait()
		begin := time.Now()
		v.Close()
		require.Equal(t, http.StatusServiceUnavailable, service.StatusOf(<-refused))
		require.Zero(t, time.Since(begin))
		requireRefused(t, v, issuer.Token("ann"), http.StatusServiceUnavailable, down)
		v.Close()
	})
}

// TestAPanicEndsOneDownload: the client's transport is not ours.
func TestAPanicEndsOneDownload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := identitytest.InMemory(t)
		var broken atomic.Bool
		broken.Store(true)
		inner := issuer.Client.Transport
		issuer.Client.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
			if broken.Load() {
				panic("broken")
			}
			return inner.RoundTrip(r)
		})
		v := start(t, issuer)
		requireRefused(t, v, issuer.Token("ann"), http.StatusServiceUnavailable, down)
		broken.Store(false)
		time.Sleep(3 * time.Second)
		requireAccepted(t, v, issuer.Token("ann"))
	})
}

func TestABodyThatNeverEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		issuer := identitytest.InMemory(t)
		inner := issuer.Client.Transport
		issuer.Client.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
			if r.URL.Path != identitytest.KeysPath {
				return inner.RoundTrip(r)
			}
			res := httptest.NewRecorder().Result()
			res.Body = drip{r}
			return res, nil
		})
		v := start(t, issuer)
		begin := time.Now()
		requireRefused(t, v, issuer.Token("ann"), http.StatusServiceUnavailable, down)
		require.LessOrEqual(t, time.Since(begin), 5*time.Second)
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// drip is a body that sends a byte a second until its request ends, as net/http does with the context of a request.
type drip struct{ r *http.Request }

func (d drip) Read(p []byte) (int, error) {
	select {
	case <-d.r.Context().Done():
		return 0, d.r.Context().Err()
	case <-time.After(time.Second):
		p[0] = ' '
		return 1, nil
	}
}

func (d drip) Close() error { return nil }
