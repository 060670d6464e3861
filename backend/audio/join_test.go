package audio_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/audio"
)

// piece is a chunk, or a pause of this many frames if samples is nil.
type piece struct {
	samples []float32
	pause   int
}

func frames(n, rate int) time.Duration {
	return time.Duration(math.Round(float64(n) / float64(rate) * float64(time.Second)))
}

// join writes pieces through a Joiner in buffers of `block` frames.
func join(t require.TestingT, rate, channels, crossfade, block int, pieces []piece) ([]float32, []audio.Span) {
	var out []float32
	j := audio.NewJoiner(rate, channels, frames(crossfade, rate), func(s []float32) error {
		out = append(out, s...)
		return nil
	})
	for _, p := range pieces {
		if p.samples == nil {
			require.NoError(t, j.Pause(frames(p.pause, rate)))
			continue
		}
		require.NoError(t, j.Start())
		for s := p.samples; len(s) > 0; {
			n := min(len(s), block*channels)
			require.NoError(t, j.Write(s[:n]))
			s = s[n:]
		}
	}
	length := j.Frames()
	require.NoError(t, j.Close())
	require.NoError(t, j.Close())
	require.Equal(t, j.Frames(), int64(len(out)/channels))
	if crossfade == 0 {
		require.Equal(t, length, j.Frames())
	}
	return out, j.Spans()
}

// toneVoice spells numbers as a test model does: frames of two sines with whole periods in each frame.
func toneVoice(frame, speaker int, ids ...int) []float32 {
	var out []float32
	for _, id := range ids {
		low, high := float64(10+4*(id%8)+speaker), float64(50+id/8)
		for _, amplitude := range []float64{0.3, 0.15} {
			for i := range frame {
				at := 2 * math.Pi * float64(i) / float64(frame)
				out = append(out, float32(amplitude*(math.Sin(low*at)+math.Sin(high*at))))
			}
		}
	}
	return out
}

func TestJoinKeepsEverySampleOfNaturalAudio(t *testing.T) {
	for _, frame := range []int{256, 600} {
		for first := range 250 {
			a, b := toneVoice(frame, first%4, 3, first), toneVoice(frame, first%3, (first*37+11)%250, 5)
			out, spans := join(t, 22050, 1, 0, 777, []piece{{samples: a}, {samples: b}})
			require.Equal(t, append(append([]float32(nil), a...), b...), out, "frame %d, id %d", frame, first)
			require.Equal(t, []audio.Span{
				{Start: 0, End: int64(len(a))}, {Start: int64(len(a)), End: int64(len(a) + len(b))},
			}, spans)

			out, _ = join(t, 22050, 1, 0, 777, []piece{{samples: a}, {pause: 2 * frame}, {samples: b}})
			want := append(append([]float32(nil), a...), make([]float32, 2*frame)...)
			require.Equal(t, append(want, b...), out, "a pause after natural sound is silent")
		}
	}
}

func TestJoinSmoothsClicks(t *testing.T) {
	const rate = 24000
	low := sine(6000, rate, 100, 0.4, 0)          // ends near zero
	cut := sine(6000+rate/400, rate, 100, 0.4, 0) // ends at its crest
	high := sine(6000, rate, 100, 0.4, math.Pi/2) // begins at its crest
	natural := largestStep(low)
	ramp := rate * 25 / 10000
	for _, c := range []struct {
		name string
		a, b []float32
		keep func(out []float32) bool
	}{
		{"the end is led down", cut, low, func(out []float32) bool {
			return equal(out[:len(cut)-ramp], cut[:len(cut)-ramp]) && equal(out[len(cut):], low)
		}},
		{"the begin is led up", low, high, func(out []float32) bool {
			return equal(out[:len(low)], low) && equal(out[len(low)+ramp:], high[ramp:])
		}},
		{"opposite sides", cut, negative(high), func(out []float32) bool {
			return equal(out[:len(cut)-ramp], cut[:len(cut)-ramp]) && equal(out[len(cut)+ramp:], negative(high)[ramp:])
		}},
	} {
		out, _ := join(t, rate, 1, 0, 500, []piece{{samples: c.a}, {samples: c.b}})
		require.Len(t, out, len(c.a)+len(c.b), c.name)
		border := out[len(c.a)-1 : len(c.a)+1]
		require.LessOrEqual(t, largestStep(border), natural, c.name)
		require.LessOrEqual(t, largestStep(out), 3*natural, c.name)
		require.True(t, c.keep(out), c.name)
	}
}

func TestJoinPausesDoNotClick(t *testing.T) {
	const rate = 24000
	a := sine(6000+rate/400, rate, 100, 0.4, 0)
	b := sine(6000, rate, 100, 0.4, math.Pi/2)
	for _, pause := range []int{1, 2, 10, 100, 4800, 100_000} {
		out, spans := join(t, rate, 1, 0, 500, []piece{{samples: a}, {pause: pause}, {samples: b}, {pause: pause}})
		require.Len(t, out, len(a)+len(b)+2*pause)
		require.Equal(t, a, out[:len(a)], "the content before the pause is untouched")
		require.Equal(t, b, out[len(a)+pause:len(a)+pause+len(b)], "the content after the pause is untouched")
		require.Equal(t, []audio.Span{
			{Start: 0, End: int64(len(a))}, {Start: int64(len(a) + pause), End: int64(len(a) + pause + len(b))},
		}, spans)
		if pause >= 2*60 {
			require.LessOrEqual(t, largestStep(out), 2*largestStep(b))
			require.Equal(t, make([]float32, pause-2*60), out[len(a)+60:len(a)+pause-60], "silence between the ramps")
		}
	}
}

func equal(a, b []float32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func negative(s []float32) []float32 {
	out := make([]float32, len(s))
	for i, x := range s {
		out[i] = -x
	}
	return out
}

func TestJoinCrossfadeHasEqualPower(t *testing.T) {
	const rate, fade = 24000, 480
	// Two uncorrelated tones: their powers add.
	a, b := sine(12000, rate, 1000, 0.3, 0), sine(12000, rate, 1770, 0.3, 1)
	out, spans := join(t, rate, 1, fade, 333, []piece{{samples: a}, {samples: b}})
	require.Len(t, out, len(a)+len(b)-fade)
	require.Equal(t, []audio.Span{
		{Start: 0, End: int64(len(a))},
		{Start: int64(len(a) - fade), End: int64(len(a) + len(b) - fade)},
	}, spans)
	require.Equal(t, a[:len(a)-fade], out[:len(a)-fade])
	require.Equal(t, b[fade:], out[len(a):])
	require.InDelta(t, 0.3/math.Sqrt2, rms(out[len(a)-fade:len(a)]), 0.01)
	require.InDelta(t, 0.3/math.Sqrt2, rms(out[len(a)-fade*3/4:len(a)-fade/4]), 0.02)

	out, spans = join(t, rate, 1, fade, 333, []piece{{samples: a}, {pause: 100}, {samples: b}})
	require.Len(t, out, len(a)+len(b)+100, "no crossfade across a pause")
	require.Equal(t, int64(len(a)+100), spans[1].Start)
}

func TestJoinProperties(t *testing.T) {
	const rate = 16000
	rapid.Check(t, func(rt *rapid.T) {
		channels := rapid.IntRange(1, 2).Draw(rt, "channels")
		crossfade := rapid.SampledFrom([]int{0, 0, 1, 80, 400}).Draw(rt, "crossfade")
		block := rapid.IntRange(1, 900).Draw(rt, "block")
		pieces := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) piece { return drawPiece(rt, rate, channels) }), 0, 7).
			Draw(rt, "pieces")
		out, spans := join(rt, rate, channels, crossfade, block, pieces)

		length, k := 0, 0
		var last *audio.Span
		for _, p := range pieces {
			if p.samples == nil {
				length += p.pause
				if p.pause > 0 {
					last = nil
				}
				continue
			}
			s := spans[k]
			require.Equal(rt, int64(len(p.samples)/channels), s.End-s.Start, "a chunk keeps its length")
			overlap := int64(length) - s.Start
			require.GreaterOrEqual(rt, overlap, int64(0))
			require.LessOrEqual(rt, overlap, int64(crossfade))
			if last == nil {
				require.Zero(rt, overlap)
			}
			length = int(s.End)
			if s.End > s.Start {
				last = &spans[k]
			}
			k++
		}
		require.Len(rt, spans, k)
		require.Equal(rt, length*channels, len(out), "sum of chunks and pauses less the overlaps")

		again, _ := join(rt, rate, channels, crossfade, 1+block*7%500, pieces)
		require.Equal(rt, out, again, "the size of the buffers changes nothing")
		if crossfade == 0 && !hasTinyChunk(pieces, channels) {
			requireNoClicks(rt, out, channels, spans)
		}
	})
}

func drawPiece(rt *rapid.T, rate, channels int) piece {
	if rapid.IntRange(0, 3).Draw(rt, "kind") == 0 {
		return piece{pause: rapid.SampledFrom([]int{0, 80, 301, 5000}).Draw(rt, "pause")}
	}
	n := rapid.SampledFrom([]int{1000, 3000, 200, 90, 50, 2, 1, 0}).Draw(rt, "frames")
	s := make([]float32, 0, n*channels)
	hz := rapid.Float64Range(40, 4000).Draw(rt, "hz")
	amplitude := rapid.Float64Range(0, 1).Draw(rt, "amplitude")
	tone := sine(n, rate, hz, amplitude, rapid.Float64Range(0, 6.3).Draw(rt, "phase"))
	for i := range n * channels {
		s = append(s, tone[i/channels])
	}
	return piece{samples: s}
}

// hasTinyChunk reports whether there is a chunk of under 5 ms, which is too short for a ramp on each side.
func hasTinyChunk(pieces []piece, channels int) bool {
	for _, p := range pieces {
		if n := len(p.samples) / channels; n > 0 && n < 80 {
			return true
		}
	}
	return false
}

// requireNoClicks compares the step at each border with the steps within 12 ms of it.
func requireNoClicks(rt *rapid.T, out []float32, channels int, spans []audio.Span) {
	const near = 192
	for _, s := range spans {
		for _, at := range []int64{s.Start, s.End} {
			if at == 0 || at*int64(channels) >= int64(len(out)) || s.Start == s.End {
				continue
			}
			one := make([]float32, 0, 2*near)
			for f := max(0, at-near); f < min(int64(len(out)/channels), at+near); f++ {
				one = append(one, out[f*int64(channels)])
			}
			border := min(at, near)
			step := largestStep(one[border-1 : border+1])
			around := max(largestStep(one[:border]), largestStep(one[border:]))
			require.LessOrEqual(rt, step, max(1.1*around, 1.0/2048)+1e-6, "border at %d", at)
		}
	}
}

func TestJoinKeepsChannelsApart(t *testing.T) {
	const rate = 24000
	quiet, loud := sine(6000, rate, 100, 0.4, 0), sine(6000, rate, 100, 0.4, math.Pi/2)
	out, _ := join(t, rate, 2, 0, 500, []piece{{samples: stereo(quiet, quiet)}, {samples: stereo(quiet, loud)}})
	for i := range quiet {
		require.InDelta(t, quiet[i], out[12000+2*i], 0, "the channel without a click is untouched")
	}
	require.InDelta(t, 0, out[12001], 0.02)
}

func TestJoinMemoryIsFlat(t *testing.T) {
	const rate = 24000
	var emitted int64
	j := audio.NewJoiner(rate, 1, 50*time.Millisecond, func(s []float32) error {
		emitted += int64(len(s))
		return nil
	})
	second := sine(rate, rate, 200, 0.2, 0)
	for range 20 {
		require.NoError(t, j.Start())
		for range 20 {
			require.NoError(t, j.Write(second))
			require.LessOrEqual(t, j.Frames()-emitted, int64(rate/20), "more than the crossfade is held")
		}
	}
	require.NoError(t, j.Close())
	require.Equal(t, int64(20*20*rate-19*rate/20), emitted)
}

func TestJoinRefusesMisuse(t *testing.T) {
	j := audio.NewJoiner(24000, 2, 0, func([]float32) error { return nil })
	require.Error(t, j.Write([]float32{1, 2}))
	require.NoError(t, j.Start())
	require.Error(t, j.Write([]float32{1, 2, 3}))
	require.NoError(t, j.Pause(-time.Second))
	require.Error(t, j.Write([]float32{1, 2}))
	require.NoError(t, j.Close())
	require.Error(t, j.Start())
	require.Error(t, j.Pause(0))
	require.Zero(t, j.Frames())
}

func TestJoinReturnsTheErrorOfEmit(t *testing.T) {
	full := errors.New("disk full")
	for _, end := range []func(*audio.Joiner) error{
		func(j *audio.Joiner) error { return j.Write(make([]float32, 9000)) },
		func(j *audio.Joiner) error { return j.Close() },
	} {
		j := audio.NewJoiner(24000, 1, 0, func([]float32) error { return full })
		require.NoError(t, j.Start())
		require.NoError(t, j.Write(make([]float32, 10)))
		require.ErrorIs(t, end(j), full)
	}
}

func ExampleJoiner() {
	j := audio.NewJoiner(1000, 1, 0, func([]float32) error { return nil })
	for _, chunk := range [][]float32{make([]float32, 300), make([]float32, 200)} {
		_ = j.Start()
		_ = j.Write(chunk)
		_ = j.Pause(50 * time.Millisecond)
	}
	_ = j.Close()
	fmt.Println(j.Spans(), j.Frames())
	// Output: [{0 300} {350 550}] 600
}
