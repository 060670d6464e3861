package samples_test

import (
	"context"
	"errors"
	"math"
	"math/rand"
	"slices"
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

// speechAt returns options that find speech at these times, whatever is heard.
func speechAt(spans ...samples.Span) samples.Options {
	return samples.Options{Detect: func(context.Context, []float32) ([]samples.Span, error) { return spans, nil }}
}

// woman and man return real speech of ten seconds.
func woman(t testing.TB) audio.Buffer { return enginetest.Clip(t, "LJ001-0001.wav") }

// sentence returns five seconds of real speech.
func sentence(t testing.TB) audio.Buffer { return seconds(woman(t), 5) }

func man(t testing.TB) audio.Buffer {
	var out audio.Buffer
	for _, n := range []string{"0870", "0930"} {
		out = after(out, enginetest.Clip(t, "sense_and_sensibility_01_austen_64kb-"+n+".wav"))
	}
	return out
}

// silence returns seconds of mono silence.
func silence(seconds float64, rate int) audio.Buffer { return noise(seconds, rate, 0) }

// noise returns seconds of mono white noise at a level, linear.
func noise(seconds float64, rate int, level float64) audio.Buffer {
	r := rand.New(rand.NewSource(1))
	out := audio.Buffer{Samples: make([]float32, int(seconds*float64(rate))), Rate: rate, Channels: 1}
	for i := range out.Samples {
		out.Samples[i] = float32(level * r.NormFloat64())
	}
	return out
}

// after returns a and b, one after the other; both are mono and of one rate, or a is empty.
func after(a, b audio.Buffer) audio.Buffer {
	return audio.Buffer{Samples: slices.Concat(a.Samples, b.Samples), Rate: b.Rate, Channels: 1}
}

// mapped returns b with each sample changed by f, as 16 bits store it.
func mapped(b audio.Buffer, f func(i int, x float64) float64) audio.Buffer {
	b.Samples = append([]float32(nil), b.Samples...)
	for i, x := range b.Samples {
		y := min(1, max(-1, f(i, float64(x))))
		b.Samples[i] = float32(math.Round(y*32767) / 32768)
	}
	return b
}

// times returns b at another level.
func times(b audio.Buffer, gain float64) audio.Buffer {
	return mapped(b, func(_ int, x float64) float64 { return gain * x })
}

// seconds returns the beginning of b.
func seconds(b audio.Buffer, n float64) audio.Buffer {
	b.Samples = b.Samples[:min(len(b.Samples), int(n*float64(b.Rate)))]
	return b
}

// interleaved returns the channels, which are mono, as one buffer of the length of the shortest.
func interleaved(channels ...audio.Buffer) audio.Buffer {
	out := audio.Buffer{Rate: channels[0].Rate, Channels: len(channels)}
	frames := channels[0].Frames()
	for _, c := range channels {
		frames = min(frames, c.Frames())
	}
	for i := range frames {
		for _, c := range channels {
			out.Samples = append(out.Samples, c.Samples[i])
		}
	}
	return out
}

// codes returns the codes of the warnings of r.
func codes(r samples.Report) []backend.SampleIssue {
	out := []backend.SampleIssue{}
	for _, w := range r.Warnings {
		out = append(out, w.Code)
	}
	return out
}

// rejects fails the test unless err says why the recording is rejected, and what to do.
func rejects(t *testing.T, err error, reason backend.SampleIssue) *backend.Error {
	t.Helper()
	require.Equal(t, backend.CodeSampleRejected, backend.CodeOf(err), "%v", err)
	e := backend.AsError(err)
	require.Equal(t, string(reason), e.Params["reason"], "%v", err)
	require.Contains(t, e.Params, "seconds")
	require.NotEmpty(t, e.Detail)
	require.NotEmpty(t, e.Remedy)
	return e
}

func TestSilenceAtBothEndsIsCutOff(t *testing.T) {
	t.Parallel()
	clip := woman(t)
	in := after(after(silence(2, clip.Rate), clip), silence(3, clip.Rate))
	r, err := samples.Analyse(t.Context(), in, options(t))
	require.NoError(t, err)
	require.InDelta(t, in.Duration().Seconds(), r.Duration, 1e-6)
	require.InDelta(t, 2, r.From, 0.3)
	require.InDelta(t, 2+clip.Duration().Seconds(), r.To, 0.5)
	require.InDelta(t, r.To-r.From, r.Seconds, 0.001)
	require.Equal(t, in.Samples[int(r.From*float64(in.Rate)+0.5):][:len(r.Audio.Samples)], r.Audio.Samples, "nothing is changed")
	require.Equal(t, clip.Rate, r.SampleRate)
	require.InDelta(t, -20, r.LevelLUFS, 1)
	require.InDelta(t, 215, r.PitchHz, 15, "a woman's voice")
	require.InDelta(t, 9, r.Speech, 1)
	require.Equal(t, 1, r.Speakers)
	require.False(t, r.Clipped)
	require.Len(t, r.Peaks, 400)
	require.Zero(t, r.Peaks[10])
	require.Positive(t, r.Peaks[200])
	require.Empty(t, r.Warnings)
}

func TestOnlyThePartIsUsed(t *testing.T) {
	t.Parallel()
	in := after(after(woman(t), silence(1, 22050)), woman(t))
	o := options(t)
	o.From, o.To = 11, 15
	r, err := samples.Analyse(t.Context(), in, o)
	require.NoError(t, err)
	require.GreaterOrEqual(t, r.From, 11.0)
	require.LessOrEqual(t, r.To, 15.0)
	require.InDelta(t, in.Duration().Seconds(), r.Duration, 1e-6)
	require.Len(t, r.Peaks, 400, "of the whole recording")
	o.From, o.To = 30, 40
	_, err = samples.Analyse(t.Context(), in, o)
	_ = rejects(t, err, backend.SampleTooShort)
}

// 3 and 60 seconds are allowed, with a margin only where it fits.
func TestLengths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what       string
		start, end float64
		reason     backend.SampleIssue
	}{
		{what: "three seconds", start: 0, end: 3},
		{what: "three seconds with the margin", start: 1, end: 3.75},
		{what: "less", start: 1, end: 3.6, reason: backend.SampleTooShort},
		{what: "a minute", start: 2, end: 62},
		{what: "more", start: 2, end: 62.1, reason: backend.SampleTooLong},
	} {
		in := noise(c.end+1, 8000, 0.1)
		if c.start == 0 {
			in = noise(c.end, 8000, 0.1)
		}
		r, err := samples.Analyse(t.Context(), in, speechAt(samples.Span{Start: c.start, End: c.end}))
		if c.reason != "" {
			_ = rejects(t, err, c.reason)
			continue
		}
		require.NoError(t, err, c.what)
		require.LessOrEqual(t, r.Seconds, samples.Longest, c.what)
		require.GreaterOrEqual(t, r.Seconds, samples.Shortest, c.what)
	}
}

// Two words with a long pause between are less than a sample needs.
func TestPausesAreNotSpeech(t *testing.T) {
	t.Parallel()
	o := speechAt(samples.Span{Start: 0, End: 0.6}, samples.Span{Start: 9, End: 9.6})
	_, err := samples.Analyse(t.Context(), noise(10, 8000, 0.1), o)
	require.InDelta(t, 1.2, rejects(t, err, backend.SampleTooShort).Params["seconds"], 0.01)
}

func TestRejectedRecordings(t *testing.T) {
	t.Parallel()
	o := options(t)
	second := woman(t)
	second.Samples = second.Samples[:second.Rate]
	long := noise(600, 8000, 0.1)
	for _, c := range []struct {
		what   string
		in     audio.Buffer
		reason backend.SampleIssue
		says   string
	}{
		{what: "nothing", in: audio.Buffer{}, reason: backend.SampleTooShort},
		{what: "silence", in: silence(5, 48000), reason: backend.SampleSilent},
		{what: "the hiss of an open input", in: noise(5, 16000, 0.0001), reason: backend.SampleSilent},
		{what: "noise", in: noise(6, 16000, 0.1), reason: backend.SampleNoSpeech},
		{what: "music", in: music(8), reason: backend.SampleNoSpeech},
		{what: "hum", in: mapped(silence(6, 16000), func(i int, _ float64) float64 { return 0.2 * math.Sin(2*math.Pi*50*float64(i)/16000) }), reason: backend.SampleNoSpeech},
		{what: "a second", in: second, reason: backend.SampleTooShort, says: "Only 0.5 seconds of speech was found; a sample needs at least 3 seconds."},
		{what: "ten minutes", in: long, reason: backend.SampleTooLong, says: "The recording is 10 minutes long; a sample may have up to 60 seconds."},
	} {
		r, err := samples.Analyse(t.Context(), c.in, o)
		e := rejects(t, err, c.reason)
		require.NotEmpty(t, e.Remedy, c.what)
		if c.says != "" {
			require.Equal(t, c.says, e.Detail)
		}
		require.InDelta(t, c.in.Duration().Seconds(), r.Duration, 1e-6, c.what)
		if c.in.Frames() > 0 {
			require.Len(t, r.Peaks, 400, c.what)
		}
	}
	_, err := samples.Analyse(t.Context(), long, o)
	require.Contains(t, backend.AsError(err).Remedy, "from and to")
}

// music returns seconds of chords of plucked strings in a steady rhythm.
func music(seconds float64) audio.Buffer {
	const rate = 16000
	chords := [][]float64{{220, 277, 330}, {196, 247, 294}, {175, 220, 262}, {165, 208, 247}}
	return mapped(silence(seconds, rate), func(i int, _ float64) float64 {
		at := float64(i) / rate
		beat := int(at / 0.5)
		since := at - float64(beat)*0.5
		var y float64
		for _, f := range chords[beat/2%len(chords)] {
			for h := 1.0; h <= 6; h++ {
				y += math.Sin(2*math.Pi*f*h*since) * math.Exp(-since*(3+2*h)) / h
			}
		}
		return 0.15 * y
	})
}

func TestAnalysisIsCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	o := samples.Options{Detect: func(ctx context.Context, _ []float32) ([]samples.Span, error) {
		cancel()
		return nil, ctx.Err()
	}}
	_, err := samples.Analyse(ctx, woman(t), o)
	require.ErrorIs(t, err, backend.ErrCancelled)
	_, err = samples.Analyse(ctx, woman(t), o)
	require.ErrorIs(t, err, backend.ErrCancelled)
}

func TestErrorsOfTheDetectorAreReturned(t *testing.T) {
	t.Parallel()
	missing := backend.E(backend.CodeRuntimeMissing, "ONNX Runtime is not installed.", "Install it.")
	o := samples.Options{Detect: func(context.Context, []float32) ([]samples.Span, error) { return nil, missing }}
	_, err := samples.Analyse(t.Context(), woman(t), o)
	require.True(t, errors.Is(err, missing))
}

// A recording at a rate above 48 kHz is stored at 48 kHz.
func TestHighRates(t *testing.T) {
	t.Parallel()
	in := woman(t).Resampled(96000)
	r, err := samples.Analyse(t.Context(), in, speechAt(samples.Span{Start: 0, End: 9}))
	require.NoError(t, err)
	require.Equal(t, 48000, r.SampleRate)
	require.Equal(t, 48000, r.Audio.Rate)
	require.InDelta(t, 9.15, r.Audio.Duration().Seconds(), 0.01)
}
