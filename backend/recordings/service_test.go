package recordings

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

func readWAV(t *testing.T, path string) audio.Buffer {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	b, err := audio.ReadWAV(f)
	require.NoError(t, err)
	return b
}

func TestRecord(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "recordings")
	synctest.Test(t, func(t *testing.T) {
		s := newRig(t, dir, &fakes{})
		defer s.Close()
		require.NoDirExists(t, dir, "nothing is created before the first recording")
		r, err := s.Start(t.Context(), "desk", backend.RecordTranscript)
		require.NoError(t, err)
		require.Equal(t, backend.RecordingRunning, r.Status)
		_, err = s.Start(t.Context(), "", backend.RecordSample)
		require.Equal(t, backend.CodeRecordingBusy, backend.CodeOf(err))
		require.Equal(t, r.ID, backend.AsError(err).Params["id"])
		_, err = s.RecordingFile(t.Context(), r.ID)
		require.Equal(t, backend.CodeRecordingBusy, backend.CodeOf(err))

		time.Sleep(2 * time.Second)
		paused, err := s.Pause(t.Context(), r.ID)
		require.NoError(t, err)
		require.Equal(t, backend.RecordingPaused, paused.Status)
		time.Sleep(time.Minute)
		again, err := s.Pause(t.Context(), r.ID)
		require.NoError(t, err)
		require.InDelta(t, paused.Seconds, again.Seconds, 0, "nothing is recorded in a pause")
		_, err = s.Resume(t.Context(), r.ID)
		require.NoError(t, err)
		time.Sleep(time.Second)
		ended, err := s.Stop(t.Context(), r.ID)
		require.NoError(t, err)
		require.Equal(t, backend.RecordingStopped, ended.Status)
		require.InDelta(t, 3, ended.Seconds, 0.03)
		require.Nil(t, ended.Error)
		require.Zero(t, s.system.opened(), "the microphone is closed")

		path, err := s.RecordingFile(t.Context(), r.ID)
		require.NoError(t, err)
		b := readWAV(t, path)
		require.Equal(t, SampleRate, b.Rate)
		require.Equal(t, 1, b.Channels)
		require.InDelta(t, ended.Seconds, float64(b.Frames())/SampleRate, 0.001)
		_, statuses := s.seen()
		require.Equal(t, []backend.RecordingStatus{"recording", "paused", "recording", "stopped"}, statuses)

		for _, change := range []func(context.Context, string) (backend.Recording, error){s.Pause, s.Resume} {
			_, err = change(t.Context(), r.ID)
			require.Equal(t, backend.CodeNotInProgress, backend.CodeOf(err))
		}
		ended, err = s.Stop(t.Context(), r.ID)
		require.NoError(t, err, "it may have ended by itself before")
		require.Equal(t, backend.RecordingStopped, ended.Status)
		require.NoError(t, s.DeleteRecording(t.Context(), r.ID))
		require.NoFileExists(t, path)
		_, err = s.Get(t.Context(), r.ID)
		require.Equal(t, backend.CodeNotFound, backend.CodeOf(err))
	})
}

func TestLevels(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := newRig(t, dir, &fakes{})
		defer s.Close()
		_, err := s.Start(t.Context(), "", backend.RecordSample)
		require.NoError(t, err)
		time.Sleep(time.Second)
		mic := s.system.microphone()
		mic.set(func() { mic.level = 1 })
		time.Sleep(time.Second)
		mic.set(func() { mic.level = 1e-9 })
		time.Sleep(time.Second)
		seen, _ := s.seen()
		require.LessOrEqual(t, len(seen), 3*10, "at most 10 a second")
		require.Greater(t, len(seen), 3*6)
		require.InDelta(t, -9.0, seen[4].LevelDB, 0.05, "RMS of a sine is 3 dB below its peak")
		require.InDelta(t, -6.0, seen[4].PeakDB, 0.05)
		require.False(t, seen[4].Clipped)
		loud := seen[len(seen)/2]
		require.InDelta(t, 0, loud.PeakDB, 0.05)
		require.True(t, loud.Clipped)
		last := seen[len(seen)-1]
		require.Equal(t, silenceDB, last.LevelDB)
		require.True(t, last.Clipped, "it stays")
	})
}

func TestMicrophoneDisconnected(t *testing.T) {
	for name, disconnect := range map[string]func(*fakeMic){
		"reported": func(m *fakeMic) { m.in.Lost() },
		"silent":   func(m *fakeMic) { m.set(func() { m.mute = true }) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				s := newRig(t, dir, &fakes{})
				defer s.Close()
				r, err := s.Start(t.Context(), "", backend.RecordTranscript)
				require.NoError(t, err)
				time.Sleep(time.Second)
				disconnect(s.system.microphone())
				time.Sleep(lostAfter + time.Second)
				r, err = s.Get(t.Context(), r.ID)
				require.NoError(t, err)
				require.Equal(t, backend.RecordingFailed, r.Status)
				require.Equal(t, backend.CodeNoAudioDevice, r.Error.Code)
				require.NotEmpty(t, r.Error.Remedy)
				require.InDelta(t, 1, r.Seconds, 0.03)
				path, err := s.RecordingFile(t.Context(), r.ID)
				require.NoError(t, err)
				require.InDelta(t, 1, float64(readWAV(t, path).Frames())/SampleRate, 0.03, "the audio is stored")
				require.Zero(t, s.system.opened())
				_, err = s.Start(t.Context(), "", backend.RecordTranscript)
				require.NoError(t, err, "the next one can start")
			})
		})
	}
}

func TestResumeWithoutMicrophone(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := newRig(t, dir, &fakes{})
		defer s.Close()
		r, err := s.Start(t.Context(), "", backend.RecordTranscript)
		require.NoError(t, err)
		_, err = s.Pause(t.Context(), r.ID)
		require.NoError(t, err)
		mic := s.system.microphone()
		mic.set(func() { mic.failing = errBroken })
		_, err = s.Resume(t.Context(), r.ID)
		require.Equal(t, backend.CodeNoAudioDevice, backend.CodeOf(err))
		synctest.Wait()
		r, err = s.Get(t.Context(), r.ID)
		require.NoError(t, err)
		require.Equal(t, backend.RecordingFailed, r.Status)
	})
}

// fullDisk is a file on a disk that has space for limit bytes.
type fullDisk struct {
	*os.File
	limit int
}

// Write implements io.Writer.
func (d *fullDisk) Write(p []byte) (int, error) {
	if d.limit -= len(p); d.limit < 0 {
		return 0, &fs.PathError{Op: "write", Path: d.Name(), Err: syscall.ENOSPC}
	}
	return d.File.Write(p)
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := newRig(t, dir, &fakes{})
		defer s.Close()
		const id, second = "a", 2 * SampleRate
		started, err := s.start(t.Context(), plan{
			recording: backend.Recording{ID: id, Purpose: backend.RecordTranscript}, rate: SampleRate, limit: time.Hour, listed: true,
			create: func() (sink, error) {
				f, err := os.Create(filepath.Join(dir, "transcript-"+id+".wav"))
				require.NoError(t, err)
				w, err := audio.NewWAVWriter(&fullDisk{f, 3 * second}, SampleRate, 1)
				return &fileSink{f, w}, err
			},
		})
		require.NoError(t, err)
		<-started.done
		r, err := s.Get(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, backend.RecordingStopped, r.Status)
		require.Equal(t, backend.CodeInsufficientDisk, r.Error.Code)
		require.InDelta(t, 3, r.Seconds, 0.2)
		path, err := s.RecordingFile(t.Context(), id)
		require.NoError(t, err)
		require.InDelta(t, 3, float64(readWAV(t, path).Frames())/SampleRate, 0.2, "what was recorded is there")
		require.Zero(t, s.system.opened())
	})
}

func TestLongestDuration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newRig(t, t.TempDir(), &fakes{})
		defer s.Close()
		started, err := s.start(t.Context(), plan{
			recording: backend.Recording{ID: "a"}, rate: 1000, limit: 10 * time.Second, listed: true,
			create: func() (sink, error) { return &memorySink{}, nil },
		})
		require.NoError(t, err)
		<-started.done
		r, err := s.Stop(t.Context(), "a")
		require.NoError(t, err)
		require.Equal(t, backend.RecordingStopped, r.Status)
		require.InDelta(t, 10, r.Seconds, 0)
		require.Nil(t, r.Error)
	})
}

func TestNoMicrophone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		system := &fakes{failing: NoDevice()}
		dir := t.TempDir()
		s := newRig(t, dir, system)
		defer s.Close()
		for range 2 {
			_, err := s.Start(t.Context(), "", backend.RecordTranscript)
			require.Equal(t, backend.CodeNoAudioDevice, backend.CodeOf(err))
			require.NotEmpty(t, backend.AsError(err).Remedy)
		}
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, entries)
	})
}

// A sound system that does not respond blocks neither callers nor a later recording.
func TestSoundSystemHangs(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		system := &fakes{hang: make(chan struct{})}
		s := newRig(t, dir, system)
		defer s.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		_, err := s.Start(ctx, "", backend.RecordTranscript)
		require.Equal(t, backend.CodeCancelled, backend.CodeOf(err))
		require.Equal(t, time.Second, time.Since(began))
		_, err = s.Devices(t.Context())
		require.Equal(t, backend.CodeNoAudioDevice, backend.CodeOf(err))
		require.Equal(t, time.Second+openTimeout, time.Since(began))
		close(system.hang)
		synctest.Wait()
		require.Zero(t, system.opened(), "the microphone that nobody waits for is closed")
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, entries, "and its file is removed")
		_, err = s.Start(t.Context(), "", backend.RecordTranscript)
		require.NoError(t, err)
	})
}

func TestCloseStopsTheRecording(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := newRig(t, dir, &fakes{})
		r, err := s.Start(t.Context(), "", backend.RecordTranscript)
		require.NoError(t, err)
		time.Sleep(time.Second)
		s.Close()
		r, err = s.Get(t.Context(), r.ID)
		require.NoError(t, err)
		require.Equal(t, backend.RecordingStopped, r.Status)
		_, err = s.Start(t.Context(), "", backend.RecordTranscript)
		require.Equal(t, backend.CodeInterrupted, backend.CodeOf(err))
		s.Close()
	})
}

// A microphone that opens while the program stops is closed again.
func TestCloseWhileOpening(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		system := &fakes{hang: make(chan struct{})}
		s := newRig(t, dir, system)
		result := make(chan error, 1)
		go func() {
			_, err := s.Start(t.Context(), "", backend.RecordTranscript)
			result <- err
		}()
		synctest.Wait()
		began := time.Now()
		s.Close()
		require.Equal(t, closeTimeout, time.Since(began), "it waits no longer")
		close(system.hang)
		require.Equal(t, backend.CodeInterrupted, backend.CodeOf(<-result))
		require.Zero(t, system.opened())
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, entries)
	})
}

// A panic of the sound system does not leave the microphone in use.
func TestPanicWhileOpening(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		system := &fakes{panicking: true}
		s := newRig(t, dir, system)
		defer s.Close()
		_, err := s.Start(t.Context(), "", backend.RecordTranscript)
		require.Equal(t, backend.CodeInternal, backend.CodeOf(err))
		system.panicking = false
		_, err = s.Start(t.Context(), "", backend.RecordTranscript)
		require.NoError(t, err)
	})
}

func TestDeleteWhileRecording(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := newRig(t, dir, &fakes{})
		defer s.Close()
		r, err := s.Start(t.Context(), "", backend.RecordTranscript)
		require.NoError(t, err)
		require.NoError(t, s.DeleteRecording(t.Context(), r.ID))
		require.Zero(t, s.system.opened())
		_, err = s.Get(t.Context(), r.ID)
		require.Equal(t, backend.CodeNotFound, backend.CodeOf(err))
		for _, id := range []string{r.ID, "../../x", ""} {
			require.Equal(t, backend.CodeNotFound, backend.CodeOf(s.DeleteRecording(t.Context(), id)))
		}
	})
}

type panickingSink struct{ memorySink }

func (*panickingSink) write([]float32) error { panic("on purpose") }

func TestPanicEndsOneRecording(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := newRig(t, dir, &fakes{})
		defer s.Close()
		started, err := s.start(t.Context(), plan{
			recording: backend.Recording{ID: "a"}, rate: SampleRate, limit: time.Hour, listed: true,
			create: func() (sink, error) { return &panickingSink{}, nil },
		})
		require.NoError(t, err)
		<-started.done
		r, err := s.Get(t.Context(), "a")
		require.NoError(t, err)
		require.Equal(t, backend.RecordingFailed, r.Status)
		require.Equal(t, backend.CodeInternal, r.Error.Code)
		require.Zero(t, s.system.opened())
	})
}
