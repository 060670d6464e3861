package api_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/api"
)

func TestMetricsOfOtherPackagesAreServed(t *testing.T) {
	t.Parallel()
	m := api.NewMetrics()
	gauge := prometheus.NewGauge(prometheus.GaugeOpts{Name: "voicewright_test_waiting", Help: "For a test."})
	gauge.Set(3)
	m.Register(gauge)
	w := httptest.NewRecorder()
	api.New(api.Options{Metrics: m}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", http.NoBody))
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, w.Body.String(), "voicewright_test_waiting 3\n")
}
