package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// benchServer serves a studio whose built-in voice is the fixture, which needs no time: the rest is our own work.
func benchServer(b *testing.B) (generate func() error) {
	b.Helper()
	client, post := benchClient(b) //nolint:bodyclose // the caller of post closes it
	return func() error {
		resp, err := post(client, "/generate")
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			answer, _ := io.ReadAll(resp.Body)
			return &failedRequest{resp.Status, string(answer)}
		}
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
}

// benchClient returns a client of such a server, and a function that posts the text to a route.
func benchClient(b *testing.B) (*http.Client, func(*http.Client, string) (*http.Response, error)) {
	b.Helper()
	return benchVoice(b, enginetest.NewFixture(enginetest.FixtureOptions{}), "Hello. This is a test.") //nolint:bodyclose // the caller of post closes it
}

// benchVoice is benchClient with another built-in voice and text.
func benchVoice(
	b *testing.B, voice engines.Speaker, text string,
) (*http.Client, func(*http.Client, string) (*http.Response, error)) {
	b.Helper()
	var server *httptest.Server
	studio, err := app.Open(context.Background(), app.Config{
		Data: b.TempDir(), BuiltIn: voice, Log: slog.New(slog.DiscardHandler),
		Addr: func() net.Addr { return server.Listener.Addr() },
	})
	require.NoError(b, err)
	server = httptest.NewServer(studio.API.Handler())
	b.Cleanup(func() {
		server.Close()
		require.NoError(b, studio.Close(context.Background()))
	})
	var list struct{ Items []struct{ ID string } }
	resp, err := http.Get(server.URL + "/profiles")
	require.NoError(b, err)
	require.NoError(b, json.NewDecoder(resp.Body).Decode(&list))
	require.NoError(b, resp.Body.Close())
	body, err := json.Marshal(map[string]string{"profile_id": list.Items[0].ID, "text": text})
	require.NoError(b, err)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	return client, func(c *http.Client, route string) (*http.Response, error) {
		return c.Post(server.URL+route, "application/json", bytes.NewReader(body))
	}
}

type failedRequest struct{ status, body string }

func (f *failedRequest) Error() string { return f.status + ": " + f.body }

// percentile returns a percentile of times in milliseconds.
func percentile(times []time.Duration, p float64) float64 {
	slices.Sort(times)
	return float64(times[int(p*float64(len(times)-1))].Microseconds()) / 1000
}

// BenchmarkGenerate measures single requests of POST /generate with a voice that needs no time.
func BenchmarkGenerate(b *testing.B) {
	generate := benchServer(b)
	require.NoError(b, generate())
	var times []time.Duration
	for b.Loop() {
		start := time.Now()
		require.NoError(b, generate())
		times = append(times, time.Since(start))
	}
	b.ReportMetric(percentile(times, 0.5), "p50-ms")
	b.ReportMetric(percentile(times, 0.95), "p95-ms")
}

// BenchmarkFifty measures 50 parallel requests, which must all succeed.
func BenchmarkFifty(b *testing.B) {
	generate := benchServer(b)
	for b.Loop() {
		var wg sync.WaitGroup
		errs := make(chan error, 50)
		for range 50 {
			wg.Go(func() { errs <- generate() })
		}
		wg.Wait()
		close(errs)
		for err := range errs {
			require.NoError(b, err)
		}
	}
}

// BenchmarkFirstSound measures the time to the first samples of /generate/stream with a voice that needs no time.
func BenchmarkFirstSound(b *testing.B) {
	client, post := benchClient(b) //nolint:bodyclose // the caller of post closes it
	var times []time.Duration
	header := make([]byte, 44+2)
	for b.Loop() {
		start := time.Now()
		resp, err := post(client, "/generate/stream")
		require.NoError(b, err)
		_, err = io.ReadFull(resp.Body, header) // the WAV header and one sample
		times = append(times, time.Since(start))
		require.NoError(b, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(b, err)
		require.NoError(b, resp.Body.Close())
	}
	b.ReportMetric(percentile(times, 0.5), "p50-ms")
	b.ReportMetric(percentile(times, 0.95), "p95-ms")
}
