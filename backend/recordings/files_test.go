package recordings

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// A file whose program was killed is complete up to that moment, while it grows and after the next start.
func TestCrash(t *testing.T) {
	dir, copied := t.TempDir(), t.TempDir()
	var r backend.Recording
	synctest.Test(t, func(t *testing.T) {
		s := newRig(t, dir, &fakes{})
		defer s.Close()
		var err error
		r, err = s.Start(t.Context(), "", backend.RecordSample)
		require.NoError(t, err)
		time.Sleep(time.Second)
		path, err := s.File(t.Context(), r.ID)
		require.NoError(t, err)
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(copied, filepath.Base(path)), raw[:len(raw)-1], 0o600))
	})
	path := filepath.Join(copied, "sample-"+r.ID+".wav")
	frames := readWAV(t, path).Frames()
	require.Greater(t, frames, SampleRate/2)

	s := newRig(t, copied, &fakes{})
	defer s.Close()
	again, err := s.Get(t.Context(), r.ID)
	require.NoError(t, err)
	require.Equal(t, backend.RecordingStopped, again.Status)
	require.Equal(t, backend.RecordSample, again.Purpose)
	require.InDelta(t, float64(frames)/SampleRate, again.Seconds, 1e-9)
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, audio.WAVHeader(SampleRate, 1, uint32(2*frames)), raw[:44], "players see the duration")
	require.NoError(t, s.DeleteRecording(t.Context(), r.ID))
}

func TestStartTidies(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	write := func(name string, age time.Duration) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, append(audio.WAVHeader(SampleRate, 1, 0xFFFFFFFF), 1, 2, 3, 4), 0o600))
		require.NoError(t, os.Chtimes(path, now.Add(-age), now.Add(-age)))
		return path
	}
	recent, old := write("transcript-a.wav", 23*time.Hour), write("transcript-b.wav", 25*time.Hour)
	dictated := write("dictation-c.wav", time.Minute)
	newRig(t, dir, &fakes{}).Close()
	require.FileExists(t, recent)
	require.NoFileExists(t, old)
	require.NoFileExists(t, dictated)
}

func TestCapture(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "recordings")
	synctest.Test(t, func(t *testing.T) {
		s := newRig(t, dir, &fakes{})
		defer s.Close()
		c, err := s.Capture(t.Context(), "")
		require.NoError(t, err)
		_, err = s.Start(t.Context(), "", backend.RecordTranscript)
		require.Equal(t, backend.CodeRecordingBusy, backend.CodeOf(err))
		time.Sleep(time.Second)
		level, peak := c.Level()
		require.InDelta(t, -9.0, level, 0.05)
		require.InDelta(t, -6.0, peak, 0.05)
		early := c.Samples()
		require.Greater(t, len(early), CaptureRate/2)
		time.Sleep(time.Second)
		require.NoError(t, c.Stop(t.Context()))
		require.NoError(t, c.Stop(t.Context()))
		<-c.Done()
		require.InDelta(t, 2*CaptureRate, len(c.Samples()), CaptureRate/50)
		require.Equal(t, early, c.Samples()[:len(early)])
		require.Zero(t, s.system.opened())
		require.NoDirExists(t, dir, "nothing is written")
		seen, _ := s.seen()
		require.Empty(t, seen, "a capture is no recording of the API")
	})
}

func TestCaptureLosesItsMicrophone(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := newRig(t, dir, &fakes{})
		defer s.Close()
		c, err := s.Capture(t.Context(), "")
		require.NoError(t, err)
		time.Sleep(time.Second)
		s.system.microphone().in.Lost()
		<-c.Done()
		require.Equal(t, backend.CodeNoAudioDevice, backend.CodeOf(c.Stop(t.Context())))
		require.NotEmpty(t, c.Samples())
	})
}

func TestRing(t *testing.T) {
	r := newRing(8)
	got := make([]float32, 5)
	next, want := float32(0), float32(0)
	for range 100 {
		r.put([]float32{next, next + 1, next + 2})
		next += 3
		for n := r.take(got); n > 0; n = r.take(got) {
			for _, x := range got[:n] {
				require.InDelta(t, want, x, 0)
				want++
			}
		}
	}
	require.Zero(t, r.dropped.Load())
	r.put(make([]float32, 11))
	require.EqualValues(t, 3, r.dropped.Load(), "what does not fit is counted")
	require.Equal(t, 5, r.take(got))
	require.Zero(t, testing.AllocsPerRun(100, func() {
		r.put(got)
		r.take(got)
	}), "the thread of the sound system never waits for memory")
}

func TestRemedies(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		require.Regexp(t, `^[A-Z].*\.$`, remedies[system], system)
	}
}
