package vad_test

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/vad"
)

// Many callers, with streams and iterators beside them, get the results of one.
func TestDetectorIsShared(t *testing.T) {
	d := newDetector(t)
	samples := enginetest.Clip(t, "jfk.wav").Samples[:4*vad.Rate]
	want, err := d.Speech(t.Context(), samples)
	require.NoError(t, err)
	require.NotEmpty(t, want)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			got, err := d.Speech(t.Context(), samples)
			require.NoError(t, err)
			require.Equal(t, want, got)
			it, err := d.Iterator(t.Context(), vad.Rate, vad.Defaults())
			require.NoError(t, err)
			defer it.Close()
			events, err := it.Write(t.Context(), samples)
			require.NoError(t, err)
			require.True(t, events[0].Start)
		})
	}
	all.Wait()
}

func TestDetectorErrors(t *testing.T) {
	d := newDetector(t)
	_, err := d.Probabilities(t.Context(), make([]float32, 1000), 44100)
	require.ErrorContains(t, err, "44100 Hz")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = d.Speech(ctx, make([]float32, 1000))
	require.ErrorIs(t, err, backend.ErrCancelled)
	none, err := d.Speech(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, none)
}

// A process that has loaded the library keeps it, so the test runs in a child of its own.
func TestWithoutTheLibrary(t *testing.T) {
	const child = "VAD_TEST_CHILD"
	if os.Getenv(child) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run=^TestWithoutTheLibrary$")
		cmd.Env = append(os.Environ(), child+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "--- PASS")
		return
	}
	d := vad.New(onnx.New(onnx.Options{Path: t.TempDir()}))
	for range 2 {
		_, err := d.Speech(t.Context(), make([]float32, 1000))
		require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err), "%v", err)
		require.NotEmpty(t, backend.AsError(err).Remedy)
	}
	require.NoError(t, d.Close())
}

// An hour of audio is given up at once: when the context ends, and when the detector is closed.
func TestDetectionStops(t *testing.T) {
	d := newDetector(t)
	ctx, cancel := context.WithCancel(t.Context())
	hour := make([]float32, 3600*vad.Rate)
	for _, stop := range []func(){cancel, func() { require.NoError(t, d.Close()) }} {
		it, err := d.Iterator(t.Context(), vad.Rate, vad.Defaults()) // loaded before the clock starts
		require.NoError(t, err)
		defer it.Close()
		ended := make(chan error, 1)
		go func() {
			_, err := d.Speech(ctx, hour)
			ended <- err
		}()
		stop()
		start := time.Now()
		require.ErrorIs(t, <-ended, backend.ErrCancelled)
		t.Logf("ended after %v", time.Since(start))
		ctx = t.Context()
	}
	_, err := d.Speech(t.Context(), hour)
	require.ErrorIs(t, err, backend.ErrCancelled, "closed")
}

func TestTrim(t *testing.T) {
	d := newDetector(t)
	speech := enginetest.Clip(t, "jfk.wav").Samples[:5*vad.Rate/2] // from 0.3 to 2.3 s
	recording := append(append(make([]float32, 2*vad.Rate), speech...), make([]float32, 3*vad.Rate)...)
	part, ok, err := d.Trim(t.Context(), recording, 100*time.Millisecond)
	require.NoError(t, err)
	require.True(t, ok)
	require.InDelta(t, 2.2, float64(part.Start)/vad.Rate, 0.15)
	require.InDelta(t, 4.4, float64(part.End)/vad.Rate, 0.15)

	whole, ok, err := d.Trim(t.Context(), recording, time.Minute)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, engines.Span{End: len(recording)}, whole)

	_, ok, err = d.Trim(t.Context(), noise(1, vad.Rate), 0)
	require.NoError(t, err)
	require.False(t, ok)
}

// Whatever the probabilities are, the stretches are in order, without overlap and within the audio.
func TestTimestampsAreOrdered(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		probabilities := rapid.SliceOfN(rapid.Float32Range(0, 1), 0, 400).Draw(rt, "probabilities")
		samples := max(0, len(probabilities)*512-rapid.IntRange(0, 511).Draw(rt, "cut"))
		p := vad.Defaults()
		p.MinSpeech = rapid.Float64Range(0, 500).Draw(rt, "min speech")
		p.MinSilence = rapid.Float64Range(0, 500).Draw(rt, "min silence")
		p.Pad = rapid.Float64Range(0, 300).Draw(rt, "pad")
		p.MaxSpeech = rapid.Float64Range(1, 10).Draw(rt, "max speech")
		p.CutAtLast = rapid.Bool().Draw(rt, "cut at last")
		at := 0
		for _, s := range vad.Timestamps(probabilities, vad.Rate, samples, p) {
			require.GreaterOrEqual(rt, s.Start, at)
			require.Greater(rt, s.End, s.Start)
			at = s.End
		}
		require.LessOrEqual(rt, at, samples)
	})
}
