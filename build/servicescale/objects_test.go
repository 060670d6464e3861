//go:build scale && postgres

package servicescale_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

const bucket = "audio"

// objects is an object store in this process, which can be broken.
type objects struct {
	backend *s3mem.Backend
	fault   atomic.Pointer[http.HandlerFunc] // answers in place of the store; nil: it is well
	slow    atomic.Int64                     // how long each answer takes, in nanoseconds
}

// newObjects starts an object store with an empty bucket.
func newObjects(t *testing.T) (*objects, audioStore) {
	t.Helper()
	o := &objects{backend: s3mem.New()}
	require.NoError(t, o.backend.CreateBucket(bucket))
	store := gofakes3.New(o.backend).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(time.Duration(o.slow.Load())):
		case <-r.Context().Done():
		case <-t.Context().Done(): // the end of the test
		}
		if fault := o.fault.Load(); fault != nil {
			(*fault)(w, r)
			return
		}
		store.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return o, audioStore{
		address: "s3://" + bucket + "/team?endpoint=" + server.URL, env: []string{"AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret"},
		open: func(*testing.T) service.Files { return listed{o} }, names: func(*testing.T) []string { return o.names() },
	}
}

// breaks lets f answer in place of the store, or the store again where f is nil.
func (o *objects) breaks(f http.HandlerFunc) {
	if f == nil {
		o.fault.Store(nil)
		return
	}
	o.fault.Store(&f)
}

// keys returns the names of all objects.
func (o *objects) keys() (keys []string) {
	list, err := o.backend.ListBucket(bucket, nil, gofakes3.ListBucketPage{})
	if err == nil {
		for _, object := range list.Contents {
			keys = append(keys, object.Key)
		}
	}
	slices.Sort(keys)
	return keys
}

func (o *objects) names() (names []string) {
	for _, key := range o.keys() {
		if strings.Contains(key, "/20") { // by the day
			names = append(names, path.Base(key))
		}
	}
	return names
}

// listed is the objects as a sweep sees them. It makes no connections, which would keep the time of a bubble from passing.
type listed struct{ o *objects }

var errUnused = errors.New("a sweep neither reads nor writes")

func (l listed) Ready(context.Context) error                                 { return nil }
func (l listed) Create(context.Context, string, func(io.Writer) error) error { return errUnused }
func (l listed) Open(context.Context, string) (io.ReadSeekCloser, int64, error) {
	return nil, 0, errUnused
}

func (l listed) Names(context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range l.o.names() {
			if !yield(name, nil) {
				return
			}
		}
	}
}

func (l listed) Delete(_ context.Context, name string) error {
	for _, key := range l.o.keys() {
		if path.Base(key) == name {
			_, err := l.o.backend.DeleteObject(bucket, key)
			return err
		}
	}
	return nil
}

// TestFaultObjects breaks the object store under load: it is away, slow, answers 500, refuses every second request.
func TestFaultObjects(t *testing.T) {
	o, files := newObjects(t)
	w := newWorldWith(t, onPostgres(t, newCluster(t, false)), files, 200)
	w.speaker.SetDelay(shortDelay)
	w.run(2)
	l := w.newLoad()
	l.begin(16)
	wait := func() { time.Sleep(2 * time.Second) }
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	wait()
	o.breaks(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	wait()
	o.breaks(status(http.StatusInternalServerError))
	wait()
	o.breaks(status(http.StatusServiceUnavailable))
	wait()
	o.breaks(nil)
	o.slow.Store(int64(3 * time.Second))
	wait()
	wait()
	o.slow.Store(int64(20 * time.Second)) // longer than it is waited for
	wait()
	wait()
	o.slow.Store(0)
	wait()
	t.Logf("object store away, 500, 503, slow, hanging: %s", w.verify(l.end()))
}

// TestFaultKillsOnObjects kills processes that store audio in an object store.
func TestFaultKillsOnObjects(t *testing.T) {
	_, files := newObjects(t)
	testKills(t, onPostgres(t, newCluster(t, false)), files, 2)
}
