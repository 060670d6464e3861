package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// record is a message of a progress stream.
type record struct {
	ModelName      string   `json:"model_name"`
	Current        *int64   `json:"current"`
	Total          *int64   `json:"total"`
	Filename       *string  `json:"filename"`
	Status         string   `json:"status"`
	BytesPerSecond *int64   `json:"bytes_per_second"`
	ETASeconds     *float64 `json:"eta_seconds"`
	Code           string   `json:"code"`
	Detail         string   `json:"detail"`
	Remedy         string   `json:"remedy"`
}

// watching is an open progress stream.
type watching struct {
	t    *testing.T
	resp *http.Response
	scan *bufio.Scanner
	stop context.CancelFunc
}

func (s *studio) watch(t *testing.T, name string) *watching {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), testTimeout)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.srv.URL+"/models/progress/"+name, nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := s.client.Do(req) //nolint:bodyclose // leave closes it
	require.NoError(t, err)
	require.Equal(t, 200, resp.StatusCode)
	require.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	w := &watching{t, resp, bufio.NewScanner(resp.Body), stop}
	t.Cleanup(w.leave)
	return w
}

func (w *watching) leave() {
	w.stop()
	_ = w.resp.Body.Close()
}

// next returns the next message; ok is false when the server has ended the stream.
func (w *watching) next() (record, bool) {
	for w.scan.Scan() {
		if strings.HasPrefix(w.scan.Text(), "event:") {
			w.t.Errorf("a named message: %s", w.scan.Text())
		}
		data, ok := strings.CutPrefix(w.scan.Text(), "data: ")
		if !ok {
			continue
		}
		var r record
		if err := json.Unmarshal([]byte(data), &r); err != nil {
			w.t.Errorf("%s: %v", data, err)
		}
		return r, true
	}
	if err := w.scan.Err(); err != nil {
		w.t.Errorf("the stream broke: %v", err)
	}
	return record{}, false
}

// readAll reads to the end.
func (w *watching) readAll() []record {
	var all []record
	for {
		r, ok := w.next()
		if !ok {
			return all
		}
		all = append(all, r)
	}
}

// requireProgress checks what each reader of one download must have seen.
func requireProgress(t *testing.T, all []record, end string) record {
	t.Helper()
	require.NotEmpty(t, all)
	for i, r := range all {
		require.NotNil(t, r.Current)
		require.NotNil(t, r.Total)
		require.NotNil(t, r.Filename)
		require.NotNil(t, r.BytesPerSecond)
		require.Equal(t, i == len(all)-1, r.Status == "complete" || r.Status == "error", "%d of %d is %s", i, len(all), r.Status)
		if i > 0 && *all[i-1].Total > 0 {
			require.GreaterOrEqual(t, *r.Current, *all[i-1].Current, "current never goes down")
		}
	}
	last := all[len(all)-1]
	require.Equal(t, end, last.Status, last.Detail)
	return last
}

// TestFirstUseDownloads generates with a model that is not downloaded: one download serves both requests, and the states report it.
func TestFirstUseDownloads(t *testing.T) {
	t.Parallel()
	s, server := hubStudio(t)
	server.Storage("voice.tone", hubtest.Always, hubtest.Slow(1<<20, 20*time.Millisecond))
	answers := make(chan answer, 2)
	for range 2 {
		go func() {
			answers <- s.do("POST", "/generate", s.fill(`{"profile_id":"{profile}","text":"Hello.","voice":"tones:high"}`))
		}()
	}
	requireProgress(t, s.watch(t, "tones").readAll(), "complete")
	for range 2 {
		a := <-answers
		require.Equal(t, 200, a.StatusCode, a.body)
	}
	require.EqualValues(t, len(tonesFile), server.Bytes("voice.tone"))
	m := s.do("GET", "/models/tones", "").object(t)
	rtf, measured := m["rtf"].(json.Number)
	require.True(t, measured, "its speed on this machine is known now")
	require.NotEqual(t, "0", rtf.String())
	require.Equal(t, map[string]any{"workers": json.Number("8"), "threads": json.Number("1")}, m["shape"])
}

func TestManyProgressReaders(t *testing.T) {
	s, server := hubStudio(t)
	server.Storage("voice.tone", hubtest.Always, hubtest.Slow(200_000, 30*time.Millisecond))
	results := make(chan []record, 12)
	began := time.Now()
	for i := range cap(results) {
		w := s.watch(t, "tones")
		go func() { results <- w.readAll() }() // the last ones may come when all is done
		if i == 3 {
			require.Equal(t, 202, s.do("POST", "/models/download", `{"model_name":"tones"}`).StatusCode)
			require.Equal(t, 202, s.do("POST", "/models/download", `{"model_name":"tones"}`).StatusCode, "it joins the running download")
		}
	}
	for range cap(results) {
		all := <-results
		requireProgress(t, all, "complete")
		require.LessOrEqual(t, len(all), 3+int(10*time.Since(began).Seconds()), "at most 10 messages a second")
	}
	require.EqualValues(t, len(tonesFile), server.Bytes("voice.tone"))
}

// stalls returns half of the file, slowly enough for some records, and then nothing: no download can end by itself.
func stalls(server *hubtest.Server) {
	server.Storage("voice.tone", hubtest.Always, hubtest.Slow(100_000, 20*time.Millisecond))
	server.Storage("voice.tone", hubtest.Always, hubtest.Stall(int64(len(tonesFile)/2)))
}

// TestPauseResumeCancel stops a download in both ways; what was fetched before a pause is not fetched again.
func TestPauseResumeCancel(t *testing.T) {
	t.Parallel()
	s, server := hubStudio(t)
	stalls(server)
	w := s.watch(t, "tones")
	require.Equal(t, 202, s.do("POST", "/models/download", `{"model_name":"tones"}`).StatusCode)
	downloading := func() {
		for {
			r, ok := w.next()
			require.True(t, ok)
			if r.Status == "downloading" && *r.Current > 0 {
				return
			}
		}
	}
	downloading()
	a := s.do("DELETE", "/models/tones", "")
	require.Equal(t, 409, a.StatusCode)
	require.Contains(t, a.body, `"code":"download_in_progress"`)
	a = s.do("POST", "/models/tones/pause", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, "paused", a.object(t)["status"])
	for {
		r, ok := w.next()
		require.True(t, ok, "a pause keeps the stream open")
		if r.Status == "paused" {
			break
		}
	}
	require.NotNil(t, s.state(t, "tones")["downloading"])
	server.Heal()
	require.Equal(t, 200, s.do("POST", "/models/tones/resume", "").StatusCode)
	requireProgress(t, w.readAll(), "complete")
	require.Less(t, server.Bytes("voice.tone"), int64(len(tonesFile))*3/2)

	s, server = hubStudio(t)
	stalls(server)
	w = s.watch(t, "tones")
	require.Equal(t, 202, s.do("POST", "/models/download", `{"model_name":"tones"}`).StatusCode)
	downloading()
	a = s.do("POST", "/models/tones/cancel", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	last := requireProgress(t, w.readAll(), "error")
	require.Equal(t, "cancelled", last.Code)
	require.NotEmpty(t, last.Detail)
	require.NotEmpty(t, last.Remedy)
	require.Equal(t, "cancelled", requireProgress(t, s.watch(t, "tones").readAll(), "error").Code, "until the next one starts")
	require.Equal(t, "0", fmt.Sprint(s.state(t, "tones")["partial_mb"]))
	server.Heal()
	s.downloadAgain(t, "tones")
}

// downloadAgain downloads a model whose last download failed.
func (s *studio) downloadAgain(t *testing.T, name string) {
	t.Helper()
	require.Equal(t, 202, s.do("POST", "/models/download", fmt.Sprintf(`{"model_name":%q}`, name)).StatusCode)
	requireProgress(t, s.watch(t, name).readAll(), "complete")
}

func TestFailedDownload(t *testing.T) {
	t.Parallel()
	s, _ := hubStudio(t)
	w := s.watch(t, "gone")
	require.Equal(t, 202, s.do("POST", "/models/download", `{"model_name":"gone"}`).StatusCode)
	last := requireProgress(t, w.readAll(), "error")
	require.NotEmpty(t, last.Code)
	require.NotEmpty(t, last.Detail)
	require.NotEmpty(t, last.Remedy)
	require.Equal(t, last.Code, s.state(t, "gone")["error"].(map[string]any)["code"])
	a := s.do("POST", "/generate", s.fill(`{"profile_id":"{profile}","text":"Hello.","voice":"gone:low"}`))
	require.Contains(t, a.body, `"code":"`+last.Code+`"`)
	require.GreaterOrEqual(t, a.StatusCode, 400)
}

func TestOfflineDownload(t *testing.T) {
	t.Parallel()
	server := hubtest.Start()
	t.Cleanup(server.Close)
	s := newStudio(t, studioOptions{known: []registry.Entry{tonesEntry(server, "tones", "voice.tone", 5)}})
	for _, a := range []answer{
		s.do("POST", "/models/download", `{"model_name":"tones"}`), s.do("GET", "/models/catalogue?engine=piper", ""),
	} {
		require.Equal(t, 503, a.StatusCode, a.body)
		require.Contains(t, a.body, `"code":"offline"`)
	}
	require.Equal(t, false, s.state(t, "tones")["downloaded"])
	require.Empty(t, server.Requests(""))
}

// TestModelEvents reads what the stream of the UI says about a download.
func TestModelEvents(t *testing.T) {
	t.Parallel()
	s, _ := hubStudio(t)
	next := s.listen()
	require.Equal(t, 202, s.do("POST", "/models/download", `{"model_name":"tones"}`).StatusCode)
	name, data := next()
	for name != "model" || !strings.Contains(data, `"status":"complete"`) {
		name, data = next()
	}
	require.Contains(t, data, `"model_name":"tones"`)
}
