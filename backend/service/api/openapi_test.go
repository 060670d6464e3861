package api_test

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/api"
)

//go:generate go test -run TestOpenAPI$ . -update

var update = flag.Bool("update", false, "write testdata/openapi.json again")

const golden = "testdata/openapi.json"

// The document is checked in, so that a change of the API shows in review. `make gen` writes it again.
func TestOpenAPI(t *testing.T) {
	w := httptest.NewRecorder()
	api.New(api.Options{Version: "test", Metrics: api.NewMetrics()}).ServeHTTP(w, httptest.NewRequest("GET", "/openapi.json", http.NoBody))
	require.Equal(t, http.StatusOK, w.Code)
	if *update {
		require.NoError(t, os.WriteFile(golden, w.Body.Bytes(), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), w.Body.String(), "run make gen and review the difference")
}
