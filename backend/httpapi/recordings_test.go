package httpapi_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/recordings"
)

// desk is a sound system with one microphone, which records a constant level of -12 dB.
type desk struct{}

const deskID = "usb-desk"

// List implements recordings.Microphones.
func (desk) List() ([]backend.AudioDevice, error) {
	return []backend.AudioDevice{{ID: deskID, Name: "Desk", Default: true}}, nil
}

// Open implements recordings.Microphones.
func (desk) Open(id string, rate int, in recordings.Input) (recordings.Microphone, error) {
	if id != "" && id != deskID {
		return nil, recordings.NotConnected(id)
	}
	return &deskMic{in: in, rate: rate}, nil
}

type deskMic struct {
	in   recordings.Input
	rate int
	stop chan struct{}
	done sync.WaitGroup
}

// Start implements recordings.Microphone.
func (m *deskMic) Start() error {
	block := make([]float32, m.rate/100)
	for i := range block {
		block[i] = 0.25
	}
	stop := make(chan struct{})
	m.stop = stop
	m.done.Go(func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				m.in.Samples(block)
			}
		}
	})
	return nil
}

// Pause implements recordings.Microphone.
func (m *deskMic) Pause() error {
	if m.stop != nil {
		close(m.stop)
		m.stop = nil
	}
	m.done.Wait()
	return nil
}

// Close implements recordings.Microphone.
func (m *deskMic) Close() { _ = m.Pause() }

func openDesk(t testing.TB, dir string, events *events.Streams) *recordings.Service {
	t.Helper()
	s, err := recordings.New(recordings.Options{
		Dir: filepath.Join(dir, "recordings"), Microphones: desk{}, Notify: events.Recording, Now: time.Now,
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// messages returns the messages of an event stream that was read to its end.
func messages(t *testing.T, body string) []object {
	t.Helper()
	var all []object
	for line := range strings.Lines(body) {
		require.False(t, strings.HasPrefix(line, "event:"), "messages are unnamed")
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			var o object
			decode(t, data, &o)
			all = append(all, o)
		}
	}
	return all
}

func TestRecordings(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	a := s.do("GET", "/recordings/devices", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	require.JSONEq(t, `{"items":[{"id":"usb-desk","name":"Desk","default":true}],"total":1,"next_cursor":null}`, a.body)

	next := s.listen()
	a = s.do("POST", "/recordings", `{"device":"usb-desk","purpose":"sample"}`)
	require.Equal(t, 201, a.StatusCode, a.body)
	r := a.object(t)
	requireShape(t, map[string]string{
		"id": "string", "status": "string", "purpose": "string", "device": "string", "seconds": "number",
		"level_db": "number", "peak_db": "number", "clipped": "boolean", "dropped": "number", "error": "null",
	}, r)
	require.Equal(t, "recording", r["status"])
	path := "/recordings/" + r["id"].(string)
	name, data := next()
	require.Equal(t, "recording", name)
	require.JSONEq(t, fmt.Sprintf(`{"id":%q,"status":"recording"}`, r["id"]), data)

	busy := s.do("POST", "/recordings", `{}`)
	require.Equal(t, 409, busy.StatusCode)
	require.Equal(t, "recording_busy", busy.object(t)["code"])
	require.Equal(t, r["id"], busy.object(t)["params"].(map[string]any)["id"])

	ended := make(chan answer, 1)
	go func() { ended <- s.do("GET", path+"/events", "") }()
	for _, step := range [][2]string{{"pause", "paused"}, {"pause", "paused"}, {"resume", "recording"}} {
		a = s.do("POST", path+"/"+step[0], "")
		require.Equal(t, 200, a.StatusCode, a.body)
		require.Equal(t, step[1], a.object(t)["status"])
	}
	require.Eventually(t, func() bool {
		return fmt.Sprint(s.do("GET", path, "").object(t)["level_db"]) == "-12"
	}, testTimeout, 5*time.Millisecond)
	a = s.do("POST", path+"/stop", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, "stopped", a.object(t)["status"])

	stream := <-ended
	require.Equal(t, 200, stream.StatusCode, stream.body)
	all := messages(t, stream.body)
	require.Equal(t, a.object(t), all[len(all)-1], "the last message is the final state")
	late := messages(t, s.do("GET", path+"/events", "").body)
	require.Equal(t, all[len(all)-1:], late, "a late reader gets the end at once")

	file := s.do("GET", path+"/audio", "")
	require.Equal(t, 200, file.StatusCode)
	require.Equal(t, "audio/wav", file.Header.Get("Content-Type"))
	wav, err := audio.ReadWAV(bytes.NewReader([]byte(file.body)))
	require.NoError(t, err)
	require.InDelta(t, 0.25, wav.Samples[0], 1e-6)
	require.Equal(t, 206, s.do("GET", path+"/audio", "", "Range: bytes=0-3").StatusCode)

	require.Equal(t, 204, s.do("DELETE", path, "").StatusCode)
	for _, request := range [][2]string{
		{"GET", ""}, {"DELETE", ""}, {"GET", "/audio"}, {"GET", "/events"}, {"POST", "/pause"}, {"POST", "/resume"}, {"POST", "/stop"},
	} {
		a = s.do(request[0], path+request[1], "")
		require.Equal(t, 404, a.StatusCode, request)
		require.Equal(t, "not_found", a.object(t)["code"])
	}
}

func TestRecordingErrors(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	a := s.do("POST", "/recordings", `{"device":"gone"}`)
	require.Equal(t, 503, a.StatusCode, a.body)
	require.Equal(t, "no_audio_device", a.object(t)["code"])
	require.NotEmpty(t, a.object(t)["remedy"])
	require.Equal(t, 422, s.do("POST", "/recordings", `{"purpose":"song"}`).StatusCode)
	require.Equal(t, 422, s.do("GET", "/recordings/x/audio", "").StatusCode)
	require.Equal(t, 422, s.do("POST", "/recordings/x/stop", "").StatusCode)

	a = s.do("POST", "/recordings", "")
	require.Equal(t, 201, a.StatusCode, a.body)
	require.Equal(t, 204, s.do("DELETE", "/recordings/"+a.object(t)["id"].(string), "").StatusCode)
	a = s.do("POST", "/recordings", `{"device":null,"purpose":null}`)
	require.Equal(t, "transcript", a.object(t)["purpose"])
	path := "/recordings/" + a.object(t)["id"].(string)
	s.do("POST", path+"/stop", "")
	a = s.do("POST", path+"/resume", "")
	require.Equal(t, 409, a.StatusCode, a.body)
	require.Equal(t, "not_in_progress", a.object(t)["code"])
	require.Equal(t, 200, s.do("POST", path+"/stop", "").StatusCode)
}
