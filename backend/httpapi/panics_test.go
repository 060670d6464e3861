package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// panickyVoice is the fixture with a place at which a test may want a panic.
type panickyVoice struct {
	*enginetest.Fixture
	at func(place string)
}

func (p panickyVoice) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	p.at("speak")
	return p.Fixture.Speak(ctx, u, emit)
}

// TestPanicsAreContained panics in each kind of work that a request starts: what failed says so with its code, the server
// answers, the next generation completes and no goroutine is left over.
func TestPanicsAreContained(t *testing.T) {
	server := hubtest.Start(hubtest.Repo{ID: tonesRepo, Files: map[string]hubtest.Content{"voice.tone": hubtest.Bytes([]byte("tone"))}})
	t.Cleanup(server.Close)
	var place atomic.Value
	place.Store("")
	at := func(where string) {
		if place.CompareAndSwap(where, "") {
			panic("on demand in " + where)
		}
	}
	s := newStudio(t, studioOptions{
		at: at, hub: server, known: []registry.Entry{tonesEntry(server, "tones", "voice.tone", 4)},
		voice: panickyVoice{enginetest.NewFixture(enginetest.FixtureOptions{SampleRate: 8000}), at},
	})
	s.importTones()
	generate := func(voice string) answer {
		return s.do("POST", "/generate", fmt.Sprintf(`{"profile_id":%q,"text":"One. Two.","voice":%q}`, s.profile, voice))
	}
	failed := func(voice string, code backend.Code) {
		a := generate(voice)
		require.Equal(t, 500, a.StatusCode, a.body)
		problem := a.object(t)
		require.Equal(t, string(code), problem["code"])
		require.NotContains(t, a.body, "on demand")
		require.NotEmpty(t, problem["params"].(map[string]any)["request_id"])
		row := s.do("GET", "/generate/"+problem["generation_id"].(string), "").object(t)
		require.Equal(t, "failed", row["status"])
		require.Equal(t, string(code), row["error"].(map[string]any)["code"])
	}
	require.Equal(t, 200, generate("").StatusCode)
	for _, c := range []struct {
		place string
		work  func()
	}{
		{"speak", func() { failed("", backend.CodeEngineFailed) }},
		{"text", func() { failed("", backend.CodeInternal) }},
		{"open", func() { failed("two-tones:low", backend.CodeEngineFailed) }},
		{"hub", func() {
			a := s.do("POST", "/models/download", `{"model_name":"tones"}`)
			require.Contains(t, []int{200, 202}, a.StatusCode, a.body)
			require.Eventually(t, func() bool { return s.state(t, "tones")["state"] == "not_downloaded" }, testTimeout, time.Millisecond)
			require.Equal(t, "internal", s.state(t, "tones")["error"].(map[string]any)["code"])
			s.do("POST", "/models/download", `{"model_name":"tones"}`)
			require.Eventually(t, func() bool { return s.state(t, "tones")["state"] == "downloaded" }, testTimeout, time.Millisecond)
		}},
		{"view", func() {
			g := generate("").object(t)
			s.do("GET", "/generate/"+g["id"].(string)+"/events", "") // ends without a message
			again := s.do("GET", "/generate/"+g["id"].(string)+"/events", "")
			require.Contains(t, again.body, `"status":"complete"`)
		}},
	} {
		t.Run(c.place, func(t *testing.T) {
			s.client.CloseIdleConnections()
			goroutines := runtime.NumGoroutine()
			place.Store(c.place)
			c.work()
			require.Equal(t, "", place.Load(), "it went off")
			require.Equal(t, 200, s.do("GET", "/health", "").StatusCode)
			a := generate("")
			require.Equal(t, 200, a.StatusCode, a.body)
			require.True(t, json.Valid([]byte(a.body)))
			s.client.CloseIdleConnections()
			s.hub.CloseIdleConnections()
			for late := time.Now().Add(testTimeout); runtime.NumGoroutine() > goroutines; time.Sleep(time.Millisecond) {
				require.True(t, time.Now().Before(late), "goroutines are left over")
			}
		})
	}
}
