package onnx_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/onnx"
)

func TestAudible(t *testing.T) {
	t.Parallel()
	var heard [][]float32
	a := onnx.Audible{Stage: "test", Emit: func(samples []float32) error {
		heard = append(heard, samples)
		return nil
	}}
	for _, samples := range [][]float32{{0, 0}, {0}, {0, 0.5}, {0.25}, {0, 0}} {
		require.NoError(t, a.Write(samples))
	}
	require.Equal(t, [][]float32{{0, 0, 0, 0, 0.5}, {0.25}, {0, 0}}, heard, "silence is held back only at the beginning")
	require.NoError(t, a.Close(), "speech may end with silence")

	silent := onnx.Audible{Stage: "test", Emit: func([]float32) error { return errors.New("nothing is emitted") }}
	require.NoError(t, silent.Write(make([]float32, 10)))
	err := silent.Close()
	require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
	require.Equal(t, "test", backend.AsError(err).Params["stage"])
	require.Error(t, (&onnx.Audible{}).Close(), "no samples at all")
}
