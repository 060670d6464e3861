package forward_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkForward measures what the forwarder adds to a call: both ways in turns, so that a busy machine slows both.
func BenchmarkForward(b *testing.B) {
	answer := strings.Repeat("a", 1000)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, answer)
	}))
	b.Cleanup(upstream.Close)
	r := start(b, upstream.URL)
	for _, path := range []string{"/api/v1/tts/enhance", "/api/v1/tts/synthesize"} {
		b.Run(path[len("/api/v1/tts/"):], func(b *testing.B) {
			var direct, forwarded []time.Duration
			for b.Loop() {
				direct = append(direct, timed(b, upstream, upstream.URL+path, ""))
				forwarded = append(forwarded, timed(b, r.Server, r.URL+path, localToken))
			}
			slices.Sort(direct)
			slices.Sort(forwarded)
			p50 := func(d []time.Duration) float64 { return float64(d[len(d)/2].Microseconds()) }
			b.ReportMetric(p50(direct), "us-direct-p50")
			b.ReportMetric(p50(forwarded)-p50(direct), "us-added-p50")
		})
	}
}

func timed(b *testing.B, s *httptest.Server, address, token string) time.Duration {
	began := time.Now()
	req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, address, strings.NewReader(`{"text":"Hello."}`))
	require.NoError(b, err)
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := s.Client().Do(req)
	require.NoError(b, err)
	_, err = io.Copy(io.Discard, res.Body)
	require.NoError(b, err)
	require.NoError(b, res.Body.Close())
	return time.Since(began)
}
