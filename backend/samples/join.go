package samples

import (
	"context"
	"math"
	"slices"

	"github.com/voicewright/voicewright/backend/audio"
)

// Gap is the silence between two joined recordings in seconds.
const Gap = 0.2

const (
	fade        = 0.01 // seconds at both ends of a sample
	fewest      = 1.0  // seconds; less room than this is left empty
	pauseStep   = 0.02 // seconds of one measure of the level
	longPause   = 0.15 // seconds; shorter silence may be in a word, such as before a "t"
	pauseHeight = 0.3  // of the way from the background to speech in dB, above which it is not a pause
	ceilingDB   = -1.0 // peak of samples that are amplified
)

// Join returns recordings in their order with 0.2 s of silence between, mono, at the highest of their rates, all at the
// loudness of the first. It has at most longest seconds (0: no limit): what is beyond is cut off at a pause. Recordings
// without audio are left out.
func Join(parts []audio.Buffer, longest float64) audio.Buffer {
	out := audio.Buffer{Rate: audio.MinRate, Channels: 1}
	var monos []audio.Buffer
	for _, p := range parts {
		if p = sound(p); p.Frames() > 0 {
			mono, _ := mix(p)
			monos = append(monos, mono)
			out.Rate = max(out.Rate, min(p.Rate, highestRate))
		}
	}
	if longest <= 0 || math.IsNaN(longest) {
		longest = math.Inf(1)
	}
	for i, m := range monos {
		left := longest - out.Duration().Seconds()
		if i > 0 {
			if left -= Gap; left < fewest {
				break
			}
			out.Samples = append(out.Samples, make([]float32, int(Gap*float64(out.Rate)))...)
		}
		whole := m.Resampled(out.Rate)
		m = shortened(whole, left)
		out.Samples = append(out.Samples, faded(m, levelling(monos[0], m))...)
		if m.Frames() < whole.Frames() {
			break
		}
	}
	return out
}

// Used returns of how many recordings of these lengths in seconds Join uses at least a part.
func Used(lengths []float64, longest float64) int {
	at := 0.0
	for i, n := range lengths {
		if longest > 0 && (at >= longest || i > 0 && longest-at-Gap < fewest) {
			return i
		}
		if i > 0 {
			at += Gap
		}
		at += n
	}
	return len(lengths)
}

// levelling returns the factor that brings m to the loudness of first, as far as its peak allows.
func levelling(first, m audio.Buffer) float32 {
	want, ok, err := loudness(context.Background(), first)
	have, ok2, err2 := loudness(context.Background(), m)
	if !ok || !ok2 || err != nil || err2 != nil {
		return 1
	}
	var peak float64
	for _, x := range m.Samples {
		peak = max(peak, math.Abs(float64(x)))
	}
	gain := audio.FromDB(want - have)
	if gain > 1 {
		gain = min(gain, max(1, audio.FromDB(ceilingDB)/peak))
	}
	return float32(gain)
}

// faded returns the samples of m times gain, with a short fade at both ends.
func faded(m audio.Buffer, gain float32) []float32 {
	out := make([]float32, len(m.Samples))
	n := min(int(fade*float64(m.Rate)), len(out)/2)
	for i, x := range m.Samples {
		g := gain
		if edge := min(i, len(out)-1-i); edge < n {
			g *= float32(edge) / float32(n)
		}
		out[i] = x * g
	}
	return out
}

// shortened returns the beginning of m, at most longest seconds, up to a pause if there is one.
func shortened(m audio.Buffer, longest float64) audio.Buffer {
	if m.Duration().Seconds() <= longest {
		return m
	}
	m = seconds(m, 0, longest)
	return seconds(m, 0, lastPause(m))
}

// lastPause returns the time in seconds at which mono audio is best cut: in its last long pause, unless that is in the first
// third, else in the longest silence of the last quarter, else where that is quietest.
func lastPause(m audio.Buffer) float64 {
	step := max(1, int(pauseStep*float64(m.Rate)))
	levels := make([]float64, len(m.Samples)/step)
	for i := range levels {
		levels[i] = decibels(variance(m.Samples[i*step:][:step]))
	}
	if len(levels) == 0 {
		return m.Duration().Seconds()
	}
	sorted := slices.Clone(levels)
	low, high := quantile(sorted, 0.05), quantile(sorted, 0.9)
	limit := low + pauseHeight*(high-low)
	best, length := quietestOf(levels), 0
	for i := len(levels) / 3; i < len(levels); i++ {
		begin := i
		for i < len(levels) && levels[i] <= limit {
			i++
		}
		n := i - begin
		long := float64(n)*pauseStep >= longPause
		if long || n > length && begin >= len(levels)*3/4 && float64(length)*pauseStep < longPause {
			best, length = begin+(n+1)/2, n
		}
	}
	return float64(best*step) / float64(m.Rate)
}

// quietestOf returns the index of the lowest level of the last quarter.
func quietestOf(levels []float64) int {
	from := len(levels) * 3 / 4
	best := from
	for i, l := range levels[from:] {
		if l < levels[best] {
			best = from + i
		}
	}
	return max(1, best)
}
