// Package audio reads, writes, measures, joins and converts audio.
// Samples are float32 in [-1, 1], interleaved by channel, unless a name says otherwise.
package audio

import "time"

// Buffer is a piece of audio: len(Samples) = frames x Channels, interleaved.
type Buffer struct {
	Samples  []float32
	Rate     int // Hz
	Channels int
}

// Frames returns the number of samples of each channel.
func (b Buffer) Frames() int {
	if b.Channels == 0 {
		return 0
	}
	return len(b.Samples) / b.Channels
}

// Duration returns the playing time.
func (b Buffer) Duration() time.Duration {
	if b.Rate == 0 {
		return 0
	}
	return time.Duration(float64(b.Frames()) / float64(b.Rate) * float64(time.Second))
}
