package samples

import (
	"github.com/voicewright/voicewright/backend/audio"
)

const (
	silentLUFS  = -60.0 // recordings below contain nothing that can be heard
	detectLUFS  = -20.0 // speech is found best at about this level
	highestGain = 100.0 // of what is searched for speech, linear
)

// loudness returns the integrated loudness of mono audio in LUFS; ok is false if it cannot be measured.
func loudness(mono audio.Buffer) (lufs float64, ok bool) {
	m := audio.NewMeter(mono.Rate, 1)
	m.Write(mono.Samples)
	return m.Integrated()
}

// amplified returns samples of a loudness in LUFS at the level at which speech is found best.
func amplified(samples []float32, lufs float64) []float32 {
	gain := float32(min(highestGain, max(1, audio.FromDB(detectLUFS-lufs))))
	out := make([]float32, len(samples))
	for i, x := range samples {
		out[i] = min(1, max(-1, gain*x))
	}
	return out
}
