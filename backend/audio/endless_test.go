package audio_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
)

// TestSmallFilesOfLongAudio: what some hundred kilobytes unpack to is limited by hours and by the free space, and nothing is left.
func TestSmallFilesOfLongAudio(t *testing.T) {
	dir := t.TempDir()
	src, dst := filepath.Join(dir, "small.flac"), filepath.Join(dir, "out", "big.wav")
	require.NoError(t, os.WriteFile(src, backendtest.SilentFLAC(49*time.Hour), 0o600))
	require.NoError(t, os.Mkdir(filepath.Dir(dst), 0o700))
	codecs := audio.FindCodecs()

	require.NoError(t, os.WriteFile(dst, []byte("what was there"), 0o600))
	codecs.Free = func(context.Context, string) (int64, bool) { return 60_000_000, true }
	err := codecs.DecodeFile(t.Context(), src, dst, 0)
	e := backendtest.Failure(t, backend.CodeInsufficientDisk, err)
	require.Equal(t, int64(60_000_000), e.Params["free"])
	kept, err := os.ReadFile(dst)
	require.NoError(t, err)
	require.Equal(t, "what was there", string(kept))
	left, err := os.ReadDir(filepath.Dir(dst))
	require.NoError(t, err)
	require.Len(t, left, 1, "nothing is left of what was decoded")

	codecs.Free = nil
	e = backendtest.Failure(t, backend.CodeUnsupportedMedia, codecs.DecodeFile(t.Context(), src, dst, audio.MinRate))
	require.Equal(t, "too_long", e.Params["reason"])
	require.Equal(t, "Use a shorter piece of it.", e.Remedy, "no setting changes this limit")
	require.NoError(t, os.Remove(dst))

	sound, longer, err := codecs.DecodeStart(t.Context(), src, 5*time.Minute)
	require.NoError(t, err)
	require.True(t, longer)
	require.Equal(t, 5*time.Minute, sound.Duration())
}

func TestDecodeStartOfAllOfAFile(t *testing.T) {
	const path = "testdata/speech/jfk.wav"
	whole, err := audio.FindCodecs().Decode(t.Context(), path)
	require.NoError(t, err)
	for limit, want := range map[time.Duration]bool{
		whole.Duration(): false, time.Hour: false, whole.Duration() - time.Millisecond: true, time.Second: true,
	} {
		sound, longer, err := audio.FindCodecs().DecodeStart(t.Context(), path, limit)
		require.NoError(t, err)
		require.Equal(t, want, longer, limit)
		require.Equal(t, min(limit, whole.Duration()), sound.Duration().Round(time.Millisecond/100))
	}
}
