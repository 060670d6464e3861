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

// analyse returns the report on a recording that is accepted.
func analyse(t *testing.T, in audio.Buffer, o samples.Options) samples.Report {
	t.Helper()
	r, err := samples.Analyse(t.Context(), in, o)
	require.NoError(t, err)
	for _, w := range r.Warnings {
		require.NotEmpty(t, w.Detail)
		require.NotEmpty(t, w.Remedy)
	}
	return r
}

func TestDeadChannelIsLeftOut(t *testing.T) {
	t.Parallel()
	o := options(t)
	voice := sentence(t)
	want := analyse(t, voice, o)
	empty := silence(voice.Duration().Seconds(), voice.Rate)
	crosstalk := times(voice, 0.05)
	hiss := noise(voice.Duration().Seconds(), voice.Rate, 0.001)
	for what, in := range map[string]audio.Buffer{
		"left": interleaved(empty, voice), "right": interleaved(voice, empty),
		"crosstalk": interleaved(voice, crosstalk), "hiss": interleaved(hiss, voice),
	} {
		r := analyse(t, in, o)
		require.Equal(t, []backend.SampleIssue{backend.SampleDeadChannel}, codes(r), what)
		require.InDelta(t, want.LevelLUFS, r.LevelLUFS, 0.15, "the voice is as loud as before: %s", what)
	}
	r := analyse(t, interleaved(empty, voice, empty, empty, voice, empty), o)
	require.Equal(t, "4 of the 6 channels are silent or nearly silent and were left out.", r.Warnings[0].Detail)
}

func TestChannelsAreMixed(t *testing.T) {
	t.Parallel()
	o := options(t)
	voice := sentence(t)
	want := analyse(t, voice, o)
	opposite := times(voice, -1)
	r := analyse(t, interleaved(voice, voice), o)
	require.InDelta(t, want.LevelLUFS, r.LevelLUFS, 0.01)
	require.Empty(t, r.Warnings)
	r = analyse(t, interleaved(voice, opposite), o)
	require.InDelta(t, want.LevelLUFS, r.LevelLUFS, 0.15, "opposite phases do not cancel")
	require.Empty(t, r.Warnings)
}

// The background is measured within 1.5 dB, and a warning begins where speech is 20 dB above it.
func TestNoise(t *testing.T) {
	t.Parallel()
	o := options(t)
	voice := sentence(t)
	seconds := voice.Duration().Seconds()
	// The level of speech between its pauses, in dB below full scale.
	const level = -20.5
	for _, c := range []struct {
		snr   float64
		noisy bool
	}{{35, false}, {22, false}, {17, true}, {5, true}} {
		hiss := noise(seconds+1, voice.Rate, audio.FromDB(level-c.snr))
		in := mapped(voice, func(i int, x float64) float64 { return x + float64(hiss.Samples[i]) })
		r := analyse(t, in, o)
		require.InDelta(t, level-c.snr, r.NoiseDB, 1.5)
		if !c.noisy {
			require.Empty(t, r.Warnings)
			continue
		}
		require.Contains(t, codes(r), backend.SampleNoisy)
		require.InDelta(t, c.snr, r.Warnings[0].Params["snr_db"], 2)
	}
}

// Speech without a pause has a background too, and digital silence between the words is none.
func TestNoiseWithoutPauses(t *testing.T) {
	t.Parallel()
	voice := woman(t)
	hiss := noise(voice.Duration().Seconds()+1, voice.Rate, 0.01)
	in := mapped(voice, func(i int, x float64) float64 { return x + float64(hiss.Samples[i]) })
	r := analyse(t, in, speechAt(samples.Span{Start: 0, End: 10}))
	require.InDelta(t, -40, r.NoiseDB, 1)
	in = after(after(silence(1, in.Rate), in), silence(1, in.Rate))
	r = analyse(t, in, speechAt(samples.Span{Start: 1, End: 1 + voice.Duration().Seconds()}))
	require.InDelta(t, -40, r.NoiseDB, 1)
	r = analyse(t, mapped(voice, func(_ int, x float64) float64 {
		if math.Abs(x) < 0.01 {
			return 0
		}
		return x
	}), options(t))
	require.Empty(t, r.Warnings, "a noise gate")
}

// Music below the speech is background, too.
func TestMusicBelowSpeech(t *testing.T) {
	t.Parallel()
	voice := woman(t)
	below := music(11).Resampled(voice.Rate)
	in := mapped(voice, func(i int, x float64) float64 { return x + 0.5*float64(below.Samples[i]) })
	require.Contains(t, codes(analyse(t, in, options(t))), backend.SampleNoisy)
}

func TestQuietRecordings(t *testing.T) {
	t.Parallel()
	o := options(t)
	voice := sentence(t)
	require.Empty(t, analyse(t, times(voice, 0.25), o).Warnings)
	r := analyse(t, times(voice, 0.1), o)
	require.Equal(t, []backend.SampleIssue{backend.SampleQuiet}, codes(r))
	require.InDelta(t, -40.2, r.LevelLUFS, 1)
	require.Equal(t, "The recording is very quiet (-40 LUFS).", r.Warnings[0].Detail)
}

// A recording that was too loud is found out, also after it was made quieter.
func TestClipping(t *testing.T) {
	t.Parallel()
	o := options(t)
	for _, voice := range []audio.Buffer{sentence(t), seconds(enginetest.Clip(t, "jfk.wav"), 5)} {
		peak := 0.0
		for _, x := range voice.Samples {
			peak = max(peak, math.Abs(float64(x)))
		}
		loud := times(voice, 1/peak)
		r := analyse(t, loud, o)
		require.False(t, r.Clipped, "at full scale, but not beyond")
		for _, later := range []float64{1, 0.3} {
			over := times(times(loud, audio.FromDB(5)), later)
			r = analyse(t, over, o)
			require.True(t, r.Clipped)
			require.Equal(t, []backend.SampleIssue{backend.SampleClipped}, codes(r))
			_, err := samples.Analyse(t.Context(), times(times(loud, audio.FromDB(26)), later), o)
			_ = rejects(t, err, backend.SampleClipped)
		}
	}
	over := times(times(sentence(t), 2.5), 0.5)
	r := analyse(t, interleaved(sentence(t), over), o)
	require.True(t, r.Clipped, "in one channel")
	above := sentence(t).Resampled(22050)
	above.Samples = append([]float32(nil), above.Samples...)
	for i := range above.Samples {
		above.Samples[i] *= 2.5
	}
	r = analyse(t, above, o)
	require.True(t, r.Clipped, "beyond full scale, as in files of floating point numbers")
}

func TestNarrowBand(t *testing.T) {
	t.Parallel()
	o := options(t)
	for what, voice := range map[string]audio.Buffer{"a woman": sentence(t), "a radio of 1961": seconds(enginetest.Clip(t, "jfk.wav"), 6)} {
		require.Empty(t, analyse(t, voice, o).Warnings, what)
		low := voice.Resampled(8000)
		r := analyse(t, low, o)
		require.Equal(t, []backend.SampleIssue{backend.SampleNarrowBand}, codes(r), what)
		require.Equal(t, 8000, r.SampleRate)
		r = analyse(t, low.Resampled(44100), o)
		require.Equal(t, []backend.SampleIssue{backend.SampleNarrowBand}, codes(r), "%s, stored at a high rate", what)
	}
}
