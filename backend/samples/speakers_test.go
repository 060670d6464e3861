package samples_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/samples"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// shifted returns b at a rate of 22050 Hz as if it were spoken by a smaller or larger person, by so many semitones.
func shifted(b audio.Buffer, semitones float64) audio.Buffer {
	b.Rate = int(float64(b.Rate) * math.Exp2(semitones/12))
	return b.Resampled(22050)
}

func TestTwoSpeakers(t *testing.T) {
	t.Parallel()
	o := options(t)
	her, him := seconds(woman(t), 6), seconds(man(t).Resampled(22050), 6)
	for what, in := range map[string]audio.Buffer{
		"her, then him":         after(her, him),
		"him, then her":         after(him, her),
		"in turns":              after(after(after(seconds(her, 3), seconds(him, 3)), seconds(her, 3)), seconds(him, 3)),
		"three seconds each":    after(seconds(her, 3), seconds(him, 3)),
		"eight semitones apart": after(him, shifted(him, 8)),
		"an octave apart":       after(shifted(her, -12), her),
		"with the president":    after(him, enginetest.Clip(t, "jfk.wav").Resampled(22050)),
	} {
		r := analyse(t, in, o)
		require.Equal(t, 2, r.Speakers, what)
		require.Contains(t, codes(r), backend.SampleTwoSpeakers, what)
		w := r.Warnings[len(r.Warnings)-1]
		low, high := w.Params["low_hz"].(float64), w.Params["high_hz"].(float64)
		require.Greater(t, samples.Semitones(low, high), 5.0, what)
	}
}

func TestOneSpeaker(t *testing.T) {
	t.Parallel()
	o := options(t)
	her, him := woman(t), man(t).Resampled(22050)
	for what, in := range map[string]audio.Buffer{
		"her": her, "him": him, "the president": enginetest.Clip(t, "jfk.wav"),
		"two of nearly equal voices": after(seconds(her, 6), shifted(seconds(her, 6), 2)),
		"a word of another":          after(her, seconds(him, 1.2)),
		"a lively voice":             melody(t, her),
	} {
		r := analyse(t, in, o)
		require.Equal(t, 1, r.Speakers, what)
		require.NotContains(t, codes(r), backend.SampleTwoSpeakers, what)
	}
}

// melody returns b with a pitch that rises and falls by four semitones more than it does, every two seconds.
func melody(t *testing.T, b audio.Buffer) audio.Buffer {
	t.Helper()
	out := audio.Buffer{Rate: b.Rate, Channels: 1}
	for at := 0.0; int(at)+1 < len(b.Samples); {
		i := int(at)
		frac := float32(at - float64(i))
		out.Samples = append(out.Samples, b.Samples[i]*(1-frac)+b.Samples[i+1]*frac)
		at += math.Exp2(2 * math.Sin(2*math.Pi*float64(len(out.Samples))/float64(b.Rate)/2) / 12)
	}
	return out
}

func TestPitch(t *testing.T) {
	t.Parallel()
	for _, hz := range []float64{70, 110, 220, 440} {
		for _, rate := range []int{8000, 22050, 48000} {
			hum := mapped(silence(2, rate), func(i int, _ float64) float64 {
				at := float64(i) / float64(rate)
				var y float64
				for h := 1.0; h <= 8; h++ {
					y += math.Sin(2*math.Pi*hz*h*at) / h
				}
				return 0.1*y + 0.02*math.Sin(2*math.Pi*50*at)
			})
			got, ok := samples.PitchHz(hum)
			require.True(t, ok)
			require.InDelta(t, 0, samples.Semitones(hz, got), 0.2, "%g Hz at %d", hz, rate)
		}
	}
	for what, none := range map[string]audio.Buffer{"silence": silence(1, 16000), "nothing": {}, "noise": noise(2, 16000, 0.1)} {
		if hz, ok := samples.PitchHz(none); ok {
			require.Equal(t, "noise", what, "%g Hz", hz)
		}
	}
	for name, want := range map[string]float64{"LJ001-0001.wav": 214, "jfk.wav": 239, "sense_and_sensibility_01_austen_64kb-0870.wav": 101} {
		got, ok := samples.PitchHz(enginetest.Clip(t, name))
		require.True(t, ok)
		require.InDelta(t, 0, samples.Semitones(want, got), 1, "%s: %g Hz instead of the %g of Praat", name, got, want)
	}
}
