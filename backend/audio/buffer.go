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

// Mono returns the mean of all channels as one channel.
func (b Buffer) Mono() Buffer {
	if b.Channels <= 1 {
		return b
	}
	out := make([]float32, b.Frames())
	for i := range out {
		var sum float32
		for _, x := range b.Samples[i*b.Channels : (i+1)*b.Channels] {
			sum += x
		}
		out[i] = sum / float32(b.Channels)
	}
	return Buffer{Samples: out, Rate: b.Rate, Channels: 1}
}

// channel returns the samples of channel c.
func (b Buffer) channel(c int) []float32 {
	if b.Channels == 1 {
		return b.Samples
	}
	one := make([]float32, b.Frames())
	for i := range one {
		one[i] = b.Samples[i*b.Channels+c]
	}
	return one
}
