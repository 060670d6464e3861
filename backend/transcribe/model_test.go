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
	"github.com/voicewright/voicewright/backend/transcribe"
	"github.com/voicewright/voicewright/engines"
)

// The model of a request that names none is chosen when its turn comes, as models come and go while it waits.
func TestModelIsChosenWhenItIsNeeded(t *testing.T) {
	var installed, language atomic.Value
	installed.Store("whisper-base")
	l := newLab(t, func(l *lab) {
		l.options.DefaultModel = func(_ string, o backend.TranscribeOptions) (string, bool) {
			language.Store(o.Language)
			return installed.Load().(string), false
		}
	})
	entered, release := make(chan struct{}), make(chan struct{})
	l.model.then(func(ctx context.Context, s []float32, o engines.TranscribeOptions, emit func(backend.Segment) error) (string, error) {
		close(entered)
		<-release
		return says(" Hello.")(ctx, s, o, emit)
	})
	first, err := l.service.Submit(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	<-entered
	waiting := l.wav(sound(time.Second))
	waiting.Language = "en-GB"
	second, err := l.service.Submit(t.Context(), waiting)
	require.NoError(t, err)
	require.Equal(t, "whisper-base", second.ModelName)
	installed.Store("whisper-base.en")
	l.model.then(says(" Hello."))
	close(release)
	require.Equal(t, "whisper-base", l.becomes(first.ID, backend.StatusComplete).ModelName)
	require.Equal(t, "whisper-base.en", l.becomes(second.ID, backend.StatusComplete).ModelName)
	require.Equal(t, "en-GB", language.Load())

	again, err := l.service.Rerun(t.Context(), second.ID, transcribe.RerunRequest{})
	require.NoError(t, err)
	require.Equal(t, "whisper-base.en", again.ModelName)
	installed.Store("whisper-base")
	again, err = l.service.Rerun(t.Context(), second.ID, transcribe.RerunRequest{})
	require.NoError(t, err)
	require.Equal(t, "whisper-base", again.ModelName, "nobody named the model of before, which is gone")
}

// Without a download a missing model is an error once the audio was read, and the transcript can be repeated.
func TestTranscribeWithoutADownload(t *testing.T) {
	l := newLab(t)
	l.model.missing = map[string]bool{"whisper-base": true}
	notes := filepath.Join(t.TempDir(), "notes.txt")
	require.NoError(t, os.WriteFile(notes, []byte("This is no sound.\n"), 0o600))
	text := l.file(notes)
	text.NoDownload = true
	_, err := l.service.Transcribe(t.Context(), text)
	require.Contains(t, []backend.Code{backend.CodeUnsupportedMedia, backend.CodeRuntimeMissing}, backend.CodeOf(err))

	r := l.wav(sound(time.Second))
	r.NoDownload = true
	got, err := l.service.Transcribe(t.Context(), r)
	require.Equal(t, backend.CodeModelNotDownloaded, backend.CodeOf(err))
	require.Equal(t, backend.StatusFailed, got.Status)
	require.InDelta(t, 1, got.Duration, 1e-9)
	_, err = l.service.Rerun(t.Context(), got.ID, transcribe.RerunRequest{NoDownload: true})
	require.Equal(t, backend.CodeModelNotDownloaded, backend.CodeOf(err))
	_, err = l.service.SubmitRerun(t.Context(), got.ID, transcribe.RerunRequest{NoDownload: true})
	require.Equal(t, backend.CodeModelNotDownloaded, backend.CodeOf(err), "also where nobody waits for the end")
	require.Empty(t, l.model.lengths, "nothing was loaded")
	l.model.missing = nil
	got, err = l.service.Rerun(t.Context(), got.ID, transcribe.RerunRequest{NoDownload: true})
	require.NoError(t, err)
	require.Equal(t, backend.StatusComplete, got.Status)
}
