package samples

import (
	"math"
	"sort"

	"github.com/voicewright/voicewright/backend/audio"
)

// The pitch of speech is found by YIN (A. de Cheveigné and H. Kawahara, "YIN, a fundamental frequency estimator for
// speech and music", Journal of the Acoustical Society of America 111, 2002), in windows of audio at a low rate.
const (
	pitchRate   = 8000 // Hz
	pitchStep   = pitchRate / 50
	pitchWindow = pitchRate / 25 // the stretch that is compared with itself
	lowestHz    = 60
	highestHz   = 500
	longestLag  = pitchRate / lowestHz
	shortestLag = pitchRate / highestHz
	aperiodic   = 0.15 // threshold of the normalised difference
	voicedRange = 30.0 // dB below the loudest window; quieter windows are not voiced
)

// PitchHz returns the median pitch of the voiced windows of mono audio. ok is false if nothing is voiced.
func PitchHz(mono audio.Buffer) (hz float64, ok bool) {
	var voiced []float64
	for _, p := range pitches(audio.Resample(mono.Samples, mono.Rate, pitchRate)) {
		if p > 0 {
			voiced = append(voiced, p)
		}
	}
	if len(voiced) == 0 {
		return 0, false
	}
	sort.Float64s(voiced)
	return voiced[len(voiced)/2], true
}

// pitches returns the pitch in Hz of windows that begin each pitchStep samples, 0 where there is no voice.
func pitches(x []float32) []float64 {
	n := (len(x) - pitchWindow - longestLag) / pitchStep
	if n <= 0 {
		return nil
	}
	energy := make([]float64, n)
	var loudest float64
	for i := range energy {
		energy[i] = power(x[i*pitchStep:][:pitchWindow])
		loudest = max(loudest, energy[i])
	}
	floor := loudest * math.Pow(10, -voicedRange/10)
	out := make([]float64, n)
	d := make([]float64, longestLag+1)
	for i := range out {
		if energy[i] > floor {
			out[i] = yin(x[i*pitchStep:][:pitchWindow+longestLag], d)
		}
	}
	return out
}

// yin returns the pitch of a window of pitchWindow+longestLag samples in Hz, or 0; d is scratch space.
func yin(x []float32, d []float64) float64 {
	difference(x, d)
	for lag := shortestLag; lag < longestLag; lag++ {
		if d[lag] >= aperiodic {
			continue
		}
		for lag+1 < longestLag && d[lag+1] < d[lag] {
			lag++
		}
		return pitchRate / (float64(lag) + vertex(d[lag-1], d[lag], d[lag+1]))
	}
	return 0
}

// difference sets d to the cumulative mean normalised difference of x for each lag (equations 6 and 8 of the paper).
func difference(x []float32, d []float64) {
	d[0] = 1
	var sum float64
	for lag := 1; lag < len(d); lag++ {
		var s float32
		a, b := x[:pitchWindow], x[lag:lag+pitchWindow]
		for i, v := range a {
			diff := v - b[i]
			s += diff * diff
		}
		sum += float64(s)
		d[lag] = 1
		if sum > 0 {
			d[lag] = float64(s) * float64(lag) / sum
		}
	}
}

// vertex returns where the parabola through three neighbouring values is lowest, relative to the middle one.
func vertex(left, middle, right float64) float64 {
	if curve := left - 2*middle + right; curve > 0 {
		return min(0.5, max(-0.5, (left-right)/(2*curve)))
	}
	return 0
}

// power returns the mean square of x.
func power(x []float32) float64 {
	var sum float64
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	return sum / float64(max(1, len(x)))
}
