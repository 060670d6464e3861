package events_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/httpapi/events"
)

// TestMain also checks for leaked goroutines.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testTimeout is the longest time of anything on a busy machine.
const testTimeout = 2 * time.Minute

// streams is a server with event streams over a small store of states.
type streams struct {
	events *events.Streams
	srv    *httptest.Server
	mu     sync.Mutex
	rows   map[string]backend.Generation
}

func newStreams(t *testing.T) *streams {
	t.Helper()
	s := &streams{events: events.New(events.Views{}, slog.New(slog.DiscardHandler)), rows: map[string]backend.Generation{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /g/{id}", func(w http.ResponseWriter, r *http.Request) {
		err := s.events.ServeGeneration(w, r, r.PathValue("id"), func(context.Context) (backend.Generation, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.rows[r.PathValue("id")], nil
		})
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	})
	mux.HandleFunc("GET /events", func(w http.ResponseWriter, r *http.Request) {
		if err := s.events.ServeUI(w, r); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		}
	})
	s.srv = httptest.NewServer(mux)
	t.Cleanup(func() {
		s.events.Close()
		s.srv.Close()
	})
	return s
}

// set stores a state and publishes it.
func (s *streams) set(id string, status backend.Status, progress float64) {
	g := backend.Generation{ID: id, Status: status, Progress: progress, Text: strings.Repeat("long text ", 50)}
	s.mu.Lock()
	s.rows[id] = g
	s.mu.Unlock()
	s.events.Generation(g)
}

// read follows a stream to its end and returns its states; clean says that the server ended it.
func (s *streams) read(ctx context.Context, id string) (states []backend.Generation, clean bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.srv.URL+"/g/"+id, nil)
	if err != nil {
		return nil, false, err
	}
	req.Header.Set("Last-Event-ID", "abc")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = resp.Body.Close() }()
	scan := bufio.NewScanner(resp.Body)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		if strings.HasPrefix(scan.Text(), "event:") {
			return nil, false, fmt.Errorf("named message %q", scan.Text())
		}
		data, ok := strings.CutPrefix(scan.Text(), "data: ")
		if !ok {
			continue
		}
		var g backend.Generation
		if err := json.Unmarshal([]byte(data), &g); err != nil {
			return nil, false, err
		}
		states = append(states, g)
	}
	return states, scan.Err() == nil, nil
}

// requireWhole checks what every reader of an ended generation must have seen.
func requireWhole(t *testing.T, states []backend.Generation, clean bool, err error) {
	t.Helper()
	require.NoError(t, err)
	require.True(t, clean, "the server ends the stream")
	require.NotEmpty(t, states)
	for i, g := range states {
		require.Equal(t, i == len(states)-1, g.Status.Ended(), "only the last state is an end: %d of %d is %s", i, len(states), g.Status)
		if i > 0 {
			require.GreaterOrEqual(t, g.Progress, states[i-1].Progress)
		}
	}
}

// TestManyReaders subscribes before, during and after the life of generations.
func TestManyReaders(t *testing.T) {
	s := newStreams(t)
	ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
	defer cancel()
	type result struct {
		states []backend.Generation
		clean  bool
		err    error
	}
	for round := range 20 {
		id := fmt.Sprintf("g%d", round)
		s.set(id, backend.StatusQueued, 0)
		results := make([]result, 15)
		began := time.Now()
		var wg sync.WaitGroup
		for i := range results {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * 2 * time.Millisecond)
				r := &results[i]
				r.states, r.clean, r.err = s.read(ctx, id)
			})
		}
		for i := range 20 {
			s.set(id, backend.StatusGenerating, float64(i)/20)
			time.Sleep(time.Millisecond)
		}
		s.set(id, backend.StatusComplete, 1)
		limit := 3 + int(time.Since(began)/(100*time.Millisecond))
		wg.Wait()
		for _, r := range results {
			requireWhole(t, r.states, r.clean, r.err)
			require.LessOrEqual(t, len(r.states), limit, "changes are sent at most 10 times a second")
		}
	}
}

func TestStateIsSentPromptly(t *testing.T) {
	t.Parallel()
	s := newStreams(t)
	s.set("g", backend.StatusQueued, 0)
	lines := openStream(t, s.srv.URL+"/g/g")
	next := func() backend.Status {
		t.Helper()
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				var g backend.Generation
				require.NoError(t, json.Unmarshal([]byte(data), &g))
				return g.Status
			}
		}
		require.Fail(t, "the stream ended", "%v", lines.Err())
		return ""
	}
	require.Equal(t, backend.StatusQueued, next())
	s.set("g", backend.StatusLoading, 0)
	s.set("g", backend.StatusGenerating, 0.5) // nothing follows until it has come: it must come by itself
	for status := next(); status != backend.StatusGenerating; status = next() {
		require.Equal(t, backend.StatusLoading, status)
	}
	s.set("g", backend.StatusFailed, 0.5)
	require.Equal(t, backend.StatusFailed, next())
}

// openStream opens a stream of events and returns its lines.
func openStream(t *testing.T, url string) *bufio.Scanner {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	require.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	require.Equal(t, "no-store", resp.Header.Get("Cache-Control"))
	return bufio.NewScanner(resp.Body)
}

// TestBlockedReader opens a stream and never reads it: publishers go on, other readers get the end.
func TestBlockedReader(t *testing.T) {
	t.Parallel()
	s := newStreams(t)
	s.set("g", backend.StatusGenerating, 0)
	for _, path := range []string{"/g/g", "/events"} {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.srv.Listener.Addr().String())
		require.NoError(t, err)
		defer func() { _ = conn.Close() }()
		require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4096))
		_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path)
		require.NoError(t, err)
		_, err = conn.Read(make([]byte, 1)) // the stream is open
		require.NoError(t, err)
	}
	big := strings.Repeat("x", 100_000)
	for range 3000 {
		s.events.Publish("model", big)
	}
	s.set("g", backend.StatusComplete, 1)
	states, clean, err := s.read(t.Context(), "g")
	requireWhole(t, states, clean, err)
}

func TestUIEvents(t *testing.T) {
	t.Parallel()
	s := newStreams(t)
	scan := openStream(t, s.srv.URL+"/events")
	require.True(t, scan.Scan())
	require.Equal(t, ": open", scan.Text())
	s.events.Publish("settings", map[string]string{"key": "offline"})
	s.events.Generation(backend.Generation{ID: "of book", Status: backend.StatusQueued, Request: backend.GenerationRequest{BookID: "b"}})
	var lines []string
	for len(lines) < 6 && scan.Scan() { // before Close, which does not wait for what is on its way to /events
		if scan.Text() != "" {
			lines = append(lines, scan.Text())
		}
	}
	require.Contains(t, strings.Join(lines, "\n"), "data: {\"key\":\"offline\"}\nevent: settings")
	require.Contains(t, lines, `data: {"id":"of book","status":"queued","progress":0,"request":{"book_id":"b"}}`)
	s.set("g", backend.StatusComplete, 1)
	s.events.Close()
	for scan.Scan() {
		require.NotContains(t, scan.Text(), "offline", "it is sent once")
	}
	require.NoError(t, scan.Err(), "Close ends the stream in order")
}

// TestComments reads what keeps a quiet stream open.
func TestComments(t *testing.T) {
	t.Parallel()
	events := events.NewQuiet(5 * time.Millisecond)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = events.ServeGeneration(w, r, "g", func(context.Context) (backend.Generation, error) {
			return backend.Generation{ID: "g", Status: backend.StatusQueued}, nil
		})
	}))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL, nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	scan := bufio.NewScanner(resp.Body)
	comments := 0
	for comments < 3 && scan.Scan() {
		if scan.Text() == ": keep-alive" {
			comments++
		}
	}
	require.Equal(t, 3, comments)
	require.NoError(t, resp.Body.Close())
	events.Close()
	srv.Close()
}

func TestStreamsAndClose(t *testing.T) {
	t.Parallel()
	s := newStreams(t)
	var wg sync.WaitGroup
	for i := range 40 {
		id := fmt.Sprintf("g%d", i%4)
		wg.Go(func() { s.set(id, backend.StatusGenerating, 0) })
		wg.Go(func() { _, _, _ = s.read(t.Context(), id) })
	}
	time.Sleep(10 * time.Millisecond)
	s.events.Close()
	s.events.Close()
	wg.Wait()
	s.set("g1", backend.StatusComplete, 1)
	s.events.Publish("model", 1)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.srv.URL+"/g/g1", nil)
	require.NoError(t, err)
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
}

// modelStreams serves the progress of a model, whose record is set with set.
func modelStreams(t *testing.T, quiet time.Duration) (streams *events.Streams, set func(backend.ModelProgress), url string) {
	t.Helper()
	streams = events.NewQuiet(quiet)
	var mu sync.Mutex
	now := backend.ModelProgress{ModelName: "m", Total: 100, Status: backend.DownloadIdle}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = streams.ServeModel(w, r, "m", func() backend.ModelProgress {
			mu.Lock()
			defer mu.Unlock()
			return now
		})
	}))
	t.Cleanup(func() {
		streams.Close()
		srv.Close()
	})
	return streams, func(p backend.ModelProgress) {
		p.ModelName, p.Total = "m", 100
		mu.Lock()
		now = p
		mu.Unlock()
		streams.Model(p)
	}, srv.URL
}

// TestModelStreamStaysOpen waits through comments and a pause for the end of a download.
func TestModelStreamStaysOpen(t *testing.T) {
	t.Parallel()
	_, set, url := modelStreams(t, 5*time.Millisecond)
	scan := openStream(t, url)
	comment := func() {
		t.Helper()
		for scan.Scan() {
			if scan.Text() == ": keep-alive" {
				return
			}
			require.Empty(t, scan.Text(), "nothing but comments while nothing happens")
		}
		require.Fail(t, "the stream ended", "%v", scan.Err())
	}
	next := func() string {
		for scan.Scan() {
			if data, ok := strings.CutPrefix(scan.Text(), "data: "); ok {
				var p backend.ModelProgress
				require.NoError(t, json.Unmarshal([]byte(data), &p))
				return string(p.Status)
			}
		}
		return "ended"
	}
	require.Equal(t, "idle", next())
	comment()
	set(backend.ModelProgress{Status: backend.DownloadPaused, Current: 40})
	require.Equal(t, "paused", next())
	comment()
	set(backend.ModelProgress{Status: backend.DownloadRunning, Current: 50})
	require.Equal(t, "downloading", next())
	comment()
	set(backend.ModelProgress{Status: backend.DownloadComplete, Current: 100})
	require.Equal(t, "complete", next())
	require.Equal(t, "ended", next())
}

// TestModelStreamsAgain downloads, deletes and downloads one model many times while readers come at any moment: each
// stream ends once, with the end of a download that it saw or with the state that it found.
func TestModelStreamsAgain(t *testing.T) {
	t.Parallel()
	_, set, url := modelStreams(t, time.Hour)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: testTimeout}
	var readers sync.WaitGroup
	for round := range 10 {
		for i := range 8 {
			readers.Go(func() {
				time.Sleep(time.Duration(i) * 3 * time.Millisecond)
				resp, err := client.Get(url)
				if err != nil {
					t.Error(err)
					return
				}
				defer func() { _ = resp.Body.Close() }()
				var last backend.ModelProgress
				ends := 0
				for scan := bufio.NewScanner(resp.Body); scan.Scan(); {
					if data, ok := strings.CutPrefix(scan.Text(), "data: "); ok {
						var p backend.ModelProgress
						if err := json.Unmarshal([]byte(data), &p); err != nil {
							t.Error(err)
						}
						if p.Status == backend.DownloadRunning && last.Status == backend.DownloadRunning && p.Current < last.Current {
							t.Errorf("%d after %d", p.Current, last.Current)
						}
						if last = p; p.Ended() {
							ends++
						}
					}
				}
				if ends != 1 || !last.Ended() {
					t.Errorf("%d ends, the last is %s", ends, last.Status)
				}
			})
		}
		set(backend.ModelProgress{Status: backend.DownloadQueued})
		for i := range 20 {
			set(backend.ModelProgress{Status: backend.DownloadRunning, Current: int64(5 * i)})
			time.Sleep(time.Millisecond)
		}
		end := backend.ModelProgress{Status: backend.DownloadComplete, Current: 100}
		if round%2 == 1 {
			end = backend.ModelProgress{Status: backend.DownloadError, Code: backend.CodeCancelled}
		}
		set(end)
	}
	readers.Wait()
}
