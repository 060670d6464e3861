package onnx_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

func node(op string, more ...[]byte) []byte {
	return onnxtest.Bytes(1, append([][]byte{onnxtest.Bytes(1, []byte("x")), onnxtest.Bytes(4, []byte(op))}, more...)...)
}

func inspect(t *testing.T, content []byte) (onnx.Model, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.onnx")
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return onnx.Inspect(path)
}

func TestInspectReadsNestedGraphs(t *testing.T) {
	weights := onnxtest.Bytes(5, onnxtest.Number(1, 4), onnxtest.Bytes(9, make([]byte, 100_000)), onnxtest.Bytes(8, []byte("w")))
	body := onnxtest.Bytes(6, node("RandomUniform"), onnxtest.Value(onnxtest.Input, "inner", 1, 1)) // an attribute's graph
	model, err := inspect(t, append(append(onnxtest.Number(1, 8), onnxtest.Bytes(7,
		weights,
		onnxtest.Value(onnxtest.Input, "x", 7, 2), onnxtest.Value(onnxtest.Input, "w", 1, 1), onnxtest.Value(onnxtest.Input, "flag", 9, 0),
		node("If", onnxtest.Bytes(5, onnxtest.Bytes(1, []byte("then_branch")), body)),
		node("Add"), node("Add"),
		onnxtest.Value(onnxtest.Output, "y", 1, 3),
		onnxtest.Bytes(12, onnxtest.Bytes(1, []byte("z"))),
	)...), onnxtest.Bytes(25, onnxtest.Bytes(7, onnxtest.Bytes(4, []byte("Mul"))))...))
	require.NoError(t, err)
	require.Equal(t, []onnx.Value{{Name: "x", Type: onnx.Int64, Rank: 2}, {Name: "flag", Type: onnx.Bool, Rank: 0}}, model.Inputs)
	require.Equal(t, []onnx.Value{
		{Name: "y", Type: onnx.Float32, Rank: 3},
		{Name: "z", Type: onnx.Undefined, Rank: onnx.AnyRank},
	}, model.Outputs)
	require.Equal(t, map[string]int{"If": 1, "RandomUniform": 1, "Add": 2, "Mul": 1}, model.Ops)
	require.True(t, model.Random())
}

func TestInspectRefusesEndlessNesting(t *testing.T) {
	graph := []byte{}
	for range 1000 {
		graph = onnxtest.Bytes(6, onnxtest.Bytes(1, onnxtest.Bytes(5, graph)))
	}
	_, err := inspect(t, onnxtest.Bytes(7, onnxtest.Bytes(1, onnxtest.Bytes(5, graph)), onnxtest.Value(onnxtest.Output, "y", 1, 1)))
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
}

func FuzzInspect(f *testing.F) {
	f.Add(onnxtest.Bytes(7, node("Add"), onnxtest.Value(onnxtest.Input, "x", 7, 2), onnxtest.Value(onnxtest.Output, "y", 1, 3)))
	f.Add(onnxtest.Bytes(7, onnxtest.Bytes(5, onnxtest.Bytes(8, []byte("w"))), onnxtest.Value(onnxtest.Output, "y", 1, 1), onnxtest.Bytes(1, onnxtest.Bytes(5, onnxtest.Bytes(6, node("Mul"))))))
	f.Add([]byte("<!DOCTYPE html>"))
	f.Add([]byte{0x3a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	path := filepath.Join(f.TempDir(), "model.onnx")
	f.Fuzz(func(t *testing.T, content []byte) {
		require.NoError(t, os.WriteFile(path, content, 0o600))
		model, err := onnx.Inspect(path)
		if err != nil {
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			return
		}
		require.NotEmpty(t, model.Outputs)
	})
}
