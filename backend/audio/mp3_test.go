package audio_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// readMP3 returns all samples of an MP3 file, read without ffmpeg.
func readMP3(t testing.TB, r io.Reader) audio.Buffer {
	t.Helper()
	m, err := audio.NewMP3Reader(r)
	require.NoError(t, err)
	b := audio.Buffer{Rate: m.Rate(), Channels: m.Channels()}
	block := make([]float32, 1000)
	for {
		n, err := m.Read(block)
		if errors.Is(err, io.EOF) {
			return b
		}
		require.NoError(t, err)
		b.Samples = append(b.Samples, block[:n]...)
	}
}

func openFile(t testing.TB, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// noise returns how much louder want is than the difference of got to it, in dB.
func noise(want, got []float32) float64 {
	diff := make([]float32, min(len(want), len(got)))
	for i := range diff {
		diff[i] = want[i] - got[i]
	}
	return dB(rms(want[:len(diff)]) / math.Max(rms(diff), 1e-9))
}

// At 22.05 kHz frames are padded, and 24 kHz at a low rate has short blocks, whose bands ffmpeg draws a little differently.
func TestMP3IsDecodedAsByFFmpeg(t *testing.T) {
	t.Parallel()
	paths := []string{
		kitFile(t, "compressed/cbr-no-xing.mp3"), kitFile(t, "compressed/mono-24k.mp3"), kitFile(t, "compressed/vbr-id3-44k-stereo.mp3"),
	}
	for name, options := range map[string][]string{
		"hosted":      {"-ac", "1", "-ar", "44100", "-b:a", "128k"},
		"low":         {"-ac", "1", "-ar", "22050", "-b:a", "32k"},
		"high":        {"-ac", "2", "-ar", "22050", "-b:a", "160k", "-joint_stereo", "0"},
		"slow":        {"-ac", "2", "-ar", "16000", "-q:a", "4"},
		"without tag": {"-ac", "2", "-ar", "48000", "-b:a", "64k", "-write_xing", "0", "-id3v2_version", "0"},
	} {
		args := append([]string{"-i", "testdata/speech/jfk.wav", "-t", "1.5"}, options...)
		paths = append(paths, makeMedia(t, name+".mp3", args...))
	}
	for _, path := range paths {
		want, err := audio.FindCodecs().Decode(t.Context(), path)
		require.NoError(t, err)
		got := readMP3(t, openFile(t, path))
		require.Equal(t, [3]int{want.Rate, want.Channels, want.Frames()}, [3]int{got.Rate, got.Channels, got.Frames()}, path)
		require.Greater(t, noise(want.Samples, got.Samples), 35.0, path)
		info, err := audio.Probe(openFile(t, path))
		require.NoError(t, err)
		require.Equal(t, audio.Info{Rate: want.Rate, Channels: want.Channels, Frames: int64(want.Frames())}, info, path)
	}
}

// Everything that reads audio reads MP3 where ffmpeg is missing.
func TestMP3WithoutFFmpeg(t *testing.T) {
	path := kitFile(t, "compressed/vbr-id3-44k-stereo.mp3")
	codecs, dir := audio.FindCodecs(), t.TempDir()
	want, err := codecs.Decode(t.Context(), path)
	require.NoError(t, err)
	wantMono := want.Mono().Resampled(16000)
	t.Setenv("PATH", t.TempDir())
	codecs = audio.FindCodecs()

	got, err := codecs.Decode(t.Context(), path)
	require.NoError(t, err)
	require.Greater(t, noise(want.Samples, got.Samples), 60.0)
	mono, err := codecs.DecodeMono(t.Context(), path, 16000)
	require.NoError(t, err)
	require.Equal(t, wantMono.Frames(), mono.Frames())
	require.Greater(t, noise(wantMono.Samples, mono.Samples), 60.0)
	streamed, err := streamMono(t, codecs, path)
	require.NoError(t, err)
	require.Equal(t, mono.Samples, streamed)

	wav := filepath.Join(dir, "a.wav")
	require.NoError(t, codecs.Encode(t.Context(), path, wav, "wav", map[string]string{"title": "A title"}))
	exported, err := codecs.Decode(t.Context(), wav)
	require.NoError(t, err)
	require.Equal(t, got.Samples, exported.Samples)
	require.NoError(t, codecs.DecodeFile(t.Context(), path, wav, 24000))
	slower, err := codecs.Decode(t.Context(), wav)
	require.NoError(t, err)
	require.Equal(t, [3]int{24000, 2, 48000}, [3]int{slower.Rate, slower.Channels, slower.Frames()})

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, codecs.DecodeFile(ctx, path, wav, 0), backend.ErrCancelled)
	for _, other := range []string{"mono-24k.flac", "aac.m4a", "opus.ogg", "aac.aac"} {
		_, err := codecs.Decode(t.Context(), kitFile(t, "compressed/"+other))
		require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err), other)
	}
	var panicked *backend.PanicError
	err = codecs.StreamMono(t.Context(), path, 16000, func([]float32) error { panic("boom") })
	require.ErrorAs(t, err, &panicked)
}

// A damaged part is silence or noise in its place, and what follows it is as before.
func TestDamagedMP3(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(kitFile(t, "compressed/vbr-id3-44k-stereo.mp3"))
	require.NoError(t, err)
	want := readMP3(t, bytes.NewReader(raw))
	rate := want.Rate * want.Channels

	half := readMP3(t, bytes.NewReader(raw[:len(raw)/2]))
	require.InDelta(t, rate, len(half.Samples), float64(rate)/4)
	require.Greater(t, noise(half.Samples[:len(half.Samples)-4*1152], want.Samples), 60.0, "it is read as far as it goes")

	lost := slices.Concat(raw[:len(raw)/2], raw[len(raw)/2+700:])
	got := readMP3(t, bytes.NewReader(lost))
	end := len(want.Samples) - rate/4
	require.InDelta(t, len(want.Samples), len(got.Samples), 5*2*1152)
	require.Greater(t, noise(want.Samples[end:], got.Samples[len(got.Samples)-rate/4:]), 60.0, "the rest is found again")

	two := readMP3(t, io.MultiReader(bytes.NewReader(raw), bytes.NewReader(raw)))
	require.InDelta(t, 2*len(want.Samples), len(two.Samples), 4*2*1152, "files that were put together")
}

// Whatever the bytes are, they are decoded or refused, without a panic and in little memory.
func FuzzMP3(f *testing.F) {
	for _, name := range []string{"cbr-no-xing.mp3", "mono-24k.mp3", "vbr-id3-44k-stereo.mp3"} {
		raw, err := os.ReadFile(filepath.Join("testdata", "compressed", name))
		require.NoError(f, err)
		f.Add(raw[:min(len(raw), 6000)], uint64(0))
		f.Add(raw[:min(len(raw), 6000)], uint64(12345))
	}
	f.Fuzz(func(t *testing.T, raw []byte, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 1))
		for range seed % 64 {
			if len(raw) > 0 {
				raw[random.IntN(len(raw))] = byte(random.Uint32())
			}
		}
		m, err := audio.NewMP3Reader(bytes.NewReader(raw))
		if err != nil {
			require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
			return
		}
		info, err := audio.ProbeMP3(bytes.NewReader(raw))
		require.NoError(t, err)
		block, total := make([]float32, 4096), int64(0)
		for {
			n, err := m.Read(block)
			total += int64(n / m.Channels())
			if errors.Is(err, io.EOF) {
				require.Equal(t, info.Frames, total)
				return
			}
			if err != nil {
				require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
				return
			}
		}
	})
}

// ffmpeg takes some MP3 files of a few frames for no audio at all: this tone of 979 samples, among them.
func TestDecodeShortMP3(t *testing.T) {
	t.Parallel()
	b, err := audio.FindCodecs().Decode(t.Context(), "testdata/short.mp3")
	require.NoError(t, err)
	require.Len(t, b.Samples, 979)
}
