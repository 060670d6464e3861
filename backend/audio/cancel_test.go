//go:build unix

package audio_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// An ffmpeg whose last messages are late, as on a busy machine, has succeeded.
func TestFFmpegWhoseMessagesAreLate(t *testing.T) {
	real, err := exec.LookPath("ffmpeg")
	require.NoError(t, err)
	bin := t.TempDir()
	script := "#!/bin/sh\n/bin/sleep 1 >/dev/null &\nexec " + real + " \"$@\"\n" // the sleep holds the pipe of the messages
	require.NoError(t, os.WriteFile(filepath.Join(bin, "ffmpeg"), []byte(script), 0o700))
	t.Setenv("PATH", bin)
	b, err := audio.FindCodecs().Decode(t.Context(), "testdata/compressed/mono-24k.mp3")
	require.NoError(t, err)
	require.Positive(t, b.Frames())
}

// A program called ffmpeg that never ends replaces a long conversion.
func TestCancelKillsFFmpeg(t *testing.T) {
	real, err := exec.LookPath("ffmpeg")
	require.NoError(t, err)
	bin := t.TempDir()
	script := "#!/bin/sh\ncase \"$*\" in *-encoders*) exec " + real + " \"$@\";; esac\necho $$ > " + bin + "/pid\n" +
		"while :; do /bin/sleep 1; done\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "ffmpeg"), []byte(script), 0o700))
	t.Setenv("PATH", bin)
	codecs := audio.FindCodecs()
	require.Contains(t, codecs.Encoders(t.Context()), "mp3")
	dir := t.TempDir()
	src, _ := writeClip(t, dir, 24000, 1)

	for _, work := range []func(context.Context) error{
		func(ctx context.Context) error {
			_, err := codecs.Decode(ctx, "testdata/compressed/mono-24k.mp3")
			return err
		},
		func(ctx context.Context) error {
			return codecs.StreamMono(ctx, "testdata/compressed/mono-24k.mp3", 16000, func([]float32) error { return nil })
		},
		func(ctx context.Context) error {
			return codecs.Encode(ctx, src, filepath.Join(dir, "out.mp3"), "mp3", nil)
		},
		func(ctx context.Context) error { // the child of the script holds the pipe and reads nothing
			to := audio.Target{Format: "mp3", Rate: 24000, Channels: 1}
			return codecs.EncodeFrom(ctx, filepath.Join(dir, "out.mp3"), to, func(emit func([]float32) error) error {
				for {
					if err := emit(make([]float32, 10_000)); err != nil {
						return err
					}
				}
			})
		},
	} {
		require.NoError(t, os.RemoveAll(bin+"/pid"))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- work(ctx) }()
		require.Eventually(t, func() bool {
			pid, err := os.ReadFile(bin + "/pid")
			return err == nil && len(pid) > 0
		}, 2*time.Minute, time.Millisecond)
		cancel()
		start := time.Now()
		select {
		case err := <-done:
			require.ErrorIs(t, err, backend.ErrCancelled)
		case <-time.After(2 * time.Minute):
			t.Fatal("the work went on after its context ended")
		}
		t.Logf("ended %v after the cancel", time.Since(start))
		pid, err := os.ReadFile(bin + "/pid")
		require.NoError(t, err)
		require.NoDirExists(t, "/proc/"+strings.TrimSpace(string(pid)), "the process ended")
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

// A pipe that nobody writes to is refused at once.
func TestPipesAreNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe.wav")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	codecs := audio.FindCodecs()
	_, err := codecs.Decode(t.Context(), path)
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
	_, err = streamMono(t, codecs, path)
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
	require.Equal(t, "This is not a file.", backend.AsError(err).Detail)
}
