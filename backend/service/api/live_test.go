package api_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/api"
	"github.com/voicewright/voicewright/backend/service/encode"
	"github.com/voicewright/voicewright/backend/service/enhance"
	"github.com/voicewright/voicewright/backend/service/folder"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// live is the API of a real service on a SQLite file, whose providers return a tone.
type live struct {
	url   string
	path  string // of the database
	store *sqlite.DB
	now   func() time.Time
	clock *clock
	calls *tones
}

// tones is a provider that speaks a tone, or waits for its caller to go.
type tones struct {
	voice service.Voice
	hangs chan struct{} // not nil: a call sends and waits
}

func (p *tones) Voices(context.Context) ([]service.Voice, error) {
	return []service.Voice{p.voice}, nil
}

func (p *tones) Speak(ctx context.Context, _ service.Speech) (audio.Buffer, error) {
	if p.hangs != nil {
		p.hangs <- struct{}{}
		<-ctx.Done()
		return audio.Buffer{}, ctx.Err()
	}
	samples := make([]float32, 4000)
	for i := range samples {
		samples[i] = 0.25 * float32(1-i/20%2*2)
	}
	return audio.Buffer{Samples: samples, Rate: 8000, Channels: 1}, nil
}

// subjects takes the token for the subject.
type subjects struct{}

func (subjects) Verify(_ context.Context, token string) (service.Identity, error) {
	return service.Identity{Subject: token}, nil
}

// newLive starts the service until the test ends, with a clock that stands still.
func newLive(tb testing.TB) *live {
	tb.Helper()
	c := &clock{}
	l := newLiveAt(tb, c.now)
	l.clock = c
	return l
}

// newLiveAt starts the service until the test ends.
func newLiveAt(tb testing.TB, now func() time.Time) *live {
	tb.Helper()
	files, err := folder.Open(filepath.Join(tb.TempDir(), "files"))
	require.NoError(tb, err)
	return newLiveOn(tb, now, files)
}

// newLiveOn starts the service on a store of files until the test ends.
func newLiveOn(tb testing.TB, now func() time.Time, files service.Files) *live {
	tb.Helper()
	dir := tb.TempDir()
	path := filepath.Join(dir, "service.db")
	store, err := sqlite.Open(tb.Context(), sqlite.Options{Path: path, Now: now})
	require.NoError(tb, err)
	l := &live{path: path, store: store, now: now}
	providers := map[service.ProviderID]service.Provider{}
	for _, id := range service.ProviderIDs() {
		p := &tones{voice: service.Voice{
			ID: service.VoiceID(id, "alba"), Native: "alba", Name: "Alba", Gender: "female", Provider: id, Accent: "Italy",
			Language: "it", Category: "narrator",
		}}
		providers[id] = p
		if id == service.ProviderA {
			l.calls = p
		}
	}
	log := slog.New(slog.DiscardHandler)
	s, err := service.New(service.Config{
		Store: store, Files: files, Providers: providers, Encoder: encode.New(nil), Enhancer: enhance.Enhancer{}, Now: now,
		NewID: uuid.NewString, Random: rand.Reader, Instance: uuid.NewString(), Log: log,
	})
	require.NoError(tb, err)
	require.NoError(tb, s.Start(tb.Context()))
	server := httptest.NewUnstartedServer(nil)
	l.url = "http://" + server.Listener.Addr().String()
	server.Config = api.New(api.Options{Service: s, Tokens: subjects{}, PublicURL: l.url, Now: now, Log: log}).Server()
	server.Start()
	tb.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		server.Close()
		require.NoError(tb, s.Close(context.Background()))
		require.NoError(tb, store.Close())
	})
	return l
}

// send sends a request with a bearer credential and returns status and body.
func (l *live) send(tb testing.TB, method, path, bearer, body string) (int, map[string]any) {
	tb.Helper()
	r, err := http.NewRequestWithContext(tb.Context(), method, l.url+path, strings.NewReader(body))
	require.NoError(tb, err)
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(tb, err)
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	require.NoError(tb, err)
	var decoded map[string]any
	if response.Header.Get("Content-Type") == "application/json" {
		require.NoError(tb, json.Unmarshal(data, &decoded), string(data))
	} else {
		decoded = map[string]any{"bytes": len(data), "type": response.Header.Get("Content-Type")}
	}
	return response.StatusCode, decoded
}

// pro makes a subject a Pro user with credits and returns an API key of it.
func (l *live) pro(tb testing.TB, subject string, credits int64) string {
	tb.Helper()
	_, _ = l.send(tb, "GET", "/api/v1/user/credits", subject, "")
	a, err := l.store.Account(tb.Context(), subject)
	require.NoError(tb, err)
	_, err = l.store.SetPlan(tb.Context(), a.ID, service.Pro, credits, service.PlanDays, service.Change{})
	require.NoError(tb, err)
	status, body := l.send(tb, "POST", "/api/v1/user/api-keys", subject, "")
	require.Equal(tb, 201, status, body)
	return body["key"].(string)
}

func speechOf(text string) string {
	body, _ := json.Marshal(map[string]any{
		"text": text, "voice": service.VoiceID(service.ProviderA, "alba"), "ttsModel": service.ModelV3, "response_format": "pcm_8000",
	})
	return string(body)
}

// A user signs in, gets a key, synthesizes, downloads, and finds the call in the list of usage; a day later the link is gone.
func TestSynthesizeAndDownload(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	k := l.pro(t, "ann", 100_000)
	status, body := l.send(t, "POST", "/api/v1/tts/synthesize", k, speechOf("Hello there."))
	require.Equal(t, 200, status, body)
	require.EqualValues(t, 100_000-23, body["remainingCredits"], "12 characters at 2,100 less 10 %, rounded up")
	require.Equal(t, true, body["projectCreated"])
	link, absolute := strings.CutPrefix(body["url"].(string), l.url)
	require.True(t, absolute)
	status, file := l.send(t, "GET", link, "", "")
	require.Equal(t, 200, status)
	require.Equal(t, "audio/pcm", file["type"])
	require.Greater(t, file["bytes"], 7000)

	_, used := l.send(t, "GET", "/api/v1/user/usage", k, "")
	row := used["usage"].([]any)[0].(map[string]any)
	require.Equal(t, "charged", row["status"])
	require.EqualValues(t, 23, row["credits"])
	require.EqualValues(t, 12, row["characters"])
	require.InDelta(t, 0.5, row["seconds"], 0.01)
	require.Nil(t, used["nextCursor"])

	l.clock.advance(service.FileRetention)
	status, _ = l.send(t, "GET", link, "", "")
	require.Equal(t, 410, status)
	status, _ = l.send(t, "GET", strings.Replace(link, ".pcm", ".mp3", 1), "", "")
	require.Equal(t, 404, status)
}

// Keys of one user are nothing to another, a revoked key is dead at once, and a free account has no use of keys.
func TestKeysOfUsers(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	annas := l.pro(t, "ann", 1000)
	_ = l.pro(t, "bob", 1000)
	_, body := l.send(t, "GET", "/api/v1/user/api-keys", "ann", "")
	id := body["apiKeys"].([]any)[0].(map[string]any)["id"].(string)

	status, _ := l.send(t, "DELETE", "/api/v1/user/api-keys/"+id, "bob", "")
	require.Equal(t, 404, status)
	status, _ = l.send(t, "GET", "/api/v1/user/credits", annas, "")
	require.Equal(t, 200, status)
	for range 2 { // the second changes nothing
		status, body = l.send(t, "DELETE", "/api/v1/user/api-keys/"+id, "ann", "")
		require.Equal(t, 200, status)
		require.Equal(t, map[string]any{"success": true}, body)
	}
	status, _ = l.send(t, "GET", "/api/v1/user/credits", annas, "")
	require.Equal(t, 401, status)

	status, body = l.send(t, "POST", "/api/v1/user/api-keys", "a-free-user", "{}")
	require.Equal(t, 403, status)
	require.Equal(t, "PAID_ACCESS_REQUIRED", body["code"])
}

// Limits of a text count code points, whatever they take in bytes or UTF-16.
func TestLengthsAreCodePoints(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	k := l.pro(t, "ann", 1_000_000)
	for _, character := range []string{"a", "é", "語", "😀", "e\u0301"} {
		characters := len([]rune(character))
		fits := strings.Repeat(character, 5000/characters)
		status, body := l.send(t, "POST", "/api/v1/tts/synthesize", k, speechOf(fits))
		require.Equal(t, 200, status, body)
		status, body = l.send(t, "POST", "/api/v1/tts/synthesize", k, speechOf(fits+character))
		require.Equal(t, 400, status)
		require.Equal(t, "TEXT_TOO_LONG", body["code"])
		text, _ := json.Marshal(map[string]string{"text": strings.Repeat(character, 2000/characters) + "a"})
		status, body = l.send(t, "POST", "/api/v1/tts/enhance", k, string(text))
		require.Equal(t, 400, status)
		require.Equal(t, "TEXT_TOO_LONG", body["code"])
	}
}

// A client that goes away during a synthesis pays nothing and can call again at once.
func TestClientGoesAway(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	k := l.pro(t, "ann", 1000)
	l.calls.hangs = make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", l.url+"/api/v1/tts/synthesize", bytes.NewBufferString(speechOf("Hello.")))
	require.NoError(t, err)
	r.Header.Set("X-API-Key", k)
	ended := make(chan error, 1)
	go func() {
		response, err := http.DefaultClient.Do(r)
		if err == nil {
			_ = response.Body.Close()
		}
		ended <- err
	}()
	<-l.calls.hangs
	status, body := l.send(t, "POST", "/api/v1/tts/synthesize", k, speechOf("Hello."))
	require.Equal(t, 409, status)
	require.Equal(t, "DUPLICATE_REQUEST", body["code"])
	status, body = l.send(t, "GET", "/api/v1/user/credits", k, "")
	require.Equal(t, 200, status)
	require.Less(t, body["credits"], 1000.0, "the price is reserved")
	cancel()
	require.ErrorIs(t, <-ended, context.Canceled)
	require.Eventually(t, func() bool {
		_, body := l.send(t, "GET", "/api/v1/user/credits", k, "")
		return body["credits"] == 1000.0
	}, time.Minute, 10*time.Millisecond)
	_, body = l.send(t, "GET", "/api/v1/user/usage", k, "")
	require.Equal(t, "refunded", body["usage"].([]any)[0].(map[string]any)["status"])
}

// 30 calls a minute, of speech and enhance together; then 429 with the time to wait.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	k := l.pro(t, "ann", 100_000)
	for i := range 30 {
		path, body := "/api/v1/tts/enhance", `{"text":"Hello."}`
		if i%2 == 0 {
			path, body = "/api/v1/tts/synthesize", speechOf("Hi.")
		}
		status, answer := l.send(t, "POST", path, k, body)
		require.Equal(t, 200, status, fmt.Sprint(i, answer))
	}
	for _, path := range []string{"/api/v1/tts/enhance", "/api/v1/tts/synthesize"} {
		status, body := l.send(t, "POST", path, "ann", speechOf("Hi."))
		require.Equal(t, 429, status)
		require.Equal(t, "RATE_LIMITED", body["code"])
	}
	l.clock.advance(time.Minute)
	status, _ := l.send(t, "POST", "/api/v1/tts/enhance", "ann", `{"text":"Hello."}`)
	require.Equal(t, 200, status)
}

// While another process locks the database, what only reads is answered, and what writes is 503 after a while; nothing of it is
// lost or charged, and once the lock is gone all is as before.
func TestDatabaseLockedAndBack(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	k := l.pro(t, "ann", 1000)
	other, err := sql.Open("sqlite", l.path+"?_txlock=immediate")
	require.NoError(t, err)
	defer other.Close()
	lock, err := other.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	status, _ := l.send(t, "GET", "/api/v1/user/credits", k, "")
	require.Equal(t, 200, status)

	toggle := `{"voiceId":"` + service.VoiceID(service.ProviderA, "alba") + `"}`
	var writes sync.WaitGroup
	for path, body := range map[string]string{"favorites/toggle": toggle, "synthesize": speechOf("Hello there.")} {
		writes.Go(func() {
			r, err := http.NewRequestWithContext(t.Context(), "POST", l.url+"/api/v1/tts/"+path, strings.NewReader(body))
			assert.NoError(t, err)
			r.Header.Set("X-API-Key", k)
			response, err := http.DefaultClient.Do(r)
			if !assert.NoError(t, err) {
				return
			}
			defer response.Body.Close()
			answer, err := io.ReadAll(response.Body)
			assert.NoError(t, err)
			assert.Equal(t, 503, response.StatusCode, string(answer))
			assert.Equal(t, "2", response.Header.Get("Retry-After"))
			assert.NotContains(t, string(answer), "code")
		})
	}
	writes.Wait()

	require.NoError(t, lock.Rollback())
	status, body := l.send(t, "POST", "/api/v1/tts/favorites/toggle", k, toggle)
	require.Equal(t, 200, status)
	require.Equal(t, true, body["favorited"], "the refused toggle changed nothing")
	status, body = l.send(t, "POST", "/api/v1/tts/synthesize", k, speechOf("Hello there."))
	require.Equal(t, 200, status, body)
	require.EqualValues(t, 1000-23, body["remainingCredits"])
}
