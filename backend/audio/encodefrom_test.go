//go:build unix

package audio_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// book is a target with two chapters of half a second each.
func book() audio.Target {
	return audio.Target{
		Format: audio.FormatM4B, Rate: 24000, Channels: 1, Frames: 24000, Language: "deu",
		Chapters: []audio.Chapter{{Title: "Secret first"}, {Title: "Second = last", Start: 12000}},
	}
}

// aSecond emits a second of silence in pieces.
func aSecond(emit func([]float32) error) error {
	for range 24 {
		if err := emit(make([]float32, 1000)); err != nil {
			return err
		}
	}
	return nil
}

// encodeFrom writes a book to a new folder and returns its path.
func encodeFrom(t *testing.T, to audio.Target, write func(func([]float32) error) error) (string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "book.m4b")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	err := audio.FindCodecs().EncodeFrom(t.Context(), path, to, write)
	left, readErr := os.ReadDir(filepath.Dir(path))
	require.NoError(t, readErr)
	require.Len(t, left, 1, "no file but the book")
	return path, err
}

func TestTitlesAreNotInArguments(t *testing.T) {
	bin := fakeFFmpeg(t, `for a; do echo "$a" >> $BIN/args; done; exec $REAL "$@"`)
	path, err := encodeFrom(t, book(), aSecond)
	require.NoError(t, err)
	args, err := os.ReadFile(bin + "/args")
	require.NoError(t, err)
	require.Contains(t, string(args), "aac")
	require.NotContains(t, string(args), "Secret")
	t.Setenv("PATH", "/usr/bin:/bin:/usr/local/bin")
	b, err := audio.FindCodecs().Decode(t.Context(), path)
	require.NoError(t, err)
	require.InDelta(t, 24000, b.Frames(), 1024)
}

func TestFFmpegThatCannotWriteBooks(t *testing.T) {
	for name, script := range map[string]string{
		"none of its encoders": `case "$*" in *-encoders*) echo " A....D flac FLAC"; exit;; esac; exit 1`,
		"no muxer": `case "$*" in *-encoders*) exec $REAL "$@";; esac
			echo "Requested output format 'ipod' is not a suitable output format" >&2; exit 1`,
		"it crashes":        `case "$*" in *-encoders*) exec $REAL "$@";; esac; kill -SEGV $$`,
		"it writes nothing": `case "$*" in *-encoders*) exec $REAL "$@";; esac; exec /bin/cat >/dev/null`,
		"it reads nothing":  `case "$*" in *-encoders*) exec $REAL "$@";; esac; exit 0`,
	} {
		t.Run(name, func(t *testing.T) {
			fakeFFmpeg(t, script)
			_, err := encodeFrom(t, book(), aSecond)
			require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err), "%v", err)
			require.Equal(t, "The ffmpeg on this computer cannot write m4b.", backend.AsError(err).Detail)
		})
	}
	t.Run("the disk is full", func(t *testing.T) {
		fakeFFmpeg(t, `case "$*" in *-encoders*) exec $REAL "$@";; esac
			echo "av_interleaved_write_frame(): No space left on device" >&2; exit 1`)
		_, err := encodeFrom(t, book(), aSecond)
		require.Equal(t, backend.CodeInsufficientDisk, backend.CodeOf(err), "%v", err)
	})
	t.Run("the disk is full at the end", func(t *testing.T) { // for which ffmpeg 5.1 does not fail
		fakeFFmpeg(t, `case "$*" in *-encoders*) exec $REAL "$@";; esac
			for out; do :; done; /bin/cat >/dev/null; echo cut >"${out#file:}"
			echo "Error closing file ${out}: No space left on device" >&2`)
		_, err := encodeFrom(t, book(), aSecond)
		require.Equal(t, backend.CodeInsufficientDisk, backend.CodeOf(err), "%v", err)
		dir := t.TempDir()
		sound := audio.PCM16(audio.WAVHeader(8000, 1, 16000), make([]float32, 8000))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.wav"), sound, 0o600))
		for _, format := range []string{"mp3", "flac", "opus", "m4a"} {
			to := filepath.Join(dir, "a."+format)
			err := audio.FindCodecs().Encode(t.Context(), filepath.Join(dir, "a.wav"), to, format, nil)
			require.Equal(t, backend.CodeInsufficientDisk, backend.CodeOf(err), "%v", err)
			require.NoFileExists(t, to)
		}
	})
	t.Run("it is killed", func(t *testing.T) {
		fakeFFmpeg(t, `case "$*" in *-encoders*) exec $REAL "$@";; esac; kill -KILL $$`)
		_, err := encodeFrom(t, book(), aSecond)
		require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err), "%v", err)
		require.Contains(t, backend.AsError(err).Detail, "ended from outside")
	})
	t.Run("it is too old", func(t *testing.T) {
		fakeFFmpeg(t, `case "$*" in *-encoders*) exec $REAL "$@";; esac; echo "Unrecognized option 'brand'." >&2; exit 1`)
		_, err := encodeFrom(t, book(), aSecond)
		require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err), "%v", err)
		require.Contains(t, backend.AsError(err).Detail, "too old")
	})
	t.Run("no ffmpeg", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		_, err := encodeFrom(t, book(), aSecond)
		require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err), "%v", err)
		require.Contains(t, backend.AsError(err).Remedy, "install")
	})
}

// What is wrong with the source is what the user is told.
func TestErrorOfTheSourceStays(t *testing.T) {
	for _, format := range []string{audio.FormatM4B, "wav"} {
		to := book()
		to.Format = format
		failure := backend.E(backend.CodeUnsupportedMedia, "The source is bad.", "Use another.")
		_, err := encodeFrom(t, to, func(emit func([]float32) error) error {
			return errors.Join(aSecond(emit), failure)
		})
		require.Equal(t, failure, backend.AsError(err), format)
	}
	_, err := encodeFrom(t, audio.Target{Format: "wma"}, aSecond)
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
}
