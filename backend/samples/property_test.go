package samples_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/samples"
)

// checkReport fails unless what Analyse returned makes sense for any buffer.
func checkReport(t require.TestingT, r samples.Report, err error) {
	require.LessOrEqual(t, len(r.Peaks), 400)
	for _, p := range r.Peaks {
		require.True(t, p >= 0 && p <= 1, "%v", p)
	}
	for _, x := range []float64{r.From, r.To, r.Duration, r.Seconds, r.Speech, r.LevelLUFS, r.NoiseDB, r.PitchHz} {
		require.False(t, math.IsNaN(x) || math.IsInf(x, 0))
	}
	if err != nil {
		require.Contains(t, []backend.Code{backend.CodeSampleRejected, backend.CodeCancelled}, backend.CodeOf(err))
		return
	}
	require.Equal(t, 1, r.Audio.Channels)
	require.LessOrEqual(t, r.Audio.Rate, 48000)
	require.True(t, r.Seconds >= samples.Shortest-0.001 && r.Seconds <= samples.Longest+0.001, "%v", r.Seconds)
	require.LessOrEqual(t, r.To, r.Duration+0.001)
	require.Contains(t, []int{1, 2}, r.Speakers)
	for _, x := range r.Audio.Samples {
		require.False(t, math.IsNaN(float64(x)) || math.IsInf(float64(x), 0))
	}
}

// shape says what a buffer is made of. A failed test prints it instead of the samples.
type shape struct {
	rate, channels, length, period int
	level                          float64
	broken                         bool
}

// shapes draws buffers that no file should have, and some that files have.
func shapes() *rapid.Generator[shape] {
	return rapid.Custom(func(t *rapid.T) shape {
		return shape{
			rate:     rapid.SampledFrom([]int{1000, 8000, 11025, 44101, 384000, -1, 0, 999, math.MaxInt}).Draw(t, "rate"),
			channels: rapid.SampledFrom([]int{1, 2, 3, 7, 64, -1, 0, math.MaxInt}).Draw(t, "channels"),
			length:   rapid.SampledFrom([]int{0, 1, 100, 1999, 26000}).Draw(t, "length"),
			period:   rapid.SampledFrom([]int{1, 2, 50, 10007}).Draw(t, "period"),
			level:    rapid.SampledFrom([]float64{0, 1e-30, 0.001, 0.5, 1, 1.5, 1e30}).Draw(t, "level"),
			broken:   rapid.Bool().Draw(t, "broken"),
		}
	})
}

func (s shape) buffer() audio.Buffer {
	values := noise(float64(s.period), 1, s.level).Samples
	if s.broken {
		values = append(values, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32)
	}
	b := audio.Buffer{Rate: s.rate, Channels: s.channels}
	for i := range s.length {
		b.Samples = append(b.Samples, values[i%len(values)])
	}
	return b
}

func TestAnyBufferIsAnalysed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := shapes().Draw(t, "in").buffer()
		span := func(name string) float64 { return rapid.Float64Range(-1, 90).Draw(t, name) }
		o := speechAt(samples.Span{Start: span("start"), End: span("end")}, samples.Span{Start: span("start2"), End: span("end2")})
		o.From, o.To = rapid.SampledFrom([]float64{0, -1, 1, math.NaN(), math.Inf(1)}).Draw(t, "from"), span("to")
		r, err := samples.Analyse(context.Background(), in, o)
		checkReport(t, r, err)
	})
}

func TestAnyBuffersAreJoined(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var parts []audio.Buffer
		for _, s := range rapid.SliceOfN(shapes(), 0, 3).Draw(t, "parts") {
			parts = append(parts, s.buffer())
		}
		longest := rapid.SampledFrom([]float64{0, -1, 0.001, 1, 2.5, math.NaN(), math.Inf(1)}).Draw(t, "longest")
		out := samples.Join(parts, longest)
		require.Equal(t, 1, out.Channels)
		require.True(t, out.Rate >= audio.MinRate && out.Rate <= 48000)
		if longest > 0 {
			require.LessOrEqual(t, out.Duration().Seconds(), longest+0.001)
		}
		for _, x := range out.Samples {
			require.False(t, math.IsNaN(float64(x)) || math.IsInf(float64(x), 0))
		}
	})
}

// The bytes are 16-bit samples, as of a file from outside.
func FuzzAnalyse(f *testing.F) {
	f.Add([]byte{}, 8000, 1, 0.0, 0.0)
	f.Add(make([]byte, 64000), 8000, 1, 0.5, 3.6)
	f.Add([]byte("\x00\x80\xff\x7f\x00\x80\xff\x7f"), 384000, 3, -1.0, 1.0)
	f.Fuzz(func(t *testing.T, raw []byte, rate, channels int, from, to float64) {
		in := audio.Buffer{Rate: rate, Channels: channels}
		for ; len(raw) >= 2; raw = raw[2:] {
			in.Samples = append(in.Samples, float32(int16(binary.LittleEndian.Uint16(raw)))/32768)
		}
		o := speechAt(samples.Span{Start: from, End: to})
		r, err := samples.Analyse(t.Context(), in, o)
		checkReport(t, r, err)
		o.From, o.To = from, to
		r, err = samples.Analyse(t.Context(), in, o)
		checkReport(t, r, err)
		if err != nil {
			require.False(t, errors.Is(err, backend.ErrCancelled))
		}
	})
}
