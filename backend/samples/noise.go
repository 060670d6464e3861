package samples

import (
	"math"
	"sort"

	"github.com/voicewright/voicewright/backend/audio"
)

const (
	noiseStep    = 0.02  // seconds of one measure of the level
	speechFringe = 0.05  // seconds beside speech that belong neither to it nor to the background
	nearSpeech   = 1.0   // seconds before the first and after the last speech that count as its background
	fewestQuiet  = 0.3   // seconds of background that are enough to measure it
	quietest     = 0.1   // quantile of the levels that is the background of speech without pauses
	lowestDB     = -96.0 // of noise, the step of 16 bits; below it is digital silence, which is no background
)

// background returns the level of the background of mono audio, and that of the speech in it without the background, in dB
// below full scale. The background is what is between the spans of speech or, if they leave too little, the quietest moments.
func background(mono audio.Buffer, speech []Span) (noise, voice float64) {
	size := max(1, int(noiseStep*float64(mono.Rate)))
	if len(speech) == 0 {
		return lowestDB, lowestDB
	}
	var inside, outside, all []float64
	mono = seconds(mono, 0, speech[len(speech)-1].End+nearSpeech)
	for at := int(max(0, speech[0].Start-nearSpeech) * float64(mono.Rate)); at+size <= len(mono.Samples); at += size {
		e := variance(mono.Samples[at : at+size])
		if e < math.Pow(10, lowestDB/10) {
			continue
		}
		all = append(all, e)
		start, end := float64(at)/float64(mono.Rate), float64(at+size)/float64(mono.Rate)
		if !overlaps(speech, start-speechFringe, end+speechFringe) {
			outside = append(outside, e)
		} else if overlaps(speech, start, end) {
			inside = append(inside, e)
		}
	}
	floor := quantile(outside, 0.5)
	if float64(len(outside))*noiseStep < fewestQuiet {
		floor = quantile(all, quietest)
	}
	var sum float64
	for _, e := range inside {
		sum += e
	}
	return decibels(floor), decibels(sum/float64(max(1, len(inside))) - floor)
}

// overlaps reports whether a stretch of time overlaps one of the spans, which are in order.
func overlaps(spans []Span, start, end float64) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].End > start })
	return i < len(spans) && spans[i].Start < end
}

// quantile returns the value below which a share q of v is; 0 if v is empty. It sorts v.
func quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return 0
	}
	sort.Float64s(v)
	return v[int(q*float64(len(v)-1)+0.5)]
}

// variance returns the mean square of x around its mean, so that an offset does not count.
func variance(x []float32) float64 {
	var sum, squares float64
	for _, v := range x {
		sum += float64(v)
		squares += float64(v) * float64(v)
	}
	n := float64(max(1, len(x)))
	return max(0, squares/n-sum/n*sum/n)
}

// decibels returns a power in dB below full scale, lowestDB at least.
func decibels(power float64) float64 {
	return max(lowestDB, 10*math.Log10(max(power, 1e-30)))
}
