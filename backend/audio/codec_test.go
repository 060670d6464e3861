package audio_test

import (
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestFormatOf(t *testing.T) {
	for path, want := range map[string]string{
		"a.wav": "wav", "dir.mp3/b.FLAC": "flac", "c.mp3": "mp3", "d.opus": "opus", "e.m4a": "m4a",
		"f.ogg": "", "g": "", "mp3": "", "h.aac": "",
	} {
		got, ok := audio.FormatOf(path)
		require.Equal(t, want, got, path)
		require.Equal(t, want != "", ok, path)
	}
}

func TestEncoders(t *testing.T) {
	require.Equal(t, []string{"wav", "flac", "mp3", "opus", "m4a", "aac"}, audio.FindCodecs().Encoders(t.Context()))
}

// correlation returns the correlation of got with want after the best alignment by at most maxShift frames, whatever the
// level.
func correlation(want, got []float32, maxShift int) float64 {
	at := func(shift, step int) float64 {
		var xy, xx, yy float64
		for i := max(0, -shift); i < len(want) && i+shift < len(got); i += step {
			x, y := float64(want[i]), float64(got[i+shift])
			xy, xx, yy = xy+x*y, xx+x*x, yy+y*y
		}
		return xy / math.Sqrt(xx*yy+1e-12)
	}
	rough := 0
	for shift := -maxShift; shift <= maxShift; shift++ {
		if at(shift, 31) > at(rough, 31) {
			rough = shift
		}
	}
	best := math.Inf(-1)
	for shift := rough - 5; shift <= rough+5; shift++ {
		best = max(best, at(shift, 1))
	}
	return best
}

func TestDecodeCompressed(t *testing.T) {
	enginetest.Parity(t)
	original, _ := readNPY(t, "expected/compressed-original-24k.npy")
	codecs := audio.FindCodecs()
	cases := loadKit(t).Compressed
	for _, c := range cases {
		t.Run(filepath.Base(c.File), func(t *testing.T) {
			b, err := codecs.Decode(t.Context(), kitFile(t, c.File))
			require.NoError(t, err)
			require.Equal(t, c.Rate, b.Rate)
			require.Equal(t, c.Channels, b.Channels)
			require.InDelta(t, float64(len(original))/24000, b.Duration().Seconds(), c.Tolerance+1e-9)
			if c.Codec == "flac" && c.Rate == 24000 && c.Channels == 1 {
				require.Equal(t, original, b.Samples)
			}
			got := correlation(audio.Resample(original, 24000, c.Rate), b.Mono().Samples, c.Rate*6/100)
			require.Greater(t, got, c.MinCorrelation)
		})
	}
}

func TestDecodeMono(t *testing.T) {
	original, _ := readNPY(t, "expected/compressed-original-24k.npy")
	want := audio.Resample(original, 24000, 16000)
	codecs := audio.FindCodecs()
	for _, name := range []string{"vbr-id3-44k-stereo.mp3", "stereo-48k-24bit.flac", "opus.webm"} {
		b, err := codecs.DecodeMono(t.Context(), kitFile(t, "compressed/"+name), 16000)
		require.NoError(t, err)
		require.Equal(t, 16000, b.Rate)
		require.Equal(t, 1, b.Channels)
		require.InDelta(t, 32000, b.Frames(), 1000)
		require.Greater(t, correlation(want, b.Samples, 960), 0.97, name)
	}
	clip := readClip(t, "LJ001-0001.wav")
	b, err := codecs.DecodeMono(t.Context(), "testdata/speech/LJ001-0001.wav", 16000)
	require.NoError(t, err)
	require.Equal(t, clip.Resampled(16000), b)
}

// writeClip writes a second of speech at a rate and channels to a WAV file.
func writeClip(t testing.TB, dir string, rate, channels int) (string, audio.Buffer) {
	t.Helper()
	b := readClip(t, "jfk.wav")
	one := audio.Resample(b.Samples[:2*b.Rate], b.Rate, rate)
	if channels == 2 {
		one = stereo(one, one)
	}
	path := filepath.Join(dir, "-in [1] 'é'.wav")
	f, err := os.Create(path)
	require.NoError(t, err)
	w, err := audio.NewWAVWriter(f, rate, channels)
	require.NoError(t, err)
	require.NoError(t, w.Write(one))
	require.NoError(t, w.Close())
	require.NoError(t, f.Close())
	return path, audio.Buffer{Samples: one, Rate: rate, Channels: channels}
}

func TestEncodeRoundTrip(t *testing.T) {
	codecs := audio.FindCodecs()
	meta := map[string]string{
		"title": "A title; with = and \n \"quotes\" é", "artist": "-f", "comment": "synthetic speech",
	}
	for _, layout := range [][2]int{{8000, 1}, {22050, 1}, {48000, 2}} {
		dir := t.TempDir()
		src, clip := writeClip(t, dir, layout[0], layout[1])
		for _, format := range []string{"wav", "flac", "mp3", "opus", "m4a", "aac"} {
			dst := filepath.Join(dir, "-y out: 1."+format)
			require.NoError(t, codecs.Encode(t.Context(), src, dst, format, meta), "%s at %v", format, layout)
			b, err := codecs.Decode(t.Context(), dst)
			require.NoError(t, err)
			delay := max(clip.Rate/16, 1100) // raw AAC and MP3 do not always state theirs
			require.InDelta(t, 2, b.Duration().Seconds(), 0.12+float64(delay)/float64(clip.Rate))
			require.Equal(t, clip.Channels, b.Channels)
			got := b.Resampled(clip.Rate).Mono().Samples
			require.Greater(t, correlation(clip.Mono().Samples, got, delay), 0.96, "%s at %v", format, layout)
			if format == "wav" || format == "flac" {
				require.InDeltaSlice(t, clip.Samples, b.Samples, 1.0/32768)
			}
			if format != "aac" { // raw ADTS has no tags
				tags := probeTags(t, dst)
				require.Contains(t, tags, `A title; with = and   "quotes" é`, format)
				require.Contains(t, tags, "synthetic speech", format)
				require.Contains(t, tags, "=-f", format)
			}
			require.NoError(t, os.Remove(dst))
		}
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, left, 1, "only the source is left")
	}
}

func probeTags(t *testing.T, path string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-show_entries",
		"format_tags:stream_tags", "-of", "default=nw=1", "file:"+path).Output()
	require.NoError(t, err)
	return string(out)
}

func TestEncodeReplacesOnlyWhenComplete(t *testing.T) {
	dir := t.TempDir()
	src, _ := writeClip(t, dir, 24000, 1)
	dst := filepath.Join(dir, "out.mp3")
	require.NoError(t, os.WriteFile(dst, []byte("old"), 0o600))
	bad := filepath.Join(dir, "bad.wav")
	require.NoError(t, os.WriteFile(bad, []byte("this is no sound at all, only text"), 0o600))
	codecs := audio.FindCodecs()

	err := codecs.Encode(t.Context(), bad, dst, "mp3", nil)
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
	require.Regexp(t, `^The audio file cannot be converted: .*\.$`, backend.AsError(err).Detail)
	require.NotContains(t, backend.AsError(err).Detail, dir)
	err = codecs.Encode(t.Context(), src, dst, "wma", nil)
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
	require.Error(t, codecs.Encode(t.Context(), src, dst, "mp3", map[string]string{"title=x": "y"}))
	require.ErrorIs(t, codecs.Encode(t.Context(), src+"x", dst, "mp3", nil), os.ErrNotExist)
	require.ErrorIs(t, codecs.Encode(t.Context(), src+"x", dst, "wav", nil), os.ErrNotExist)
	require.ErrorIs(t, codecs.Encode(t.Context(), src, filepath.Join(dir, "no", "out.mp3"), "mp3", nil), os.ErrNotExist)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, codecs.Encode(ctx, src, dst, "mp3", nil), backend.ErrCancelled)
	require.ErrorIs(t, codecs.Encode(ctx, src, dst, "wav", nil), backend.ErrCancelled)

	old, err := os.ReadFile(dst)
	require.NoError(t, err)
	require.Equal(t, "old", string(old))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 3)
}

func TestDecodeRefusesFilesWithoutAudio(t *testing.T) {
	dir := t.TempDir()
	secret, _ := writeClip(t, dir, 24000, 1)
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	codecs := audio.FindCodecs()
	for _, path := range []string{
		write("a.mp3", ""),
		write("b.mp3", strings.Repeat("no sound ", 1000)),
		write("list.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n"+secret+"\n#EXT-X-ENDLIST\n"),
		write("list.txt", "ffconcat version 1.0\nfile '"+filepath.Base(secret)+"'\n"),
		dir,
	} {
		_, err := codecs.Decode(t.Context(), path)
		require.Error(t, err, path)
		if path != dir {
			require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err), "%s: %v", path, err)
		}
	}
	for _, path := range []string{"http://127.0.0.1:1/a.mp3", "concat:a.mp3", "-version", "lavfi:sine"} {
		_, err := codecs.Decode(t.Context(), path)
		require.ErrorIs(t, err, os.ErrNotExist, path)
	}
	_, err := codecs.Decode(t.Context(), "testdata/wav/bad-no-data.wav")
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
}

func TestWithoutFFmpeg(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	codecs := audio.FindCodecs()
	require.Equal(t, []string{"wav"}, codecs.Encoders(t.Context()))
	_, err := codecs.Decode(t.Context(), "testdata/compressed/mono-24k.flac")
	shown := backend.AsError(err)
	require.Equal(t, backend.CodeRuntimeMissing, shown.Code)
	require.Contains(t, shown.Remedy, "install")

	dir := t.TempDir()
	src, clip := writeClip(t, dir, 24000, 1)
	dst := filepath.Join(dir, "a.mp3")
	err = codecs.Encode(t.Context(), src, dst, "mp3", nil)
	require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err))
	require.NoFileExists(t, dst)

	require.NoError(t, codecs.Encode(t.Context(), src, dst+".wav", "wav", map[string]string{"title": "abc"}))
	b, err := codecs.Decode(t.Context(), dst+".wav")
	require.NoError(t, err)
	require.InDeltaSlice(t, clip.Samples, b.Samples, 1.0/32768)
}

// Six hours and a second at the lowest rate: small enough for a test, too long for Decode.
func TestDecodeLimits(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "long.wav")
	frames := int64((audio.MaxDecodeDuration.Seconds() + 1) * audio.MinRate)
	header := audio.WAVHeader(audio.MinRate, 1, uint32(frames))
	header[32], header[34] = 1, 8 // 8 bits
	require.NoError(t, os.WriteFile(path, header, 0o600))
	require.NoError(t, os.Truncate(path, int64(len(header))+frames))
	codecs := audio.FindCodecs()
	require.NoError(t, codecs.Encode(t.Context(), path, filepath.Join(dir, "long.flac"), "flac", nil))
	for _, name := range []string{"long.wav", "long.flac"} {
		_, err := codecs.Decode(t.Context(), filepath.Join(dir, name))
		var format *audio.FormatError
		require.ErrorAs(t, err, &format, name)
		require.Equal(t, audio.ClassLimits, format.Class)
	}
}
