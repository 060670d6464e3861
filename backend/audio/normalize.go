package audio

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// Normalize brings samples in memory to TargetLUFS with a true peak of at most CeilingDBTP, by a gain and, where that is not
// enough, the limiter. It reports false for silence, which stays as it is. Error: backend.ErrCancelled soon after ctx ends,
// with some samples changed already.
func Normalize(ctx context.Context, b Buffer) (bool, error) {
	trace := NewTrace(b.Rate, b.Channels)
	var pairs []float32
	err := b.inBlocks(ctx, func(samples []float32) error {
		pairs = append(pairs, trace.Write(samples)...)
		return nil
	})
	if err != nil {
		return false, err
	}
	pairs = append(pairs, trace.Close()...)
	if trace.TruePeak() == 0 {
		return false, nil
	}
	level, err := trace.Level(TargetLUFS, CeilingDBTP, func(emit func([]float32) error) error {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		return emit(pairs)
	})
	if err != nil {
		return false, err
	}
	return true, Amplify(ctx, b, level.Gain, level.Reduction > 0)
}

// Amplify multiplies samples in memory by a linear gain. With limit, the limiter keeps their true peak below CeilingDBTP. Error:
// backend.ErrCancelled soon after ctx ends, with some samples changed already.
func Amplify(ctx context.Context, b Buffer, gain float64, limit bool) error {
	if gain == 1 && !limit {
		return nil
	}
	if !limit {
		return b.inBlocks(ctx, func(samples []float32) error {
			for i := range samples {
				samples[i] = float32(float64(samples[i]) * gain)
			}
			return nil
		})
	}
	limiter, n := NewLimiter(b.Rate, b.Channels, gain, CeilingDBTP), 0
	err := b.inBlocks(ctx, func(samples []float32) error {
		n += copy(b.Samples[n:], limiter.Write(samples))
		return nil
	})
	if err == nil {
		copy(b.Samples[n:], limiter.Close())
	}
	return err
}
