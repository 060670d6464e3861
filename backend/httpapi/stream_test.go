package httpapi_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// follow reads the events of a generation to the end of the stream and returns the last state.
func (s *studio) follow(id string) object {
	s.t.Helper()
	states := s.states(id)
	return states[len(states)-1]
}

// states reads the events of a generation to their end.
func (s *studio) states(id string) []object {
	s.t.Helper()
	a := s.do("GET", "/generate/"+id+"/events", "")
	require.Equal(s.t, 200, a.StatusCode, a.body)
	require.Equal(s.t, "text/event-stream", a.Header.Get("Content-Type"))
	var states []object
	for line := range strings.Lines(a.body) {
		require.False(s.t, strings.HasPrefix(line, "event:"), "messages are unnamed")
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			var g object
			decode(s.t, data, &g)
			states = append(states, g)
		}
	}
	for i, g := range states {
		ended := backend.Status(g["status"].(string)).Ended()
		require.Equal(s.t, i == len(states)-1, ended, "the last state, and only it, is an end")
		require.Contains(s.t, g, "audio_url")
	}
	return states
}

func TestGenerationEvents(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{voice: enginetest.NewFixture(enginetest.FixtureOptions{SampleRate: 8000, Delay: 20 * time.Millisecond})})
	a := s.do("POST", "/generate", s.fill(`{"profile_id":"{profile}","text":"One. Two. Three. Four. Five."}`), "Prefer: respond-async")
	g := s.follow(a.object(t)["id"].(string))
	require.Equal(t, "complete", g["status"])
	requireShape(t, generationShape, g)
	require.Equal(t, g["audio_path"], s.follow(g["id"].(string))["audio_path"], "a late reader gets the end at once")
}

func TestStream(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	request := s.fill(`{"profile_id":"{profile}","text":"One two three. Four five.","seed":3,"normalize":false}`)
	wav := s.do("POST", "/generate/stream", request)
	require.Equal(t, 200, wav.StatusCode, wav.body)
	require.Equal(t, "audio/wav", wav.Header.Get("Content-Type"))
	require.Equal(t, "RIFF", wav.body[:4])
	require.Equal(t, "WAVE", wav.body[8:12])
	require.EqualValues(t, 8000, binary.LittleEndian.Uint32([]byte(wav.body[24:28])))
	pcm := s.do("POST", "/generate/stream", request, "Accept: audio/pcm")
	require.Equal(t, "audio/pcm", pcm.Header.Get("Content-Type"))
	require.Equal(t, wav.body[44:], pcm.body, "the same samples without a header")
	require.Equal(t, "8000", pcm.Header.Get("X-Sample-Rate"))
	require.Equal(t, "1", pcm.Header.Get("X-Channels"))

	id := pcm.Header.Get("X-Generation-Id")
	g := s.follow(id)
	require.Equal(t, "complete", g["status"])
	file, err := os.ReadFile(g["audio_path"].(string))
	require.NoError(t, err)
	require.Equal(t, pcm.body, string(file[44:]), "the stored file has the samples that were heard")
}

// TestStreamBreaks ends a stream that fails after its first sound so that the client can tell.
func TestStreamBreaks(t *testing.T) {
	t.Parallel()
	cause := backend.E(backend.CodeEngineFailed, "The graph gave NaN.", "Try another seed.")
	s := newStudio(t, studioOptions{voice: newScripted(func(_ context.Context, n int) error {
		if n == 0 {
			return nil
		}
		return cause
	})})
	body := strings.NewReader(s.fill(`{"profile_id":"{profile}","text":"One. Two."}`))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.srv.URL+"/generate/stream", body)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := s.client.Do(req)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, resp.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "failed", s.follow(resp.Header.Get("X-Generation-Id"))["status"])
}

func TestQueueFull(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{voice: blocked(), limit: 1})
	submit := func() answer {
		return s.do("POST", "/generate", s.fill(`{"profile_id":"{profile}","text":"One. Two."}`), "Prefer: respond-async")
	}
	require.Equal(t, 202, submit().StatusCode)
	require.Eventually(t, func() bool {
		return len(s.do("GET", "/history?status=generating", "").items(t)) == 1
	}, testTimeout, 5*time.Millisecond)
	require.Equal(t, 202, submit().StatusCode)
	full := submit()
	require.Equal(t, 503, full.StatusCode, full.body)
	require.Equal(t, "queue_full", full.object(t)["code"])
	require.Regexp(t, `^[1-9][0-9]*$`, full.Header.Get("Retry-After"))
	require.Len(t, s.do("GET", "/history", "").items(t), 2, "a refused request leaves no row")
}

func TestFiftyAtOnce(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	var all sync.WaitGroup
	answers := make([]answer, 50)
	for i := range answers {
		all.Go(func() {
			answers[i] = s.do("POST", "/generate", s.fill(fmt.Sprintf(`{"profile_id":"{profile}","text":"Number %d."}`, i)))
		})
	}
	all.Wait()
	for i, a := range answers {
		require.Equal(t, 200, a.StatusCode, a.body)
		require.Equal(t, fmt.Sprintf("Number %d.", i), a.object(t)["text"])
		require.Equal(t, "complete", a.object(t)["status"])
	}
	require.Equal(t, "50", fmt.Sprint(s.do("GET", "/history?status=complete", "").object(t)["total"]))
}
