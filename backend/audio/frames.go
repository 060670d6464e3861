package audio

import (
	"math"
	"time"
)

// Seconds returns how long frames at rate Hz are.
func Seconds(frames int64, rate int) float64 { return float64(frames) / float64(rate) }

// Frames returns the number of frames in seconds at rate Hz.
func Frames(seconds float64, rate int) int64 { return int64(math.Round(seconds * float64(rate))) }

// Length returns the duration of frames at rate Hz.
func Length(frames int64, rate int) time.Duration {
	return time.Duration(math.Round(Seconds(frames, rate) * float64(time.Second)))
}

// silentBlock is how many samples of silence are emitted at a time.
const silentBlock = 1 << 14

// Silence calls emit with the samples of a pause.
func Silence(pause time.Duration, rate, channels int, emit func([]float32) error) error {
	n := int(Frames(pause.Seconds(), rate)) * channels
	zeros := make([]float32, min(n, silentBlock))
	for n > 0 {
		block := zeros[:min(n, silentBlock)]
		if err := emit(block); err != nil {
			return err
		}
		n -= len(block)
	}
	return nil
}
