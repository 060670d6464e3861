package audio_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestReadWAVCorpus(t *testing.T) {
	enginetest.Parity(t)
	for _, c := range loadKit(t).WAV {
		t.Run(filepath.Base(c.File), func(t *testing.T) {
			raw, err := os.ReadFile(kitFile(t, c.File))
			require.NoError(t, err)
			b, err := audio.ReadWAV(bytes.NewReader(raw))
			if c.Expect == "error" || (c.Expect == "samples_or_error" && err != nil) {
				var format *audio.FormatError
				require.ErrorAs(t, err, &format)
				require.Equal(t, c.ErrorClass, format.Class)
				require.Zero(t, b)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.Rate, b.Rate)
			require.Equal(t, c.Channels, b.Channels)
			want, shape := readNPY(t, c.Samples)
			require.Equal(t, []int{b.Frames(), b.Channels}, shape)
			require.Len(t, b.Samples, len(want))
			for i := range want {
				require.InDelta(t, want[i], b.Samples[i], 1e-7, "sample %d", i)
			}

			info, err := audio.ProbeWAV(bytes.NewReader(raw))
			require.NoError(t, err)
			require.Equal(t, audio.Info{Rate: c.Rate, Channels: c.Channels, Frames: int64(c.Frames)}, info)

			slow, err := audio.ReadWAV(iotest.OneByteReader(bytes.NewReader(raw)))
			require.NoError(t, err)
			require.Equal(t, b, slow)
		})
	}
}

func TestReadWAVErrorsForUsers(t *testing.T) {
	for _, name := range []string{"bad-html", "bad-codec-adpcm", "bad-channels-65535", "bad-no-data", "bad-fmt-14"} {
		raw, err := os.ReadFile(filepath.Join("testdata", "wav", name+".wav"))
		require.NoError(t, err)
		_, err = audio.ReadWAV(bytes.NewReader(raw))
		shown := backend.AsError(err)
		require.Equal(t, backend.CodeUnsupportedMedia, shown.Code, name)
		require.Regexp(t, `^[A-Z].*\.$`, shown.Detail, name)
		require.Regexp(t, `^[A-Z].*\.$`, shown.Remedy, name)
	}
}

func TestReadWAVPassesOnReadErrors(t *testing.T) {
	raw := append(audio.WAVHeader(16000, 1, 1000), 1, 2, 3, 4)
	for cut := range len(raw) {
		r := io.MultiReader(bytes.NewReader(raw[:cut]), iotest.ErrReader(os.ErrDeadlineExceeded))
		_, err := audio.ReadWAV(r)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded, "after %d bytes", cut)
	}
}

// With every size field of a valid file at its largest value, the reader allocates no memory for it.
func TestReadWAVNeverTrustsSizes(t *testing.T) {
	for _, c := range loadKit(t).WAV {
		raw, err := os.ReadFile(kitFile(t, c.File))
		require.NoError(t, err)
		for at := 0; at+4 <= min(len(raw), 80); at += 2 {
			lying := bytes.Clone(raw)
			binary.LittleEndian.PutUint32(lying[at:], 0xFFFFFFF0)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, _ = audio.ReadWAV(bytes.NewReader(lying))
			runtime.ReadMemStats(&after)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20), "%s, size at %d", c.File, at)
		}
	}
}

func TestReadWAVMemory(t *testing.T) {
	raw := append(audio.WAVHeader(16000, 1, 0xFFFFFFFF), make([]byte, 16<<20)...)
	raw[34], raw[32] = 8, 1 // 8 bits: the format that grows most
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b, err := audio.ReadWAV(bytes.NewReader(raw))
	runtime.ReadMemStats(&after)
	require.NoError(t, err)
	require.Equal(t, 16<<20, b.Frames())
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8*len(raw)))
}

// A size of 0 means "to the end" only if nothing but samples follows: a list of words is no audio.
func TestNoSamplesBeforeAChunk(t *testing.T) {
	list := append([]byte("LIST"), 12, 0, 0, 0)
	list = append(list, "INFOINAMabcd"...)
	for _, id := range []string{"RIFF", "RF64"} {
		for _, riff := range []uint32{0, uint32(36 + len(list)), 0xFFFFFFFF} {
			head := audio.WAVHeader(24000, 1, 0)
			copy(head, id)
			binary.LittleEndian.PutUint32(head[4:], riff)
			raw := append(head, list...)
			b, err := audio.ReadWAV(bytes.NewReader(raw))
			require.NoError(t, err)
			require.Empty(t, b.Samples, "%s of size %d", id, riff)
			info, err := audio.ProbeWAV(bytes.NewReader(raw))
			require.NoError(t, err)
			require.Zero(t, info.Frames)
		}
	}
	streamed := audio.WAVHeader(24000, 1, 0)
	binary.LittleEndian.PutUint32(streamed[4:], 0)
	b, err := audio.ReadWAV(bytes.NewReader(append(streamed, 1, 0, 2, 0, 3, 0)))
	require.NoError(t, err)
	require.Equal(t, 3, b.Frames(), "samples alone still count to the end")
}

func TestWAVReaderStreams(t *testing.T) {
	raw, err := os.ReadFile("testdata/wav/extensible-f32-6ch.wav")
	require.NoError(t, err)
	whole, err := audio.ReadWAV(bytes.NewReader(raw))
	require.NoError(t, err)
	r, err := audio.NewWAVReader(bytes.NewReader(raw))
	require.NoError(t, err)
	require.Equal(t, whole.Rate, r.Rate())
	require.Equal(t, whole.Channels, r.Channels())
	var got []float32
	block := make([]float32, 13) // two frames and one sample
	for {
		n, err := r.Read(block)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		require.Zero(t, n%6)
		got = append(got, block[:n]...)
	}
	require.Equal(t, whole.Samples, got)
	_, err = r.Read(block[:5])
	require.Error(t, err)
}

func TestWAVWriterRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		channels := rapid.IntRange(1, 3).Draw(rt, "channels")
		values := rapid.SliceOfN(rapid.Int16(), 0, 300).Draw(rt, "values")
		values = values[:len(values)/channels*channels]
		samples := make([]float32, len(values))
		for i, v := range values {
			samples[i] = float32(v) / (1 << 15)
		}
		f, err := os.Create(filepath.Join(t.TempDir(), "a.wav"))
		require.NoError(rt, err)
		defer func() { _ = f.Close() }()
		w, err := audio.NewWAVWriter(f, 22050, channels)
		require.NoError(rt, err)
		cut := rapid.IntRange(0, len(samples)).Draw(rt, "cut")
		require.NoError(rt, w.Write(samples[:cut]))
		require.NoError(rt, w.Write(samples[cut:]))
		require.NoError(rt, w.Close())
		require.NoError(rt, w.Close())
		require.Error(rt, w.Write(samples))
		require.Equal(rt, int64(len(samples)/channels), w.Frames())

		raw, err := os.ReadFile(f.Name())
		require.NoError(rt, err)
		require.Equal(rt, audio.WAVHeader(22050, channels, uint32(2*len(samples))), raw[:44])
		require.Len(rt, raw, 44+2*len(samples))
		b, err := audio.ReadWAV(bytes.NewReader(raw))
		require.NoError(rt, err)
		require.Equal(rt, audio.Buffer{Samples: samples, Rate: 22050, Channels: channels}, b)
	})
}

func TestWAVWriterLeavesReadableFileWithoutClose(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "a.wav"))
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	w, err := audio.NewWAVWriter(f, 24000, 1)
	require.NoError(t, err)
	require.NoError(t, w.Write([]float32{0.5, -0.5, 0.25}))
	raw, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	b, err := audio.ReadWAV(bytes.NewReader(raw))
	require.NoError(t, err)
	require.Equal(t, []float32{0.5, -0.5, 0.25}, b.Samples)
}

func TestWAVWriterRefusesUnreadableFormats(t *testing.T) {
	for _, c := range [][2]int{{0, 1}, {999, 1}, {384_001, 1}, {24000, 0}, {24000, 65}} {
		_, err := audio.NewWAVWriter(nil, c[0], c[1])
		require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err), "%v", c)
	}
}

func TestPCM16(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		x    float32
		want int16
	}{
		{0, 0},
		{1, 32767},
		{-1, -32768},
		{1.5, 32767},
		{-1.5, -32768},
		{nan, 0},
		{inf, 32767},
		{-inf, -32768},
		{0.5, 16384},
		{1.0 / 32768, 1},
		{0.49 / 32768, 0},
		{0.51 / 32768, 1},
		{-0.51 / 32768, -1},
		{1.5 / 32768, 2},
		{2.5 / 32768, 2},
		{32766.6 / 32768, 32767},
	} {
		got := audio.PCM16([]byte{7}, []float32{c.x})
		require.Equal(t, binary.LittleEndian.AppendUint16([]byte{7}, uint16(c.want)), got, "%v", c.x)
	}
}

func TestWAVHeaderForStreams(t *testing.T) {
	h := audio.WAVHeader(48000, 2, 0xFFFFFFFF)
	require.Len(t, h, 44)
	b, err := audio.ReadWAV(bytes.NewReader(append(h, 0, 64, 0, 192, 0, 0)))
	require.NoError(t, err)
	require.Equal(t, audio.Buffer{Samples: []float32{0.5, -0.5}, Rate: 48000, Channels: 2}, b)
}

func FuzzReadWAV(f *testing.F) {
	files, err := filepath.Glob("testdata/wav/*.wav")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, name := range files {
		raw, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, err := audio.ReadWAV(bytes.NewReader(raw))
		info, probeErr := audio.ProbeWAV(bytes.NewReader(raw))
		if err != nil {
			var format *audio.FormatError
			require.ErrorAs(t, err, &format)
			require.Error(t, probeErr)
			return
		}
		require.NoError(t, probeErr)
		require.Equal(t, audio.Info{Rate: b.Rate, Channels: b.Channels, Frames: int64(b.Frames())}, info)
		require.LessOrEqual(t, len(b.Samples), len(raw))
		require.Zero(t, len(b.Samples)%b.Channels)
		for _, x := range b.Samples {
			require.False(t, math.IsNaN(float64(x)) || math.IsInf(float64(x), 0))
		}
	})
}
