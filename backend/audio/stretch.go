package audio

import (
	"context"
	"math"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio/internal/filters"
)

// The range of Stretch.
const (
	MinSpeed = 0.25
	MaxSpeed = 4.0
)

const (
	stretchHop      = 20 * time.Millisecond // of the output; two hops are one window
	stretchSearch   = 12 * time.Millisecond // to each side; the two sides hold a period of 42 Hz
	inaudibleEnergy = 1e-9                  // of a piece; the position of silence does not matter
)

// Stretch changes the tempo of interleaved samples at equal pitch: speed 2 is twice as fast, half as long. It is WSOLA
// (Verhelst and Roelands, ICASSP 1993): pieces of the input are overlapped at the place within 12 ms where they
// continue the sound best, which is the same for all channels. The result has round(frames/speed) frames. rate is in Hz; speed
// is limited to [MinSpeed, MaxSpeed], and 1 (or NaN) returns the same slice. Error: backend.ErrCancelled soon after ctx ends.
func Stretch(ctx context.Context, samples []float32, rate, channels int, speed float64) ([]float32, error) {
	if speed == 1 || math.IsNaN(speed) || len(samples) == 0 {
		return samples, nil
	}
	speed = min(max(speed, MinSpeed), MaxSpeed)
	frames := len(samples) / channels
	hop := max(1, int(stretchHop.Seconds()*float64(rate)))
	search := int(stretchSearch.Seconds() * float64(rate))
	length := int(math.Round(float64(frames) / speed))

	// With zeros after the end, every piece can be read in full.
	in := make([]float32, (frames+4*hop+2*search)*channels)
	copy(in, samples)
	guide := in
	if channels > 1 {
		guide = Buffer{Samples: in, Rate: rate, Channels: channels}.Mono().Samples
	}
	out := make([]float32, (length+hop)*channels)
	fade := make([]float32, hop)
	for i := range fade {
		fade[i] = float32(0.5 - 0.5*math.Cos(math.Pi*(float64(i)+0.5)/float64(hop)))
	}

	copy(out[:hop*channels], in)
	piece := 0 // where the last piece began in the input
	for at := hop; at < length; at += hop {
		if err := ctx.Err(); err != nil {
			return nil, backend.ErrCancelled.WithCause(err)
		}
		natural := piece + hop
		piece = bestPiece(guide, natural, min(int(math.Round(float64(at)*speed)), frames), hop, search)
		for i, w := range fade {
			for c := range channels {
				out[(at+i)*channels+c] = in[(natural+i)*channels+c]*(1-w) + in[(piece+i)*channels+c]*w
			}
		}
	}
	return out[:length*channels], nil
}

// bestPiece returns the position within search of target whose hop samples are most similar to those at natural.
func bestPiece(in []float32, natural, target, hop, search int) int {
	want := in[natural : natural+hop]
	first, last := max(0, target-search), target+search
	best, bestScore := target, 0.0
	var energy float64
	for _, x := range in[first : first+hop] {
		energy += float64(x) * float64(x)
	}
	for p := first; p <= last; p++ {
		if energy > inaudibleEnergy {
			if score := float64(filters.Dot(want, in[p:p+hop])) / math.Sqrt(energy); score > bestScore {
				best, bestScore = p, score
			}
		}
		energy += float64(in[p+hop])*float64(in[p+hop]) - float64(in[p])*float64(in[p])
	}
	return best
}
