package s3_test

import (
	"encoding/xml"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/minio/minio-go/v7"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/s3"
	"github.com/voicewright/voicewright/backend/service/storetest"
)

func TestMain(m *testing.M) {
	minio.DefaultRetryUnit = time.Millisecond // between a refused request and the next
	goleak.VerifyTestMain(m)
}

const (
	bucket    = "audio-of-a-team"
	accessKey = "AKIATESTKEY"
	secretKey = "very/secret+key"
)

// server is a store in this process, with a handler in front of it that can be replaced.
type server struct {
	*httptest.Server
	objects *s3mem.Backend
	store   http.Handler // itself
	fault   atomic.Pointer[func(http.ResponseWriter, *http.Request) bool]
}

// serve starts a store with an empty bucket.
func serve(t *testing.T) *server {
	s := &server{objects: s3mem.New()}
	require.NoError(t, s.objects.CreateBucket(bucket))
	s.store = gofakes3.New(s.objects).Server()
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fault := s.fault.Load(); fault != nil && (*fault)(w, r) {
			return
		}
		s.store.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// breaks lets f answer, where it reports that it has.
func (s *server) breaks(f func(w http.ResponseWriter, r *http.Request) bool) { s.fault.Store(&f) }

// heals lets the store answer again.
func (s *server) heals() { s.fault.Store(nil) }

// open returns a store of files in the bucket of a server, below "team/files".
func (s *server) open(t *testing.T) (*s3.Store, *backendtest.Log) {
	t.Helper()
	address, err := s3.Parse("s3://" + bucket + "/team/files?endpoint=" + s.URL)
	require.NoError(t, err)
	return open(t, address)
}

func open(t *testing.T, address s3.Address) (*s3.Store, *backendtest.Log) {
	t.Helper()
	c, err := s3.NewCredentials(accessKey, secretKey)
	require.NoError(t, err)
	log := &backendtest.Log{}
	t.Cleanup(func() {
		require.NotContains(t, log.String(), secretKey)
		require.NotContains(t, log.String(), accessKey)
	})
	return openWith(t, address, c, log), log
}

// openWith returns a store that is closed when the test ends.
func openWith(t *testing.T, address s3.Address, c s3.Credentials, log io.Writer) *s3.Store {
	t.Helper()
	store, err := s3.Open(s3.Options{Address: address, Credentials: c, Log: slog.New(slog.NewJSONHandler(log, nil))})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store
}

// keys returns the names of all objects.
func (s *server) keys(t *testing.T) []string {
	t.Helper()
	list, err := s.objects.ListBucket(bucket, nil, gofakes3.ListBucketPage{})
	require.NoError(t, err)
	keys := []string{}
	for _, o := range list.Contents {
		keys = append(keys, o.Key)
	}
	return keys
}

// halfSent returns the names of objects of which the store keeps parts, as it lists them.
func (s *server) halfSent(t *testing.T) string {
	t.Helper()
	answer := httptest.NewRecorder()
	s.store.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/"+bucket+"?uploads", nil))
	var list struct {
		Keys []string `xml:"Upload>Key"`
	}
	require.NoError(t, xml.Unmarshal(answer.Body.Bytes(), &list)) // or an error that there are none
	return strings.Join(list.Keys, " ")
}

func content(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func TestFiles(t *testing.T) {
	storetest.RunFiles(t, func(t *testing.T) service.Files {
		store, _ := serve(t).open(t)
		return store
	})
}
