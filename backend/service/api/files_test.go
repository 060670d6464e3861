package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	f := newFixture()
	w := f.send("GET", "/files/"+audioName, "")
	require.Equal(t, 200, w.Code)
	require.Equal(t, "audio/mpeg", w.Header().Get("Content-Type"))
	require.Equal(t, "10", w.Header().Get("Content-Length"))
	require.Equal(t, "bytes", w.Header().Get("Accept-Ranges"))
	require.Equal(t, "0123456789", w.Body.String())

	w = f.send("GET", "/files/"+audioName, "", "Range", "bytes=2-4")
	require.Equal(t, 206, w.Code)
	require.Equal(t, "234", w.Body.String())
	require.Equal(t, "bytes 2-4/10", w.Header().Get("Content-Range"))
	require.Equal(t, 416, f.send("GET", "/files/"+audioName, "", "Range", "bytes=20-").Code)

	w = f.send("HEAD", "/files/"+audioName, "")
	require.Equal(t, 200, w.Code)
	require.Equal(t, "10", w.Header().Get("Content-Length"))
	require.Empty(t, w.Body.String())

	w = f.send("GET", "/previews/"+voiceID+".mp3", "")
	require.Equal(t, 200, w.Code)
	require.Equal(t, "audio/mpeg", w.Header().Get("Content-Type"))
	require.Equal(t, "preview", w.Body.String())
	requireError(t, f.send("GET", "/previews/"+voiceID, ""), 404, "")
	requireError(t, f.send("GET", "/previews/"+voiceID+".wav", ""), 404, "")

	f.stub.fail = &service.Error{Status: http.StatusGone, Sentence: "The file was deleted 24 hours after it was made."}
	requireError(t, f.send("GET", "/files/"+audioName, ""), 410, "")
}

// Names with separators, dots or another shape never reach the store.
func TestFileNames(t *testing.T) {
	t.Parallel()
	f := newFixture()
	f.stub.fail = &service.Error{Status: http.StatusTeapot, Sentence: "The store was asked."}
	for _, name := range []string{
		"..", ".", "../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "%2e%2e%2fservice.db",
		"..%5c..%5cservice.db", audioName + "/", audioName + "/..", "x/" + audioName, "%2f" + audioName, audioName + "%00",
		audioName + "%00.mp3", strings.TrimSuffix(audioName, ".mp3"), strings.Replace(audioName, ".mp3", ".wav", 1), ".mp3",
		strings.Repeat("a", 200) + ".mp3", "short.mp3", audioName + "%0a", "é" + audioName, "service.db",
	} {
		w := f.send("GET", "/files/"+name, "")
		requireError(t, w, 404, "")
	}
	require.Equal(t, http.StatusTeapot, f.send("GET", "/files/"+audioName, "").Code)
}

// Guessing links is limited by address as guessing keys is; links that exist still work, and so do keys.
func TestGuessingFiles(t *testing.T) {
	t.Parallel()
	f := newFixture()
	statuses := map[int]int{}
	for i := range 1000 {
		w := f.send("GET", fmt.Sprintf("/files/%043d.mp3", i), "")
		statuses[w.Code]++
		f.clock.advance(time.Millisecond)
	}
	require.Equal(t, map[int]int{404: 109, 429: 891}, statuses)
	f.send("GET", "/files/x.mp3", "")
	w := f.send("GET", "/files/x.mp3", "")
	requireError(t, w, 429, "RATE_LIMITED")
	require.Equal(t, "1", w.Header().Get("Retry-After"))
	require.Equal(t, 200, f.send("GET", "/files/"+audioName, "").Code)
	require.Equal(t, 401, f.send("GET", "/api/v1/user/credits", "", "X-API-Key", "wrong").Code)
}

// Without an issuer there is nothing to sign in with.
func TestWellKnownWithoutIssuer(t *testing.T) {
	t.Parallel()
	requireError(t, newFixture(withoutIssuer).send("GET", "/.well-known/voicewright", ""), 404, "")
}
