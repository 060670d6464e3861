package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/api"
)

// Every path that the table does not have is 404, every other method 405, both in the shape of all errors.
func TestUnknownPathsAndMethods(t *testing.T) {
	t.Parallel()
	handler := api.New(api.Options{})
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/", 404, ""},
		{"GET", "/api/v1/tts", 404, ""},
		{"GET", "/api/v1/tts/voices/", 404, ""},
		{"GET", "//api/v1/tts/voices", 404, ""},
		{"GET", "/api/v1/../v1/tts/voices", 404, ""},
		{"GET", "/api/v2/tts/voices", 404, ""},
		{"POST", "/api/v1/tts/voices", 405, "GET, HEAD"},
		{"OPTIONS", "/api/v1/tts/synthesize", 405, "POST"},
		{"PUT", "/api/v1/user/api-keys", 405, "GET, HEAD, POST"},
		{"GET", "/api/v1/user/api-keys/x", 405, "DELETE"},
		{"POST", "/health", 405, "GET, HEAD"},
		{"GET", "/metrics", 404, ""},
	} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(c.method, c.path, http.NoBody))
		require.Equal(t, c.status, w.Code, c.path)
		require.Equal(t, c.allow, w.Header().Get("Allow"), c.path)
		var body map[string]string
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body))
		require.Len(t, body, 1)
		require.NotEmpty(t, body["error"])
	}
}
