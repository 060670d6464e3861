package samples

import (
	"context"
	"math"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend/audio"
)

// Measures are what speech can be compared by with the sample whose voice it has. Those that are unknown are nil.
type Measures struct {
	LevelLUFS *float64 // integrated loudness
	PitchHz   *float64 // median pitch
	Speech    float64  // seconds of speech, without the pauses
}

// Measure returns the measures of speech, whatever its quality. Errors: cancelled; those of Options.Detect.
func Measure(ctx context.Context, in audio.Buffer, o Options) (Measures, error) {
	var m Measures
	in = sound(in)
	mono, _ := mix(in)
	low, err := mono.MonoAt(ctx, detectRate)
	if err != nil {
		return m, err
	}
	level, ok, err := loudness(ctx, mono)
	if err != nil || !ok {
		return m, err
	}
	m.LevelLUFS = &level
	spans, err := o.Detect(ctx, amplified(low.Samples, level))
	if err != nil {
		return m, err
	}
	m.Speech = total(within(spans, low.Duration().Seconds()))
	if hz, ok := PitchHz(low); ok {
		m.PitchHz = &hz
	}
	return m, nil
}

// WordsPerMinute returns the pace of a text that is spoken in so many seconds of speech. ok is false if it has no words, for
// scripts without spaces between words, and for less than half a second.
func WordsPerMinute(text string, speech float64) (wpm float64, ok bool) {
	const shortest = 0.5
	words := 0
	for _, w := range strings.Fields(text) {
		for _, r := range w {
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
				return 0, false
			}
		}
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			words++
		}
	}
	if words == 0 || !(speech >= shortest) || math.IsInf(speech, 0) {
		return 0, false
	}
	return float64(words) * 60 / speech, true
}

// Semitones returns how much higher the pitch b is than a, in semitones; negative if it is lower. Both are in Hz.
func Semitones(a, b float64) float64 { return 12 * math.Log2(b/a) }
