package audio_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// streamMono returns all samples of StreamMono at 16 kHz.
func streamMono(t testing.TB, codecs *audio.Codecs, path string) ([]float32, error) {
	t.Helper()
	var all []float32
	err := codecs.StreamMono(t.Context(), path, 16000, func(samples []float32) error {
		all = append(all, samples...)
		return nil
	})
	return all, err
}

// writeWAV writes 16-bit PCM to a file and returns its path.
func writeWAV(t testing.TB, rate, channels int, samples []float32) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.wav")
	f, err := os.Create(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	w, err := audio.NewWAVWriter(f, rate, channels)
	require.NoError(t, err)
	require.NoError(t, w.Write(samples))
	require.NoError(t, w.Close())
	return path
}

// makeMedia makes a file with ffmpeg.
func makeMedia(t testing.TB, name string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	out, err := exec.CommandContext(t.Context(), "ffmpeg", append(append([]string{"-v", "error"}, args...), path)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

// Without ffmpeg, each WAV file of the kit is streamed as it is decoded and resampled at once, or refused.
func TestStreamMonoOfWAVFiles(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	codecs := audio.FindCodecs()
	for _, c := range loadKit(t).WAV {
		t.Run(filepath.Base(c.File), func(t *testing.T) {
			got, err := streamMono(t, codecs, kitFile(t, c.File))
			if c.Expect == "error" || (c.Expect == "samples_or_error" && err != nil) || c.Frames == 0 {
				require.Contains(t, []backend.Code{backend.CodeUnsupportedMedia, backend.CodeRuntimeMissing}, backend.CodeOf(err), "%v", err)
				require.NotEmpty(t, backend.AsError(err).Remedy)
				return
			}
			require.NoError(t, err)
			raw, err := os.ReadFile(kitFile(t, c.File))
			require.NoError(t, err)
			whole, err := audio.ReadWAV(bytes.NewReader(raw))
			require.NoError(t, err)
			require.Equal(t, audio.Resample(whole.Mono().Samples, whole.Rate, 16000), got)
		})
	}
}

func TestStreamMonoOfCompressedFilesAndVideo(t *testing.T) {
	original, _ := readNPY(t, "expected/compressed-original-24k.npy")
	want := audio.Resample(original, 24000, 16000)
	codecs := audio.FindCodecs()
	video := func(name string, args ...string) string {
		in := []string{"-f", "lavfi", "-i", "testsrc=d=2:s=64x64:r=5", "-i", kitFile(t, "compressed/mono-24k.flac"), "-shortest"}
		return makeMedia(t, name, append(in, args...)...)
	}
	paths := []string{
		video("a.mkv", "-c:v", "mpeg4"), video("a.mp4", "-c:v", "mpeg4", "-c:a", "aac"), video("a.avi", "-c:v", "mpeg4"),
		video("a.ts", "-c:v", "mpeg2video", "-r", "25", "-ar", "48000", "-c:a", "mp2"), video("a.mov", "-c:v", "mpeg4"),
	}
	for _, c := range loadKit(t).Compressed {
		paths = append(paths, kitFile(t, c.File))
	}
	for _, path := range paths {
		got, err := streamMono(t, codecs, path)
		require.NoError(t, err, path)
		require.InDelta(t, len(want), len(got), 0.3*16000, path)
		require.Greater(t, correlation(want, got, 1600), 0.95, path)
	}
	lossless, err := streamMono(t, codecs, kitFile(t, "compressed/mono-24k.flac"))
	require.NoError(t, err)
	require.Equal(t, want, lossless, "ffmpeg's samples are resampled as those of a WAV file are")
}

// Each of the channels is heard, at an eighth, without clipping where all are loud; 192 kHz and odd rates keep pitch, level
// and length.
func TestStreamMonoOfManyChannelsAndHighRates(t *testing.T) {
	codecs := audio.FindCodecs()
	for _, channels := range []int{2, 8, 64} {
		const rate = 48000
		in := make([]float32, rate*channels)
		for i := range rate {
			for c := range channels {
				in[i*channels+c] = float32(0.9 * math.Sin(2*math.Pi*float64(100*(c+1))*float64(i)/rate))
			}
		}
		wav := writeWAV(t, rate, channels, in)
		paths := []string{wav}
		if channels <= 8 {
			paths = append(paths, makeMedia(t, "a.flac", "-i", wav))
		}
		for _, path := range paths {
			got, err := streamMono(t, codecs, path)
			require.NoError(t, err)
			require.Len(t, got, 16000)
			for c := range channels {
				require.InDelta(t, 0.9/float64(channels), toneAmplitude(got[2000:14000], 16000, float64(100*(c+1))), 0.002)
			}
			for _, x := range got {
				require.LessOrEqual(t, math.Abs(float64(x)), 1.0)
			}
		}
	}
	for _, rate := range []int{1000, 11025, 44100, 96000, 192000, 384000} {
		hz := min(1000, 0.3*float64(rate))
		got, err := streamMono(t, codecs, writeWAV(t, rate, 1, sine(rate+7, rate, hz, 0.5, 0)))
		require.NoError(t, err)
		require.InDelta(t, math.Round(float64(rate+7)*16000/float64(rate)), len(got), 1)
		require.InDelta(t, 0.5, toneAmplitude(got[3000:13000], 16000, hz), 0.005)
	}
}

func TestStreamMonoRefusesWhatHasNoAudio(t *testing.T) {
	write := func(name, content string) string {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	key := "76a6c65c5ea762046bd749a2e632ccbb"
	encrypted := func(name string) string {
		return makeMedia(t, name, "-i", "testdata/speech/jfk.wav", "-c:a", "aac", "-encryption_scheme", "cenc-aes-ctr",
			"-encryption_key", key, "-encryption_kid", key, "-f", "mp4")
	}
	itunes, err := os.ReadFile(makeMedia(t, "a.m4a", "-i", "testdata/speech/jfk.wav", "-c:a", "aac"))
	require.NoError(t, err)
	codecs := audio.FindCodecs()
	for _, c := range []struct{ path, detail string }{
		{writeWAV(t, 16000, 1, nil), "The file contains no audio."},
		{write("empty.mp3", ""), "The file contains no audio."},
		{makeMedia(t, "mute.mp4", "-f", "lavfi", "-i", "testsrc=d=1:s=64x64", "-c:v", "mpeg4"), "The file contains no audio."},
		{makeMedia(t, "none.flac", "-f", "lavfi", "-i", "sine", "-t", "0"), "The file contains no audio."},
		{encrypted("a.m4a"), "The file is protected against copying (DRM)."},
		{encrypted("a.mp4"), "The file is protected against copying (DRM)."},
		{write("a.m4p", strings.Replace(string(itunes), "mp4a", "drms", 1)), "The file is protected against copying (DRM)."},
		{write("a.mp3", strings.Repeat("This is a text. ", 2000)), "The audio file cannot be converted: its content is no audio or video that is known."},
		{write("a.mp4", string(itunes[:len(itunes)/2])), "The audio file cannot be converted: its content is no audio or video that is known."},
		{kitFile(t, "wav/bad-no-data.wav"), "The audio file is damaged: there is no data chunk."},
		{t.TempDir(), "This is not a file."},
	} {
		samples, err := streamMono(t, codecs, c.path)
		shown := backend.AsError(err)
		require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err), "%s: %v", c.path, err)
		require.Equal(t, c.detail, shown.Detail, "%s: %v", c.path, err)
		require.NotEmpty(t, shown.Remedy)
		require.Empty(t, samples)
	}
	_, err = streamMono(t, codecs, filepath.Join(t.TempDir(), "none.mp3"))
	require.Equal(t, backend.CodeNotFound, backend.CodeOf(err))
}

// What is there of a file that was cut off is read.
func TestStreamMonoOfTruncatedFiles(t *testing.T) {
	codecs := audio.FindCodecs()
	for _, name := range []string{"cbr-no-xing.mp3", "mono-24k.flac", "vorbis.ogg"} {
		raw, err := os.ReadFile(kitFile(t, "compressed/"+name))
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, raw[:len(raw)*2/3], 0o600))
		got, err := streamMono(t, codecs, path)
		require.NoError(t, err, name)
		require.InDelta(t, 1.33, float64(len(got))/16000, 0.4, name)
	}
}

// A file that grows is read to the end that it had when it was opened.
func TestStreamMonoOfAGrowingFile(t *testing.T) {
	second := sine(48000, 48000, 440, 0.5, 0)
	wav := writeWAV(t, 48000, 1, second)
	endless, err := os.ReadFile(wav)
	require.NoError(t, err)
	copy(endless[4:], "\xff\xff\xff\xff")
	copy(endless[40:], "\xff\xff\xff\xff") // as a recorder leaves it until it stops
	require.NoError(t, os.WriteFile(wav, endless, 0o600))
	mp3 := makeMedia(t, "a.mp3", "-i", wav)
	for _, path := range []string{wav, mp3} {
		more, err := os.ReadFile(path)
		require.NoError(t, err)
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		require.NoError(t, err)
		defer func() { _ = f.Close() }()
		count := 0
		err = audio.FindCodecs().StreamMono(t.Context(), path, 16000, func(samples []float32) error {
			count += len(samples)
			_, err := f.Write(more)
			return err
		})
		require.NoError(t, err)
		require.InDelta(t, 16000, count, 2000, path)
	}
}

func TestStreamMonoWithoutFFmpeg(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := streamMono(t, audio.FindCodecs(), kitFile(t, "compressed/mono-24k.flac"))
	shown := backend.AsError(err)
	require.Equal(t, backend.CodeRuntimeMissing, shown.Code)
	require.Contains(t, shown.Remedy, "nstall")
	require.Contains(t, shown.Remedy, "ffmpeg")
}

// An error and a panic of the receiver end the work and are returned, also while ffmpeg has complaints of its own.
func TestStreamMonoEndsWithItsReceiver(t *testing.T) {
	raw, err := os.ReadFile(kitFile(t, "compressed/cbr-no-xing.mp3"))
	require.NoError(t, err)
	damaged := filepath.Join(t.TempDir(), "a.mp3")
	require.NoError(t, os.WriteFile(damaged, append(bytes.Repeat(raw, 2), bytes.Repeat(raw[:5000], 200)...), 0o600))
	for _, path := range []string{"testdata/speech/jfk.wav", damaged} {
		full := errors.New("no more")
		err := audio.FindCodecs().StreamMono(t.Context(), path, 16000, func([]float32) error { return full })
		require.ErrorIs(t, err, full)
		ctx, cancel := context.WithCancel(t.Context())
		err = audio.FindCodecs().StreamMono(ctx, path, 16000, func([]float32) error { cancel(); return nil })
		if path == damaged || err != nil { // a short WAV file is over before
			require.ErrorIs(t, err, backend.ErrCancelled)
		}
	}
	var panicked *backend.PanicError
	err = audio.FindCodecs().StreamMono(t.Context(), damaged, 16000, func([]float32) error { panic("boom") })
	require.ErrorAs(t, err, &panicked)
}

// Twelve hours at the lowest rate, as WAV and compressed, in little memory.
func TestStreamMonoOfALongFile(t *testing.T) {
	const frames = 12 * 3600 * audio.MinRate
	wav := filepath.Join(t.TempDir(), "long.wav")
	header := audio.WAVHeader(audio.MinRate, 1, 2*frames)
	require.NoError(t, os.WriteFile(wav, header, 0o600))
	require.NoError(t, os.Truncate(wav, int64(len(header))+2*frames))
	codecs := audio.FindCodecs()
	flac := filepath.Join(t.TempDir(), "long.flac")
	require.NoError(t, codecs.Encode(t.Context(), wav, flac, "flac", nil))
	for _, path := range []string{wav, flac} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		count := 0
		require.NoError(t, codecs.StreamMono(t.Context(), path, audio.MinRate, func(samples []float32) error {
			count += len(samples)
			return nil
		}))
		runtime.ReadMemStats(&after)
		require.Equal(t, frames, count)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20), "for 86 MB of audio")
	}
}

// TestStreamMonoEndsWithTheFirstError, also where that is about the last samples.
func TestStreamMonoEndsWithTheFirstError(t *testing.T) {
	failed := errors.New("the disk is full")
	for _, frames := range []int{100, 480, 900, 1400, 5000} {
		path := writeWAV(t, 48000, 2, make([]float32, 2*frames))
		calls := 0
		err := audio.FindCodecs().StreamMono(t.Context(), path, 16000, func([]float32) error {
			calls++
			return failed
		})
		require.Equal(t, failed, err, frames)
		require.Equal(t, 1, calls, frames)
	}
}

// A listener hears the channels of a file, at its own rate, before they become one.
func TestStreamMixed(t *testing.T) {
	t.Parallel()
	path := writeWAV(t, 44_100, 2, sine(2*44_100, 44_100, 440, 0.5, 0))
	want := 0
	hear := func(rate, channels int, samples []float32) {
		require.Equal(t, []int{44_100, 2}, []int{rate, channels})
		want += len(samples)
	}
	got := 0
	err := audio.FindCodecs().StreamMixed(t.Context(), path, 16_000, hear, func(samples []float32) error {
		got += len(samples)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 2*44_100, want)
	require.InDelta(t, 16_000, got, 1)
}
