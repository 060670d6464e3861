package vad

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

// The state of the network after the first, the second and the last window is that of the reference.
func TestStateEqualsTheReference(t *testing.T) {
	enginetest.Parity(t)
	d := New(onnx.New(onnx.Options{Path: enginetest.Library(t)}))
	defer func() { require.NoError(t, d.Close()) }()
	samples := enginetest.Clip(t, "jfk.wav").Samples
	half := make([]float32, 0, len(samples)/2)
	for i := 0; i < len(samples); i += 2 {
		half = append(half, samples[i])
	}
	for rate, samples := range map[int][]float32{Rate: samples, LowRate: half} {
		s, err := d.Stream(t.Context(), rate)
		require.NoError(t, err)
		defer s.Close()
		var states []float32
		for i := 0; i*s.Window() < len(samples); i++ {
			_, err := s.Next(t.Context(), samples[i*s.Window():min((i+1)*s.Window(), len(samples))])
			require.NoError(t, err)
			if i < 2 {
				states = append(states, s.state...)
			}
		}
		states = append(states, s.state...)
		name := fmt.Sprintf("jfk.%dk.state-after-1-2-last.npy", rate/1000)
		require.InDeltaSlice(t, enginetest.ReadNpy[float32](t, enginetest.KitFile(t, "vad", name)), states, 1e-4)
	}
}

// The mistakes that the kit measured give other probabilities here too, so the kit would find them: the network does not
// complain about any.
func TestWrongWiringsAreFound(t *testing.T) {
	raw, err := os.ReadFile(enginetest.KitFile(t, "vad", "cases.json"))
	require.NoError(t, err)
	var kit struct {
		Right  float64 `json:"mean_probability_right"`
		Wrongs map[string]struct {
			Difference float64 `json:"mean_abs_difference"`
			Mean       float64 `json:"mean_probability"`
		} `json:"wrong_wirings"`
	}
	require.NoError(t, json.Unmarshal(raw, &kit))
	require.Len(t, kit.Wrongs, 3)
	d := New(onnx.New(onnx.Options{Path: enginetest.Library(t)}))
	defer func() { require.NoError(t, d.Close()) }()
	samples := enginetest.Clip(t, "jfk.wav").Samples
	right, err := d.Probabilities(t.Context(), samples, Rate)
	require.NoError(t, err)
	for name, wrong := range kit.Wrongs {
		var mean, difference float64
		for i, p := range wired(t, d, samples, name) {
			mean += float64(p) / float64(len(right))
			difference += math.Abs(float64(p-right[i])) / float64(len(right))
		}
		require.InDelta(t, wrong.Mean, mean, 1e-3, name)
		require.InDelta(t, wrong.Difference, difference, 1e-3, name)
	}
}

// wired returns the probabilities with a mistake.
func wired(t *testing.T, d *Detector, samples []float32, mistake string) (out []float32) {
	t.Helper()
	session, err := d.load(t.Context())
	require.NoError(t, err)
	before, state := make([]float32, contextSamples), make([]float32, stateSize)
	for len(samples) > 0 {
		window := make([]float32, windowSamples)
		samples = samples[copy(window, samples):]
		input := append(before[:contextSamples:contextSamples], window...)
		switch mistake {
		case "no context samples (input of 512)":
			input = window
		case "state always zero":
			clear(state)
		case "zero context":
			clear(input[:contextSamples])
		default:
			t.Fatal(mistake)
		}
		result, err := session.Run(t.Context(), "test", onnx.NewTensor(input, 1, int64(len(input))),
			onnx.NewTensor(state, 2, 1, stateSize/2), onnx.NewTensor([]int64{Rate}))
		require.NoError(t, err)
		p, err := result[0].Floats()
		require.NoError(t, err)
		state, err = result[1].Floats()
		require.NoError(t, err)
		out, before = append(out, p[0]), window[windowSamples-contextSamples:]
	}
	return out
}
