package audio_test

import (
	"math"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// loudnessClip returns a clip of the kit by its formula.
func loudnessClip(t testing.TB, name string) audio.Buffer {
	t.Helper()
	level := func(db float64) float64 { return math.Pow(10, db/20) }
	switch name {
	case "speech-mono-16k":
		return readClip(t, "jfk.wav")
	case "speech-mono-22k":
		return readClip(t, "LJ001-0001.wav")
	case "sine-stereo-minus23":
		s := sine(480_000, 48000, 1000, level(-23), 0)
		return audio.Buffer{Samples: stereo(s, s), Rate: 48000, Channels: 2}
	case "sine-mono-minus23":
		return audio.Buffer{Samples: sine(480_000, 48000, 1000, level(-23), 0), Rate: 48000, Channels: 1}
	case "gating-stereo":
		s := sine(144_000, 48000, 1000, level(-36), 0)
		s = append(append(s, sine(576_000, 48000, 1000, level(-23), 0)...), s...)
		return audio.Buffer{Samples: stereo(s, s), Rate: 48000, Channels: 2}
	case "one-side-silent":
		s := sine(220_500, 44100, 1000, level(-20), 0)
		return audio.Buffer{Samples: stereo(s, make([]float32, len(s))), Rate: 44100, Channels: 2}
	case "silence":
		return audio.Buffer{Samples: make([]float32, 96_000), Rate: 48000, Channels: 1}
	case "short-300ms":
		return audio.Buffer{Samples: sine(7200, 24000, 1000, level(-20), 0), Rate: 24000, Channels: 1}
	case "quiet-below-gate":
		return audio.Buffer{Samples: sine(144_000, 48000, 1000, level(-75), 0), Rate: 48000, Channels: 1}
	case "true-peak-between-samples":
		s := sine(96_000, 48000, 12000, 0.9, math.Pi/4)
		return audio.Buffer{Samples: stereo(s, s), Rate: 48000, Channels: 2}
	}
	t.Fatalf("clip %q is not known", name)
	return audio.Buffer{}
}

func measure(b audio.Buffer) *audio.Meter {
	m := audio.NewMeter(b.Rate, b.Channels)
	for s := b.Samples; len(s) > 0; {
		n := min(len(s), 1777*b.Channels)
		m.Write(s[:n])
		s = s[n:]
	}
	return m
}

func TestMeterAgainstOtherMeters(t *testing.T) {
	enginetest.Parity(t)

	for _, c := range loadKit(t).Loudness {
		t.Run(c.Name, func(t *testing.T) {
			m := measure(loudnessClip(t, c.Name))
			lufs, ok := m.Integrated()
			ffmpeg, err := strconv.ParseFloat(c.FFmpeg.LUFS, 64)
			require.NoError(t, err)
			if ffmpeg == -70 { // what ffmpeg prints for "nothing above the gate"
				require.False(t, ok)
				require.True(t, math.IsInf(lufs, -1))
				require.InDelta(t, 1, audio.Gain(lufs, m.TruePeak(), audio.TargetLUFS, audio.CeilingDBTP), 0)
			} else {
				require.True(t, ok)
				require.InDelta(t, ffmpeg, lufs, 0.1)
				require.InDelta(t, c.DeMan, lufs, 0.05)
			}
			peak := dB(m.TruePeak())
			t.Logf("%.3f LUFS, %.2f dBTP", lufs, peak)
			switch want, err := strconv.ParseFloat(c.FFmpeg.TruePeak, 64); {
			case c.Name == "true-peak-between-samples":
				require.True(t, peak >= -1 && peak <= 0, "%f", peak)
			case math.IsInf(want, -1):
				require.Zero(t, m.TruePeak())
			default:
				require.NoError(t, err)
				require.InDelta(t, want, peak, 0.3)
			}
		})
	}
}

func TestMeterOfInvalidSamples(t *testing.T) {
	s := sine(48000, 24000, 1000, 0.1, 0)
	clean := measure(audio.Buffer{Samples: s, Rate: 24000, Channels: 1})
	s[100], s[2000] = float32(math.NaN()), float32(math.Inf(1))
	m := measure(audio.Buffer{Samples: s, Rate: 24000, Channels: 1})
	want, _ := clean.Integrated()
	got, ok := m.Integrated()
	require.True(t, ok)
	require.InDelta(t, want, got, 0.1)
	require.InDelta(t, 0.1, m.TruePeak(), 0.02)
}

func TestMeterSurround(t *testing.T) {
	tone := sine(96_000, 48000, 1000, 0.1, 0)
	only := func(channel int) float64 {
		s := make([]float32, 6*len(tone))
		for i, x := range tone {
			s[6*i+channel] = x
		}
		lufs, _ := measure(audio.Buffer{Samples: s, Rate: 48000, Channels: 6}).Integrated()
		return lufs
	}
	require.InDelta(t, only(0), only(2), 1e-9)
	require.True(t, math.IsInf(only(3), -1), "the LFE channel is not counted")
	require.InDelta(t, only(0)+10*math.Log10(1.41), only(5), 0.01)
}

func TestMeterMemoryIsFlat(t *testing.T) {
	m := audio.NewMeter(24000, 1)
	second := sine(24000, 24000, 440, 0.2, 0)
	m.Write(second)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 60 {
		m.Write(second)
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<10))
}

func TestGain(t *testing.T) {
	db := func(x float64) float64 { return 20 * math.Log10(x) }
	require.InDelta(t, 4, db(audio.Gain(-20, 0.1, -16, -1)), 1e-9)
	require.InDelta(t, -6, db(audio.Gain(-10, 0.5, -16, -1)), 1e-9)
	require.InDelta(t, -1, db(audio.Gain(-30, 1, -16, -1)), 1e-9, "the true peak wins")
	require.InDelta(t, 1, audio.Gain(math.Inf(-1), 0.3, -16, -1), 0)
	require.InDelta(t, 1, audio.Gain(math.NaN(), 0.3, -16, -1), 0)
	require.InDelta(t, 1, audio.Gain(-20, 0, -16, -1), 0)
}

// One gain brings speech to the target and below the ceiling.
func TestGainBringsSpeechToTarget(t *testing.T) {
	for _, name := range []string{"jfk.wav", "LJ001-0001.wav"} {
		b := readClip(t, name)
		m := measure(b)
		lufs, ok := m.Integrated()
		require.True(t, ok)
		g := audio.Gain(lufs, m.TruePeak(), audio.TargetLUFS, audio.CeilingDBTP)
		for i := range b.Samples {
			b.Samples[i] *= float32(g)
		}
		after := measure(b)
		lufs, _ = after.Integrated()
		require.LessOrEqual(t, lufs, audio.TargetLUFS+0.01)
		require.LessOrEqual(t, dB(after.TruePeak()), audio.CeilingDBTP+0.01)
		require.True(t, lufs > audio.TargetLUFS-0.01 || dB(after.TruePeak()) > audio.CeilingDBTP-0.01)
	}
}

// The lowest rates are below the high shelf of the filter.
func TestMeterAtEveryRate(t *testing.T) {
	for _, rate := range []int{audio.MinRate, 1500, 2000, 2500, 3000, 3300, 3364, 3400, 4000, 8000, 48000, audio.MaxRate} {
		m := audio.NewMeter(rate, 1)
		m.Write(sine(3*rate, rate, 100, 0.5, 0))
		lufs, ok := m.Integrated()
		require.True(t, ok, "%d Hz", rate)
		require.InDelta(t, -10, lufs, 2, "%d Hz", rate)
	}
}
