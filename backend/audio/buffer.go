// Package audio reads, writes, measures, joins and converts audio.
// Samples are float32 in [-1, 1], interleaved by channel, unless a name says otherwise.
package audio

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend"
)

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

// Mono returns the mean of all channels as one channel or, where that is cancelled by opposite phases, the loudest one.
func (b Buffer) Mono() Buffer {
	if b.Channels <= 1 {
		return b
	}
	out := make([]float32, 0, b.Frames())
	m := newMixer(b.Rate, b.Channels, func(samples []float32) error {
		out = append(out, samples...)
		return nil
	})
	_, _ = m.write(b.Samples[:b.Frames()*b.Channels]), m.close() // emit returns no error
	return Buffer{Samples: out, Rate: b.Rate, Channels: 1}
}

// MonoAt returns Mono at a rate in Hz, as a copy. Error: backend.ErrCancelled soon after ctx ends.
func (b Buffer) MonoAt(ctx context.Context, rate int) (Buffer, error) {
	frames := int(int64(b.Frames()) * int64(rate) / int64(max(b.Rate, 1)))
	out := Buffer{Rate: rate, Channels: 1, Samples: make([]float32, 0, frames+1)} // whole frames are rounded
	r := newResampler(b.Rate, rate, func(samples []float32) error {
		out.Samples = append(out.Samples, samples...)
		return nil
	})
	m := newMixer(b.Rate, b.Channels, r.write)
	if err := b.inBlocks(ctx, m.write); err != nil {
		return Buffer{}, err
	}
	if err := m.close(); err != nil {
		return Buffer{}, err
	}
	return out, r.close()
}

// workBlock is how many frames are processed between two looks at the context, a few milliseconds of work.
const workBlock = 1 << 15

// inBlocks calls f with all samples. Errors: that of f, backend.ErrCancelled soon after ctx ends.
func (b Buffer) inBlocks(ctx context.Context, f func(samples []float32) error) error {
	size := workBlock * max(b.Channels, 1)
	for at := 0; at < len(b.Samples); at += size {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		if err := f(b.Samples[at:min(at+size, len(b.Samples))]); err != nil {
			return err
		}
	}
	return nil
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
