//go:build sound && !nomicrophone

package microphone

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/recordings"
	"github.com/voicewright/voicewright/build/sound"
)

const testTimeout = 2 * time.Minute

// counter is an input that counts.
type counter struct {
	samples, lost atomic.Int64
	panicking     atomic.Bool
}

func (c *counter) Samples(samples []float32) {
	if c.panicking.Load() {
		panic("on purpose")
	}
	for _, x := range samples {
		if math.Abs(float64(x)) > 1 {
			panic("out of range")
		}
	}
	c.samples.Add(int64(len(samples)))
}

func (c *counter) Lost() { c.lost.Add(1) }

func (c *counter) waitFor(t *testing.T, n int64) {
	t.Helper()
	require.Eventually(t, func() bool { return c.samples.Load() >= n }, testTimeout, 5*time.Millisecond)
}

// serve starts a sound server that is found by the environment, as in a session.
func serve(t *testing.T) *sound.Server {
	t.Helper()
	dir := t.TempDir()
	s, err := sound.Start(t.Context(), dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	t.Setenv("PULSE_SERVER", "") // restores it
	require.NoError(t, os.Unsetenv("PULSE_SERVER"))
	t.Setenv("XDG_RUNTIME_DIR", dir)
	return s
}

func open(t *testing.T, id string, rate int) (recordings.Microphone, *counter) {
	t.Helper()
	in := &counter{}
	m, err := (&System{}).Open(id, rate, in)
	require.NoError(t, err)
	return m, in
}

// handles returns how many files and threads the process has.
func handles(t *testing.T) (files, threads int) {
	t.Helper()
	runtime.GC()
	f, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	th, err := os.ReadDir("/proc/self/task")
	require.NoError(t, err)
	return len(f), len(th)
}

func TestSoundList(t *testing.T) {
	serve(t)
	list, err := (&System{}).List()
	require.NoError(t, err)
	require.Equal(t, []backend.AudioDevice{
		{ID: sound.Microphone, Name: "Monitor of Test", Default: true},
		{ID: sound.OtherMicrophone, Name: "Monitor of Other"},
	}, list)
}

func TestSoundPause(t *testing.T) {
	serve(t)
	m, in := open(t, "", 16_000)
	require.NoError(t, m.Start())
	in.waitFor(t, 1)
	require.NoError(t, m.Pause())
	require.NoError(t, m.Pause())
	paused := in.samples.Load()
	require.Never(t, func() bool { return in.samples.Load() != paused }, 300*time.Millisecond, 10*time.Millisecond)
	require.NoError(t, m.Start())
	in.waitFor(t, paused+16_000)
	m.Close()
	require.Zero(t, in.lost.Load(), "a pause is no loss")
}

func TestSoundPanicOfInput(t *testing.T) {
	serve(t)
	m, in := open(t, "", 48_000)
	in.panicking.Store(true)
	require.NoError(t, m.Start())
	require.Eventually(t, func() bool { return in.lost.Load() > 0 }, testTimeout, 5*time.Millisecond)
	m.Close()
}

func TestSoundUnknownMicrophone(t *testing.T) {
	s := serve(t)
	_, err := (&System{}).Open("nowhere", 48_000, &counter{})
	require.Equal(t, backend.CodeNoAudioDevice, backend.CodeOf(err))
	require.Equal(t, "nowhere", backend.AsError(err).Params["device"])
	for _, output := range []string{sound.Output, sound.OtherOutput} {
		require.NoError(t, s.Unplug(t.Context(), output))
	}
	for _, id := range []string{"", sound.Microphone} {
		_, err = (&System{}).Open(id, 48_000, &counter{})
		require.Equal(t, backend.CodeNoAudioDevice, backend.CodeOf(err))
		require.NotEmpty(t, backend.AsError(err).Remedy)
	}
}

// A microphone that is gone can still be closed.
func TestSoundUnplug(t *testing.T) {
	for name, unplug := range map[string]func(*testing.T, *sound.Server){
		"microphone": func(t *testing.T, s *sound.Server) { require.NoError(t, s.Unplug(t.Context(), sound.Output)) },
		"server":     func(t *testing.T, s *sound.Server) { _, err := s.Control(t.Context(), "exit"); require.NoError(t, err) },
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			m, in := open(t, sound.Microphone, 48_000)
			require.NoError(t, m.Start())
			in.waitFor(t, 1)
			unplug(t, s)
			closed := make(chan struct{})
			go func() { m.Close(); close(closed) }()
			select {
			case <-closed:
			case <-time.After(testTimeout):
				t.Fatal("Close hangs")
			}
		})
	}
}

// Nothing is left of microphones that were used, nor of those that could not be opened.
func TestSoundLeaks(t *testing.T) {
	serve(t)
	use := func(rounds int) {
		for range rounds {
			m, in := open(t, sound.Microphone, 48_000)
			require.NoError(t, m.Start())
			in.waitFor(t, 1)
			m.Close()
			_, err := (&System{}).Open("nowhere", 48_000, &counter{})
			require.Error(t, err)
			_, err = (&System{}).List()
			require.NoError(t, err)
		}
	}
	use(5)
	files, threads := handles(t)
	use(30)
	filesAfter, threadsAfter := handles(t)
	require.LessOrEqual(t, filesAfter, files+1)
	require.LessOrEqual(t, threadsAfter, threads+3, "Go keeps a few threads of its own")
	t.Logf("files %d, then %d; threads %d, then %d", files, filesAfter, threads, threadsAfter)
}

// Without a sound system nothing is opened, created or leaked.
func TestSoundNothing(t *testing.T) {
	if sound.HasCard() {
		t.Skip("this machine has a sound card")
	}
	empty := t.TempDir()
	stale := filepath.Join(empty, "pulse", "native")
	require.NoError(t, os.Mkdir(filepath.Dir(stale), 0o700))
	require.NoError(t, os.WriteFile(stale, nil, 0o600))
	t.Setenv("HOME", filepath.Join(empty, "home"))
	t.Setenv("XDG_RUNTIME_DIR", empty)
	for _, server := range []string{"", "unix:" + stale, "{machine}unix:" + stale, "/nowhere"} {
		t.Setenv("PULSE_SERVER", server)
		files, _ := handles(t)
		for range 20 {
			list, err := (&System{}).List()
			require.NoError(t, err)
			require.Empty(t, list)
			_, err = (&System{}).Open("", 48_000, &counter{})
			require.Equal(t, backend.CodeNoAudioDevice, backend.CodeOf(err))
		}
		after, _ := handles(t)
		require.LessOrEqual(t, after, files+1)
		require.NoDirExists(t, filepath.Join(empty, "home"))
	}
}
