package api_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/s3"
)

// objects is an object store in this process that answers with a status instead, where one is set.
type objects struct {
	*httptest.Server
	status atomic.Int32
}

// newObjects starts an object store and opens its bucket until the test ends.
func newObjects(t *testing.T) (*objects, *s3.Store) {
	t.Helper()
	content := s3mem.New()
	require.NoError(t, content.CreateBucket("team-audio"))
	itself, o := gofakes3.New(content).Server(), &objects{}
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status := int(o.status.Load()); status != 0 {
			w.WriteHeader(status)
			return
		}
		itself.ServeHTTP(w, r)
	}))
	t.Cleanup(o.Close)
	address, err := s3.Parse("s3://team-audio/voicewright?endpoint=" + o.URL)
	require.NoError(t, err)
	c, err := s3.NewCredentials("AKIATEST", "secret")
	require.NoError(t, err)
	store, err := s3.Open(s3.Options{Address: address, Credentials: c, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return o, store
}

// get returns the status, the header and the body of an answer.
func (l *live) get(t *testing.T, path, wanted string) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, l.url+path, nil)
	require.NoError(t, err)
	r.Header.Set("Range", wanted)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, answer.Header, string(body)
}

// TestObjectStore: users notice nothing of where their audio is; while nobody can know whether it is there, they are told to try again.
func TestObjectStore(t *testing.T) {
	t.Parallel()
	o, store := newObjects(t)
	c := &clock{}
	l := newLiveOn(t, c.now, store)
	k := l.pro(t, "ann", 100_000)
	status, body := l.send(t, "POST", "/api/v1/tts/synthesize", k, speechOf("Hello there."))
	require.Equal(t, 200, status, body)
	link := strings.TrimPrefix(body["url"].(string), l.url)
	status, _, whole := l.get(t, link, "")
	require.Equal(t, 200, status)
	require.Greater(t, len(whole), 7000)
	status, header, part := l.get(t, link, "bytes=1000-1999")
	require.Equal(t, 206, status)
	require.Equal(t, whole[1000:2000], part)
	require.Regexp(t, `^bytes 1000-1999/\d+$`, header.Get("Content-Range"))
	preview := "/previews/" + service.VoiceID(service.ProviderA, "alba") + ".mp3"
	name := service.PreviewPrefix + strings.TrimPrefix(preview, "/previews/")
	require.NoError(t, store.Create(t.Context(), name, func(w io.Writer) error {
		_, err := io.WriteString(w, "a preview")
		return err
	}))
	status, _, sample := l.get(t, preview, "")
	require.Equal(t, 200, status)
	require.Equal(t, "a preview", sample)

	for _, fault := range []int32{500, 503, 403} {
		o.status.Store(fault)
		for _, path := range []string{link, preview, "/ready"} {
			status, header, text := l.get(t, path, "")
			require.Equal(t, 503, status, "%s: %s", path, text)
			require.Equal(t, "2", header.Get("Retry-After"))
			require.NotContains(t, text, "code")
			require.Contains(t, text, "store of audio")
		}
		status, body = l.send(t, "POST", "/api/v1/tts/synthesize", k, speechOf("Hello again."))
		require.Equal(t, 503, status, body)
		require.NotContains(t, body, "code")
		require.Contains(t, body["error"], "Nothing was charged")
		_, credits := l.send(t, "GET", "/api/v1/user/credits", k, "")
		require.EqualValues(t, 100_000-23, credits["credits"])
	}
	o.status.Store(0)
	status, _, again := l.get(t, link, "")
	require.Equal(t, 200, status)
	require.Equal(t, whole, again)

	require.NoError(t, store.Delete(t.Context(), link[strings.LastIndexByte(link, '/')+1:]))
	status, _, _ = l.get(t, link, "")
	require.Equal(t, 410, status, "a rule of the store was faster than the service")
	o.status.Store(403)
	c.advance(service.FileRetention)
	status, _, text := l.get(t, link, "")
	require.Equal(t, 410, status, "what the store says of old audio does not matter: %s", text)
}
