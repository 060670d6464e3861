package s3_test

import (
	"context"
	"errors"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/s3"
)

// calls are all methods that ask a store for something that is there.
func calls(store *s3.Store) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"Create":      func(ctx context.Context) error { return store.Create(ctx, "new.mp3", content("x")) },
		"Create long": func(ctx context.Context) error { return store.Create(ctx, "new.mp3", content(long(1))) },
		"Open": func(ctx context.Context) error {
			f, _, err := store.Open(ctx, "a.mp3")
			if err != nil {
				return err
			}
			_, err = io.ReadAll(f)
			return errors.Join(err, f.Close())
		},
		"Delete": func(ctx context.Context) error { return store.Delete(ctx, "a.mp3") },
		"Names": func(ctx context.Context) error {
			var last error
			for _, err := range store.Names(ctx) {
				last = err
			}
			return last
		},
		"Ready": store.Ready,
	}
}

// xmlError answers as a store does.
func xmlError(status int, code, message string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			_, _ = io.WriteString(w, "<?xml version=\"1.0\"?><Error><Code>"+code+"</Code><Message>"+message+"</Message></Error>")
		}
		return true
	}
}

// TestDown: whatever a store answers that cannot be used, its files are there later.
func TestDown(t *testing.T) {
	for name, fault := range map[string]func(http.ResponseWriter, *http.Request) bool{
		"error": xmlError(500, "InternalError", "We encountered an internal error."),
		"busy":  xmlError(503, "SlowDown", "Reduce your request rate."),
		"proxy": func(w http.ResponseWriter, _ *http.Request) bool {
			http.Error(w, "<html>bad", http.StatusBadGateway)
			return true
		},
		"forbidden": xmlError(403, "InvalidAccessKeyId", "The key "+accessKey+" does not exist."),
		"signature": xmlError(403, "SignatureDoesNotMatch", secretKey),
		"no bucket": xmlError(404, "NoSuchBucket", "The specified bucket does not exist"),
		"elsewhere": func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Location", "http://192.0.2.1/")
			w.WriteHeader(307)
			return true
		},
		"no answer":    func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) },
		"no store":     func(w http.ResponseWriter, r *http.Request) bool { http.NotFound(w, r); return true },
		"other answer": func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(418); return true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := serve(t)
			store, _ := server.open(t)
			create(t, store, "a.mp3", "some audio")
			server.breaks(fault)
			for call, f := range calls(store) {
				err := f(t.Context())
				require.ErrorIs(t, err, service.ErrFilesDown, call)
				require.NotErrorIs(t, err, service.ErrNotFound, call)
				for _, secret := range []string{accessKey, secretKey, server.URL, "a.mp3"} {
					require.NotContains(t, err.Error(), secret, call)
				}
			}
			server.heals()
			store.ForgetReady()
			for _, call := range []string{"Create", "Open", "Names", "Ready", "Delete"} {
				require.NoError(t, calls(store)[call](t.Context()), call)
			}
		})
	}
}

// TestBusyForAMoment: a request that a busy store refuses is sent again.
func TestBusyForAMoment(t *testing.T) {
	server := serve(t)
	store, _ := server.open(t)
	create(t, store, "a.mp3", "some audio")
	for _, call := range []string{"Create", "Create long", "Open", "Names", "Ready", "Delete"} {
		var refused atomic.Bool
		server.breaks(func(w http.ResponseWriter, r *http.Request) bool {
			return refused.CompareAndSwap(false, true) && xmlError(503, "SlowDown", "Later")(w, r)
		})
		require.NoError(t, calls(store)[call](t.Context()), call)
		require.True(t, refused.Load())
	}
}

func TestNobodyListens(t *testing.T) {
	server := serve(t)
	store, _ := server.open(t)
	server.Close()
	for call, f := range calls(store) {
		require.ErrorIs(t, f(t.Context()), service.ErrFilesDown, call)
	}
}

// TestHosts: the store connects to the host in its address and to nothing else, whatever the environment says.
func TestHosts(t *testing.T) {
	for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"} {
		t.Setenv(name, "http://192.0.2.1:8080")
	}
	t.Setenv("AWS_REGION", "mars-north-1")
	for endpoint, hosts := range map[string][]string{
		"https://s3.example.org:9000":                          {"s3.example.org:9000"},
		"http://store:9000&insecure=true":                      {"store:9000"},
		"https://s3.eu-central-1.amazonaws.com":                {"s3.eu-central-1.amazonaws.com:443"},
		"https://s3.dualstack.eu-west-1.amazonaws.com":         {"s3.dualstack.eu-west-1.amazonaws.com:443"},
		"https://s3-fips.us-east-2.amazonaws.com":              {"s3-fips.us-east-2.amazonaws.com:443"},
		"https://s3.amazonaws.com&region=eu-central-1":         {"s3.amazonaws.com:443", "s3.eu-central-1.amazonaws.com:443"}, // of the region
		"https://storage.googleapis.com":                       {"storage.googleapis.com:443"},
		"https://account.r2.cloudflarestorage.com&region=auto": {"account.r2.cloudflarestorage.com:443"},
	} {
		address, err := s3.Parse("s3://" + bucket + "/x?endpoint=" + endpoint)
		require.NoError(t, err)
		store, _ := open(t, address)
		var mu sync.Mutex
		dialled := map[string]bool{}
		store.SetDial(func(_ context.Context, _, addr string) (net.Conn, error) {
			mu.Lock()
			defer mu.Unlock()
			dialled[addr] = true
			return nil, errors.New("no network")
		})
		for call, f := range calls(store) {
			require.ErrorIs(t, f(t.Context()), service.ErrFilesDown, call)
		}
		store.Prepare(t.Context())
		require.Subset(t, hosts, slices.Collect(maps.Keys(dialled)), endpoint)
		require.NotEmpty(t, dialled)
	}
}

// TestForeignCertificate: audio goes to nobody who only says that it is the store.
func TestForeignCertificate(t *testing.T) {
	server := serve(t)
	other := httptest.NewUnstartedServer(server.Config.Handler)
	other.Config.ErrorLog = log.New(io.Discard, "", 0)
	other.StartTLS()
	t.Cleanup(other.Close)
	address, err := s3.Parse("s3://" + bucket + "/x?endpoint=" + other.URL)
	require.NoError(t, err)
	store, _ := open(t, address)
	for call, f := range calls(store) {
		err := f(t.Context())
		require.ErrorIs(t, err, service.ErrFilesDown, call)
		require.ErrorContains(t, err, "certificate", call)
	}
	require.Empty(t, server.keys(t))
}

// hangs lets the store answer nothing until the test ends or the client has gone.
func (s *server) hangs(t *testing.T) (asked chan struct{}) {
	asked, end := make(chan struct{}, 1000), make(chan struct{})
	var once sync.Once
	t.Cleanup(func() { once.Do(func() { close(end) }) })
	s.breaks(func(_ http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body) // or the server would not notice that the client has gone
		asked <- struct{}{}
		select {
		case <-end:
		case <-r.Context().Done():
		}
		return true
	})
	return asked
}

// TestSlow: no call waits for ever.
func TestSlow(t *testing.T) {
	server := serve(t)
	store, _ := server.open(t)
	create(t, store, "a.mp3", "some audio")
	server.hangs(t)
	store.SetTimes(20 * time.Millisecond)
	for call, f := range calls(store) {
		require.ErrorIs(t, f(t.Context()), service.ErrFilesDown, call)
	}
}

// TestEndsWithItsContext also ends what was begun.
func TestEndsWithItsContext(t *testing.T) {
	for _, call := range []string{"Create", "Create long", "Open", "Delete", "Names", "Ready"} {
		server := serve(t)
		store, _ := server.open(t)
		create(t, store, "a.mp3", "some audio")
		asked := server.hangs(t)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-asked
			cancel()
		}()
		require.ErrorIs(t, calls(store)[call](ctx), context.Canceled, call)
		server.heals()
		require.NoError(t, store.Close())
		require.Equal(t, []string{"team/files/other/a.mp3"}, server.keys(t), call)
		require.Empty(t, server.halfSent(t), call)
		require.NoError(t, store.Ready(t.Context()), "what one caller did not wait for is not remembered")
		store.ForgetReady()
		require.ErrorIs(t, calls(store)[call](ctx), context.Canceled, "a context that ended before")
	}
}

// cut answers GET with some bytes of the content, and then with no more.
func cut(s *server, times int, after int, then func(*http.Request)) (gets *atomic.Int32) {
	gets = &atomic.Int32{}
	s.breaks(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet || int(gets.Add(1)) > times {
			return false
		}
		answer := httptest.NewRecorder()
		s.store.ServeHTTP(answer, r)
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		w.Header().Set("Content-Length", strconv.Itoa(answer.Body.Len()))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes()[:min(after, answer.Body.Len())])
		w.(http.Flusher).Flush()
		then(r)
		panic(http.ErrAbortHandler)
	})
	return gets
}

// TestDownloadIsCut: it goes on where the connection was lost.
func TestDownloadIsCut(t *testing.T) {
	server := serve(t)
	store, _ := server.open(t)
	text := strings.Repeat("0123456789", 10_000)
	create(t, store, "a.mp3", text)
	nothing := func(*http.Request) {}
	cut(server, 3, 30_000, nothing)
	require.Equal(t, text, read(t, store, "a.mp3"))

	cut(server, 1000, 100, nothing)
	f, _, err := store.Open(t.Context(), "a.mp3")
	require.NoError(t, err)
	got, err := io.ReadAll(f)
	require.ErrorIs(t, err, service.ErrFilesDown)
	require.Equal(t, text[:len(got)], string(got))
	require.NoError(t, f.Close())
}

// TestDownloadStalls: one that does not go on ends, and so does the one of a client that has gone.
func TestDownloadStalls(t *testing.T) {
	server := serve(t)
	store, _ := server.open(t)
	text := strings.Repeat("0123456789", 10_000)
	create(t, store, "a.mp3", text)
	wait := func(r *http.Request) { <-r.Context().Done() }

	ctx, cancel := context.WithCancel(t.Context())
	cut(server, 1000, 100, wait)
	f, _, err := store.Open(ctx, "a.mp3")
	require.NoError(t, err)
	_, err = io.ReadFull(f, make([]byte, 100))
	require.NoError(t, err)
	time.AfterFunc(time.Millisecond, cancel)
	_, err = f.Read(make([]byte, 1))
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, f.Close())

	gets := cut(server, 1000, 100, wait)
	f, _, err = store.Open(t.Context(), "a.mp3")
	require.NoError(t, err)
	store.SetTimes(200 * time.Millisecond)
	got, err := io.ReadAll(f)
	require.ErrorIs(t, err, service.ErrFilesDown)
	require.Less(t, len(got), len(text))
	require.EqualValues(t, 1, gets.Load(), "a store that hangs is not asked again")
	require.NoError(t, f.Close())
}

// TestNoStore: a web server that answers everything with a page is no store, whatever status it has.
func TestNoStore(t *testing.T) {
	server := serve(t)
	store, _ := server.open(t)
	for _, status := range []int{200, 201, 204} {
		server.breaks(func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			if status == 200 {
				_, _ = io.WriteString(w, "<html>Welcome</html>")
			}
			return true
		})
		store.ForgetReady()
		require.ErrorIs(t, store.Ready(t.Context()), service.ErrFilesDown, status)
	}
}

// TestReady writes an object and removes it, once for all who ask at the same time, and says why it cannot.
func TestReady(t *testing.T) {
	server := serve(t)
	store, _ := server.open(t)
	var puts, deletes atomic.Int32
	server.breaks(func(_ http.ResponseWriter, r *http.Request) bool {
		switch r.Method {
		case http.MethodPut:
			puts.Add(1)
		case http.MethodDelete:
			deletes.Add(1)
		}
		return false
	})
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			for range 20 {
				assert.NoError(t, store.Ready(t.Context()))
			}
		})
	}
	all.Wait()
	require.Equal(t, puts.Load(), deletes.Load())
	require.Less(t, puts.Load(), int32(200))
	require.Empty(t, server.keys(t))

	store.ForgetReady()
	server.breaks(xmlError(403, "AccessDenied", "This key may not write"))
	require.ErrorContains(t, store.Ready(t.Context()), "AccessDenied: This key may not write")
	server.heals()
	store.ForgetReady()
	require.NoError(t, store.Ready(t.Context()))

	store.ForgetReady()
	server.breaks(func(w http.ResponseWriter, r *http.Request) bool {
		return r.Method == http.MethodDelete && xmlError(403, "AccessDenied", "This key may not delete")(w, r)
	})
	require.ErrorIs(t, store.Ready(t.Context()), service.ErrFilesDown, "what cannot be deleted would stay")
}

// TestErrorsHaveNoLinks: the name of audio is all that is needed to get it.
func TestErrorsHaveNoLinks(t *testing.T) {
	server := serve(t)
	store, written := server.open(t)
	name := audioName(day, 1)
	for _, message := range []string{"No " + name + " for you", "GET " + server.URL + "/x/" + name, strings.Repeat("x\n", 10_000)} {
		server.breaks(xmlError(400, "Strange", message))
		_, _, err := store.Open(t.Context(), name)
		require.ErrorIs(t, err, service.ErrFilesDown)
		require.NotContains(t, err.Error(), name)
		require.NotContains(t, err.Error(), "\n")
		require.Less(t, len(err.Error()), 500)
	}
	server.Close()
	_, _, err := store.Open(t.Context(), name)
	require.ErrorIs(t, err, service.ErrFilesDown)
	require.NotContains(t, err.Error()+written.String(), name)
}
