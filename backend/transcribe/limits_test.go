package transcribe_test

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/engines"
)

// TestAudioOfWeeks: a small file of very long audio ends at the limit of hours, or before the disk is full, and leaves nothing.
func TestAudioOfWeeks(t *testing.T) {
	var hours atomic.Value
	hours.Store(0.3)
	free := func(context.Context, string) (int64, bool) { return 1 << 40, true }
	l := newLab(t, func(l *lab) {
		l.options.MaxHours = func() float64 { return hours.Load().(float64) }
		l.options.Free = func(ctx context.Context, dir string) (int64, bool) { return free(ctx, dir) }
	})
	request := func() (string, error) {
		path := filepath.Join(t.TempDir(), "silence.flac")
		require.NoError(t, os.WriteFile(path, backendtest.SilentFLAC(100*time.Hour), 0o600))
		_, err := l.service.Transcribe(t.Context(), l.file(path))
		require.NoFileExists(t, path, "the upload is removed")
		return backend.AsError(err).Params["transcript_id"].(string), err
	}
	id, err := request()
	e := backendtest.Failure(t, backend.CodeUnsupportedMedia, err)
	require.Equal(t, "too_long", e.Params["reason"])
	require.InDelta(t, 0.3, e.Params["hours"], 0)
	require.Contains(t, e.Remedy, "audio.max_hours")
	require.Empty(t, l.files())
	require.Equal(t, backend.StatusFailed, l.becomes(id, backend.StatusFailed).Status)

	hours.Store(48.0)
	free = func(context.Context, string) (int64, bool) { return 100_000_000, true }
	_, err = request()
	e = backendtest.Failure(t, backend.CodeInsufficientDisk, err)
	require.Contains(t, e.Params, "needed")
	require.Empty(t, l.files())

	hours.Store(2.0 / 3600)
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(2*time.Second)))
	require.NoError(t, err, "a recording as long as the limit")
	require.Equal(t, backend.StatusComplete, got.Status)
}

// TestTranscriptsHaveNoControls: what a model writes is text, and no command of a terminal.
func TestTranscriptsHaveNoControls(t *testing.T) {
	l := newLab(t)
	l.model.run = func(_ context.Context, _ []float32, _ engines.TranscribeOptions, emit func(backend.Segment) error) (string, error) {
		return "en", emit(backend.Segment{
			End: 1, Text: " One\x1b[31m\ntwo\u0085.\x00", Words: []backend.HeardWord{{Word: " One\x1b"}},
		})
	}
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	require.Equal(t, " One[31m two .", got.Segments[0].Text)
	require.Equal(t, " One", got.Segments[0].Words[0].Word)
	require.Equal(t, "One[31m two .", got.Text)
}
