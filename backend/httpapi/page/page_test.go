package page_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/httpapi/page"
)

// TestWindowPolicy lets the page in the window reach one server and nothing else.
func TestWindowPolicy(t *testing.T) {
	t.Parallel()
	handler := page.WindowPolicy("http://127.0.0.1:7411")(http.NotFoundHandler())
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	policy := w.Header().Get("Content-Security-Policy")
	require.Contains(t, policy, "default-src 'self'; connect-src 'self' http://127.0.0.1:7411; media-src 'self' http://127.0.0.1:7411 blob:;")
	require.Contains(t, policy, "script-src 'self';")
	require.NotContains(t, policy, "unsafe")
	require.NotContains(t, policy, "*")
}
