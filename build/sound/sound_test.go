//go:build sound

package sound_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/build/sound"
)

const (
	testTimeout = 2 * time.Minute
	rate        = 48_000
)

// program is the built program on its own data directory.
type program struct {
	t    *testing.T
	url  string
	data string
}

// serve starts the program that PROGRAM names, with a minimal environment and what env adds.
func serve(t *testing.T, env ...string) *program {
	t.Helper()
	p := &program{t: t, data: t.TempDir()}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), os.Getenv("PROGRAM"), "--data", p.data, "serve", "--addr", "127.0.0.1:0", "--no-token")
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=" + t.TempDir()}, env...)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start(), "PROGRAM is the built program; run: make sound-test")
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, &messages)
	p.url = strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		require.NoError(t, cmd.Wait(), &messages)
		require.NotContains(t, messages.String(), "panic")
	})
	return p
}

// recording is what the API answers.
type recording struct {
	ID      string
	Status  string
	Seconds float64
	LevelDB float64 `json:"level_db"`
	PeakDB  float64 `json:"peak_db"`
	Clipped bool
	Dropped float64
	Code    string
	Remedy  string
	Error   *struct{ Code, Remedy string }
	Items   []struct {
		ID, Name string
		Default  bool
	}
}

// send makes a request and decodes its answer.
func (p *program) send(method, path, body string) (int, recording) {
	p.t.Helper()
	status, raw := p.raw(method, path, body)
	var r recording
	if len(raw) > 0 {
		require.NoError(p.t, json.Unmarshal(raw, &r), string(raw))
	}
	return status, r
}

func (p *program) raw(method, path, body string) (int, []byte) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, strings.NewReader(body))
	require.NoError(p.t, err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(p.t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(p.t, err)
	return resp.StatusCode, raw
}

// start starts a recording and waits until the microphone delivers.
func (p *program) start(device string) (path string) {
	p.t.Helper()
	status, r := p.send("POST", "/recordings", fmt.Sprintf(`{"device":%q}`, device))
	require.Equal(p.t, 201, status, r)
	path = "/recordings/" + r.ID
	p.until(path, func(r recording) bool { return r.Seconds > 0.1 })
	return path
}

func (p *program) until(path string, reached func(recording) bool) (r recording) {
	p.t.Helper()
	require.Eventually(p.t, func() bool {
		_, r = p.send("GET", path, "")
		return reached(r)
	}, testTimeout, 20*time.Millisecond)
	return r
}

// audio returns the samples of a recording.
func (p *program) audio(path string) []float32 {
	p.t.Helper()
	status, raw := p.raw("GET", path+"/audio", "")
	require.Equal(p.t, 200, status)
	b, err := audio.ReadWAV(bytes.NewReader(raw))
	require.NoError(p.t, err)
	require.Equal(p.t, rate, b.Rate)
	require.Equal(p.t, 1, b.Channels)
	return b.Samples
}

// levels reads the event stream of a recording to its end.
func (p *program) levels(path string) <-chan []recording {
	read := make(chan []recording, 1)
	go func() {
		defer close(read)
		_, raw := p.raw("GET", path+"/events", "")
		var all []recording
		for line := range strings.Lines(string(raw)) {
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				var r recording
				if json.Unmarshal([]byte(data), &r) == nil {
					all = append(all, r)
				}
			}
		}
		read <- all
	}()
	return read
}

// clip writes two seconds of noise with a changing level, and a second of a tone at -12 dB, and returns their samples.
func clip(t *testing.T) (path string, samples []float32) {
	t.Helper()
	noise, smooth := rand.New(rand.NewPCG(1, 2)), 0.0
	for i := range 2 * rate {
		smooth += 0.2 * (noise.NormFloat64() - smooth)
		samples = append(samples, float32(0.3*smooth*(0.6+0.4*math.Sin(float64(i)/3000))))
	}
	for i := range rate {
		samples = append(samples, float32(audio.FromDB(-12)*math.Sin(2*math.Pi*440*float64(i)/rate)))
	}
	path = filepath.Join(t.TempDir(), "clip.wav")
	writeWAV(t, path, samples)
	return path, samples
}

// correlation returns how alike want and the part of got are that resembles it most.
func correlation(t *testing.T, want, got []float32) float64 {
	t.Helper()
	const probe = 4096 // the part of want by which it is found
	best, at := math.Inf(-1), -1
	for lag := 0; lag+len(want) <= len(got); lag++ {
		if c := dot(want[rate/2:rate/2+probe], got[lag+rate/2:]); c > best {
			best, at = c, lag
		}
	}
	require.GreaterOrEqual(t, at, 0, "the recording is shorter than the clip")
	part := got[at : at+len(want)]
	return dot(want, part) / math.Sqrt(dot(want, want)*dot(part, part))
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// server starts a sound server.
func server(t *testing.T) *sound.Server {
	t.Helper()
	s, err := sound.Start(context.WithoutCancel(t.Context()), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// TestRecord plays a clip into an output whose monitor is the microphone.
func TestRecord(t *testing.T) {
	s := server(t)
	path, want := clip(t)
	for name, c := range map[string]struct{ env, device, output string }{
		"default, by the session": {s.Env()[0], "", sound.Output},
		"chosen, by PULSE_SERVER": {"PULSE_SERVER=unix:" + s.Socket(), sound.OtherMicrophone, sound.OtherOutput},
		"chosen, the default":     {s.Env()[0], sound.Microphone, sound.Output},
	} {
		t.Run(name, func(t *testing.T) {
			p := serve(t, c.env)
			status, devices := p.send("GET", "/recordings/devices", "")
			require.Equal(t, 200, status)
			require.Len(t, devices.Items, 2)
			require.Equal(t, sound.Microphone, devices.Items[0].ID)
			require.True(t, devices.Items[0].Default)

			recorded := p.start(c.device)
			levels := p.levels(recorded)
			require.NoError(t, s.Play(t.Context(), c.output, path))
			_, r := p.send("POST", recorded+"/stop", "")
			require.Equal(t, "stopped", r.Status)
			require.Zero(t, r.Dropped)
			got := p.audio(recorded)
			require.InDelta(t, r.Seconds, float64(len(got))/rate, 0.001)
			alike := correlation(t, want, got)
			t.Logf("correlation %.4f", alike)
			require.GreaterOrEqual(t, alike, 0.95)
			checkLevels(t, <-levels)
		})
	}
}

// checkLevels finds the tone at the end of the clip in the level meter.
func checkLevels(t *testing.T, all []recording) {
	t.Helper()
	require.NotEmpty(t, all)
	last := all[len(all)-1]
	require.Equal(t, "stopped", last.Status)
	require.LessOrEqual(t, float64(len(all)), last.Seconds*10+3, "at most 10 a second")
	tone := slices.DeleteFunc(slices.Clone(all), func(r recording) bool { return math.Abs(r.LevelDB+15.05) > 0.5 })
	require.GreaterOrEqual(t, len(tone), 4, "a second of -15 dB: %v", all)
	require.InDelta(t, -12, tone[len(tone)/2].PeakDB, 0.5)
	require.False(t, last.Clipped)
}

// TestRecordWithPause plays the clip twice; the first time the recording is paused.
func TestRecordWithPause(t *testing.T) {
	s := server(t)
	path, want := clip(t)
	p := serve(t, s.Env()...)
	recorded := p.start("")
	_, paused := p.send("POST", recorded+"/pause", "")
	require.Equal(t, "paused", paused.Status)
	status, again := p.send("POST", "/recordings", `{}`)
	require.Equal(t, 409, status)
	require.Equal(t, "recording_busy", again.Code)
	require.NoError(t, s.Play(t.Context(), sound.Output, path))
	_, r := p.send("POST", recorded+"/resume", "")
	require.Equal(t, "recording", r.Status)
	require.InDelta(t, paused.Seconds, r.Seconds, 0.2, "nothing was recorded")
	p.until(recorded, func(r recording) bool { return r.Seconds > paused.Seconds+0.1 })
	require.NoError(t, s.Play(t.Context(), sound.Output, path))
	_, r = p.send("POST", recorded+"/stop", "")
	got := p.audio(recorded)
	require.GreaterOrEqual(t, correlation(t, want, got), 0.95)
	require.Less(t, energy(got), 1.5*energy(want), "the clip is there once")
}

func energy(samples []float32) float64 { return dot(samples, samples) }

// TestUnplug removes the microphone, or its server, while it records.
func TestUnplug(t *testing.T) {
	for name, unplug := range map[string]func(context.Context, *sound.Server) error{
		"microphone": func(ctx context.Context, s *sound.Server) error { return s.Unplug(ctx, sound.Output) },
		"server": func(ctx context.Context, s *sound.Server) error {
			_, err := s.Control(ctx, "exit")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := server(t)
			path, want := clip(t)
			p := serve(t, s.Env()...)
			recorded := p.start(sound.Microphone)
			require.NoError(t, s.Play(t.Context(), sound.Output, path))
			require.NoError(t, unplug(t.Context(), s))
			r := p.until(recorded, func(r recording) bool { return r.Status != "recording" })
			require.Equal(t, "failed", r.Status)
			require.Equal(t, "no_audio_device", r.Error.Code)
			require.NotEmpty(t, r.Error.Remedy)
			require.GreaterOrEqual(t, correlation(t, want, p.audio(recorded)), 0.95, "what was recorded is there")
			status, _ := p.send("POST", "/recordings", fmt.Sprintf(`{"device":%q}`, sound.Microphone))
			require.Equal(t, 503, status)
			status, _ = p.raw("DELETE", recorded, "")
			require.Equal(t, 204, status)
			files, err := os.ReadDir(filepath.Join(p.data, "recordings"))
			require.NoError(t, err)
			require.Empty(t, files)
		})
	}
}

// TestNoSoundSystem has no microphone, and the program is none the worse for it.
func TestNoSoundSystem(t *testing.T) {
	if sound.HasCard() {
		t.Skip("this machine has a sound card")
	}
	p := serve(t, "XDG_RUNTIME_DIR="+t.TempDir())
	status, devices := p.send("GET", "/recordings/devices", "")
	require.Equal(t, 200, status)
	require.Empty(t, devices.Items)
	status, r := p.send("POST", "/recordings", `{}`)
	require.Equal(t, 503, status)
	require.Equal(t, "no_audio_device", r.Code)
	require.Contains(t, r.Remedy, "PulseAudio")
	status, _ = p.send("GET", "/health", "")
	require.Equal(t, 200, status)
}
