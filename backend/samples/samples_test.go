package samples_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/samples"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/vad"
)

// options returns options that find speech as the program does.
func options(t testing.TB) samples.Options {
	t.Helper()
	d := vad.New(onnx.New(onnx.Options{Path: enginetest.Library(t)}))
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return samples.Options{Detect: func(ctx context.Context, mono []float32) ([]samples.Span, error) {
		spans, err := d.Speech(ctx, mono)
		out := make([]samples.Span, len(spans))
		for i, s := range spans {
			out[i] = samples.Span{Start: float64(s.Start) / vad.Rate, End: float64(s.End) / vad.Rate}
		}
		return out, err
	}}
}

// silence returns seconds of mono silence.
func silence(seconds float64, rate int) audio.Buffer {
	return audio.Buffer{Samples: make([]float32, int(seconds*float64(rate))), Rate: rate, Channels: 1}
}

// after returns a and b, one after the other; both are mono and of one rate.
func after(a, b audio.Buffer) audio.Buffer {
	return audio.Buffer{Samples: append(append([]float32(nil), a.Samples...), b.Samples...), Rate: a.Rate, Channels: 1}
}

func TestSilenceAtBothEndsIsCutOff(t *testing.T) {
	clip := enginetest.Clip(t, "LJ001-0001.wav")
	in := after(after(silence(2, clip.Rate), clip), silence(3, clip.Rate))
	r, err := samples.Analyse(t.Context(), in, options(t))
	require.NoError(t, err)
	require.InDelta(t, in.Duration().Seconds(), r.Duration, 1e-6)
	require.InDelta(t, 2, r.From, 0.3)
	require.InDelta(t, 2+clip.Duration().Seconds(), r.To, 0.5)
	require.InDelta(t, r.To-r.From, r.Seconds, 0.001)
	require.Equal(t, audio.Buffer{Samples: in.Samples[int(r.From*float64(in.Rate)+0.5):][:len(r.Audio.Samples)], Rate: in.Rate, Channels: 1}, r.Audio)
	require.InDelta(t, 215, r.PitchHz, 25, "a woman's voice")
	require.Len(t, r.Peaks, 400)
	require.Empty(t, r.Warnings)
}

func TestSilenceIsRejected(t *testing.T) {
	r, err := samples.Analyse(t.Context(), silence(5, 48000), options(t))
	require.Equal(t, backend.CodeSampleRejected, backend.CodeOf(err))
	require.Equal(t, "silent", backend.AsError(err).Params["reason"])
	require.InDelta(t, 5, r.Duration, 1e-9)
	require.Len(t, r.Peaks, 400)
}
