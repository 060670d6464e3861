package channels_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/transcribe/internal/channels"
	"github.com/voicewright/voicewright/engines/enginetest"
)

const rate = 8000

// turn is a stretch in seconds.
type turn struct{ from, to float64 }

// Two people who talk for three minutes: mostly in turns, at times both.
func interview() (left, right []turn) {
	for at := 0.0; at < 180; at += 20 {
		left = append(left, turn{at + 0.5, at + 7}, turn{at + 14, at + 15})
		right = append(right, turn{at + 7.5, at + 13}, turn{at + 14.5, at + 18})
	}
	return left, right
}

// talk returns seconds of a voice of a pitch in Hz: syllables, of which every fifth is a pause, with overtones.
func talk(seconds, pitch, level float64, turns []turn) []float64 {
	out := make([]float64, int(seconds*rate))
	for _, t := range turns {
		for i := int(t.from * rate); i < min(int(t.to*rate), len(out)); i++ {
			now := float64(i)/rate - t.from
			syllable := math.Abs(math.Sin(math.Pi * now * 4))
			if int(now*4)%5 == 4 {
				syllable = 0
			}
			for n := 1.0; n < 8; n++ {
				out[i] += level * syllable * math.Sin(2*math.Pi*pitch*n*now) / n
			}
		}
	}
	return out
}

func noise(n int, level float64, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]float64, n)
	for i := range out {
		out[i] = level * r.NormFloat64()
	}
	return out
}

// sum returns a plus b, which is louder by a factor and later by a time.
func sum(a, b []float64, factor, later float64) []float64 {
	out := append([]float64{}, a...)
	for i := int(later * rate); i < len(out); i++ {
		out[i] += factor * b[i-int(later*rate)]
	}
	return out
}

func stereo(left, right []float64) []float32 {
	out := make([]float32, 0, 2*len(left))
	for i := range left {
		out = append(out, float32(left[i]), float32(right[i]))
	}
	return out
}

func heard(t *testing.T, samples []float32) channels.Result {
	t.Helper()
	var m channels.Meter
	m.Write(rate, 2, samples)
	r, ok := m.Result()
	require.True(t, ok)
	return r
}

// stretches returns turns in seconds.
func stretches(turns []int) []turn {
	out := []turn{}
	for from, to := range channels.Times(turns) {
		out = append(out, turn{from, to})
	}
	return out
}

// requireTurns holds turns against those that were spoken, to a tenth of a second.
func requireTurns(t *testing.T, want []turn, got []int, within float64) {
	t.Helper()
	found := stretches(got)
	require.Len(t, found, len(want), "%v", found)
	for i := range want {
		require.InDelta(t, want[i].from, found[i].from, within, "turn %d", i)
		require.InDelta(t, want[i].to, found[i].to, within+0.25, "turn %d, which may end with a pause", i)
	}
}

func TestSeparateSpeakers(t *testing.T) {
	left, right := interview()
	const seconds = 180
	a, b := talk(seconds, 110, 0.2, left), talk(seconds, 190, 0.2, right)
	quiet := talk(seconds, 190, 0.03, right)
	n := len(a)
	for name, c := range map[string][]float32{
		"clean":                 stereo(a, b),
		"noise":                 stereo(sum(a, noise(n, 0.004, 1), 1, 0), sum(b, noise(n, 0.004, 2), 1, 0)),
		"noise on one":          stereo(sum(a, noise(n, 0.01, 1), 1, 0), b),
		"bleed of -20 dB":       stereo(sum(a, b, 0.1, 0), sum(b, a, 0.1, 0)),
		"bleed of -14 dB, late": stereo(sum(a, b, 0.2, 0.01), sum(b, a, 0.2, 0.01)),
		"bleed and noise": stereo(
			sum(sum(a, b, 0.1, 0.005), noise(n, 0.003, 1), 1, 0), sum(sum(b, a, 0.1, 0.005), noise(n, 0.003, 2), 1, 0)),
		"echo of the line": stereo(a, sum(b, a, 0.08, 0.15)),
		"one is quiet":     stereo(a, sum(quiet, noise(n, 0.0005, 2), 1, 0)),
		"direct current":   stereo(sum(a, constant(n, 0.3), 1, 0), b),
	} {
		t.Run(name, func(t *testing.T) {
			r := heard(t, c)
			require.True(t, r.Separate)
			if name != "one is quiet" { // what it says while the other one is loud is not certain
				requireTurns(t, left, r.Turns[0], 0.25)
				requireTurns(t, right, r.Turns[1], 0.25)
			}
		})
	}
}

func constant(n int, value float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = value
	}
	return out
}

func TestOtherRecordings(t *testing.T) {
	left, right := interview()
	const seconds = 180
	a, b := talk(seconds, 110, 0.2, left), talk(seconds, 190, 0.2, right)
	n := len(a)
	both := sum(a, b, 1, 0)
	// Music: chords in the middle, an instrument on each side, hardly a pause.
	bar := []turn{{0, 60}, {60.1, 120}, {120.1, 180}}
	chords, piano, guitar := talk(seconds, 220, 0.2, bar), talk(seconds, 330, 0.1, bar), talk(seconds, 277, 0.1, bar)
	for name, c := range map[string]struct {
		samples []float32
		known   bool // the channels tell the speakers apart all the same
	}{
		"the same twice":       {stereo(both, both), false},
		"in opposite phase":    {stereo(both, sum(constant(n, 0), both, -1, 0)), false},
		"one is softer":        {stereo(both, sum(constant(n, 0), both, 0.1, 0)), false},
		"one is later":         {stereo(both, sum(constant(n, 0), both, 1, 0.02)), false},
		"one is silent":        {stereo(both, constant(n, 0)), false},
		"one has noise":        {stereo(both, noise(n, 0.01, 1)), false},
		"one has hum":          {stereo(both, talk(seconds, 50, 0, nil)), false},
		"silence":              {stereo(constant(n, 0), constant(n, 0)), false},
		"noise":                {stereo(noise(n, 0.1, 1), noise(n, 0.1, 2)), false},
		"music":                {stereo(sum(chords, piano, 1, 0), sum(chords, guitar, 1, 0)), false},
		"instruments apart":    {stereo(piano, guitar), false},
		"two in a room":        {stereo(sum(a, b, 0.5, 0.002), sum(b, a, 0.5, 0.002)), true},
		"one speaks all along": {stereo(a, sum(constant(n, 0), talk(seconds, 200, 0.2, []turn{{2, 2.7}}), 1, 0)), false},
	} {
		t.Run(name, func(t *testing.T) {
			r := heard(t, c.samples)
			require.False(t, r.Separate)
			require.Equal(t, c.known, len(r.Turns[0])+len(r.Turns[1]) > 0, "%v", r.Turns)
		})
	}
}

// A reader of books, whose sentences come from the left and from the right in turns, with noise and bleed.
func TestRealSpeech(t *testing.T) {
	clips := []string{"0870", "0880", "0890", "0920", "0930"}
	var sides [2][]float64
	var want [2][]turn
	for i, name := range clips {
		clip := enginetest.Clip(t, "sense_and_sensibility_01_austen_64kb-"+name+".wav").Resampled(rate)
		at := float64(len(sides[0])) / rate
		want[i%2] = append(want[i%2], turn{at, at + float64(len(clip.Samples))/rate})
		for _, x := range clip.Samples {
			sides[i%2] = append(sides[i%2], float64(x))
			sides[1-i%2] = append(sides[1-i%2], 0.1*float64(x))
		}
	}
	n := len(sides[0])
	r := heard(t, stereo(sum(sides[0], noise(n, 0.002, 1), 1, 0), sum(sides[1], noise(n, 0.002, 2), 1, 0)))
	require.True(t, r.Separate)
	for c := range sides {
		inside, all := 0.0, 0.0
		for from, to := range channels.Times(r.Turns[c]) {
			all += to - from
			for _, w := range want[c] {
				inside += max(0, min(w.to, to)-max(w.from, from))
			}
		}
		spoken := 0.0
		for _, w := range want[c] {
			spoken += w.to - w.from
		}
		require.Greater(t, inside, 0.98*all, "of a channel that speaks, the right one")
		require.Greater(t, inside, 0.7*spoken, "the rest are pauses")
	}
}

func TestOnlyStereo(t *testing.T) {
	for _, n := range []int{1, 3, 6} {
		var m channels.Meter
		m.Write(rate, n, make([]float32, 6*rate))
		_, ok := m.Result()
		require.False(t, ok, n)
	}
	var m channels.Meter
	_, ok := m.Result()
	require.False(t, ok, "nothing was read")
}

// However a recording is read, the result is the same; numbers that are none are silence.
func TestPieces(t *testing.T) {
	left, right := interview()
	samples := stereo(talk(180, 110, 0.2, left), talk(180, 190, 0.2, right))
	want := heard(t, samples)
	samples[1000], samples[1001] = float32(math.NaN()), float32(math.Inf(1))
	var m channels.Meter
	for at, n := 0, 0; at < len(samples); at += n {
		n = min(2+2*(at*7919%5000), len(samples)-at)
		m.Write(rate, 2, samples[at:at+n])
	}
	got, ok := m.Result()
	require.True(t, ok)
	require.Equal(t, want, got)
}

// A rate without whole samples in a step makes no turn come too late.
func TestRatesThatStepsDoNotDivide(t *testing.T) {
	for _, rate := range []int{11025, 12345} {
		var m channels.Meter
		r := rand.New(rand.NewPCG(1, 2))
		const seconds = 300
		for now := range seconds {
			samples := make([]float32, 2*rate)
			for i := range rate {
				x := 0.3 * math.Sin(float64(i)*0.1) * math.Abs(math.Sin(float64(i)*12/float64(rate)))
				who := now / 5 % 2
				samples[2*i+who] = float32(x + 0.0005*r.NormFloat64())
				samples[2*i+1-who] = float32(0.0005 * r.NormFloat64())
			}
			m.Write(rate, 2, samples)
		}
		got, ok := m.Result()
		require.True(t, ok)
		require.True(t, got.Separate)
		found := stretches(got.Turns[1])
		last := found[len(found)-1]
		require.InDelta(t, 295, last.from, 0.1, "at %d Hz", rate)
		require.InDelta(t, 300, last.to, 0.1, "at %d Hz", rate)
		require.LessOrEqual(t, last.to, float64(seconds))
	}
}
