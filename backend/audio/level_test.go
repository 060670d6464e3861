package audio_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
)

// levelled returns audio at its level as the program produces it: with the limiter if it is needed.
func levelled(t testing.TB, b audio.Buffer) (audio.Level, audio.Buffer) {
	t.Helper()
	trace := audio.NewTrace(b.Rate, b.Channels)
	pairs := slices.Concat(trace.Write(b.Samples), trace.Close())
	level, err := trace.Level(audio.TargetLUFS, audio.CeilingDBTP, func(emit func([]float32) error) error { return emit(pairs) })
	require.NoError(t, err)
	if level.Reduction > 0 {
		b.Samples = limited(b, level.Gain, 1777)
		return level, b
	}
	b.Samples = slices.Clone(b.Samples)
	for i := range b.Samples {
		b.Samples[i] *= float32(level.Gain)
	}
	return level, b
}

// limited returns audio after a limiter, written step frames at a time.
func limited(b audio.Buffer, gain float64, step int) []float32 {
	limiter := audio.NewLimiter(b.Rate, b.Channels, gain, audio.CeilingDBTP)
	var out []float32
	for part := range slices.Chunk(b.Samples, step*b.Channels) {
		out = append(out, limiter.Write(part)...)
	}
	return append(out, limiter.Close()...)
}

// distortion returns the total harmonic distortion of a tone: the level of the remaining signal relative to that of the tone.
func distortion(samples []float32, rate int, hz float64) float64 {
	var re, im, total float64
	for i, x := range samples {
		sin, cos := math.Sincos(2 * math.Pi * hz * float64(i) / float64(rate))
		re, im, total = re+float64(x)*cos, im+float64(x)*sin, total+float64(x)*float64(x)
	}
	n := float64(len(samples))
	tone := 2 * (re*re + im*im) / n
	return math.Sqrt(max(0, total-tone) / tone)
}

func TestLevelReachesTheTarget(t *testing.T) {
	for _, name := range []string{"jfk.wav", "LJ001-0001.wav"} {
		in := readClip(t, name)
		level, out := levelled(t, in)
		require.Len(t, out.Samples, len(in.Samples))
		m := measure(out)
		lufs, _ := m.Integrated()
		require.InDelta(t, audio.TargetLUFS, lufs, 0.1)
		require.InDelta(t, level.LUFS, lufs, 0.1, "the loudness is as it is told")
		require.LessOrEqual(t, dB(m.TruePeak()), audio.CeilingDBTP)
		require.LessOrEqual(t, level.Reduction, 9.0)
	}
}

// A click far above the speech would need more than 9 dB: the speech stays below the target, and the level says by how much.
func TestLevelStaysBelowWhereTheLimiterIsNotEnough(t *testing.T) {
	b := readClip(t, "LJ001-0001.wav")
	for i := range b.Samples {
		b.Samples[i] *= 0.1
	}
	b.Samples[len(b.Samples)/2] = 0.9
	level, out := levelled(t, b)
	m := measure(out)
	lufs, _ := m.Integrated()
	require.InDelta(t, 9, level.Reduction, 0.01)
	require.Less(t, lufs, audio.TargetLUFS-5)
	require.InDelta(t, level.LUFS, lufs, 0.1)
	require.LessOrEqual(t, dB(m.TruePeak()), audio.CeilingDBTP)
}

// A loud passage whose samples are below the ceiling while the peaks between them exceed it.
func TestLevelCountsPeaksBetweenSamples(t *testing.T) {
	const rate = 24000
	for _, louder := range []float32{4, 5, 6, 7} {
		b := audio.Buffer{Samples: sine(3*rate, rate, rate/4, 0.1, math.Pi/4), Rate: rate, Channels: 1} // 3 dB between samples
		for i := range rate / 100 {
			b.Samples[rate+i] *= louder
		}
		level, out := levelled(t, b)
		peak := dB(measure(out).TruePeak())
		t.Logf("%.0f times: reduction %.2f dB, %.3f dBTP", louder, level.Reduction, peak)
		require.LessOrEqual(t, peak, audio.CeilingDBTP)
	}
}

func TestLevelOfSilenceAndOfShortWords(t *testing.T) {
	level, _ := levelled(t, audio.Buffer{Samples: make([]float32, 24000), Rate: 24000, Channels: 1})
	require.InDelta(t, 1, level.Gain, 0)
	require.True(t, math.IsInf(level.LUFS, -1))

	word := sine(7200, 24000, 440, 0.02, 0) // 300 ms: too short for the gates of BS.1770
	_, out := levelled(t, audio.Buffer{Samples: word, Rate: 24000, Channels: 1})
	out.Samples = slices.Repeat(out.Samples, 10)
	lufs, ok := measure(out).Integrated()
	require.True(t, ok)
	require.InDelta(t, audio.TargetLUFS, lufs, 0.1)
}

func TestLimiterDistortion(t *testing.T) {
	for _, rate := range []int{16000, 22050, 24000, 48000} {
		for hz, limit := range map[float64]float64{100: 0.005, 1000: 0.0005} {
			out := limited(audio.Buffer{Samples: sine(3*rate, rate, hz, 0.9, 0.3), Rate: rate, Channels: 1}, 2, 4096)
			thd := distortion(out[rate:2*rate], rate, hz)
			t.Logf("%d Hz, tone of %.0f Hz limited by 6 dB: %.5f %%", rate, hz, 100*thd)
			require.LessOrEqual(t, thd, limit)
		}
	}
}

func TestLimiterChangesOnlySamplesNearAPeak(t *testing.T) {
	const rate = 24000
	in := sine(rate, rate, 300, 0.1, 0)
	for i := range 24 {
		in[rate/2+i] *= 20
	}
	out := limited(audio.Buffer{Samples: in, Rate: rate, Channels: 1}, 1.5, 999)
	for i, x := range in {
		if near := i >= rate/2-rate*8/1000 && i < rate/2+rate*200/1000; !near {
			require.Equal(t, float32(float64(x)*1.5), out[i], "sample %d", i)
		}
	}
}

// The true peak and the samples do not depend on the size of the pieces.
func TestLimiterHoldsTheCeiling(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	sounds := map[string]func(i int) float64{
		"noise":        func(int) float64 { return 2*random.Float64() - 1 },
		"clicks":       func(i int) float64 { return math.Pow(random.Float64(), 200) * float64(1-2*(i%2)) },
		"bursts":       func(i int) float64 { return math.Sin(float64(i)*0.9) * float64(i/2000%2) },
		"between":      func(i int) float64 { return 0.99 * math.Sin(math.Pi/2*float64(i)+math.Pi/4) },
		"growing tone": func(i int) float64 { return float64(i) / 48000 * math.Sin(float64(i)*0.05) },
	}
	for name, sound := range sounds {
		for _, channels := range []int{1, 2} {
			b := audio.Buffer{Samples: make([]float32, 48000*channels), Rate: 24000, Channels: channels}
			for i := range b.Samples {
				b.Samples[i] = float32(sound(i))
			}
			out := limited(b, 2.5, 48000)
			require.Len(t, out, len(b.Samples))
			for _, step := range []int{1, 7, 24, 333} {
				require.Equal(t, out, limited(b, 2.5, step), "%s, %d at a time", name, step)
			}
			peak := measure(audio.Buffer{Samples: out, Rate: b.Rate, Channels: channels}).TruePeak()
			t.Logf("%s, %d channels: %.3f dBTP", name, channels, dB(peak))
			require.LessOrEqual(t, dB(peak), audio.CeilingDBTP, name)
		}
	}
}

func TestLevelMemoryIsFlat(t *testing.T) {
	clip := readClip(t, "LJ001-0001.wav")
	trace, limiter := audio.NewTrace(clip.Rate, 1), audio.NewLimiter(clip.Rate, 1, 2, audio.CeilingDBTP)
	write := func() {
		trace.Write(clip.Samples)
		limiter.Write(clip.Samples)
	}
	write()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 20 {
		write()
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<10))
}

// The meter skips samples that cannot reach the peak so far, which must not change its result.
func TestTruePeakDoesNotDependOnEarlierSamples(t *testing.T) {
	clip := readClip(t, "LJ001-0001.wav")
	slices.Reverse(clip.Samples)
	backwards := measure(clip).TruePeak()
	slices.Reverse(clip.Samples)
	require.InDelta(t, backwards, measure(clip).TruePeak(), 1e-6)
	highest := 0.0
	for part := range slices.Chunk(clip.Samples, 500) {
		alone := slices.Concat(make([]float32, 50), part, make([]float32, 50))
		highest = max(highest, measure(audio.Buffer{Samples: alone, Rate: clip.Rate, Channels: 1}).TruePeak())
	}
	require.GreaterOrEqual(t, highest, measure(clip).TruePeak()-1e-3)
}
