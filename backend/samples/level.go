package samples

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

const (
	silentLUFS  = -60.0 // recordings below contain nothing that can be heard
	quietLUFS   = -36.0 // recordings below were made at a low level; those of 270 people were at -36 to -15
	noisySNR    = 20.0  // dB of speech above the background; one in ten recordings of volunteers has less, and hums or hisses
	detectLUFS  = -20.0 // speech is found best at about this level
	highestGain = 100.0 // of what is searched for speech, linear
)

// loudness returns the integrated loudness of mono audio in LUFS; ok is false if it cannot be measured, as of silence.
// Error: backend.ErrCancelled soon after ctx ends.
func loudness(ctx context.Context, mono audio.Buffer) (lufs float64, ok bool, err error) {
	m := audio.NewMeter(mono.Rate, 1)
	for x := mono.Samples; len(x) > 0; {
		if err := ctx.Err(); err != nil {
			return 0, false, backend.ErrCancelled.WithCause(err)
		}
		n := min(len(x), mono.Rate)
		m.Write(x[:n])
		x = x[n:]
	}
	lufs, ok = m.Integrated()
	return lufs, ok, nil
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
