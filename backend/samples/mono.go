package samples

import (
	"context"
	"math"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

const (
	deadBelow  = 20.0 // dB below the loudest channel; quieter channels carry no voice of their own
	loudestRaw = 4.0  // samples beyond are an error of whoever wrote the file
)

// sound returns b with samples that can be computed with; a buffer that is no audio at all becomes an empty one.
func sound(b audio.Buffer) audio.Buffer {
	if b.Rate < audio.MinRate || b.Rate > audio.MaxRate || b.Channels < 1 || b.Channels > audio.MaxChannels {
		return audio.Buffer{Rate: audio.MinRate, Channels: 1}
	}
	b.Samples = b.Samples[:b.Frames()*b.Channels]
	for i, x := range b.Samples {
		if x >= -loudestRaw && x <= loudestRaw {
			continue
		}
		fixed := append([]float32(nil), b.Samples...)
		for k, y := range fixed[i:] {
			switch {
			case y != y || math.IsInf(float64(y), 0):
				fixed[i+k] = 0
			default:
				fixed[i+k] = min(max(y, -loudestRaw), loudestRaw)
			}
		}
		b.Samples = fixed
		break
	}
	return b
}

// peaks returns the highest levels of b over time, 0 to 1. Error: backend.ErrCancelled soon after ctx ends.
func peaks(ctx context.Context, b audio.Buffer) ([]float32, error) {
	w := audio.NewWaveform(int64(b.Frames()), b.Channels, peakCount)
	for x := b.Samples; len(x) > 0; {
		if err := ctx.Err(); err != nil {
			return nil, backend.ErrCancelled.WithCause(err)
		}
		n := min(len(x), b.Rate*b.Channels)
		w.Write(x[:n])
		x = x[n:]
	}
	all := w.Peaks()
	out := make([]float32, len(all))
	for i, p := range all {
		out[i] = min(1, max(p.Max, -p.Min))
	}
	return out, nil
}

// choose returns the part of b between two times in seconds, and where it begins. Errors: sample_rejected.
func choose(b audio.Buffer, from, to float64) (audio.Buffer, float64, error) {
	length := b.Duration().Seconds()
	if math.IsNaN(from) || from < 0 {
		from = 0
	}
	if math.IsNaN(to) || to <= 0 || to > length {
		to = length
	}
	if to-from > LongestRecording {
		return audio.Buffer{}, 0, errTooLong(to - from)
	}
	if to <= from {
		return audio.Buffer{}, 0, errTooShort(0)
	}
	return seconds(b, from, to), from, nil
}

// seconds returns the part of b between two times, in the same memory.
func seconds(b audio.Buffer, from, to float64) audio.Buffer {
	frames := float64(b.Frames())
	first := int(min(frames, max(0, math.Round(from*float64(b.Rate)))))
	last := int(min(frames, max(float64(first), math.Round(to*float64(b.Rate)))))
	return audio.Buffer{Samples: b.Samples[first*b.Channels : last*b.Channels], Rate: b.Rate, Channels: b.Channels}
}

// mix returns the mean of the channels of b. Channels far below the loudest one are left out and counted; those in
// opposite phase to it are inverted, because they would cancel it.
func mix(b audio.Buffer) (mono audio.Buffer, dead int) {
	if b.Channels == 1 {
		return b, 0
	}
	gains, dead := gains(b)
	out := make([]float32, b.Frames())
	for i := range out {
		frame := b.Samples[i*b.Channels : (i+1)*b.Channels]
		var sum float32
		for c, g := range gains {
			sum += g * frame[c]
		}
		out[i] = sum
	}
	return audio.Buffer{Samples: out, Rate: b.Rate, Channels: 1}, dead
}

// gains returns the factor of each channel of b in the mean.
func gains(b audio.Buffer) (gains []float32, dead int) {
	energy := make([]float64, b.Channels)
	loudest := 0
	for c := range energy {
		energy[c] = covariance(b, c, c)
		if energy[c] > energy[loudest] {
			loudest = c
		}
	}
	gains = make([]float32, b.Channels)
	floor := energy[loudest] * math.Pow(10, -deadBelow/10)
	for c := range gains {
		switch {
		case energy[c] < floor && c != loudest:
			dead++
		case covariance(b, c, loudest) < 0:
			gains[c] = -1
		default:
			gains[c] = 1
		}
	}
	for c := range gains {
		gains[c] /= float32(b.Channels - dead)
	}
	return gains, dead
}

// covariance returns the covariance of two channels of b; that of a channel with itself is its power without offset.
func covariance(b audio.Buffer, c, d int) float64 {
	var x, y, xy float64
	for i := 0; i < len(b.Samples); i += b.Channels {
		p, q := float64(b.Samples[i+c]), float64(b.Samples[i+d])
		x, y, xy = x+p, y+q, xy+p*q
	}
	n := float64(max(1, b.Frames()))
	return xy/n - x/n*y/n
}

// within returns the spans that are in audio of a length in seconds.
func within(spans []Span, length float64) []Span {
	var out []Span
	at := 0.0
	for _, s := range spans {
		if s = (Span{max(at, s.Start), min(length, s.End)}); s.End > s.Start {
			out, at = append(out, s), s.End
		}
	}
	return out
}

// total returns the length of all spans in seconds.
func total(spans []Span) float64 {
	var sum float64
	for _, s := range spans {
		sum += s.End - s.Start
	}
	return sum
}
