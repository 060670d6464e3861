package transcribe_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/transcribe"
)

// TestKeptFileBecomesAudio: a video that was kept when the program ended is replaced by its audio once it was transcribed.
func TestKeptFileBecomesAudio(t *testing.T) {
	for name, opus := range map[string]bool{".opus": true, ".wav": false} {
		for _, source := range []string{"talk.MKV", "talk.mp3", "talk", "talk.wav"} {
			l := newLab(t, func(l *lab) { l.codecs.opus = opus })
			entered := make(chan struct{})
			l.codecs.stream = func(ctx context.Context, _ func([]float32) error) error {
				close(entered)
				<-ctx.Done()
				return backend.ErrCancelled
			}
			path := filepath.Join(t.TempDir(), source)
			require.NoError(t, os.WriteFile(path, []byte("a video"), 0o600))
			row, err := l.service.Submit(t.Context(), l.file(path))
			require.NoError(t, err)
			<-entered
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			require.NoError(t, l.service.Close(ended))
			kept := l.becomes(row.ID, backend.StatusFailed).AudioPath
			require.FileExists(t, kept)

			l.codecs.stream = func(_ context.Context, emit func([]float32) error) error { return emit(sound(time.Second)) }
			l.open()
			got, err := l.service.Rerun(t.Context(), row.ID, transcribe.RerunRequest{})
			require.NoError(t, err)
			require.Equal(t, name, filepath.Ext(got.AudioPath), source)
			require.Equal(t, []string{filepath.Base(got.AudioPath)}, l.files(), source)
			info, err := os.Stat(got.AudioPath)
			require.NoError(t, err)
			require.Greater(t, info.Size(), int64(2*rate), "the audio that was read, and not the video")
			require.InDelta(t, 1, got.Duration, 0.01)
		}
	}
}
